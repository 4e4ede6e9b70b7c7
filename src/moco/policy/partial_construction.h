// Partial construction: samples that are changes of one solution, their base. A sample gives up a neighbourhood of the
// base and chooses anew under θ what becomes of it, all else staying fixed; a local search follows around what changed.
// It costs what it changes, not n.
//
// A sample is its Draw: made again on the same base it is the same again, so that nothing but its choices, its cost and
// its identity is kept of it. Whoever wants the whole solution makes it once more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "moco/policy/construction.h"

namespace moco {

/// One variable taken of those that were open, each with probability softmax(θ).
struct ChosenVariable {
  Index variable = 0;
  std::size_t first = 0;  ///< open[first … end−1] of its ChoiceRecord were open; `variable` is one of them
  std::size_t end = 0;
  double cost = 0.0;  ///< by how much it changed the cost
};

/// The choices of one sample, in order. Successive ones with the same `end` form a group, in which variables only
/// leave: what is no longer open lies before `first` of the choice after.
struct ChoiceRecord {
  std::vector<Index> open;
  std::vector<ChosenVariable> made;

  void clear() {
    open.clear();
    made.clear();
  }
};

/// What became of the base.
struct PartialSample {
  double chosen = 0.0;         ///< cost after the choices
  double cost = 0.0;           ///< cost after the local search; rounding apart
  std::uint64_t identity = 0;  ///< hash of the solution (policy/solution_identity.h)
};

/// One worker's copy of the base, on which it makes samples. What a sample is depends on base, θ and draw alone, not on
/// what the copy went through before.
class WorkingCopy {
 public:
  virtual ~WorkingCopy() = default;

  /// Takes over a base: items() of a copy, or the items of a whole sample.
  virtual void assign(std::span<const Index> items) = 0;
  /// The same local search as around samples, everywhere; ends early when `stop` says so.
  virtual void mend(const std::function<bool()>& stop) = 0;
  /// Makes a sample of the solution as it is now, which stays in the copy until it is taken back.
  virtual PartialSample sample(const float* theta, const Draw& draw, ChoiceRecord& choices) = 0;
  /// Undoes the last sample, exactly.
  virtual void take_back() = 0;

  virtual double cost() const = 0;
  virtual std::uint64_t identity() const = 0;
  virtual std::vector<Index> items() const = 0;
};

class PartialConstruction {
 public:
  virtual ~PartialConstruction() = default;

  virtual std::unique_ptr<WorkingCopy> working_copy() const = 0;
  /// By how much samples may be worse than their base at the beginning of a search that are gone on with, on average.
  virtual double first_temperature(double cost) const = 0;
  /// Bytes of a working copy, and of the choices of a sample.
  virtual std::uint64_t copy_bytes() const = 0;
  virtual std::uint64_t choices_bytes() const = 0;
};

/// Brings costs of samples and of their choices into a set without items, for compute_advantages().
void set_costs(std::span<const ChoiceRecord> choices, std::span<const PartialSample> samples, double cost_scale,
               bool causal, SampleSet& out);

/// The policy gradient over the choices that were made, g = ∂/∂θ of mean over samples and their choices of A · log p.
/// `sum` is scratch, [N] like `out`.
void partial_gradient(std::span<const ChoiceRecord> choices, const SampleSet& advantages, const float* theta,
                      std::span<double> sum, std::span<float> out);

}  // namespace moco
