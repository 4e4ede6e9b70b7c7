// Sizes that kernels of all rooms share. No CUDA header is needed to read them.
#pragma once

namespace moco::cuda {

inline constexpr int kHidden = 128;       ///< D, the padded hidden columns
inline constexpr int kNarrowHidden = 32;  ///< hidden sizes that have a network kernel of their own (narrow_network.cu)
/// The features and low halves (feature_rows.cuh), padded for the tensor cores.
inline constexpr int kFeatureRows = 48;
inline constexpr int kThreads = 256;  ///< of the network kernels
/// Of a block of a cluster that runs a whole network: a multiprocessor holds one, and its warps hide latency.
inline constexpr int kFusedThreads = 512;
inline constexpr int kWarpRows = 16;                ///< edges of a warp at a time
inline constexpr long long kMultiprocessors = 132;  ///< for choosing shapes; nothing depends on the exact number
inline constexpr int kMostShared = 227 * 1024;      ///< bytes of shared memory of a thread block, at most

}  // namespace moco::cuda
