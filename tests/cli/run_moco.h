// Running the program from tests: arguments in, exit status and both outputs back, always with a time-out.
#pragma once

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "temporary_folder.h"

namespace moco::cli_test {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// The objects of a JSON Lines text.
inline std::vector<Json> json_lines(const std::string& text) {
  std::vector<Json> objects;
  for (const std::string& line : lines_of(text)) {
    objects.push_back(Json::parse(line));
  }
  return objects;
}

struct Outcome {
  int status = -1;  ///< exit status; minus the signal's number when the program died of one
  std::string out;
  std::string err;
};

/// A folder of its own for every test, and the program run inside it.
class CliTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directory(work()); }

  /// The program's working folder.
  fs::path work() const { return folder_ / "work"; }

  void write(const std::string& name, const std::string& content) const { spill(work() / name, content); }
  std::string read(const std::string& name) const { return slurp(work() / name); }

  /// A program that was started and not yet waited for.
  struct Running {
    pid_t process = -1;
  };

  /// Standard error goes to `terminal` and standard output to `output` when these are given.
  Running start(const Words& words, const std::string& input = "", const std::string& terminal = "",
                const std::string& output = "") const {
    spill(folder_ / "stdin", input);
    std::vector<std::string> copies = {MOCO_BINARY};
    copies.insert(copies.end(), words.begin(), words.end());
    std::vector<char*> argv;
    for (std::string& word : copies) {
      argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    const std::string in = (folder_ / "stdin").string();
    const std::string out = output.empty() ? (folder_ / "stdout").string() : output;
    const std::string err = terminal.empty() ? (folder_ / "stderr").string() : terminal;
    const std::string directory = work().string();
    std::ofstream(folder_ / "stdout", std::ios::trunc).close();
    std::ofstream(folder_ / "stderr", std::ios::trunc).close();
    const pid_t process = fork();
    if (process == 0) {
      const int flags = O_WRONLY | O_APPEND | O_NOCTTY;
      if (dup2(open(in.c_str(), O_RDONLY), 0) < 0 || dup2(open(out.c_str(), flags), 1) < 0 ||
          dup2(open(err.c_str(), flags), 2) < 0 || chdir(directory.c_str()) != 0) {
        _exit(126);
      }
      execv(argv[0], argv.data());
      _exit(127);
    }
    return {process};
  }

  Outcome finish(Running running, double timeout = kTimeout) const {
    int state = 0;
    if (!wait_until([&] { return waitpid(running.process, &state, WNOHANG) == running.process; }, timeout)) {
      kill(running.process, SIGKILL);
      waitpid(running.process, &state, 0);
      ADD_FAILURE() << "the program did not end within " << timeout << " s";
    }
    Outcome outcome;
    outcome.status = WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
    outcome.out = slurp(folder_ / "stdout");
    outcome.err = slurp(folder_ / "stderr");
    return outcome;
  }

  Outcome run(const Words& words, const std::string& input = "", double timeout = kTimeout) const {
    return finish(start(words, input), timeout);
  }

  /// Runs the program and expects success; returns what it printed.
  std::string expect_success(const Words& words, const std::string& input = "") const {
    const Outcome outcome = run(words, input);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }

  /// Expects a failure with nothing but one line on standard error.
  void expect_error(const Words& words, int status, const std::string& message) const {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, status) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, message + "\n");
  }

  /// Same where only the beginning of the line is fixed.
  void expect_error_beginning(const Words& words, int status, const std::string& beginning) const {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, status) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err.substr(0, beginning.size()), beginning);
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
  }

  /// Waits for the first step of the search: its notice comes after that.
  void wait_for_search() const {
    EXPECT_TRUE(
        wait_until([&] { return slurp(folder_ / "stderr").find("using --model ") != std::string::npos; }, kTimeout));
  }

  static bool wait_until(const std::function<bool()>& done, double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!done()) {
      if (std::chrono::steady_clock::now() > end) {
        return false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
  }

  static constexpr double kTimeout = 120.0;

 private:
  TemporaryFolder own_;
  fs::path folder_ = own_.path();
};

}  // namespace moco::cli_test
