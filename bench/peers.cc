// moco beside other programs that search for tours, on the same instances for the same seconds, one after the other: a
// table, and a drawing of the gap over time.
//   peers --seconds S [--threads N] [--engine E] [--plot FILE.svg] [--moco PROGRAM] [--ils PROGRAM] [--or3 PROGRAM]
//         [--lkh PROGRAM] INSTANCE[=REFERENCE] …
// Instances are TSPLIB files; REFERENCE is a length to compare with, or else the best of all programs is. `ils` is
// called as "PROGRAM FILE SECONDS REFERENCE" and prints gaps; `or3` as "PROGRAM FILE SECONDS 1" with a file of
// coordinates and a tour, and prints its gap to that tour; `lkh` is LKH-3 and gets a parameter file. moco runs with
// --threads N (1), the others have one thread.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "moco/core/files.h"
#include "moco/drawing/line_chart.h"
#include "moco/drawing/svg.h"
#include "moco/error.h"
#include "moco/io.h"
#include "peer_output.h"

namespace moco {

namespace {

struct Run {
  std::string output;
  double seconds = 0.0;
  double processor_seconds = 0.0;
};

/// Standard output of a program, which is looked up in PATH.
Run run(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe(ends) != 0) {
    throw IoError("no pipe");
  }
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    std::vector<char*> arguments;
    for (const std::string& word : command) {
      arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    execvp(arguments.front(), arguments.data());
    _exit(127);
  }
  close(ends[1]);
  Run result;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
    result.output.append(buffer, static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw IoError(fmt::format("{} failed", command.front()));
  }
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.processor_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  return result;
}

struct Peer {
  std::string name;
  std::vector<TourMoment> moments;
  Run run;
};

struct Request {
  std::map<std::string, std::string> options{{"seconds", "10"}, {"threads", "1"}, {"engine", "auto"}, {"moco", "moco"}};
  std::vector<std::string> instances;
};

Request parse(int count, char** words) {
  Request request;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (!word.starts_with("--")) {
      request.instances.push_back(word);
    } else if (i + 1 < count) {
      request.options[word.substr(2)] = words[++i];
    } else {
      throw OptionError(fmt::format("{} needs a value", word));
    }
  }
  if (request.instances.empty()) {
    throw OptionError("no instance; bench/peers.cc says how to call this");
  }
  return request;
}

/// The lines of one instance's programs; moco is the first, whose tour or length others are given.
std::vector<Peer> compare(Request& request, const std::string& file, const std::optional<double>& reference) {
  std::map<std::string, std::string>& options = request.options;
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / fmt::format("peers-{}", getpid());
  std::filesystem::create_directories(folder);
  const std::string tour_file = folder / "tour.txt";
  const auto instance = read_instances(file).front();
  std::vector<Peer> peers;
  Run own = run({options["moco"], "solve", file, "--time-limit", options["seconds"], "--threads", options["threads"],
                 "--engine", options["engine"], "-q", "--incumbents", "-", "-o", tour_file, "--output-format", "csv"});
  peers.push_back({"moco", moments_of_moco(own.output), own});
  const double compared = reference.value_or(peers.front().moments.back().length);
  if (options.contains("ils")) {
    const Run other = run({options["ils"], file, options["seconds"], fmt::format("{}", compared)});
    peers.push_back({"ils", moments_of_gaps(other.output, compared), other});
  }
  if (const auto* cities = dynamic_cast<const TspInstance*>(instance.get()); options.contains("or3") && cities) {
    const Solution tour = read_solutions(tour_file, std::vector{instance}).front();
    std::string line;
    for (const Point& point : cities->points()) {
      line += fmt::format("{} {} ", point.x, point.y);
    }
    line += "output";
    for (const Index city : tour.items) {
      line += fmt::format(" {}", city + 1);
    }
    write_file(folder / "or3.txt", line + "\n");
    const Run other = run({options["or3"], folder / "or3.txt", options["seconds"], "1"});
    const auto moments =
        moments_of_gaps(fmt::format("t={} {}", options["seconds"], other.output), instance->check(tour).cost);
    peers.push_back({"or3", moments, other});
  }
  if (options.contains("lkh")) {
    write_file(folder / "lkh.par", fmt::format("PROBLEM_FILE = {}\nRUNS = 1\nTIME_LIMIT = {}\nTRACE_LEVEL = 1\n",
                                               std::filesystem::absolute(file).string(), options["seconds"]));
    const Run other = run({options["lkh"], folder / "lkh.par"});
    peers.push_back({"LKH", moments_of_lkh(other.output), other});
  }
  std::filesystem::remove_all(folder);
  return peers;
}

}  // namespace

int peers(int count, char** words) {
  Request request = parse(count, words);
  std::vector<drawing::Curve> curves;
  fmt::print("| instance | program | length | gap % | seconds | processor seconds |\n|---|---|---|---|---|---|\n");
  for (const std::string& word : request.instances) {
    const std::size_t sign = word.rfind('=');
    const std::string file = word.substr(0, sign);
    std::optional<double> reference;
    if (sign != std::string::npos) {
      reference = std::stod(word.substr(sign + 1));
    }
    const std::vector<Peer> found = compare(request, file, reference);
    double best = std::numeric_limits<double>::infinity();
    for (const Peer& peer : found) {
      for (const TourMoment& moment : peer.moments) {
        best = std::min(best, moment.length);
      }
    }
    const double compared = reference.value_or(best);
    const std::string name = std::filesystem::path(file).stem();
    for (const Peer& peer : found) {
      if (peer.moments.empty()) {
        fmt::print("| {} | {} | nothing | | {:.1f} | {:.1f} |\n", name, peer.name, peer.run.seconds,
                   peer.run.processor_seconds);
        continue;
      }
      const auto gap = [&](const TourMoment& moment) { return 100.0 * (moment.length / compared - 1.0); };
      fmt::print("| {} | {} | {:.8g} | {:.3f} | {:.1f} | {:.1f} |\n", name, peer.name, peer.moments.back().length,
                 gap(peer.moments.back()), peer.run.seconds, peer.run.processor_seconds);
      drawing::Curve curve{fmt::format("{} {}", name, peer.name), {}};
      for (const TourMoment& moment : peer.moments) {
        curve.points.push_back({moment.seconds, gap(moment)});
      }
      curves.push_back(std::move(curve));
    }
    std::fflush(stdout);
  }
  if (request.options.contains("plot")) {
    const drawing::Sheet sheet = drawing::line_chart(curves, {"seconds", true}, {"gap [%]", true});
    write_file(request.options["plot"], drawing::svg_document(sheet));
  }
  return 0;
}

}  // namespace moco

int main(int count, char** words) {
  try {
    return moco::peers(count, words);
  } catch (const std::exception& error) {
    fmt::print(stderr, "peers: {}\n", error.what());
    return 1;
  }
}
