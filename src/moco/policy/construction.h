// What a construction policy π_θ is: it draws solutions from θ, and gives the gradient of what it draws.
//
// Sampling uses the Gumbel order: giving every variable one key θ_i + Gumbel_i and always taking the feasible variable
// with the largest key draws from the same distribution as softmax over the feasible variables step after step.
// The gradient is exact: g = ∂/∂θ of mean over samples and steps of A_t · log p(a_t), with A the advantage in cost.
#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "moco/core/halt.h"
#include "moco/core/random.h"
#include "moco/policy/local_search.h"

namespace moco {

/// The b solutions of one step of one trajectory. `stride` items at most per solution.
struct SampleSet {
  /// Room for these many solutions; contents are unspecified afterwards.
  void reshape(Index sample_count, Index item_stride, Index node_count, bool reward_to_go);

  Index samples = 0;
  Index stride = 0;
  Index nodes = 0;
  bool causal = false;
  std::vector<Index> items;       ///< [samples × stride] nodes in order of choice
  std::vector<Index> variables;   ///< [samples × stride] variable set at each step, −1 for none
  std::vector<Index> lengths;     ///< [samples] items per solution
  std::vector<Index> left_at;     ///< [samples × nodes] step at which a node stopped being a candidate
  std::vector<double> costs;      ///< [samples] in the instance's metric
  std::vector<double> step_cost;  ///< [samples × stride] cost of each choice, scaled; causal only
  std::vector<double> advantage;  ///< [samples], or [samples × stride] when causal; scaled
  std::vector<double> prefix;     ///< [samples × stride] scratch of the gradient

  /// Takes over items, variables, length and cost of one solution of a set of the same shape.
  void copy_solution(const SampleSet& from, Index sample);

  std::size_t row(Index sample) const { return static_cast<std::size_t>(sample) * static_cast<std::size_t>(stride); }
  double advantage_at(Index sample, Index step) const {
    return causal ? advantage[row(sample) + static_cast<std::size_t>(step)]
                  : advantage[static_cast<std::size_t>(sample)];
  }
};

/// Per-worker buffers of a sampler.
struct SampleScratch {
  std::vector<float> keys;
  std::vector<std::uint64_t> order;
  std::vector<std::uint64_t> order_swap;
  LocalSearchScratch local_search;
  Solution improved;

  /// What a construction keeps here for itself, made when it is first asked for.
  template <typename Own>
  Own& own() {
    auto* found = std::any_cast<Own>(&own_);
    return found != nullptr ? *found : own_.emplace<Own>();
  }

 private:
  std::any own_;
};

/// Which solution of which run to draw.
struct Draw {
  StreamKey stream;
  std::uint32_t step = 0;
  Index sample = 0;
  Index start = 0;
};

class Construction {
 public:
  virtual ~Construction() = default;

  /// Longest possible solution, in items.
  virtual Index stride() const = 0;
  /// Choices whose probabilities the gradient averages over, for a solution of `length` items.
  virtual Index choices(Index length) const = 0;
  /// Draws one solution. Distinct samples may be drawn concurrently, each with its own scratch.
  virtual void sample(const float* theta, const Draw& draw, SampleSet& out, SampleScratch& scratch) const = 0;
  /// Weight of each variable for the gradient, e^(θ − max) in double precision; `mass` is [N].
  virtual void masses(const float* theta, double* mass) const = 0;
  /// Per-sample part of the gradient, once the advantages are known.
  virtual void prepare_gradient(const double* mass, Index sample, SampleSet& set) const = 0;
  /// Gradient of the variables of nodes begin … end−1; sums over samples in a fixed order.
  virtual void gradient(const double* mass, const SampleSet& set, Index begin, Index end, float* out) const = 0;
  /// Mean entropy of the policy's choices without masking, in nats.
  virtual double entropy(const float* theta) const = 0;
  /// A given feasible solution in the form of a sample: items in order of choice from `start`, variables, cost.
  /// Completed where the problem asks for it (an independent set becomes maximal).
  virtual void encode(const Solution& solution, Index start, Index sample, SampleSet& out) const = 0;
  /// The solution that a sample's items stand for.
  virtual Solution decode(const Index* items, Index length) const = 0;
  /// θ⁰ of one variable without a network: how promising the instance alone makes it look.
  virtual float heuristic(Index variable) const = 0;
  /// The logarithm of what ants go by: what e^heuristic is already, unless the problem says otherwise.
  virtual float visibility(Index variable) const { return heuristic(variable); }
  /// Instance feature of one variable.
  virtual float instance_feature(Index variable) const = 0;
};

/// Draws a solution into `out` and its improvement into `improved`: what the local search makes of it, if that is
/// better. `improved` has the shape of `out`. When the halt is due, the local search ends with what it has.
void sample_and_improve(const Construction& construction, const LocalSearch& search, const float* theta,
                        const Draw& draw, SampleSet& out, SampleSet& improved, SampleScratch& scratch,
                        const Halt* halt = nullptr);

/// Fills `advantage` from costs (total) or step costs (causal): cost minus the mean over the samples, scaled. `costs`
/// stand in for the costs of the samples; what they differ by counts as the cost of the last step.
void compute_advantages(SampleSet& set, double cost_scale, std::span<const double> costs);

}  // namespace moco
