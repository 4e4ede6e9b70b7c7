// The check engine: the CPU engine and the CUDA engine in float32 side by side on the same random streams. The CPU's
// results count; after every update its θ is given to the device, so that each operation is compared on equal inputs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "moco/engine/engine.h"

namespace moco {

/// Largest deviations seen so far, each relative to the largest value of the array it was seen in.
struct Deviations {
  double theta = 0.0;
  double theta_shape = 0.0;  ///< of θ with its common factor divided out (deviation.h)
  double gradient = 0.0;
  double momenta = 0.0;
  double costs = 0.0;     ///< of samples and pools
  long long samples = 0;  ///< compared
  long long unequal_samples = 0;
  long long unequal_members = 0;  ///< variables with other pool bits

  /// Adds what another engine's θ, or its state after sample(), shows beside the CPU's.
  void add_theta(const std::vector<float>& cpu, const std::vector<float>& other);
  void add_step(const TrajectorySnapshot& cpu, const TrajectorySnapshot& other);
  std::string text() const;
};

class CheckEngine : public Engine {
 public:
  virtual const Deviations& deviations() const = 0;
};

/// name() ends with the deviations seen so far. Throws OptionError when no device can be used.
std::unique_ptr<CheckEngine> make_check_engine(int threads = 0);

}  // namespace moco
