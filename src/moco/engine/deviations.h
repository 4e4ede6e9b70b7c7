// How far one engine has departed from another, step by step, and how far it may.
#pragma once

#include <string>
#include <vector>

#include "moco/engine/engine.h"

namespace moco {

/// How far an engine in float32 may lie from the CPU's, given the CPU's θ before every step: about ten times what the
/// parity tests allow. Samples and elites have to be the same.
struct DeviationLimits {
  double theta_shape = 2e-3;
  double theta_factor = 5e-2;
  double gradient = 1e-4;
  double momenta = 1e-4;
  double costs = 1e-9;
};

/// Largest deviations seen so far, each relative to the largest value of the array it was seen in.
struct Deviations {
  double theta = 0.0;
  double theta_shape = 0.0;   ///< of θ with its common factor divided out (deviation.h)
  double theta_factor = 0.0;  ///< of that factor from 1
  double gradient = 0.0;
  double momenta = 0.0;
  double costs = 0.0;     ///< of samples and elites
  long long samples = 0;  ///< compared
  long long unequal_samples = 0;
  long long unequal_members = 0;  ///< variables with other elite bits

  /// Adds what another engine's θ, or its state after sample(), shows beside the CPU's.
  void add_theta(const std::vector<float>& cpu, const std::vector<float>& other);
  void add_step(const TrajectorySnapshot& cpu, const TrajectorySnapshot& other);
  std::string text() const;
  /// What lies beyond the limits, in words; empty when nothing does.
  std::string excess(const DeviationLimits& limits = {}) const;
};

}  // namespace moco
