// What a thread block of the fused GCN (fused_gcn.cu) keeps in shared memory.
#pragma once

#include "moco/engine/cuda/gcn/fused/slice_rows.cuh"
#include "moco/engine/cuda/kit/meeting.cuh"
#include "moco/engine/cuda/step/feature_rows.cuh"

namespace moco::cuda {

constexpr int kRanks = kHidden / kSlice;
constexpr int kRows = 64;  // nodes of a part, at most
constexpr int kRowTiles = kRows / 16;
constexpr int kWarps = kFusedThreads / 32;
constexpr int kPoolGroups = kFusedThreads / kHidden;
constexpr int kMostParts = 16;

static_assert(kWarps == kSlice);            // warp w forms column w of products with one row
static_assert(kFusedThreads / kRows == 8);  // threads that look for the largest messages of a node

/// Weight matrices in shared memory.
enum Slot {
  kSelf,
  kMessage,  ///< to the next block
  kPooled,   ///< of the global update; at first, the global embedding
  kConstant,
  kOther,  ///< the mix; authors: h_g's own of the global update
  kSlots
};

/// What a network has: no global; one that is mixed into the nodes after their update, or added within it.
enum class GlobalUse { none, mixed, added };

/// This slice of the vectors of a block of the network.
struct BlockVectors {
  float self_bias[kSlice];
  float message_bias[kSlice];
  float mix_bias[kSlice];
  float global_bias[kSlice];
};

/// What the blocks of a cluster send each other: their columns of h_g and h or, in the end, what the halves of their
/// columns add to θ̃.
template <typename T>
struct __align__(16) Letter {
  float h_g[kSlice];
  union {
    SliceRows<T, kRows> h;
    float decoded[2][kRows];
  };
};

/// What a block keeps in shared memory, before the messages of all nodes and the lists of its own.
template <typename T>
struct GcnShared {
  DeviceBatch batch;  ///< copies of the kernel's arguments, fetched together before anything waits for them
  NetworkOffsets net;
  Letter<T> received[2][kRanks];  ///< all columns; at first, the features are in the second
  Letter<T> sent[2];
  Inbox inbox[2];
  SliceRows<T, kFeatureRows> embedding;
  SliceRows<T, kHidden> weight[kSlots];
  BlockVectors vectors[kMaxBlocks];
  T top[kRows * kSlice];
  float embedding_bias[kSlice];
  float global_bias[kSlice];
  float decoder[kSlice];
  float global_decoder[kHidden];
  float pools[kRowTiles][kSlice];       ///< of 16 rows each
  float partial[kPoolGroups][kHidden];  ///< pools of a quarter of the parts
  float features[kGlobalFeatures];
  __align__(8) float products[kWarps][kSlice + 2];  ///< of a row with the rows of a matrix that belong to a warp
  float constants[kSlice];
  float divisor;

  __device__ T* feature_rows() {
    static_assert(sizeof received[1] >= sizeof(T) * kRows * kFeaturePitch<T>);
    return reinterpret_cast<T*>(received[1]);
  }
};

template <typename T>
__device__ GcnShared<T>& gcn_shared() {
  extern __shared__ __align__(16) unsigned char raw[];
  return *reinterpret_cast<GcnShared<T>*>(raw);
}

}  // namespace moco::cuda
