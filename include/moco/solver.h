// The solver: an engine, its threads and a model, made once and kept for any number of searches.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "moco/model.h"
#include "moco/solve.h"

namespace moco {

class Engine;

/// Where a solver works. Nothing here changes a result, but for the rounding of an engine.
struct SolverOptions {
  EngineKind engine = EngineKind::automatic;
  int threads = 0;  ///< 0: all cores
  int process = 0;  ///< place among the processes on this machine, which take its devices in turn
};

/// May be called from several threads: one search runs at a time, the others wait for it, and give up waiting when
/// their own SolveOptions::interrupted says so. Functions of SolveOptions run on the thread that called solve(), except
/// `interrupted`, which any thread of the solver may ask; they must not call the solver they are called by, which is
/// refused with an OptionError.
class Solver {
 public:
  /// Throws OptionError when the model's weights are not those of its configuration, or when the engine cannot run.
  explicit Solver(Model model, const SolverOptions& options = {});
  /// On an engine that has other work too, between searches, as in training.
  Solver(Model model, std::shared_ptr<Engine> engine, int threads);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  const Model& model() const;
  /// Searches with these weights from here on. Throws OptionError as the constructor does.
  void set_weights(std::span<const float> weights);
  /// Name of the engine that `automatic` has come to.
  std::string_view engine() const;

  /// Solves the instances in order. All must be of one problem, and of the model's family. Returns one result per
  /// instance; when interrupted, instances that were not begun are missing from the end.
  std::vector<SolveResult> solve(std::span<const InstancePtr> instances, const SolveOptions& options);

  /// Bytes the search of these instances needs at most at one time; `solve` refuses with ResourceError when that
  /// exceeds the memory available.
  std::uint64_t estimate_memory(std::span<const InstancePtr> instances, const SolveOptions& options);

  /// How many of these instances, from the first on, are searched side by side.
  std::size_t first_batch(std::span<const InstancePtr> instances, const SolveOptions& options);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace moco
