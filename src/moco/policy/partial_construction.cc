// The gradient of choices, one definition for all problems: linear in what was open, exact whatever θ.
#include "moco/policy/partial_construction.h"

#include <algorithm>
#include <cmath>

namespace moco {

namespace {

constexpr double kSmallestExponent = -690.0;  // e^this is still a normal double

/// Gradients of groups of choices. A variable is open to the choices of its group up to the one at which it leaves.
/// With w = e^θ, Z_t the mass of what is open to choice t and C_t = Σ_{s≤t} A_s/Z_s over the group, a variable that
/// leaves at t gets −w·C_t, and A_t if it was chosen. Z is summed from the last choice backwards, so nothing cancels.
class GroupGradient {
 public:
  GroupGradient(const float* theta, std::span<double> sum) : theta_(theta), sum_(sum) {}

  /// The group [begin, end) of a sample's choices; `advantage` gives that of a choice.
  template <typename Advantage>
  void add(const ChoiceRecord& choices, std::size_t begin, std::size_t end, double share, const Advantage& advantage) {
    const std::size_t first = choices.made[begin].first;
    const std::size_t last = choices.made[begin].end;
    float top = theta_[choices.open[first]];
    for (std::size_t e = first; e < last; ++e) {
      top = std::max(top, theta_[choices.open[e]]);
    }
    mass_.resize(last - first);
    for (std::size_t e = first; e < last; ++e) {
      const double below = static_cast<double>(theta_[choices.open[e]]) - static_cast<double>(top);
      mass_[e - first] = std::exp(std::max(below, kSmallestExponent));
    }
    const auto leave_before = [&](std::size_t t) { return t + 1 < end ? choices.made[t + 1].first : last; };
    ratio_.resize(end - begin);
    double total = 0.0;
    for (std::size_t t = end; t-- > begin;) {
      for (std::size_t e = choices.made[t].first; e < leave_before(t); ++e) {
        total += mass_[e - first];
      }
      ratio_[t - begin] = advantage(t) / total;
    }
    double ratios = 0.0;
    for (std::size_t t = begin; t < end; ++t) {
      ratios += ratio_[t - begin];
      for (std::size_t e = choices.made[t].first; e < leave_before(t); ++e) {
        sum_[static_cast<std::size_t>(choices.open[e])] -= share * mass_[e - first] * ratios;
      }
      sum_[static_cast<std::size_t>(choices.made[t].variable)] += share * advantage(t);
    }
  }

 private:
  const float* theta_;
  std::span<double> sum_;
  std::vector<double> mass_;
  std::vector<double> ratio_;
};

}  // namespace

void set_costs(std::span<const ChoiceRecord> choices, std::span<const PartialSample> samples, double cost_scale,
               bool causal, SampleSet& out) {
  std::size_t most = 0;
  for (const ChoiceRecord& own : choices) {
    most = std::max(most, own.made.size());
  }
  out.reshape(static_cast<Index>(choices.size()), causal ? static_cast<Index>(most) : 0, 0, causal);
  for (std::size_t s = 0; s < choices.size(); ++s) {
    out.costs[s] = samples[s].chosen;
    out.lengths[s] = static_cast<Index>(choices[s].made.size());
    for (std::size_t t = 0; causal && t < choices[s].made.size(); ++t) {
      out.step_cost[out.row(static_cast<Index>(s)) + t] = choices[s].made[t].cost / cost_scale;
    }
  }
}

void partial_gradient(std::span<const ChoiceRecord> choices, const SampleSet& advantages, const float* theta,
                      std::span<double> sum, std::span<float> out) {
  std::ranges::fill(sum, 0.0);
  GroupGradient gradient(theta, sum);
  for (std::size_t s = 0; s < choices.size(); ++s) {
    const std::vector<ChosenVariable>& made = choices[s].made;
    const double share = 1.0 / (static_cast<double>(made.size()) * static_cast<double>(choices.size()));
    for (std::size_t begin = 0; begin < made.size();) {
      std::size_t end = begin + 1;
      while (end < made.size() && made[end].end == made[begin].end) {
        ++end;
      }
      gradient.add(choices[s], begin, end, share, [&](std::size_t t) {
        return advantages.advantage_at(static_cast<Index>(s), static_cast<Index>(t));
      });
      begin = end;
    }
  }
  std::ranges::transform(sum, out.begin(), [](double value) { return static_cast<float>(value); });
}

}  // namespace moco
