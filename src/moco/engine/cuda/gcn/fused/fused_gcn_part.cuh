// One thread block's part of the fused GCN (fused_gcn.cu), from the features to θ.
#pragma once

#include "moco/engine/cuda/gcn/fused/fused_gcn_kernels.h"
#include "moco/engine/cuda/gcn/fused/fused_gcn_shared.cuh"
#include "moco/engine/cuda/gcn/fused/near_lists.cuh"
#include "moco/engine/cuda/gcn/neighbours.cuh"
#include "moco/engine/cuda/step/global.cuh"

namespace moco::cuda {

template <typename T, GlobalUse Use>
class GcnPart {
 public:
  __device__ GcnPart(const DeviceBatch& batch, const NetworkOffsets& net, const FusedGcnShape& shape)
      : GcnPart(batch, net, shape, batch.trajectory[static_cast<int>(blockIdx.x) / kRanks / shape.parts]) {}

  __device__ void run() {
    cluster_sync();  // the copies of the arguments are there, and all can receive
    if (!wait_for_previous(batch_, trajectory_) || nodes_ == 0) {
      wait_async();
      return;  // all clusters of the trajectory
    }
    Meeting meeting(batch_.network.meetings + trajectory_, parts_ * kRanks);
    embed();
#pragma unroll 1
    for (int block = 0; block < net_.blocks; ++block) {
      const bool last = block + 1 == net_.blocks;
      const bool updates = kGlobal && block > 0;
      meeting.arrive();
      fetch_block(block);
      if (updates) {
        fetch_global(block - 1);
      }
      Quarter sum = product(kSelf);
      meeting.wait();
      stage_messages(block);
      if (!last) {
        shared_.weight[kSelf].fetch(matrices_ + net_.block[block + 1].edge);
      }
      if (updates) {
        set_pools(block - 1);
      }
      wait_async();
      __syncthreads();
      if (updates) {
        update_h_g(block - 1);
      }
      if constexpr (Use == GlobalUse::added) {
        if (updates) {
          exchange();
        }
        set_constants(block);
      }
      set_tops();
      __syncthreads();
      advance(sum, block);
      if (!last || Use == GlobalUse::mixed) {
        exchange();
      }
      if constexpr (Use == GlobalUse::mixed) {
        set_constants(block);
        sum = product(kOther);
        __syncthreads();
        mix(sum);
        if (!last) {
          exchange();
        }
      }
      if (!last) {
        send(block + 1);
      }
      if constexpr (kGlobal) {
        store_pools(block);
      }
    }
    decode(meeting);
  }

 private:
  static constexpr bool kGlobal = Use != GlobalUse::none;

  __device__ GcnPart(const DeviceBatch& batch, const NetworkOffsets& net, const FusedGcnShape& shape,
                     const TrajectoryData& t)
      : shared_(gcn_shared<T>()),
        batch_(shared_.batch),
        net_(shared_.net),
        messages_(reinterpret_cast<T*>(&shared_ + 1)),
        parts_(shape.parts),
        rank_(cluster_rank()),
        part_(static_cast<int>(blockIdx.x) / kRanks % shape.parts),
        trajectory_(static_cast<int>(blockIdx.x) / kRanks / shape.parts),
        nodes_(t.nodes),
        first_(min(part_ * ((t.nodes + parts_ - 1) / parts_), t.nodes)),
        rows_(min((t.nodes + parts_ - 1) / parts_, t.nodes - first_)),
        node_offset_(t.node_offset),
        variable_offset_(t.variable_offset),
        matrices_(matrices_of<T>(batch, t.weights) + rank_ * kSlice),
        holds_(Quarter::row_tile() * 16 < rows_) {
    if (threadIdx.x < 2) {
      shared_.inbox[threadIdx.x].begin();
    }
    copy_words<kFusedThreads>(shared_.batch, batch);
    copy_words<kFusedThreads>(shared_.net, net);
    shared_.embedding.fetch(matrices_ + net.embedding);
    shared_.weight[kSelf].fetch(matrices_ + net.block[0].edge);
    shared_.weight[kMessage].fetch(matrices_ + net.block[0].node);
    if constexpr (kGlobal) {
      shared_.weight[kPooled].fetch(matrices_ + net.global_embedding, kGlobalFeatures);
    }
    load_vectors(net, vectors_of(batch, t.weights));
    const GraphData& graph = batch.graphs[t.graph];
    fetch_lists(graph, shape.room);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int degree = has_row(half) ? degree_of(graph, first_ + Quarter::row(half)) : 0;
      keeps_[half] = batch.network.authors && degree == 0;
      scale_[half] = batch.network.authors ? degree_scale(degree) : 1.0f;
    }
  }

