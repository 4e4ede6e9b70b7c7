// What networks own on the device: weights and state.
//
// Hidden sizes below 128 are padded with zero weights, which leaves zero columns everywhere.
#pragma once

#include <cstdint>

#include "moco/engine/cuda/batch/rows.h"
#include "moco/engine/cuda/kit/sizes.h"
#include "moco/model/parameters.h"

namespace moco::cuda {

inline constexpr int kMaxBlocks = 16;

/// Offsets of one network's parameters in a weight set: matrices (elements of T) and vectors (floats) apart.
struct BlockOffsets {
  int edge = 0;       ///< matrices: 4 × [D × D] (edge, sender, receiver, global); GCN: self
  int node = 0;       ///< matrices: 4 × [D × D] (node, out, in, global); GCN: neighbour
  int global = 0;     ///< matrices: 3 × [D × D]; GCN: 2 × [D × D] (pooled, global)
  int mix = 0;        ///< GCN matrices: 2 × [D × D] (global, node)
  int edge_bias = 0;  ///< vectors; GCN: self
  int edge_scale = 0;
  int edge_shift = 0;
  int node_bias = 0;  ///< vectors; GCN: neighbour
  int node_scale = 0;
  int node_shift = 0;
  int global_bias = 0;
  int mix_bias = 0;
};

struct NetworkOffsets {
  bool has_global = false;
  int blocks = 0;
  int embedding = 0;  ///< matrix [48 × D]
  int embedding_bias = 0;
  int node_embedding = 0;  ///< vector: the one row of the TSP's node embedding
  int node_bias = 0;
  int global_embedding = 0;  ///< matrix [45 × D]
  int global_bias = 0;
  int decoder = 0;  ///< vector [D]
  int decoder_bias = 0;
  int global_decoder = 0;  ///< vector [D]
  int global_decoder_bias = 0;
  int start_rows = 0;  ///< vector [4 × D]: sent, sent of the start, received, received of the start; first block
  int first_edge = 0;  ///< matrix [48 × D]: the embedding times the edge part of the first block's W_e
  int first_bias = 0;  ///< vector [D]: likewise, of its bias
  BlockOffsets block[kMaxBlocks];
};

/// Of the network of rule mlp, which sees one variable at a time.
struct MlpOffsets {
  int blocks = 0;
  int embedding = 0;  ///< matrix [16 × D]: the rows of the features, and the same again for their low halves
  int embedding_bias = 0;
  int step_embedding = 0;  ///< vectors [12 × D]
  int step_bias = 0;
  int layer[kMaxBlocks] = {};       ///< matrices [D × D]
  int layer_bias[kMaxBlocks] = {};  ///< vectors
  int decoder = 0;
  int decoder_bias = 0;
  int global_decoder = 0;
  int global_decoder_bias = 0;
};

/// Pointers to void hold T (bf16 or float).
struct NetworkData {
  bool embeds_global = false;  ///< GNN_update comes after the samples
  bool authors = false;        ///< GCN variant
  bool node_weights = false;   ///< MIS: the networks see them
  bool pools_known = false;    ///< TSP: the pools of all blocks but the first follow from the weights (global.cuh)
  int pooling = 0;             ///< GlobalPooling
  ThetaUpdate theta_update = ThetaUpdate::absolute;
  float gradient_scale = 1.0f;  ///< of gradients and momenta as features

  const float* given_rows = nullptr;    ///< [V × 41] instead of the state's features; usually null
  const float* given_global = nullptr;  ///< [45] likewise

  const RowChunk* edge_chunks = nullptr;
  const RowChunk* node_chunks = nullptr;
  unsigned long long* meetings = nullptr;  ///< [T] how often blocks of fused_gcn have arrived
  unsigned* updated = nullptr;             ///< MIS [T] number of the last global update within gcn_block

  const void* matrices = nullptr;  ///< [weight sets × matrix_stride]
  const float* vectors = nullptr;  ///< [weight sets × vector_stride]
  long long matrix_stride = 0;
  long long vector_stride = 0;

  void* h_e = nullptr;             ///< T [V × D]
  void* u_e = nullptr;             ///< fused network: units of u that shared memory does not hold
  float* h_v = nullptr;            ///< [S × D]
  float* u_v = nullptr;            ///< [S × D]
  void* sent = nullptr;            ///< T [S × D]; MIS: messages of even blocks
  void* received = nullptr;        ///< T [S × D]; MIS: messages of odd blocks
  void* top = nullptr;             ///< MIS T [S × D]: largest neighbour messages; null when gcn_block gathers them
  float* h_g = nullptr;            ///< [T × D]
  float* edge_constant = nullptr;  ///< [T × D]; MIS: of the mix
  float* node_constant = nullptr;  ///< [T × D]
  float* edge_norm = nullptr;      ///< [T × 2D] factor, shift
  float* node_norm = nullptr;      ///< [T × 2D]
  float* pooled_edges = nullptr;   ///< [T × D] where pools are known, of the first block
  float* theta_divisor = nullptr;  ///< [T] where pools are known
  float* sum_out = nullptr;        ///< [S × D]
  float* partials = nullptr;       ///< [chunks × 2D]; fused_gcn: pools [T × 2 × parts × D], blocks by turns
  float* edge_pools = nullptr;     ///< [node chunks × D] of the edges that enter their nodes
  float* first_theta = nullptr;    ///< [V] θ⁰; null unless updates are anchored
  float* crowding = nullptr;       ///< MIS [V]; null where the network does not see it
  std::uint16_t* near = nullptr;   ///< MIS: of all graphs; null unless fused_gcn is used
};

}  // namespace moco::cuda
