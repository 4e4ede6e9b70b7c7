// Kicks on windows in the plane: one warp per window runs problems/tsp/plane_kicks.h in shared memory, so that it takes
// the decisions of a thread on the CPU. Windows come from global memory and go back there with every slice.
#include "moco/engine/cuda/kit/warp_team.cuh"
#include "moco/engine/cuda/tsp/plane_windows.h"
#include "moco/problems/tsp/plane_kicks.h"

namespace moco::cuda {

namespace {

template <LengthRounding Rounding>
__global__ void __launch_bounds__(32)
    plane_kicks_kernel(const __grid_constant__ DeviceWindows windows, const __grid_constant__ KickSlice slice) {
  extern __shared__ __align__(16) unsigned char raw[];
  const WarpTeam team;
  const unsigned first = windows.first[blockIdx.x];
  const int n = static_cast<int>(windows.first[blockIdx.x + 1] - first);
  const PlaneMemory memory = place_plane_memory(raw, windows.most_cities);
  for (int i = team.lane(); i < n; i += WarpTeam::width) {
    memory.points[i] = windows.points[first + i];
    memory.fixed[i] = windows.fixed[first + i];
    memory.order[i] = slice.begin == 0 ? static_cast<std::uint16_t>(i) : windows.orders[first + i];
  }
  team.sync();
  kick_in_plane<Rounding>(team, n, memory, windows.keys[blockIdx.x], slice);
  team.sync();
  for (int i = team.lane(); i < n; i += WarpTeam::width) {
    windows.orders[first + i] = memory.order[i];
  }
}

using Kernel = void (*)(DeviceWindows, KickSlice);

Kernel kernel_for(LengthRounding rounding) {
  switch (rounding) {
    case LengthRounding::nearest:
      return plane_kicks_kernel<LengthRounding::nearest>;
    case LengthRounding::up:
      return plane_kicks_kernel<LengthRounding::up>;
    case LengthRounding::none:
      break;
  }
  return plane_kicks_kernel<LengthRounding::none>;
}

}  // namespace

int plane_windows_at_once(int most_cities) {
  const Kernel kernel = kernel_for(LengthRounding::nearest);
  const int bytes = plane_memory_bytes(most_cities);
  allow_shared(reinterpret_cast<const void*>(kernel), bytes);
  int device = 0;
  int multiprocessors = 0;
  int each = 0;
  MOCO_CUDA_CHECK(cudaGetDevice(&device));
  MOCO_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  MOCO_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, 32, static_cast<std::size_t>(bytes)));
  return multiprocessors * each;
}

void kick_plane_windows(const DeviceWindows& windows, const KickSlice& slice, cudaStream_t stream) {
  if (windows.count == 0) {
    return;
  }
  const Kernel kernel = kernel_for(windows.rounding);
  const int bytes = plane_memory_bytes(windows.most_cities);
  allow_shared(reinterpret_cast<const void*>(kernel), bytes);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(windows.count));
  config.blockDim = dim3(32);
  config.dynamicSmemBytes = static_cast<std::size_t>(bytes);
  config.stream = stream;
  MOCO_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, windows, slice));
}

}  // namespace moco::cuda