  __device__ bool has_row(int half) const {
    return Quarter::row(half) < rows_;
  }
  /// This slice of the messages to a block of the network: [nodes × 16].
  __device__ T* sent(int block) const {
    return static_cast<T*>(block % 2 == 0 ? batch_.network.sent : batch_.network.received) + node_offset_ * kHidden +
           static_cast<long long>(rank_) * nodes_ * kSlice;
  }
  /// Pools of a part after a block.
  __device__ float* partial_pool(int block, int part) const {
    return batch_.network.partials + ((static_cast<long long>(trajectory_) * 2 + block % 2) * parts_ + part) * kHidden;
  }

  __device__ void load_vectors(const NetworkOffsets& net, const float* vectors) {
    const auto tid = static_cast<int>(threadIdx.x);
    const int c = tid % kSlice;
    const float* own = vectors + rank_ * kSlice + c;
    if (const int block = tid / kSlice; block < net.blocks) {
      BlockVectors& out = shared_.vectors[block];
      out.self_bias[c] = own[net.block[block].edge_bias];
      out.message_bias[c] = own[net.block[block].node_bias];
      if constexpr (kGlobal) {
        out.mix_bias[c] = own[net.block[block].mix_bias];
        out.global_bias[c] = own[net.block[block].global_bias];
      }
    } else if (block == kMaxBlocks) {
      shared_.embedding_bias[c] = own[net.embedding_bias];
      shared_.decoder[c] = own[net.decoder];
      if constexpr (kGlobal) {
        shared_.global_bias[c] = own[net.global_bias];
      }
    }
    decoder_bias_ = vectors[net.decoder_bias];
    if constexpr (kGlobal) {
      if (tid < kHidden) {
        shared_.global_decoder[tid] = vectors[net.global_decoder + tid];
      }
      global_decoder_bias_ = vectors[net.global_decoder_bias];
    }
  }

  /// The neighbours of the part's nodes: in shared memory behind the messages, if there is room for them. Eight threads
  /// each look at those of a node.
  __device__ void fetch_lists(const GraphData& graph, int room) {
    const auto tid = static_cast<int>(threadIdx.x);
    const long long begin = near_start(graph.offsets[first_], first_);
    const std::uint16_t* lists = graph.near + begin;
    if (room > 0) {
      auto* shared = reinterpret_cast<std::uint16_t*>(messages_ + nodes_ * kSlice);
      const auto count = static_cast<int>(near_start(graph.offsets[first_ + rows_], first_ + rows_) - begin);
#pragma unroll 1
      for (int i = 8 * tid; i < count; i += 8 * kFusedThreads) {
        copy_async16(shared + i, lists + i);
      }
      lists = shared;
    }
    if (const int row = tid / 8; row < rows_) {
      const int node = first_ + row;
      list_ = lists + (near_start(graph.offsets[node], node) - begin);
      list_length_ = near_length(degree_of(graph, node));
    }
  }

  /// Weights of a block of the network but those of its own rows, which are there.
  __device__ void fetch_block(int block) {
    if (block + 1 < net_.blocks) {
      shared_.weight[kMessage].fetch(matrices_ + net_.block[block + 1].node);
    }
    if constexpr (kGlobal) {
      shared_.weight[kConstant].fetch(matrices_ + net_.block[block].mix);
    }
    if constexpr (Use == GlobalUse::mixed) {
      shared_.weight[kOther].fetch(matrices_ + net_.block[block].mix + kHidden * kHidden);
    }
  }
  /// Weights of the global update after a block.
  __device__ void fetch_global(int block) {
    shared_.weight[kPooled].fetch(matrices_ + net_.block[block].global);
    if constexpr (Use == GlobalUse::added) {
      shared_.weight[kOther].fetch(matrices_ + net_.block[block].global + kHidden * kHidden);
    }
  }

