// Results are on the disk as soon as they are there, whatever ends the program.
#include <sys/stat.h>

#include "cli/run_moco.h"

namespace moco::cli_test {
namespace {

class Results : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    expect_success({"generate", "tsp", "-n", "12", "--count", "1000", "-o", "many.txt"});
  }

  std::size_t lines(const std::string& file) const { return lines_of(read(file)).size(); }
};

TEST_F(Results, AKilledProgramLeavesThemBehind) {
  const Running running =
      start({"solve", "many.txt", "-K", "200", "--local-search", "none", "--batch", "1", "--json=r.jsonl", "-o",
             "solutions.csv", "--trace", "trace.csv", "--threads", "1", "-q"});
  ASSERT_TRUE(wait_until([&] { return fs::exists(work() / "trace.csv") && lines("trace.csv") > 1000; }, kTimeout));
  kill(running.process, SIGKILL);
  int state = 0;
  waitpid(running.process, &state, 0);
  ASSERT_TRUE(WIFSIGNALED(state)) << "it was over before";
  const std::vector<std::string> records = lines_of(read("r.jsonl"));
  ASSERT_GE(records.size(), 3u);
  ASSERT_LT(records.size(), 1000u);
  std::size_t number = 0;
  for (const Json& record : json_lines(read("r.jsonl"))) {
    EXPECT_EQ(record.at("instance"), "many#" + std::to_string(number++));
    EXPECT_EQ(record.at("feasible"), true);
  }
  const std::vector<std::string> rows = lines_of(read("solutions.csv"));
  EXPECT_EQ(rows.front(), "instance,position,item");
  EXPECT_GE(rows.size(), 1 + 12 * (records.size() - 1));
  EXPECT_EQ((rows.size() - 1) % 12, 0u) << "no half a solution";
}

TEST_F(Results, AMistakeTouchesNothing) {
  write("r.jsonl", "from before\n");
  expect_error_beginning({"solve", "many.txt", "--warm-start", "many.txt", "--json=r.jsonl", "-q"}, 2, "moco: ");
  EXPECT_EQ(read("r.jsonl"), "from before\n");
}

TEST_F(Results, FilesAreTheSameInWhateverPieces) {
  expect_success({"generate", "tsp", "-n", "12", "--count", "5", "-o", "few.txt"});
  for (const std::string name : {"a.json", "a.csv", "a.json.gz"}) {
    expect_success({"solve", "few.txt", "-K", "2", "--batch", "1", "-o", "one-" + name, "-q"});
    expect_success({"solve", "few.txt", "-K", "2", "--batch", "5", "-o", "all-" + name, "-q"});
    EXPECT_EQ(expect_success({"check", "few.txt", "one-" + name}), expect_success({"check", "few.txt", "all-" + name}));
    EXPECT_EQ(read("one-" + name), read("all-" + name)) << name;
  }
}

TEST_F(Results, APipeGetsAllOfThem) {
  ASSERT_EQ(mkfifo((work() / "pipe").c_str(), 0600), 0);
  const std::string reader = "cd '" + work().string() + "' && (timeout 60 cat pipe > copy) &";
  ASSERT_EQ(std::system(reader.c_str()), 0);
  expect_success({"generate", "tsp", "-n", "12", "--count", "5", "-o", "few.txt"});
  expect_success({"solve", "few.txt", "-K", "2", "--batch", "1", "--json=pipe", "-q"});
  EXPECT_TRUE(wait_until([&] { return lines("copy") == 5; }, kTimeout));
}

TEST_F(Results, FoldersAndArchivesAreSolved) {
  fs::create_directory(work() / "set");
  write("set/README", "Three tours\n");
  for (const std::string seed : {"1", "2", "3"}) {
    expect_success({"generate", "tsp", "-n", "10", "--seed", seed, "-o", "set/t" + seed + ".txt"});
  }
  const Outcome outcome = run({"solve", "set", "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "moco: warning: set: passed over README: not an instance\n");
  std::vector<Json> folder = json_lines(outcome.out);
  ASSERT_EQ(folder.size(), 3u);
  ASSERT_EQ(std::system(("cd '" + work().string() + "' && tar czf set.tar.gz set").c_str()), 0);
  std::vector<Json> archive = json_lines(expect_success({"solve", "set.tar.gz", "--json", "-q"}));
  ASSERT_EQ(archive.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(folder[i].at("solution"), archive[i].at("solution"));
  }
}

TEST_F(Results, ScoresOfAnEvaluationToo) {
  const Running running = start({"eval", "many.txt", "-K", "200", "--batch", "1", "--threads", "1", "--csv",
                                 "scores.csv", "--per-instance", "-q"});
  ASSERT_TRUE(wait_until([&] { return fs::exists(work() / "scores.csv") && lines("scores.csv") > 3; }, kTimeout));
  kill(running.process, SIGKILL);
  int state = 0;
  waitpid(running.process, &state, 0);
  ASSERT_TRUE(WIFSIGNALED(state)) << "it was over before";
  const std::vector<std::string> rows = lines_of(read("scores.csv"));
  EXPECT_TRUE(rows.front().starts_with("dataset,problem,model,")) << rows.front();
  EXPECT_LT(rows.size(), 1001u);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(std::ranges::count(rows[i], ','), std::ranges::count(rows.front(), ',')) << rows[i];
  }
}

}  // namespace
}  // namespace moco::cli_test
