// The CUDA engine: all K steps of a batch stay on the device. No CUDA type appears here, so any layer may include it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "moco/engine/engine.h"

namespace moco {

/// Products of the networks: bf16 tensor cores with float32 sums, or float32 throughout (for comparison with the CPU).
enum class CudaPrecision { bf16, float32 };

/// The whole network in one kernel on thread-block clusters where it fits (TSP: in bf16), or one kernel per pass.
/// Automatic: what takes less time for the batch; the TSP's hidden sizes of up to 32 then have a kernel of their own.
enum class FusedUse { automatic, always, never };

struct CudaOptions {
  CudaPrecision precision = CudaPrecision::bf16;
  int device = 0;
  FusedUse fused = FusedUse::automatic;
  int cluster = 0;  ///< TSP: thread blocks per trajectory of the fused kernel: 1, 2, 4, 8, 16; 0: chosen for the batch
  int clusters = 16;  ///< MIS: clusters of the fused kernel at the same time; fewer where the device does not hold them
  int parts = 0;      ///< of a batch, which step side by side; 0: chosen for the batch
};

/// What the CUDA engine can do beyond the contract; for benchmarks, tests and the side-by-side check.
class CudaBatch : public Batch {
 public:
  /// Replaces θ of a trajectory.
  virtual void set_theta(std::size_t trajectory, std::span<const float> theta) = 0;
  /// Feature rows [N × 41] and global features [45] that the networks of a batch of one trajectory see from now on
  /// instead of the search state's; before begin().
  virtual void set_features(std::span<const float> rows, std::span<const float> global) = 0;
  /// Waits for everything that was started.
  virtual void wait() = 0;
  /// Runs update() and sample() once, kernel by kernel, and returns each kernel's name and milliseconds.
  virtual std::vector<std::pair<std::string, float>> profile() = 0;
};

class CudaEngine : public Engine {
 public:
  virtual std::unique_ptr<CudaBatch> create_cuda(BatchSpec spec) = 0;
};

/// How many devices the driver shows; 0 without a driver.
int cuda_devices();

/// Why no device can be used here (no driver, no device, too old), or an empty string.
std::string cuda_problem(int device = 0);

/// What the driver calls a usable device, and how many multiprocessors it has; for reports.
std::string cuda_device_name(int device = 0);

/// Throws OptionError with cuda_problem() when no device can be used.
std::unique_ptr<CudaEngine> make_cuda_engine(const CudaOptions& options = {});

}  // namespace moco
