// Piecewise curves, warm-up and cosines, and the draws that a step makes for them.
#include "moco/training/schedules.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "moco/training/streams.h"

namespace moco {

namespace {

/// Draws of a step that its instances share have index 0 and 1; those of instance i have index 2 + i.
constexpr std::uint64_t kStepsDraw = 0;
constexpr std::uint64_t kSizeDraw = 1;

RandomSequence schedule_draws(const TrainConfig& config, int step, std::uint64_t index) {
  return {training_key(config.seed, TrainingDraw::schedule, static_cast<std::uint64_t>(step), index),
          Purpose::generator};
}

}  // namespace

double curve_at(const Curve& curve, double share) {
  const auto after = std::ranges::find_if(curve, [&](const CurvePoint& point) { return point.share > share; });
  if (after == curve.begin()) {
    return curve.front().value;
  }
  const auto before = after - 1;
  if (after == curve.end()) {
    return before->value;
  }
  const double way = (share - before->share) / (after->share - before->share);
  return before->value + way * (after->value - before->value);
}

double learning_rate(const OptimizerConfig& optimizer, int step, int steps) {
  const auto cosine = [&](double rate, int from) {
    const double way = static_cast<double>(step - from) / std::max(1, steps - from);
    return rate * 0.5 * (1.0 + std::cos(std::numbers::pi * std::min(way, 1.0)));
  };
  if (optimizer.anneal_from > 0 && step >= optimizer.anneal_from) {
    return cosine(optimizer.anneal_rate, optimizer.anneal_from);
  }
  const double rate = optimizer.learning_rate;
  if (step < optimizer.warmup) {
    return rate * (step + 1) / optimizer.warmup;
  }
  return optimizer.schedule == RateSchedule::constant ? rate : cosine(rate, optimizer.warmup);
}

int search_steps(const TrainConfig& config, int step) {
  const double share = config.steps > 1 ? static_cast<double>(step) / (config.steps - 1) : 0.0;
  const double most = curve_at(config.search_steps, share);
  if (config.least_search_steps == 0) {
    return static_cast<int>(std::lround(most));
  }
  const double low = std::log(static_cast<double>(config.least_search_steps));
  const double high = std::log(std::max(most, static_cast<double>(config.least_search_steps)));
  const double draw = schedule_draws(config, step, kStepsDraw).next_double();
  return static_cast<int>(std::lround(std::exp(low + draw * (high - low))));
}

int most_search_steps(const TrainConfig& config) {
  return static_cast<int>(std::lround(std::ranges::max(config.search_steps, {}, &CurvePoint::value).value));
}

TrainedSearch trained_search(const TrainConfig& config) {
  TrainedSearch search;
  search.steps = most_search_steps(config);
  search.samples = config.search.samples;
  search.episode_steps = config.search.episode_steps;
  if (config.data.files.empty() && find_generator(config.data.generator).sized) {
    search.nodes = std::max(config.data.generator.max_nodes, std::ranges::max(config.data.nodes));
  }
  search.problem = config.search.problem;
  search.gradient = config.search.gradient;
  search.local_search = config.search.local_search;
  search.advantage = config.search.advantage;
  search.rebuild = config.search.rebuild;
  return search;
}

std::size_t size_choice(const TrainConfig& config, int step, std::uint64_t instance) {
  const auto count = static_cast<std::uint32_t>(config.data.nodes.size());
  if (count == 1) {
    return 0;
  }
  const bool own = config.data.mix == SizeMix::instance;
  return schedule_draws(config, step, own ? 2 + instance : kSizeDraw).next_below(count);
}

}  // namespace moco
