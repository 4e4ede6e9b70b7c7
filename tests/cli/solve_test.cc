// Searches: results, reproducibility, warm starts and the reasons to stop.
#include <set>

#include "cli/run_moco.h"

namespace moco::cli_test {
namespace {

class Solve : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    expect_success({"generate", "tsp", "-n", "40", "--seed", "3", "-o", "a.txt"});
    expect_success({"generate", "mis", "-n", "60", "--seed", "3", "-o", "g.graph"});
  }

  /// The only result of a search.
  Json solve(Words words) const {
    words.insert(words.begin(), "solve");
    words.insert(words.end(), {"--json", "--quiet"});
    const auto objects = json_lines(expect_success(words));
    EXPECT_EQ(objects.size(), 1u);
    return objects.empty() ? Json() : objects.front();
  }
};

TEST_F(Solve, ResultLineOfATour) {
  const auto fields_of = [&](const Words& more) {
    Words all = {"solve", "a.txt"};
    all.insert(all.end(), more.begin(), more.end());
    const auto lines = lines_of(expect_success(all));
    EXPECT_EQ(lines.size(), 1u);
    std::istringstream words(lines.front());
    return std::vector<std::string>{std::istream_iterator<std::string>(words), {}};
  };
  const auto plain = fields_of({"-K", "5", "--local-search", "none"});
  ASSERT_EQ(plain.size(), 12u);
  EXPECT_EQ(plain[1] + plain[2] + plain[3], "n40cost");
  EXPECT_GT(std::stod(plain[4]), 1.0);
  EXPECT_EQ(plain[5] + plain[6] + plain[7] + plain[8], "plainsteps5seconds");
  EXPECT_EQ(plain[10] + plain[11], "stopsteps");
  const auto hybrid = fields_of({"-K", "5", "--kicks", "640"});
  ASSERT_EQ(hybrid.size(), 14u);
  EXPECT_EQ(hybrid[5] + hybrid[6] + hybrid[7] + hybrid[8], "2opt+oroptsteps5kicks");
  EXPECT_GE(std::stol(hybrid[9]), 640);  // looked at now and then
  EXPECT_EQ(hybrid[12] + hybrid[13], "stopkicks");
  const auto kicks = fields_of({});
  ASSERT_EQ(kicks.size(), 11u);
  EXPECT_EQ(kicks[5], "kicks");
}

TEST_F(Solve, TheDefaultIsNoWorseThanAnyPartOfIt) {
  for (const std::string file : {"a.txt", "g.graph"}) {
    const double best = solve({file}).at("cost");
    EXPECT_LE(best, solve({file, "--local-search", "none"}).at("cost").get<double>() + 1e-9);
    EXPECT_LE(best, solve({file, "--kicks", "0", "-K", "0"}).at("cost").get<double>() + 1e-9);
    EXPECT_EQ(solve({file}).at("model"), "none");
    EXPECT_EQ(solve({file, "-M", "2"}).at("steps"), 20);
  }
}

TEST_F(Solve, ResultLineOfASet) {
  const Json object = solve({"g.graph", "-K", "5"});
  EXPECT_EQ(object.at("cost").get<int>(), -object.at("size").get<int>());
  EXPECT_EQ(object.at("size").get<std::size_t>(), object.at("solution").size());
  const std::string line = expect_success({"solve", "g.graph", "-K", "5"});
  EXPECT_NE(line.find("  size " + object.at("size").dump() + "  "), std::string::npos) << line;
}

TEST_F(Solve, JsonHasTheDocumentedKeys) {
  const Json object = solve({"a.txt", "-K", "3", "-b", "8", "-M", "2", "--seed", "9", "--local-search", "none"});
  for (const char* key : {"instance", "problem", "n", "cost", "feasible", "solution", "steps", "restarts", "samples",
                          "seconds", "stop", "seed", "engine", "model"}) {
    EXPECT_TRUE(object.contains(key)) << key;
  }
  EXPECT_EQ(object.at("problem"), "tsp");
  EXPECT_EQ(object.at("n"), 40);
  EXPECT_EQ(object.at("feasible"), true);
  EXPECT_EQ(object.at("solution").size(), 40u);
  EXPECT_EQ(object.at("steps"), 3);
  EXPECT_EQ(object.at("samples"), 8);
  EXPECT_EQ(object.at("restarts"), 2);
  EXPECT_EQ(object.at("seed"), 9);
  EXPECT_EQ(object.at("stop"), "steps");
  EXPECT_EQ(object.at("model"), "tsp100");
}

