// Samples are made on the workers' copies and taken back at once. Whole solutions are made of those that enter the
// elite only, by making the sample again.
//
// How the base moves. Samples of one step change one base at different places, so one of them alone would throw away
// what the others found: all that are good enough are made again, one on top of the other, the best first, and each is
// kept that is still good enough there. A sample is good enough if it is worse than what it changes by no more than a
// random threshold of mean T. T falls with the share of the budget that is spent, from what the problem says to 0.
#include "moco/engine/cpu/partial_step.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace moco::cpu {

namespace {

class PartialStep {
 public:
  PartialStep(TrajectoryState& state, const LoopOptions& loop, WorkerContext& context, const Executor& executor)
      : state_(state),
        search_(*state.partial),
        loop_(loop),
        context_(context),
        executor_(executor),
        samples_(static_cast<std::size_t>(loop.samples)) {
    search_.reserve(executor.workers());
    context.choices.resize(std::max(context.choices.size(), samples_));
    context.partial.resize(samples_);
    context.improved.reshape(1, state.construction->stride(), state.graph->nodes, false);
  }

  void run(bool keep_samples) {
    state_.previous_best = state_.elite.size() > 0 ? state_.elite.cost(0) : 0.0;
    if (!search_.mended()) {
      mend();
    }
    draw();
    set_gradient();
    double sum = 0.0;
    for (const PartialSample& sample : context_.partial) {
      sum += sample.cost;
    }
    state_.mean_cost = sum / static_cast<double>(samples_);
    if (keep_samples) {
      keep_all();
    }
    keep_best(samples_);
    move_base();
  }

 private:
  WorkingCopy& copy() { return search_.copy(0); }

  Draw draw_of(std::size_t sample) const {
    return {state_.stream, static_cast<std::uint32_t>(state_.step), static_cast<Index>(sample), state_.start};
  }

  /// Makes a sample on the copy at hand again.
  PartialSample make(WorkingCopy& copy, std::size_t sample) {
    return copy.sample(state_.theta.data(), draw_of(sample), context_.made_again);
  }

  /// A local search everywhere, so that samples differ from what they begin with by their choices alone.
  void mend() {
    constexpr int kMovesPerLook = 64;
    int moves = 0;
    const Halt* halt = executor_.halt();
    copy().mend([&] { return halt != nullptr && ++moves % kMovesPerLook == 0 && halt->due(); });
    offer(copy());
    search_.move_to(copy());
  }

  void draw() {
    context_.drawn.assign(samples_, 0);
    try {
      executor_.for_each(samples_, [&](std::size_t sample, std::size_t worker) {
        WorkingCopy& own = search_.copy(worker);
        context_.partial[sample] = own.sample(state_.theta.data(), draw_of(sample), context_.choices[sample]);
        own.take_back();
        context_.drawn[sample] = 1;
      });
    } catch (const Halted&) {  // what was drawn before counts
      const auto missing = std::ranges::find(context_.drawn, 0);
      keep_best(static_cast<std::size_t>(missing - context_.drawn.begin()));
      throw;
    }
  }

  void set_gradient() {
    const std::span<const ChoiceRecord> choices(context_.choices.data(), samples_);
    SampleSet& set = context_.samples;
    set_costs(choices, context_.partial, state_.graph->cost_scale, loop_.gradient == GradientKind::causal, set);
    std::vector<double> costs(set.costs);
    if (loop_.advantage == AdvantageKind::improved) {
      std::ranges::transform(context_.partial, costs.begin(), &PartialSample::cost);
    }
    compute_advantages(set, state_.graph->cost_scale, costs);
    context_.mass.resize(state_.variables());
    partial_gradient(choices, set, state_.theta.data(), context_.mass, state_.gradient);
  }

  /// Enters the solution of a copy into the elite if it is among the best.
  void offer(const WorkingCopy& copy) {
    if (state_.elite.takes(copy.cost(), copy.identity())) {
      state_.construction->encode({copy.items()}, state_.start, 0, context_.improved);
      state_.elite.insert(context_.improved, 1);
    }
  }

  /// Numbers of the first `count` samples that are other solutions than the base and `good`, best first.
  template <typename Good>
  std::vector<std::size_t> ranked(std::size_t count, const Good& good) {
    const std::uint64_t base = copy().identity();
    std::vector<std::size_t> numbers;
    for (std::size_t s = 0; s < count; ++s) {
      if (context_.partial[s].identity != base && good(s)) {
        numbers.push_back(s);
      }
    }
    std::ranges::stable_sort(numbers, {}, [this](std::size_t s) { return context_.partial[s].cost; });
    return numbers;
  }

  /// Enters those of the first `count` samples into the elite that are among the best.
  void keep_best(std::size_t count) {
    const auto takes = [this](std::size_t s) {
      return state_.elite.takes(context_.partial[s].cost, context_.partial[s].identity);
    };
    WorkingCopy& own = copy();
    for (const std::size_t s : ranked(count, takes)) {
      if (takes(s)) {  // still, after those before it
        make(own, s);
        offer(own);
        own.take_back();
      }
    }
  }

  /// Makes the whole solutions of all samples.
  void keep_all() {
    state_.kept.reshape(static_cast<Index>(samples_), state_.construction->stride(), state_.graph->nodes, false);
    WorkingCopy& own = copy();
    for (std::size_t s = 0; s < samples_; ++s) {
      make(own, s);
      state_.construction->encode({own.items()}, state_.start, static_cast<Index>(s), state_.kept);
      own.take_back();
    }
  }

  /// By how much a sample may be worse than what it changes.
  double threshold(std::size_t sample, double temperature) const {
    if (temperature <= 0.0) {
      return 0.0;
    }
    const Philox4 bits = philox(0, static_cast<std::uint32_t>(sample), static_cast<std::uint32_t>(state_.step),
                                static_cast<std::uint32_t>(Purpose::acceptance), state_.stream);
    return -temperature * std::log(static_cast<double>(uniform_open(bits.v[0])));
  }

  void move_base() {
    WorkingCopy& own = copy();
    const double base = own.cost();
    const double left = 1.0 - static_cast<double>(state_.step + 1) / static_cast<double>(state_.budget);
    const double temperature = search_.construction().first_temperature(base) * std::max(left, 0.0);
    const auto good = [&](std::size_t s) { return context_.partial[s].cost - base <= threshold(s, temperature); };
    bool moved = false;
    bool offered = false;
    for (const std::size_t s : ranked(samples_, good)) {
      if (moved && !offered && context_.partial[s].cost > base) {  // from here on it may get worse
        offer(own);
        offered = true;
      }
      const double before = own.cost();
      const std::uint64_t identity = own.identity();
      const PartialSample again = make(own, s);
      if (again.identity != identity && again.cost - before <= threshold(s, temperature)) {
        moved = true;
      } else {
        own.take_back();
      }
    }
    if (moved) {
      offer(own);
      search_.move_to(own);
    }
  }

  TrajectoryState& state_;
  PartialSearch& search_;
  const LoopOptions& loop_;
  WorkerContext& context_;
  const Executor& executor_;
  std::size_t samples_;
};

}  // namespace

void partial_step(TrajectoryState& state, const LoopOptions& loop, bool keep_samples, WorkerContext& context,
                  const Executor& executor) {
  PartialStep(state, loop, context, executor).run(keep_samples);
}

}  // namespace moco::cpu
