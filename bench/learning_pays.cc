// Does learning pay? What tours reach in the same seconds by kicks alone, and by kicks that begin where a search by θ
// ended, whose seconds count.
//
//   build/release/bench/learning_pays SECONDS --model FILE [--long SECONDS] [--samples B] [--engine cpu|cuda]
//                                     [--restarts M] INSTANCES…
//
// On a CPU seconds are processor seconds of one thread. With `--engine cuda` they are those of the wall clock: the
// device does the steps, and the kicks of large tours in windows; one thread does the rest. M searches go side by side.
//
// INSTANCES as for tour_kicks. Gaps are to the best that is known: the references of a file, or the best tour of all
// ways and of the default's in `--long` seconds.
//
// annealed      kicks alone, one tour, at a falling temperature
// default       what `moco solve` does: kicks and edge assembly of a population, large tours in windows
// untrained     20 steps of Adam from θ = −d, b samples a step with `2opt+oropt`, then the default
// learned θ⁰    b samples of the model's first θ, then the default
// learned       20 steps of the model, then the default
// Steps take half of the seconds at most.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "moco/core/halt.h"
#include "moco/engine/registry.h"
#include "moco/model.h"
#include "moco/policy/kicks.h"
#include "moco/problem.h"
#include "moco/problems/decision_graph.h"
#include "moco/problems/tsp/tour_kicks.h"
#include "tour_rows.h"

namespace moco {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr int kSteps = 20;

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What does the work, and by which clock.
struct Machine {
  Engine& engine;
  double (*clock)() = thread_seconds;
};

/// Seconds of a way from its beginning, and their limit.
class Budget {
 public:
  Budget(double (*clock)(), double seconds) : clock_(clock), begin_(clock()), seconds_(seconds) {}
  double share() const { return (clock_() - begin_) / seconds_; }