TEST_F(Solve, NoticeAboutTheModelUnlessQuiet) {
  EXPECT_EQ(run({"solve", "a.txt", "-K", "1"}).err, "moco: using --model tsp100\n");
  EXPECT_EQ(run({"solve", "g.graph", "-K", "1"}).err, "moco: using --model mis-er\n");
  EXPECT_EQ(run({"solve", "a.txt", "-K", "1", "--quiet"}).err, "");
  EXPECT_EQ(run({"solve", "a.txt", "-K", "1", "--model", "adam", "--learning-rate", "0.5"}).err, "");
}

TEST_F(Solve, SameSeedSameResultWhateverTheThreads) {
  for (const char* file : {"a.txt", "g.graph"}) {
    Json first = solve({file, "-K", "20", "-M", "3", "--seed", "7", "--threads", "1"});
    Json again = solve({file, "-K", "20", "-M", "3", "--seed", "7", "--threads", "1"});
    Json parallel = solve({file, "-K", "20", "-M", "3", "--seed", "7", "--threads", "2"});
    for (Json* object : {&first, &again, &parallel}) {
      object->erase("seconds");
    }
    EXPECT_EQ(first, again);
    EXPECT_EQ(first, parallel);
  }
}

TEST_F(Solve, LoopVariantsGiveFeasibleTours) {
  for (const Words& variant : {Words{"--gradient", "causal"}, Words{"--dead-end", "penalty"},
                               Words{"--elite", "newest"}, Words{"-k", "3"}, Words{"--engine", "cpu"}}) {
    Words words = {"a.txt", "-K", "5"};
    words.insert(words.end(), variant.begin(), variant.end());
    EXPECT_EQ(solve(words).at("feasible"), true) << variant.front();
  }
}

TEST_F(Solve, BeginningsAndRulesAreChosenApart) {
  const Words plain = {"--local-search", "none", "-K", "5"};
  const auto cost = [&](Words words) {
    words.insert(words.end(), plain.begin(), plain.end());
    return solve(words).at("cost").get<double>();
  };
  for (const std::string model : {"tsp100", "adam"}) {
    const double own = cost({"a.txt", "--model", model});
    EXPECT_EQ(cost({"a.txt", "--model", model, "--init", model == "adam" ? "heuristic" : "learned"}), own);
    EXPECT_NE(cost({"a.txt", "--model", model, "--init", "uniform"}), own);
  }
  EXPECT_NE(cost({"a.txt", "--model", "tsp100", "--rule", "adam"}), cost({"a.txt", "--model", "tsp100"}));
  expect_error({"solve", "a.txt", "--model", "adam", "--rule", "gnn"}, 2,
               "moco: the model has no networks for init 'heuristic' with rule 'gnn': it was made for init 'heuristic' "
               "with rule 'adam'");
  for (const char* rule : {"ant-system", "max-min"}) {  // after the network of the model
    const double own = cost({"a.txt", "--model", "tsp100", "--rule", rule});
    EXPECT_NE(own, cost({"a.txt", "--model", "tsp100"}));
    EXPECT_NE(cost({"a.txt", "--model", "tsp100", "--rule", rule, "--visibility-weight", "0.25"}), own);
  }
}