  /// h of the nodes and of the global node from the features, and the first messages.
  __device__ void embed() {
    build_features<kFusedThreads, true>(batch_, batch_.graphs[batch_.trajectory[trajectory_].graph], variable_offset_,
                                        first_, rows_, kRows, !kGlobal, shared_.feature_rows());
    if (const int c = static_cast<int>(threadIdx.x); kGlobal && c < kGlobalFeatures) {
      const SearchState& state = batch_.search.state[trajectory_];
      shared_.features[c] = seen_global_feature(batch_, state, state.step - 1, c);
    }
    wait_async();
    __syncthreads();
    if constexpr (kGlobal) {
      float2 sum{};
      shared_.weight[kPooled].add_row_product([&](int row) { return shared_.features[row]; }, kGlobalFeatures, sum);
      h_g_ = column_of(sum) + shared_.global_bias[Quarter::warp()];
    }
    if (holds_) {
      h_.set_product([&](int row, int column) { return shared_.feature_rows() + row * kFeaturePitch<T> + column; },
                     shared_.embedding);
      const float2 bias = load2(shared_.embedding_bias + Quarter::column());
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        h_.value[2 * half] += bias.x;
        h_.value[2 * half + 1] += bias.y;
      }
    }
    exchange();
    send(0);
  }

  /// The sum of what all threads hold of column w, known to warp w. A barrier lies within; another must lie between two
  /// calls.
  __device__ float column_of(float2 sum) {
#pragma unroll
    for (int offset = 8; offset < 32; offset <<= 1) {
      sum.x += __shfl_xor_sync(kFullWarp, sum.x, offset);
      sum.y += __shfl_xor_sync(kFullWarp, sum.y, offset);
    }
    if (Quarter::lane() < 8) {
      store2(shared_.products[Quarter::warp()] + 2 * Quarter::lane(), sum.x, sum.y);
    }
    __syncthreads();
    float total = shared_.products[Quarter::lane() % kWarps][Quarter::warp()];
#pragma unroll
    for (int offset = kWarps / 2; offset > 0; offset >>= 1) {
      total += __shfl_xor_sync(kFullWarp, total, offset);
    }
    return total;
  }

  /// Sends h and h_g to all blocks of the cluster and receives theirs.
  __device__ void exchange() {
    if (holds_) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        store2(shared_.sent[turn_].h.element + SliceRows<T, kRows>::place(Quarter::row(half), Quarter::column()),
               h_.value[2 * half], h_.value[2 * half + 1]);
      }
    }
    send_letter(rows_ * kSlice * static_cast<int>(sizeof(T)));
  }
  /// Sends the letter: h_g and the `bytes` behind it.
  __device__ void send_letter(int bytes) {
    Letter<T>& letter = shared_.sent[turn_];
    if (Quarter::lane() == 0) {
      letter.h_g[Quarter::warp()] = h_g_;
    }
    __syncthreads();
    Inbox& inbox = shared_.inbox[turn_];
    bytes += static_cast<int>(sizeof letter.h_g);
    if (threadIdx.x == 0) {
      inbox.expect(kRanks * bytes);
    }
    constexpr int kTogether = kFusedThreads / kRanks;  // threads that send to one rank
    const int to = static_cast<int>(threadIdx.x) / kTogether;
#pragma unroll 2
    for (int i = static_cast<int>(threadIdx.x) % kTogether; i < bytes / 16; i += kTogether) {
      inbox.send(reinterpret_cast<uint4*>(&shared_.received[turn_][rank_]) + i,
                 reinterpret_cast<const uint4*>(&letter)[i], to);
    }
    inbox.wait(odd_);
    last_ = turn_;
    odd_ = turn_ == 1 ? !odd_ : odd_;
    turn_ ^= 1;
  }
  /// An element of h_g, as of the last letters.
  __device__ float h_g(int column) const {
    return shared_.received[last_][column / kSlice].h_g[column % kSlice];
  }

  /// This slice of h · W.
  __device__ Quarter product(Slot slot) const {
    Quarter sum{};
    if (holds_) {
      sum.set_product(
          [&](int row, int column) {
            return shared_.received[last_][column / kSlice].h.element +
                   SliceRows<T, kRows>::place(row, column % kSlice);
          },
          shared_.weight[slot]);
    }
    return sum;
  }

  /// The messages to a block of the network, for all clusters.
  __device__ void send(int block) {
    const Quarter sum = product(kMessage);
    const float2 bias = load2(shared_.vectors[block].message_bias + Quarter::column());
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (has_row(half)) {
        T* out = sent(block) + (first_ + Quarter::row(half)) * kSlice + Quarter::column();
        store2(out, scale_[half] * (sum.value[2 * half] + bias.x), scale_[half] * (sum.value[2 * half + 1] + bias.y));
      }
    }
  }

  /// Starts copying this slice of all messages to a block into shared memory.
  __device__ void stage_messages(int block) {
    const T* from = sent(block);
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < nodes_ * kSliceChunks<T>; i += kFusedThreads) {
      copy_async16(messages_ + i * kChunk<T>, from + i * kChunk<T>);
    }
  }

  /// The largest neighbour messages of the part's nodes, these columns: eight threads per node, each for a chunk of the
  /// columns and some pieces of the neighbours.
  __device__ void set_tops() {
    constexpr int kGroups = 8 / kSliceChunks<T>;
    const int lane = Quarter::lane() % 8;
    const int column = lane % kSliceChunks<T> * kChunk<T>;
    uint4 top = lowest<T>();
    const T* from = messages_ + column;
    const auto look = [&](std::uint32_t neighbour) {
      maximum_of<T>(top, *reinterpret_cast<const uint4*>(from + neighbour * kSlice));
    };
    for (int piece = lane / kSliceChunks<T>; piece < kNearPieces; piece += kGroups) {
#pragma unroll 2
      for (int i = 0; i < list_length_; i += 4) {
        const uint2 four = *reinterpret_cast<const uint2*>(list_ + piece * list_length_ + i);
        look(four.x & 0xFFFFu);
        look(four.x >> 16);
        look(four.y & 0xFFFFu);
        look(four.y >> 16);
      }
    }
#pragma unroll
    for (int step = kSliceChunks<T>; step < 8; step <<= 1) {
      const uint4 other = make_uint4(__shfl_xor_sync(kFullWarp, top.x, step), __shfl_xor_sync(kFullWarp, top.y, step),
                                     __shfl_xor_sync(kFullWarp, top.z, step), __shfl_xor_sync(kFullWarp, top.w, step));
      maximum_of<T>(top, other);
    }
    if (lane < kSliceChunks<T>) {
      const int row = static_cast<int>(threadIdx.x) / 8;
      *reinterpret_cast<uint4*>(shared_.top + row * kSlice + column) =
          list_length_ > 0 ? top : make_uint4(0u, 0u, 0u, 0u);
    }
  }

  /// h ← h + ReLU(W1 h + b1 + s·top [+ constant]), `sum` = W1 h.
  __device__ void advance(const Quarter& sum, int block) {
    const float2 bias = load2(shared_.vectors[block].self_bias + Quarter::column());
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (!has_row(half) || keeps_[half]) {
        continue;
      }
      const float2 top = load2(shared_.top + Quarter::row(half) * kSlice + Quarter::column());
      float a = sum.value[2 * half] + bias.x + scale_[half] * top.x;
      float b = sum.value[2 * half + 1] + bias.y + scale_[half] * top.y;
      if constexpr (Use == GlobalUse::added) {
        a += shared_.constants[Quarter::column()];
        b += shared_.constants[Quarter::column() + 1];
      }
      h_.value[2 * half] += fmaxf(a, 0.0f);
      h_.value[2 * half + 1] += fmaxf(b, 0.0f);
    }
  }

  /// h ← h + ReLU(W3 h + constant), `sum` = W3 h.
  __device__ void mix(const Quarter& sum) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (has_row(half)) {
        h_.value[2 * half] += fmaxf(sum.value[2 * half] + shared_.constants[Quarter::column()], 0.0f);
        h_.value[2 * half + 1] += fmaxf(sum.value[2 * half + 1] + shared_.constants[Quarter::column() + 1], 0.0f);
      }
    }
  }

  __device__ Pooling pooling() const {
    return Pooling(batch_);
  }

  /// Pools of the part's rows, these columns, for all clusters. Ends without a barrier.
  __device__ void store_pools(int block) {
    if (Quarter::row_tile() < kRowTiles) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        float pool = pooling().join(has_row(0) ? h_.value[i] : pooling().none(),
                                    has_row(1) ? h_.value[2 + i] : pooling().none());
#pragma unroll
        for (int offset = 4; offset < 32; offset <<= 1) {
          pool = pooling().join(pool, __shfl_xor_sync(kFullWarp, pool, offset));
        }
        if (Quarter::lane() < 4) {
          shared_.pools[Quarter::row_tile()][Quarter::column() + i] = pool;
        }
      }
    }
    __syncthreads();
    if (const int c = static_cast<int>(threadIdx.x); c < kSlice) {
      float pool = shared_.pools[0][c];
#pragma unroll
      for (int tile = 1; tile < kRowTiles; ++tile) {
        pool = pooling().join(pool, shared_.pools[tile][c]);
      }
      partial_pool(block, part_)[rank_ * kSlice + c] = pool;
    }
  }

  /// Pools after a block, all columns, by quarters of the parts.
  __device__ void set_pools(int block) {
    const int c = static_cast<int>(threadIdx.x) % kHidden;
    const int group = static_cast<int>(threadIdx.x) / kHidden;
    float partial[kMostParts / kPoolGroups];
#pragma unroll
    for (int i = 0; i < kMostParts / kPoolGroups; ++i) {
      const int part = group + kPoolGroups * i;
      partial[i] = part < parts_ ? __ldcg(partial_pool(block, part) + c) : pooling().none();
    }
#pragma unroll
    for (int i = 1; i < kMostParts / kPoolGroups; ++i) {
      partial[0] = pooling().join(partial[0], partial[i]);
    }
    shared_.partial[group][c] = partial[0];
  }

  /// The global update after a block, from the pools.
  __device__ void update_h_g(int block) {
    const float rows =
        batch_.network.pooling == static_cast<int>(GlobalPooling::mean) ? static_cast<float>(nodes_) : 1.0f;
    const auto pool = [&](int column) {
      float all = shared_.partial[0][column];
#pragma unroll
      for (int group = 1; group < kPoolGroups; ++group) {
        all = pooling().join(all, shared_.partial[group][column]);
      }
      return all / rows;
    };
    float2 sum{};
    shared_.weight[kPooled].add_row_product(pool, kHidden, sum);
    if constexpr (Use == GlobalUse::added) {
      shared_.weight[kOther].add_row_product([&](int column) { return h_g(column); }, kHidden, sum);
    }
    h_g_ += fmaxf(column_of(sum) + shared_.vectors[block].global_bias[Quarter::warp()], 0.0f);
  }

  /// What h_g adds to all nodes of a block. Ends without a barrier.
  __device__ void set_constants(int block) {
    float2 sum{};
    shared_.weight[kConstant].add_row_product([&](int column) { return h_g(column); }, kHidden, sum);
    const float constant = column_of(sum);
    if (Quarter::lane() == 0) {
      shared_.constants[Quarter::warp()] = constant + shared_.vectors[block].mix_bias[Quarter::warp()];
    }
  }

  /// θ. Every block takes the nodes whose number within the part is its rank modulo 8.
  __device__ void decode(Meeting& meeting) {
    if (holds_) {
      const float2 w = load2(shared_.decoder + Quarter::column());
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float sum = h_.value[2 * half] * w.x + h_.value[2 * half + 1] * w.y;
        sum += __shfl_xor_sync(kFullWarp, sum, 1);
        sum += __shfl_xor_sync(kFullWarp, sum, 2);
        if (Quarter::lane() % 4 == 0) {
          shared_.sent[turn_].decoded[Quarter::warp() % 2][Quarter::row(half)] = sum;
        }
      }
    }
    if constexpr (kGlobal) {
      meeting.arrive();
      fetch_global(net_.blocks - 1);
      meeting.wait();
      set_pools(net_.blocks - 1);
      wait_async();
      __syncthreads();
      update_h_g(net_.blocks - 1);
    }
    send_letter(static_cast<int>(sizeof(Letter<T>::decoded)));
    if constexpr (kGlobal) {
      set_divisor(
          batch_, shared_.global_decoder, global_decoder_bias_, [&](int c) { return h_g(c); }, shared_.divisor);
    }
    if (const int row = static_cast<int>(threadIdx.x) * kRanks + rank_; row < rows_) {
      float decoded = decoder_bias_;
#pragma unroll
      for (const Letter<T>& letter : shared_.received[last_]) {
        decoded += letter.decoded[0][row] + letter.decoded[1][row];
      }
      store_decoded(batch_, net_, variable_offset_ + first_ + row, decoded, &shared_.divisor);
    }
  }

  GcnShared<T>& shared_;
  const DeviceBatch& batch_;
  const NetworkOffsets& net_;
  T* messages_;  // [nodes × 16] in shared memory
  int parts_;
  int rank_;
  int part_;
  int trajectory_;
  int nodes_;  // of the trajectory
  int first_;  // of the part
  int rows_;
  long long node_offset_;
  long long variable_offset_;
  const T* matrices_;                    // from this slice on
  const std::uint16_t* list_ = nullptr;  // of the node whose largest messages this thread looks for
  int list_length_ = 0;
  float decoder_bias_ = 0.0f;
  float global_decoder_bias_ = 0.0f;
  bool holds_;  // some rows of h
  bool keeps_[2];
  float scale_[2];
  float h_g_ = 0.0f;  // column w of this slice, known to warp w
  int turn_ = 0;      // of the next letter
  bool odd_ = false;
  int last_ = 0;  // turn of the last letters
  Quarter h_;
};

}  // namespace moco::cuda
