// What kicks on tours reach in some seconds of processor time, preprocessing included: on a machine that does other
// work, too, the same as on an idle one.
//
//   build/release/bench/tour_kicks SECONDS [--ways W] [--most N] [--candidates RULE] [--neighbours K] INSTANCES…
//
// INSTANCES: a file with tours to compare with, FILE=LENGTH for a file whose best length is known, or KIND:NODES:COUNT
// for generated ones. W ways go on threads of their own, each for that many seconds, and learn from each other.
// Candidate neighbours are those of `moco solve` unless they are given.
#include <algorithm>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "moco/core/halt.h"
#include "moco/error.h"
#include "moco/policy/kicks.h"
#include "moco/problem.h"
#include "moco/problems/decision_graph.h"
#include "tour_rows.h"

namespace moco {
namespace {

struct Found {
  double length = std::numeric_limits<double>::infinity();
  std::int64_t kicks = 0;
};

struct Setting {
  double seconds = 1.0;
  std::size_t ways = 1;
  OptionValues given;
};

Found search(const InstancePtr& instance, std::size_t index, const Setting& setting) {
  const auto& [seconds, ways, given] = setting;
  const double begin = thread_seconds();
  const Problem& problem = instance->problem();
  const DecisionGraph graph = decision_graph(instance, problem.options_without_steps(*instance, given));
  const Solution start = problem.greedy_items(graph, {}, {Halt::Clock::now(), std::numeric_limits<double>::infinity()});
  const double spent = thread_seconds() - begin;
  const auto kicks = problem.kicks(graph);
  if (ways > 1) {
    kicks->share();
  }
  std::vector<Found> found(ways);
  std::vector<std::thread> threads;
  for (std::size_t way = 0; way < ways; ++way) {
    threads.emplace_back([&, way, limit = seconds] {
      Solution tour = start;
      const double from = thread_seconds();
      found[way].kicks = kicks->run(tour.items, stream_key(1, index, way),
                                    [&](const KickMoment&) { return (spent + thread_seconds() - from) / limit; });
      if (const CheckResult check = instance->check(tour); check.feasible) {
        found[way].length = check.cost;
      }
    });
  }
  Found best;
  for (std::size_t way = 0; way < ways; ++way) {
    threads[way].join();
    best.length = std::min(best.length, found[way].length);
    best.kicks += found[way].kicks;
  }
  return best;
}

void measure(const TourRow& row, const Setting& setting) {
  double length = 0.0;
  double gap = 0.0;
  double kicks = 0.0;
  for (std::size_t i = 0; i < row.instances.size(); ++i) {
    const InstancePtr& instance = row.instances[i];
    const Found found = search(instance, i, setting);
    const auto& reference = instance->reference();
    const double best = row.best ? *row.best : reference ? instance->check(*reference).cost : found.length;
    length += found.length;
    gap += found.length / best - 1.0;
    kicks += static_cast<double>(found.kicks);
  }
  const auto count = static_cast<double>(row.instances.size());
  const bool known = row.best || row.instances.front()->reference();
  fmt::print("{:<44} {:>4} {:>16.4f} {:>9} {:>10.0f}\n", row.name, row.instances.size(), length / count,
             known ? fmt::format("{:.4f}", 100.0 * gap / count) : "", kicks / count / setting.seconds);
}

void measure_all(const std::vector<std::string>& arguments) {
  Setting setting{std::stod(arguments.at(0)), 1, {}};
  std::size_t most = std::numeric_limits<std::size_t>::max();
  fmt::print("{:<44} {:>4} {:>16} {:>9} {:>10}\n", "instances", "", "mean length", "gap %", "kicks/s");
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.substr(0, 2) != "--") {
      measure(tour_row(argument, most), setting);
      continue;
    }
    const std::string& value = arguments.at(++i);
    if (argument == "--candidates") {
      setting.given.set("candidates", value);
    } else if (argument == "--neighbours") {
      setting.given.set("neighbours", std::stod(value));
    } else {
      (argument == "--ways" ? setting.ways : most) = std::stoul(value);
    }
  }
}

}  // namespace
}  // namespace moco

int main(int count, char** values) {
  try {
    moco::measure_all({values + 1, values + count});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
