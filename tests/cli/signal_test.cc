// Signals: the best so far is written and the program ends well; a second signal ends it at once.
#include "cli/run_moco.h"

namespace moco::cli_test {
namespace {

class Signals : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    expect_success({"generate", "tsp", "-n", "30", "--count", "2", "-o", "two.txt"});
    expect_success({"generate", "tsp", "-n", "30", "-o", "one.txt"});
  }
};

TEST_F(Signals, WritesTheBestSoFar) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    const Running running = start({"solve", "one.txt", "-K", "1000000000", "--episode-steps", "0", "--json", "-o",
                                   "best.tour", "--trace", "trace.csv"});
    wait_for_search();
    kill(running.process, number);
    const Outcome outcome = finish(running, 30.0);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const auto objects = json_lines(outcome.out);
    ASSERT_EQ(objects.size(), 1u);
    EXPECT_EQ(objects.front().at("stop"), "signal");
    EXPECT_EQ(objects.front().at("feasible"), true);
    EXPECT_EQ(expect_success({"check", "one.txt", "best.tour"}).substr(0, 14), "feasible cost ");
    const auto rows = lines_of(read("trace.csv"));
    const int steps = objects.front().at("steps").get<int>();
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(1 + steps));
    if (steps > 0) {  // the signal may have come inside the first one
      const std::string last = "one,search," + std::to_string(steps) + ",";
      EXPECT_EQ(rows.back().substr(0, last.size()), last);
    }
  }
}

TEST_F(Signals, InstancesNotBegunAreMissing) {
  const Running running = start({"solve", "two.txt", "-K", "1000000000", "--json"});
  wait_for_search();
  kill(running.process, SIGINT);
  const Outcome outcome = finish(running, 30.0);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(json_lines(outcome.out).size(), 1u);
  EXPECT_NE(outcome.err.find("moco: interrupted; 1 of 2 instances were not begun\n"), std::string::npos) << outcome.err;
}

/// Nobody reads what the program prints, so it cannot end after the first signal. It stands still until both have been
/// sent and has one thread, because the thread sanitizer holds signals back from threads that wait: for such a reader,
/// or for work.
TEST_F(Signals, SecondSignalEndsAtOnce) {
  const fs::path pipe = work() / "full";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int end = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  ASSERT_GE(end, 0);
  while (::write(end, "\n", 1) == 1) {
  }
  const Running running =
      start({"solve", "one.txt", "-K", "1000000000", "--threads", "1", "--json"}, "", "", pipe.string());
  wait_for_search();
  kill(running.process, SIGSTOP);
  int state = 0;
  ASSERT_EQ(waitpid(running.process, &state, WUNTRACED), running.process);
  kill(running.process, SIGINT);
  kill(running.process, SIGTERM);
  kill(running.process, SIGCONT);
  EXPECT_EQ(finish(running, 30.0).status, 130);
  close(end);
}

/// A session that ends may send the signal more than once, and takes the terminal away. One thread, as above.
TEST_F(Signals, HangUpLosesNothing) {
  const Running running =
      start({"solve", "one.txt", "-K", "1000000000", "--threads", "1", "-o", "best.tour"}, "", "", "/dev/full");
  wait_for_search();
  kill(running.process, SIGSTOP);
  int state = 0;
  ASSERT_EQ(waitpid(running.process, &state, WUNTRACED), running.process);
  kill(running.process, SIGHUP);
  kill(running.process, SIGTERM);
  kill(running.process, SIGCONT);
  kill(running.process, SIGHUP);
  EXPECT_EQ(finish(running, 30.0).status, 0);
  EXPECT_EQ(expect_success({"check", "one.txt", "best.tour"}).substr(0, 14), "feasible cost ");
}

TEST_F(Signals, HangUpStaysIgnoredUnderNohup) {
  const auto usual = signal(SIGHUP, SIG_IGN);
  const Running running = start({"solve", "one.txt", "-K", "1000000000", "--json"});
  signal(SIGHUP, usual);
  wait_for_search();
  kill(running.process, SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(waitpid(running.process, nullptr, WNOHANG), 0) << "it ended";
  kill(running.process, SIGTERM);
  EXPECT_EQ(finish(running, 30.0).status, 0);
}

TEST_F(Signals, LargeInstancesEndOnTimeAndOnDemand) {
  expect_success({"generate", "tsp", "-n", "100000", "-o", "large.txt"});
  const auto timed = json_lines(expect_success({"solve", "large.txt", "--time-limit", "2", "--json", "-q"}));
  EXPECT_EQ(timed.front().at("stop"), "time-limit");
  EXPECT_EQ(timed.front().at("feasible"), true);
  EXPECT_LT(timed.front().at("seconds").get<double>(), 20.0);  // bounded loosely: the machine may be busy
  const Running running = start({"solve", "large.txt", "--time-limit", "1000", "--json", "--incumbents", "i.csv"});
  EXPECT_TRUE(wait_until([&] { return fs::exists(work() / "i.csv") && lines_of(read("i.csv")).size() > 1; }, 60.0));
  kill(running.process, SIGINT);
  const Outcome outcome = finish(running, 60.0);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(json_lines(outcome.out).front().at("stop"), "signal");
  EXPECT_EQ(json_lines(outcome.out).front().at("feasible"), true);
}

}  // namespace
}  // namespace moco::cli_test