TEST_F(Solve, BeginsWithAnInsertion) {
  const Words alone = {"-K", "0", "--kicks", "0", "--local-search", "none"};
  std::set<double> costs;
  int improved = 0;
  for (const char* start : {"greedy", "nearest-insertion", "farthest-insertion", "cheapest-insertion"}) {
    Words words = {"a.txt", "--start", start};
    words.insert(words.end(), alone.begin(), alone.end());
    const Json object = solve(words);
    EXPECT_EQ(object.at("feasible"), true);
    EXPECT_EQ(object.at("steps"), 0);
    costs.insert(object.at("cost").get<double>());
    words.insert(words.end(), {"--polish", "2opt"});
    EXPECT_LE(solve(words).at("cost"), object.at("cost"));
    improved += solve(words).at("cost") < object.at("cost") ? 1 : 0;
  }
  EXPECT_EQ(costs.size(), 4u);
  EXPECT_GE(improved, 3) << "no local search had done so before";
  EXPECT_EQ(solve({"a.txt", "--start", "farthest-insertion"}).at("model"), "none") << "kicks go on from it";
  const Json after = solve(
      {"a.txt", "--start", "farthest-insertion", "--local-search", "none", "--model", "adam", "-K", "1", "-b", "1"});
  EXPECT_LE(after.at("cost").get<double>(), *costs.begin()) << "steps alone would be worse";
  expect_error({"solve", "g.graph", "--start", "farthest-insertion"}, 2, "moco: --start is for tsp, not for mis");
}

TEST_F(Solve, BaselinesNeedNoTraining) {
  for (const char* file : {"a.txt", "g.graph"}) {
    for (const std::string model : {"adam", "ants", "max-min"}) {
      const Json object = solve({file, "--model", model, "-K", "5", "--local-search", "none"});
      EXPECT_EQ(object.at("model"), model);
      EXPECT_EQ(object.at("feasible"), true);
    }
  }
  const Words ants = {"a.txt", "--model", "ants", "-K", "40", "-b", "4", "--local-search", "none"};
  for (const char* option : {"--evaporation", "--elitist-weight", "--trail-weight", "--visibility-weight"}) {
    Words words = ants;
    words.insert(words.end(), {option, "0.125"});
    EXPECT_NE(solve(words).at("cost"), solve(ants).at("cost")) << option;
  }
  expect_error({"solve", "a.txt", "--model", "max-min", "--elitist-weight", "1"}, 2,
               "moco: the elitist weight is one of rule ant-system");
  expect_error({"solve", "a.txt", "--model", "ants", "--evaporation", "2"}, 2,
               "moco: --evaporation must be a number from 1e-09 to 1, not '2'");
}

TEST_F(Solve, StopsAtTheTimeLimit) {
  const auto begin = std::chrono::steady_clock::now();
  const Json object = solve({"a.txt", "-K", "1000000000", "--time-limit", "1"});
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(object.at("stop"), "time-limit");
  EXPECT_EQ(object.at("feasible"), true);
  EXPECT_LT(elapsed.count(), 10.0);
}

TEST_F(Solve, UsesATimeLimitWithoutAnythingElse) {
  for (const Words& how : {Words{}, Words{"--local-search", "none"}, Words{"--model", "adam"}}) {
    for (const std::string file : {"a.txt", "g.graph"}) {
      Words words = {file, "--time-limit", "0.7"};
      words.insert(words.end(), how.begin(), how.end());
      const Json object = solve(words);
      EXPECT_EQ(object.at("stop"), "time-limit");
      EXPECT_EQ(object.at("feasible"), true);
    }
  }
}

TEST_F(Solve, StopsAtTheTarget) {
  const Json tour = solve({"a.txt", "-K", "1000000", "--target", "1000"});
  EXPECT_EQ(tour.at("stop"), "target");
  EXPECT_EQ(tour.at("steps"), 16) << "one step of each episode";
  EXPECT_EQ(solve({"a.txt", "-K", "1000000", "--target", "1000", "--episode-steps", "0"}).at("steps"), 1);
  const Json set = solve({"g.graph", "-K", "1000000", "--target", "5"});
  EXPECT_EQ(set.at("stop"), "target");
  EXPECT_GE(set.at("size").get<int>(), 5);
}

TEST_F(Solve, StopsWithoutImprovement) {
  const Json object = solve({"a.txt", "-K", "1000000", "--no-improvement", "5", "--time-limit", "60"});
  EXPECT_EQ(object.at("stop"), "no-improvement");
}

TEST_F(Solve, WarmStartIsNeverLost) {
  const double known = solve({"a.txt", "-K", "100", "-o", "known.tour"}).at("cost");
  const Json object = solve({"a.txt", "-K", "1", "-b", "1", "--seed", "5", "--warm-start", "known.tour"});
  EXPECT_LE(object.at("cost").get<double>(), known + 1e-9);
  write("wrong.txt", "0\n0\n");
  expect_error_beginning({"solve", "a.txt", "--warm-start", "wrong.txt"}, 2, "moco: ");
}

