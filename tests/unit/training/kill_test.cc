// The program itself: killed at any moment and resumed, it ends where an undisturbed run ends; signals; usage.
#include "cli/run_moco.h"

namespace moco::cli_test {
namespace {

class Train : public CliTest {
 protected:
  static Words command(const std::string& folder, const Words& more = {}) {
    Words words = {"train",
                   "--preset",
                   "tsp20-smoke",
                   "-o",
                   folder,
                   "--engine",
                   "cpu",
                   "--hidden",
                   "8",
                   "--blocks",
                   "1",
                   "--steps",
                   "40",
                   "--pairs",
                   "4",
                   "--samples",
                   "4",
                   "--search-steps",
                   "4",
                   "--validate-every",
                   "10",
                   "--validation-instances",
                   "4",
                   "--quiet",
                   "--resume",
                   "--save-every-steps",
                   "3"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(Train, KilledAndResumedEndsLikeAnUndisturbedRun) {
  expect_success(command("whole"));
  int kills = 0;
  for (int attempt = 0; attempt < 60; ++attempt) {
    const Running running = start(command("killed"));
    std::this_thread::sleep_for(std::chrono::milliseconds(25 + 13 * attempt));
    kill(running.process, SIGKILL);
    const Outcome outcome = finish(running);
    if (outcome.status == 0) {
      break;
    }
    EXPECT_EQ(outcome.status, -SIGKILL) << outcome.err;
    ++kills;
  }
  EXPECT_GE(kills, 1);
  expect_success(command("killed"));
  EXPECT_EQ(read("whole/last.safetensors"), read("killed/last.safetensors"));
  EXPECT_EQ(read("whole/best.safetensors"), read("killed/best.safetensors"));
  const auto rows = json_lines(read("killed/metrics.jsonl"));
  ASSERT_EQ(rows.size(), 41u);
  for (int step = 0; step <= 40; ++step) {
    EXPECT_EQ(rows[static_cast<std::size_t>(step)].at("step"), step);
  }
}

TEST_F(Train, SignalSavesAndEndsWell) {
  const Running running = start(command("run", {"--search-steps", "5"}));
  EXPECT_EQ(finish(running).status, 2) << "an option given twice";
  Words words = command("run");
  words[12] = "100000000";
  const Running endless = start(words);
  EXPECT_TRUE(wait_until([&] { return read("run/metrics.jsonl").size() > 2000; }, kTimeout));
  kill(endless.process, SIGTERM);
  const Outcome outcome = finish(endless, 30.0);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out.substr(0, 14), "stopped  step ");
  EXPECT_TRUE(fs::exists(work() / "run" / "state.safetensors"));
}

TEST_F(Train, Usage) {
  expect_error({"train", "-o", "x"}, 2,
               "moco: train: what is to be trained? Give --preset NAME, --config FILE or --problem NAME");
  expect_error({"train", "--problem", "tsp"}, 2, "moco: train: -o FOLDER is missing");
  expect_error({"train", "--preset", "tsp100", "--problem", "mis", "-o", "x"}, 2,
               "moco: train: the configuration is for tsp, not for mis");
  write("bad.toml", "steps = 3\n[es]\nsigma = \"x\"\n");
  expect_error({"train", "--config", "bad.toml", "-o", "x"}, 2,
               "moco: bad.toml:3: es.sigma: 'x' is not a number from 1e-300 to 100");
  expect_error_beginning({"train", "--preset", "tsp20-smoke", "-o", "/proc/x"}, 1, "moco: cannot create '/proc/x': ");
  const std::string config = expect_success({"train", "--preset", "tsp100", "--sigma", "0.5", "--print-config"});
  EXPECT_NE(config.find("\nsigma = 0.5\n"), std::string::npos);
  write("copy.toml", config);
  EXPECT_EQ(expect_success({"train", "--config", "copy.toml", "--print-config"}), config);
  EXPECT_NE(expect_success({"train", "--help"}).find("--pairs-per-instance"), std::string::npos);
}

TEST_F(Train, MetricsCanBeDrawn) {
  expect_success(command("run"));
  expect_success({"plot", "run", "run/metrics.jsonl", "-o", "curve.svg"});
  EXPECT_NE(read("curve.svg").find("run/metrics.jsonl: last "), std::string::npos);
  EXPECT_EQ(expect_success({"plot", "run", "--x", "seconds", "--y", "loss"}).substr(0, 5), "<?xml");
  write("empty.jsonl", "");
  expect_error({"plot", "empty.jsonl"}, 2, "moco: empty.jsonl: no row has a value for 'validation'");
  write("other.jsonl", "{\"a\": 1}\n");
  expect_error({"plot", "other.jsonl"}, 2, "moco: other.jsonl:1: no row of metrics with 'step' and 'validation'");
}

}  // namespace
}  // namespace moco::cli_test
