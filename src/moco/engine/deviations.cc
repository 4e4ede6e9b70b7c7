// Largest deviations over all steps, and the sentence that says which went beyond its limit.
#include "moco/engine/deviations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "moco/engine/deviation.h"

namespace moco {

void Deviations::add_theta(const std::vector<float>& cpu, const std::vector<float>& other) {
  const ThetaDeviation own = theta_deviation(cpu, other);
  theta = std::max(theta, deviation(cpu, other));
  // What is no number compares as nothing: it is as far off as can be.
  const auto add = [](double& largest, double value) {
    largest = std::isnan(value) ? std::numeric_limits<double>::infinity() : std::max(largest, value);
  };
  add(theta_shape, own.shape);
  add(theta_factor, std::abs(own.factor - 1.0));
}

void Deviations::add_step(const TrajectorySnapshot& cpu, const TrajectorySnapshot& other) {
  gradient = std::max(gradient, deviation(cpu.gradient, other.gradient));
  momenta = std::max(momenta, deviation(cpu.momenta, other.momenta));
  costs =
      std::max({costs, deviation(cpu.sample_costs, other.sample_costs), deviation(cpu.elite_costs, other.elite_costs)});
  for (std::size_t s = 0; s < cpu.samples.size(); ++s) {
    ++samples;
    unequal_samples += s < other.samples.size() && cpu.samples[s] == other.samples[s] ? 0 : 1;
  }
  for (std::size_t v = 0; v < cpu.membership.size(); ++v) {
    unequal_members += v < other.membership.size() && cpu.membership[v] == other.membership[v] ? 0 : 1;
  }
}

std::string Deviations::text() const {
  return fmt::format(
      "largest relative deviations: theta {:.2g}, gradient {:.2g}, momenta {:.2g}, costs {:.2g}; {} of {} samples and "
      "{} elite entries differ",
      theta, gradient, momenta, costs, unequal_samples, samples, unequal_members);
}

std::string Deviations::excess(const DeviationLimits& limits) const {
  std::string text;
  const auto add = [&](std::string_view what, double value, double most) {
    if (value > most) {
      text += fmt::format("{}{} {:.2g} (at most {:.2g})", text.empty() ? "" : ", ", what, value, most);
    }
  };
  add("theta without its factor", theta_shape, limits.theta_shape);
  add("theta's factor", theta_factor, limits.theta_factor);
  add("gradient", gradient, limits.gradient);
  add("momenta", momenta, limits.momenta);
  add("costs", costs, limits.costs);
  add("different samples", static_cast<double>(unequal_samples), 0.0);
  add("different elite entries", static_cast<double>(unequal_members), 0.0);
  return text;
}

}  // namespace moco
