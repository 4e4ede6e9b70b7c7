// What a device can do at most, measured: the yardsticks of bench/kernel_lab. No CUDA type appears here.
#pragma once

namespace moco {

struct DeviceCeilings {
  double copy_bytes_per_second;  ///< device memory, bytes read and bytes written
  double l2_bytes_per_second;    ///< read from the second-level cache
  double tensor_flops;           ///< per second: bf16 products with float32 sums by mma.sync
};

/// The best of a few runs of each; takes 2 GiB of the device for a moment. Throws CudaError, or ResourceError without
/// that memory.
DeviceCeilings measure_ceilings(int device);

}  // namespace moco