TEST_F(Solve, ReadsStandardInput) {
  const std::string instance = expect_success({"generate", "tsp", "-n", "12"});
  const auto objects = json_lines(expect_success({"solve", "-", "-K", "3", "--json", "-q"}, instance));
  ASSERT_EQ(objects.size(), 1u);
  EXPECT_EQ(objects.front().at("n"), 12);
}

TEST_F(Solve, TrainedModelByFileAndByName) {
  const fs::path weights = fs::path(MOCO_GOLDEN) / "tsp_weights.safetensors";
  ASSERT_TRUE(fs::exists(weights));
  fs::create_directory(work() / "models");
  fs::copy_file(weights, work() / "models" / "mine.safetensors");
  setenv("MOCO_MODELS", (work() / "models").c_str(), 1);
  Json by_file = solve({"a.txt", "-K", "3", "--model", "models/mine.safetensors"});
  Json by_name = solve({"a.txt", "-K", "3", "--model", "mine"});
  EXPECT_EQ(by_name.at("model"), "mine");
  EXPECT_EQ(by_file.at("solution"), by_name.at("solution"));
  expect_error({"solve", "g.graph", "--model", "mine"}, 2, "moco: model 'mine' is for tsp, the instances are for mis");
  expect_error({"solve", "a.txt", "--model", "mine", "--learning-rate", "1"}, 2,
               "moco: the learning rate is one of rule adam");
  const Json facts = json_lines(expect_success({"info", "mine", "--json"})).at(0);
  EXPECT_EQ(facts.at("rule"), "gnn");
  EXPECT_GT(facts.at("parameters").get<int>(), 1000);
  unsetenv("MOCO_MODELS");
}

TEST_F(Solve, ProgressLineOnATerminalOnly) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  ASSERT_GE(terminal, 0);
  ASSERT_EQ(grantpt(terminal) | unlockpt(terminal), 0);
  const Outcome outcome =
      finish(start({"solve", "a.txt", "-K", "1000000", "--time-limit", "0.5", "--json"}, "", ptsname(terminal)));
  std::string shown;
  std::array<char, 4096> part{};
  for (ssize_t size = 0;
       (size = ::read(terminal, part.data(), part.size())) > 0;) {  // one read may return less than all
    shown.append(part.data(), static_cast<std::size_t>(size));
  }
  close(terminal);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(json_lines(outcome.out).size(), 1u);
  for (const char* words : {"a  step ", "/1000000  best ", "  mean ", "  entropy ", " left\x1b[K"}) {
    EXPECT_NE(shown.find(words), std::string::npos) << words;
  }
  EXPECT_TRUE(shown.ends_with("\r\x1b[K")) << "the line is erased at the end";
}

TEST_F(Solve, BatchesChangeNothing) {
  expect_success({"generate", "tsp", "-n", "10", "--count", "3", "-o", "many.txt"});
  const auto alone = json_lines(expect_success({"solve", "many.txt", "-K", "5", "--json", "-q"}));
  const auto together = json_lines(expect_success({"solve", "many.txt", "-K", "5", "--json", "-q", "--batch", "3"}));
  ASSERT_EQ(alone.size(), 3u);
  ASSERT_EQ(together.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(alone[i].at("solution"), together[i].at("solution"));
  }
}

TEST_F(Solve, RefusesWhatDoesNotFitIntoMemory) {
  const Outcome outcome = run({"solve", "a.txt", "-M", "1000000", "-b", "1000000", "-q"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
  EXPECT_NE(outcome.err.find("GiB"), std::string::npos) << outcome.err;
}

TEST_F(Solve, SeveralInstancesInOrder) {
  expect_success({"generate", "tsp", "-n", "10", "--count", "3", "-o", "many.txt"});
  const auto objects = json_lines(expect_success({"solve", "many.txt", "a.txt", "-K", "3", "--json", "-q"}));
  ASSERT_EQ(objects.size(), 4u);
  EXPECT_EQ(objects[0].at("n"), 10);
  EXPECT_EQ(objects[3].at("n"), 40);
  EXPECT_NE(objects[0].at("instance"), objects[1].at("instance"));
}

}  // namespace
}  // namespace moco::cli_test