 private:
  double (*clock_)();
  double begin_;
  double seconds_;
};

struct Steps {
  const Model* model = nullptr;  ///< null: none
  int count = 0;
  int samples = 32;
  int restarts = 1;
};

/// The best tour of a search by a model that ends after half of the budget; empty where that is before the first one.
std::vector<Index> sampled_tour(Engine& engine, const InstancePtr& instance, std::size_t index, const Steps& steps,
                                const Budget& budget) {
  const DecisionGraph graph = decision_graph(instance, OptionValues().set("neighbours", 20));
  const Halt halt(Halt::Clock::now(), kForever, [&] { return budget.share() >= 0.5; });
  BatchSpec spec;
  spec.config = steps.model->config;
  spec.halt = &halt;
  spec.loop.steps = steps.count;
  spec.loop.samples = steps.samples;
  spec.loop.local_search.name = "2opt+oropt";
  spec.graphs = {&graph};
  spec.weights = {{steps.model->weights, 0.0f, {}}};
  for (int restart = 0; restart < steps.restarts; ++restart) {
    spec.trajectories.push_back({0, 0, stream_key(1, index, static_cast<std::uint64_t>(restart)), 0, nullptr});
  }
  std::unique_ptr<Batch> batch;
  try {
    batch = engine.create(spec);
    batch->begin();
    batch->sample();
    for (int step = 1; step < steps.count; ++step) {
      halt.check();
      batch->update();
      batch->sample();
    }
  } catch (const Halted&) {  // what it has found counts
  }
  if (batch == nullptr) {
    return {};
  }
  const std::vector<TrajectoryStatus> status = batch->status();
  const auto best = std::ranges::min_element(status, {}, &TrajectoryStatus::best_cost);
  return std::isfinite(best->best_cost) ? batch->best_solution(static_cast<std::size_t>(best - status.begin())).items
                                        : std::vector<Index>();
}

/// Kicks on one tour, at a temperature as TourKicks has it where there is no population.
void anneal(const TspInstance& instance, const DecisionGraph& graph, std::vector<Index>& tour, const Budget& budget) {
  constexpr double kKicksToSettle = 40.0;
  const TourPart part = whole_part(graph, tour, Executor());
  std::vector<Index> order(tour.size());
  std::iota(order.begin(), order.end(), Index{0});
  const double cities = static_cast<double>(tour.size());
  double begin = -1.0;
  double edge = 0.0;
  kick_tour(instance, part, order, stream_key(1, 0, 0), KickPace{[&](const KickMoment& moment) {
              const double share = budget.share();
              if (share >= 1.0) {
                return -1.0;
              }
              if (moment.settled && begin < 0.0) {
                begin = share;
                edge = moment.best / cities;
              }
              const double way = begin < 0.0 ? 0.0 : (share - begin) / (1.0 - begin);
              const bool enough = static_cast<double>(moment.kicks) >= kKicksToSettle * cities * way;
              return moment.kicks > 0 && enough ? edge * (1.0 - way) : 0.0;
            }});
  std::ranges::transform(order, tour.begin(),
                         [&](Index number) { return part.cities[static_cast<std::size_t>(number)]; });
}

double length_reached(const Machine& machine, const InstancePtr& instance, std::size_t index, double seconds,
                      bool annealed, const Steps& steps) {
  const Budget budget(machine.clock, seconds);
  const Problem& problem = instance->problem();
  std::vector<Index> sampled;
  if (steps.model != nullptr) {
    sampled = sampled_tour(machine.engine, instance, index, steps, budget);
  }
  const DecisionGraph graph = decision_graph(instance, problem.options_without_steps(*instance, {}));
  Solution tour = problem.greedy_items(graph, {}, {Halt::Clock::now(), kForever});
  if (!sampled.empty() && instance->check({sampled}).cost < instance->check(tour).cost) {
    tour.items = sampled;
  }
  const KickBudget spent = [&](const KickMoment&) { return budget.share(); };
  const auto kicks = problem.kicks(graph);
  if (annealed) {
    anneal(dynamic_cast<const TspInstance&>(*instance), graph, tour.items, budget);
  } else if (kicks->divides()) {
    WindowKicks* const windows = machine.engine.window_kicks();
    const bool suits = windows != nullptr && kicks->suits(*windows);
    kicks->run_divided(tour.items, stream_key(1, index, 0), {0, spent, {}, suits ? windows : nullptr}, Executor());
  } else {
    kicks->run(tour.items, stream_key(1, index, 0), spent);
  }
  return instance->check(tour).cost;
}

struct Way {
  std::string name;
  bool annealed = false;
  Steps steps = {};
};

void measure(const Machine& machine, const TourRow& row, double seconds, double longer, const std::vector<Way>& ways) {
  std::vector<double> best;
  for (std::size_t i = 0; i < row.instances.size(); ++i) {
    const auto& reference = row.instances[i]->reference();
    best.push_back(row.best       ? *row.best
                   : reference    ? row.instances[i]->check(*reference).cost
                   : longer > 0.0 ? length_reached(machine, row.instances[i], i, longer, false, {})
                                  : kForever);
  }
  std::vector<std::vector<double>> found(ways.size());
  for (std::size_t w = 0; w < ways.size(); ++w) {
    if (machine.clock == wall_seconds) {  // kernels are loaded when they are first called
      length_reached(machine, row.instances.front(), 0, std::min(seconds, 0.5), ways[w].annealed, ways[w].steps);
    }
    for (std::size_t i = 0; i < row.instances.size(); ++i) {
      found[w].push_back(length_reached(machine, row.instances[i], i, seconds, ways[w].annealed, ways[w].steps));
      best[i] = std::min(best[i], found[w].back());
    }
  }
  const auto count = static_cast<double>(best.size());
  for (std::size_t w = 0; w < ways.size(); ++w) {
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < best.size(); ++i) {
      const double gap = 100.0 * (found[w][i] / best[i] - 1.0);
      sum += gap;
      squares += gap * gap;
    }
    const double mean = sum / count;
    const double error = count > 1.0 ? std::sqrt(std::max(0.0, squares / count - mean * mean) / (count - 1.0)) : 0.0;
    fmt::print("{:<24} {:>3} {:>7} s  {:<12} {:>9.4f} ± {:.4f} %\n", row.name, best.size(), seconds, ways[w].name, mean,
               error);
  }
}

void measure_all(const std::vector<std::string>& arguments) {
  const double seconds = std::stod(arguments.at(0));
  double longer = 0.0;
  int samples = 32;
  int restarts = 1;
  EngineKind kind = EngineKind::cpu;
  std::unique_ptr<Engine> engine;
  std::optional<Model> model;
  const Model untrained = adam_model("tsp");
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--model") {
      model = load_model(arguments.at(++i));
    } else if (argument == "--long") {
      longer = std::stod(arguments.at(++i));
    } else if (argument == "--samples") {
      samples = std::stoi(arguments.at(++i));
    } else if (argument == "--restarts") {
      restarts = std::stoi(arguments.at(++i));
    } else if (argument == "--engine") {
      kind = choice_named<EngineKind>("--engine", arguments.at(++i));
    } else {
      if (engine == nullptr) {
        engine = make_engine(kind, 1);
      }
      std::vector<Way> ways = {
          {"annealed", true}, {"default"}, {"untrained", false, {&untrained, kSteps, samples, restarts}}};
      if (model) {
        ways.push_back({"learned θ⁰", false, {&*model, 1, samples, restarts}});
        ways.push_back({"learned", false, {&*model, kSteps, samples, restarts}});
      }
      measure({*engine, kind == EngineKind::cpu ? thread_seconds : wall_seconds},
              tour_row(argument, std::numeric_limits<std::size_t>::max()), seconds, longer, ways);
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
