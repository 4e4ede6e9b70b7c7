// What a solver keeps, and who may use it when.
#include "moco/solver.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "moco/engine/registry.h"
#include "moco/error.h"
#include "moco/model/parameters.h"
#include "moco/problem.h"
#include "moco/search/range_solver.h"
#include "moco/search/work.h"

namespace moco {

namespace {

void validate(std::span<const InstancePtr> instances, const Model& model, const SolveOptions& options) {
  const auto at_least_one = [](int value, const char* name) {
    if (value < 1) {
      throw OptionError(fmt::format("{} {} is not at least 1", name, value));
    }
  };
  if (options.loop.steps < 0 || (options.loop.steps == 0 && !options.greedy_start)) {
    throw OptionError(fmt::format("steps {}: a search has at least 1, or a greedy start and none", options.loop.steps));
  }
  if (options.kicks < 0 && options.kicks != kKicksUntilTimeLimit && options.kicks != kKicksBySize) {
    throw OptionError(fmt::format("kicks {} are negative", options.kicks));
  }
  if (options.kicks == kKicksUntilTimeLimit && !std::isfinite(options.time_limit)) {
    throw OptionError("kicks until the time limit need a time limit");
  }
  if (options.fill_time && (options.loop.steps == 0 || !std::isfinite(options.time_limit))) {
    throw OptionError("a search that fills its time has steps and a time limit");
  }
  at_least_one(options.loop.samples, "samples");
  at_least_one(options.loop.restarts, "restarts");
  if (options.loop.budget_steps < 0) {
    throw OptionError(fmt::format("budget steps {} are negative", options.loop.budget_steps));
  }
  if (options.loop.episode_steps < 0) {
    throw OptionError(fmt::format("episode steps {} are negative", options.loop.episode_steps));
  }
  if (options.loop.rebuild < 0) {
    throw OptionError(fmt::format("rebuild {}: samples cannot choose fewer than no nodes anew", options.loop.rebuild));
  }
  for (const InstancePtr& instance : instances) {
    const Problem& problem = instance->problem();
    if (&problem != &instances.front()->problem()) {
      throw OptionError(fmt::format("{} is a {} instance, {} a {} instance: solve one problem at a time",
                                    instance->name(), problem.name(), instances.front()->name(),
                                    instances.front()->problem().name()));
    }
    if (problem.family() != model.config.family) {
      throw OptionError(fmt::format("{} is a {} instance, the model is for {}", instance->name(), problem.name(),
                                    model.config.family));
    }
    validate(options.loop.problem, problem.options(), problem.name());
    validate(options.loop.local_search, *instance);
    validate(polish_options(options), *instance);
  }
  if (!options.warm_start.empty() && options.warm_start.size() != instances.size()) {
    throw OptionError(
        fmt::format("{} warm-start solutions for {} instances", options.warm_start.size(), instances.size()));
  }
  for (std::size_t i = 0; i < options.warm_start.size(); ++i) {
    const CheckResult check = instances[i]->check(options.warm_start[i]);
    if (!check.feasible) {
      throw OptionError(fmt::format("warm start for {}: {}", instances[i]->name(), check.violation));
    }
  }
}

SolveOptions without_episodes(const SolveOptions& given) {
  SolveOptions options = given;
  options.loop = episode_loop(given.loop);
  return options;
}

/// Threads that take turns. A thread that has its turn already is refused.
class Turns {
 public:
  /// Waits for the turn; false when told to give up.
  bool begin(const std::function<bool()>& give_up) {
    if (owner_ == std::this_thread::get_id()) {
      throw OptionError("a function that a solver calls must not call that solver");
    }
    while (!mutex_.try_lock()) {
      if (give_up && give_up()) {
        return false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    owner_ = std::this_thread::get_id();
    return true;
  }
  void end() {
    owner_ = std::thread::id();
    mutex_.unlock();
  }

 private:
  std::mutex mutex_;
  std::atomic<std::thread::id> owner_;
};

class Turn {
 public:
  explicit Turn(Turns& turns, const std::function<bool()>& give_up = {}) : turns_(turns), mine_(turns.begin(give_up)) {}
  ~Turn() {
    if (mine_) {
      turns_.end();
    }
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  bool mine() const { return mine_; }

 private:
  Turns& turns_;
  bool mine_;
};

/// Every set of weights has its own number, whichever solvers share an engine.
NumberedModel numbered(Model model) {
  static std::atomic<std::uint64_t> last = 0;
  validate(model);
  return {std::move(model), ++last};
}

}  // namespace

class Solver::Impl {
 public:
  Impl(Model model, std::shared_ptr<Engine> engine, int threads)
      : model_(numbered(std::move(model))), engine_(std::move(engine)), pool_(threads) {}

  const Model& model() const { return model_.model; }
  void set_weights(std::span<const float> weights) {
    const Turn turn(turns_);
    Model model = model_.model;
    model.weights.assign(weights.begin(), weights.end());
    model_ = numbered(std::move(model));
  }
  std::string_view engine() const { return engine_->name(); }

  std::vector<SolveResult> solve(std::span<const InstancePtr> instances, const SolveOptions& given) {
    const Turn turn(turns_, given.interrupted);
    if (!turn.mine()) {
      return {};
    }
    validate(instances, model_.model, given);
    const SolveOptions options = without_episodes(given);
    const int episodes = options.loop.restarts / given.loop.restarts;
    const std::vector<IndexRange> ranges = pack_instances(*engine_, instances, model_.model, options, pool_.size());
    if (options.begun) {
      options.begun();
    }
    std::vector<SolveResult> results;
    for (const IndexRange range : ranges) {
      if (range.begin > 0 && options.interrupted && options.interrupted()) {
        break;
      }
      for (SolveResult& result : solve_range(instances, model_, options, range, *engine_, pool_)) {
        result.steps *= episodes;
        results.push_back(std::move(result));
        if (options.finished) {
          options.finished(results.size() - 1, results.back());
        }
      }
    }
    return results;
  }

  std::uint64_t estimate_memory(std::span<const InstancePtr> instances, const SolveOptions& given) {
    const Turn turn(turns_);
    const SolveOptions options = without_episodes(given);
    std::uint64_t most = 0;
    for (const IndexRange range : pack_instances(*engine_, instances, model_.model, options, pool_.size())) {
      const MemoryNeed need = work_need(*engine_, instances, model_.model, options, range);
      most = std::max({most, need.engine, need.host});
    }
    return most;
  }

  std::size_t first_batch(std::span<const InstancePtr> instances, const SolveOptions& given) {
    const Turn turn(turns_);
    const std::vector<IndexRange> ranges =
        pack_instances(*engine_, instances, model_.model, without_episodes(given), pool_.size());
    return ranges.empty() ? 0 : ranges.front().size();
  }

 private:
  NumberedModel model_;
  std::shared_ptr<Engine> engine_;
  ThreadPool pool_;
  Turns turns_;
};

Solver::Solver(Model model, const SolverOptions& options) {
  validate(model);
  impl_ = std::make_unique<Impl>(std::move(model), make_engine(options.engine, options.threads, options.process),
                                 options.threads);
}
Solver::Solver(Model model, std::shared_ptr<Engine> engine, int threads)
    : impl_(std::make_unique<Impl>(std::move(model), std::move(engine), threads)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const Model& Solver::model() const {
  return impl_->model();
}

void Solver::set_weights(std::span<const float> weights) {
  impl_->set_weights(weights);
}

std::string_view Solver::engine() const {
  return impl_->engine();
}

std::vector<SolveResult> Solver::solve(std::span<const InstancePtr> instances, const SolveOptions& options) {
  return impl_->solve(instances, options);
}

std::uint64_t Solver::estimate_memory(std::span<const InstancePtr> instances, const SolveOptions& options) {
  return impl_->estimate_memory(instances, options);
}

std::size_t Solver::first_batch(std::span<const InstancePtr> instances, const SolveOptions& options) {
  return impl_->first_batch(instances, options);
}

}  // namespace moco
