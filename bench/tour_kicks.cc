// What kicks on tours reach in some seconds of processor time, preprocessing included: on a machine that does other
// work, too, the same as on an idle one.
//
//   build/release/bench/tour_kicks SECONDS [--ways W] [--most N] INSTANCES…
//
// INSTANCES: a file with tours to compare with, FILE=LENGTH for a file whose best length is known, or KIND:NODES:COUNT
// for generated ones. W ways go on threads of their own, each for that many seconds, and learn from each other.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "moco/core/halt.h"
#include "moco/error.h"
#include "moco/generate.h"
#include "moco/io.h"
#include "moco/policy/kicks.h"
#include "moco/problem.h"
#include "moco/problems/decision_graph.h"

namespace moco {
namespace {

struct Row {
  std::string name;
  std::vector<InstancePtr> instances;
  std::optional<double> best;
};

Row row_of(const std::string& argument, std::size_t most) {
  Row row{argument, {}, {}};
  if (const auto colon = argument.find(':'); colon != std::string::npos) {
    const auto second = argument.find(':', colon + 1);
    GeneratorOptions family{.problem = "tsp", .kind = argument.substr(0, colon)};
    family.nodes = std::stoi(argument.substr(colon + 1));
    family.seed = 4242;
    const std::size_t count = second == std::string::npos ? 1 : std::stoul(argument.substr(second + 1));
    for (std::uint64_t i = 0; i < count; ++i) {
      row.instances.push_back(generate(family, i));
    }
  } else {
    const auto equals = argument.find('=');
    row.instances = read_instances(argument.substr(0, equals));
    if (equals != std::string::npos) {
      row.best = std::stod(argument.substr(equals + 1));
    }
  }
  row.instances.resize(std::min(row.instances.size(), most));
  return row;
}

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Found {
  double length = std::numeric_limits<double>::infinity();
  std::int64_t kicks = 0;
};

Found search(const InstancePtr& instance, std::size_t index, double seconds, std::size_t ways) {
  const double begin = thread_seconds();
  const Problem& problem = instance->problem();
  const DecisionGraph graph = decision_graph(instance, OptionValues().set("neighbours", 10));
  const Solution start = problem.greedy_items(graph, {}, {Halt::Clock::now(), std::numeric_limits<double>::infinity()});
  const double spent = thread_seconds() - begin;
  const auto kicks = problem.kicks(graph);
  if (ways > 1) {
    kicks->share();
  }
  std::vector<Found> found(ways);
  std::vector<std::thread> threads;
  for (std::size_t way = 0; way < ways; ++way) {
    threads.emplace_back([&, way] {
      Solution tour = start;
      const double from = thread_seconds();
      found[way].kicks = kicks->run(tour.items, stream_key(1, index, way),
                                    [&](const KickMoment&) { return (spent + thread_seconds() - from) / seconds; });
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

void measure(const Row& row, double seconds, std::size_t ways) {
  double length = 0.0;
  double gap = 0.0;
  double kicks = 0.0;
  for (std::size_t i = 0; i < row.instances.size(); ++i) {
    const InstancePtr& instance = row.instances[i];
    const Found found = search(instance, i, seconds, ways);
    const auto& reference = instance->reference();
    const double best = row.best ? *row.best : reference ? instance->check(*reference).cost : found.length;
    length += found.length;
    gap += found.length / best - 1.0;
    kicks += static_cast<double>(found.kicks);
  }
  const auto count = static_cast<double>(row.instances.size());
  const bool known = row.best || row.instances.front()->reference();
  fmt::print("{:<44} {:>4} {:>16.4f} {:>9} {:>10.0f}\n", row.name, row.instances.size(), length / count,
             known ? fmt::format("{:.4f}", 100.0 * gap / count) : "", kicks / count / seconds);
}

void measure_all(const std::vector<std::string>& arguments) {
  std::size_t ways = 1;
  std::size_t most = std::numeric_limits<std::size_t>::max();
  fmt::print("{:<44} {:>4} {:>16} {:>9} {:>10}\n", "instances", "", "mean length", "gap %", "kicks/s");
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "--ways" || arguments[i] == "--most") {
      (arguments[i] == "--ways" ? ways : most) = std::stoul(arguments.at(i + 1));
      ++i;
      continue;
    }
    measure(row_of(arguments[i], most), std::stod(arguments[0]), ways);
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
