// Runs the solver on a data set and turns its results into scores.
#include "moco/evaluate.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "moco/core/gap.h"
#include "moco/error.h"

namespace moco {

namespace {

/// Sums of the best costs after each step, over the instances that were searched to the end.
class CurveSums {
 public:
  CurveSums(std::size_t instances, int steps) : steps_(instances), sums_(static_cast<std::size_t>(steps)) {}

  void add(const Progress& progress) {
    steps_[progress.instance].push_back({progress.step, progress.best, progress.seconds / progress.side_by_side});
  }

  void finish(std::size_t instance) {
    for (const StepMean& step : steps_[instance]) {
      StepMean& sum = sums_[static_cast<std::size_t>(step.step) - 1];
      sum.best += step.best;
      sum.seconds += step.seconds;
    }
    steps_[instance] = {};
    ++count_;
  }

  std::vector<StepMean> means() const {
    std::vector<StepMean> means;
    for (std::size_t i = 0; i < sums_.size() && count_ > 0; ++i) {
      means.push_back({static_cast<int>(i) + 1, sums_[i].best / count_, sums_[i].seconds / count_});
    }
    return means;
  }

 private:
  std::vector<std::vector<StepMean>> steps_;  ///< per instance that is in work
  std::vector<StepMean> sums_;
  double count_ = 0.0;
};

}  // namespace

std::optional<Estimate> estimate(std::span<const double> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  const auto count = static_cast<double>(values.size());
  Estimate result{.count = values.size(), .mean = 0.0, .standard_error = {}};
  for (const double value : values) {
    result.mean += value / count;
  }
  if (values.size() > 1) {
    double squares = 0.0;
    for (const double value : values) {
      squares += (value - result.mean) * (value - result.mean);
    }
    result.standard_error = std::sqrt(squares / (count - 1.0) / count);
  }
  return result;
}

void keep_first(DataSet& data, std::size_t count) {
  const std::size_t kept = std::min(count, data.instances.size());
  data.instances.resize(kept);
  data.references.resize(kept);
}

InstanceScore score_of(const Instance& instance, const Solution& solution, std::optional<double> reference) {
  const CheckResult check = instance.check(solution);
  if (!check.feasible) {
    throw InfeasibleSolution(fmt::format("{}: the solution found is infeasible: {}", instance.name(), check.violation));
  }
  return score_of_cost(instance, check.cost, reference);
}

InstanceScore score_of_cost(const Instance& instance, double cost, std::optional<double> reference) {
  InstanceScore score;
  score.instance = instance.name();
  score.nodes = instance.size();
  score.cost = cost;
  score.reference = reference;
  if (reference) {
    score.gap = relative_gap(cost, *reference);
  }
  return score;
}

Summary summarise(const Evaluation& evaluation) {
  constexpr double kTie = 1e-9;  // the same solution, added up in another order
  std::vector<double> costs;
  std::vector<double> gaps;
  Summary summary;
  const auto count = static_cast<double>(evaluation.scores.size());
  for (const InstanceScore& score : evaluation.scores) {
    costs.push_back(score.cost);
    summary.search_seconds += score.seconds / count;
    if (score.gap) {
      gaps.push_back(*score.gap);
      summary.reference_mean += *score.reference;
      summary.better += *score.gap < -kTie ? 1 : 0;
    }
  }
  summary.cost = estimate(costs).value();
  summary.gap = estimate(gaps);
  summary.reference_mean /= std::max(1.0, static_cast<double>(gaps.size()));
  summary.whole_seconds = evaluation.whole_seconds / count;
  return summary;
}

Evaluation evaluate(const DataSet& data, Solver& solver, const Setting& setting, const EvaluationOptions& options) {
  SolveOptions search = options.search;
  search.loop.restarts = setting.restarts;
  search.loop.steps = setting.steps;
  search.loop.samples = setting.samples;
  if (options.curve) {
    search.loop.episode_steps = 0;  // the behaviour over all K steps is what the curve shows
  }
  Evaluation evaluation;
  evaluation.setting = setting;
  evaluation.episode_steps = search.loop.episode_steps;
  evaluation.asked = data.instances.size();
  CurveSums sums(options.curve ? data.instances.size() : 0, options.curve ? setting.steps : 0);
  if (options.curve) {
    search.progress = [&](const Progress& progress) { sums.add(progress); };
  }
  search.finished = [&](std::size_t index, const SolveResult& result) {
    if (result.stop == StopReason::signal) {
      return;
    }
    InstanceScore score = score_of(*data.instances[index], result.solution, data.references[index]);
    score.seconds = result.seconds;
    evaluation.batch = std::max(evaluation.batch, result.side_by_side);
    evaluation.scores.push_back(std::move(score));
    evaluation.engine = result.engine;
    if (options.curve) {
      sums.finish(index);
    }
    if (options.scored) {
      options.scored(evaluation.scores.back());
    }
  };
  const auto begin = std::chrono::steady_clock::now();
  solver.solve(data.instances, search);
  evaluation.whole_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  evaluation.curve = sums.means();
  return evaluation;
}

}  // namespace moco
