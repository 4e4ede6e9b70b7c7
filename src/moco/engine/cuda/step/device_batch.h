// What the kernels see of a batch: plain structures of sizes and device pointers. Shapes stand beside the pointers:
// T trajectories, V variables and S nodes of all trajectories together, b samples, D = 128 padded hidden columns.
//
// Trajectories lie side by side in all arrays (ragged): the variables of trajectory t begin at variable_offset, its
// nodes at node_offset. Hidden sizes below 128 are padded with zero weights, which leaves zero columns everywhere.
#pragma once

#include <cstdint>

#include "moco/core/random.h"
#include "moco/model/parameters.h"

namespace moco::cuda {

inline constexpr int kHidden = 128;       ///< D
inline constexpr int kNarrowHidden = 32;  ///< hidden sizes that have a network kernel of their own (narrow_network.cu)
inline constexpr int kFeatureRows =
    48;                               ///< the features and low halves (feature_rows.cuh), padded for the tensor cores
inline constexpr int kThreads = 256;  ///< of the network kernels
inline constexpr int kMaxBlocks = 16;
inline constexpr int kEdgeWarps = 4;                ///< of a thread block of the passes over edges: a warpgroup
inline constexpr int kWarpRows = 16;                ///< edges of a warp at a time
inline constexpr int kMostEdgeNodes = 24;           ///< of an item of the passes over edges
inline constexpr long long kMultiprocessors = 132;  ///< for choosing shapes; nothing depends on the exact number
inline constexpr int kMostShared = 227 * 1024;      ///< bytes of shared memory of a thread block, at most
inline constexpr int kStatusRing = 64;              ///< steps whose status the device remembers

struct GraphData {
  int nodes = 0;
  int degree = 0;
  int variables = 0;
  int metric = 0;
  bool symmetric = true;  ///< TSP
  double cost_scale = 1.0;
  const int* targets = nullptr;        ///< TSP [variables]; MIS [edges]
  const double* length = nullptr;      ///< [variables]
  const float* feature = nullptr;      ///< [variables]; MIS: null where nodes have no weights
  const int* in_offsets = nullptr;     ///< [nodes + 1]
  const int* in_edges = nullptr;       ///< [variables]
  const int* reverse = nullptr;        ///< [variables] where networks see both directions of a tour's edges
  const double* points = nullptr;      ///< [nodes × 2]
  const double* matrix = nullptr;      ///< [nodes × nodes], metric matrix only
  const long long* offsets = nullptr;  ///< MIS [nodes + 1]
  const double* weights = nullptr;     ///< MIS [nodes]; null where nodes have none
  std::uint32_t* bits = nullptr;  ///< MIS, small graphs: a row per node with the bits of its neighbours and its own
  std::uint16_t* near = nullptr;  ///< MIS: neighbours in the order of fused_gcn (near_lists.cuh)
};

/// Which of a trajectory's counters of finished blocks a kernel uses.
enum Arrival { kArriveSample = 0, kArriveEdge = 1, kArriveNode = 2, kArrivals = 3 };

/// A share of a trajectory's rows for one thread block.
struct Item {
  int trajectory;
  int first;  ///< row within the trajectory
  int rows;
};

/// The items of one trajectory in an item table.
struct ItemRange {
  int first = 0;
  int count = 0;
};

struct TrajectoryData {
  int graph = 0;
  int weights = 0;
  int start = 0;
  int nodes = 0;
  int variables = 0;
  StreamKey stream;
  bool weighted = false;  ///< MIS: nodes have weights
  long long node_offset = 0;
  long long variable_offset = 0;
  ItemRange edge_items;  ///< edge_moments, edge_advance; in nodes, whose edges they are
  ItemRange node_items;  ///< node_update, node_normalise; MIS: gcn
};

/// What a step leaves for the host.
struct StatusEntry {
  double best_cost;
  double pool_cost;
  double mean_cost;
  double entropy;
};

struct TrajectoryState {
  int active;
  int step;  ///< k, steps sampled so far
  int pool_size;
  int pad;
  double previous_best;
  double mean_cost;   ///< baseline of the gradient
  double found_mean;  ///< of the samples after local search
  double entropy;
  double pool_cost[kPoolSize];         ///< by rank
  std::uint64_t pool_hash[kPoolSize];  ///< by rank
  int pool_slot[kPoolSize];            ///< by rank: where items and variables lie
  int pool_length[kPoolSize];          ///< by slot
};

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

struct DeviceBatch {
  int trajectories = 0;
  int samples = 0;  ///< b
  int steps = 0;    ///< K
  int gradient_blocks = 0;
  bool causal = false;
  bool penalty = false;
  PoolRule pool = PoolRule::paper;
  bool learned = false;  ///< rule gnn
  bool authors = false;  ///< GCN variant
  bool is_tsp = false;
  bool all_plane = false;     ///< TSP: every instance has Metric::euclidean
  bool weighted = false;      ///< MIS: some graph's nodes have weights
  bool node_weights = false;  ///< MIS: the networks see them
  ThetaUpdate theta_update = ThetaUpdate::absolute;
  float gradient_scale = 1.0f;  ///< of gradients and momenta as features
  bool alone = true;            ///< no other batch steps at the same time
  bool by_improved = false;     ///< advantages from the costs after local search
  int pooling = 0;              ///< GlobalPooling
  bool pools_known = false;     ///< TSP: the pools of all blocks but the first follow from the weights (global.cuh)
  long long total_variables = 0;
  long long total_nodes = 0;
  double learning_rate = 0.0;

  const GraphData* graphs = nullptr;
  const TrajectoryData* trajectory = nullptr;  ///< [T]
  TrajectoryState* state = nullptr;            ///< [T]
  StatusEntry* ring = nullptr;                 ///< [64 × T]
  unsigned* arrivals = nullptr;                ///< [T × kArrivals] blocks done
  unsigned long long* meetings = nullptr;      ///< [T] how often blocks of fused_gcn have arrived
  unsigned* updated = nullptr;                 ///< MIS [T] number of the last global update within gcn_block

  const Item* gradient_items = nullptr;
  const Item* edge_items = nullptr;
  const Item* node_items = nullptr;

  const float* given_rows = nullptr;    ///< [V × 41] instead of the state's features; usually null
  const float* given_global = nullptr;  ///< [45] likewise

  float* theta = nullptr;               ///< [V]
  float* first_theta = nullptr;         ///< [V] θ⁰; anchored updates only
  float* gradient = nullptr;            ///< [V]
  float* momenta = nullptr;             ///< [6 × V]
  float* adam = nullptr;                ///< [2 × V]
  std::uint32_t* membership = nullptr;  ///< [V]
  float* crowding = nullptr;            ///< MIS [V]; null where the network does not see it

  int* items = nullptr;          ///< [b × n] per trajectory, from b·node_offset: nodes in order of choice
  int* variables = nullptr;      ///< [b × n] likewise: variable set at each step, −1 for none
  int* lengths = nullptr;        ///< [T × b]
  double* costs = nullptr;       ///< [T × b]
  int* left_at = nullptr;        ///< [n × b] per trajectory: step at which a node stopped being a candidate
  int* choice = nullptr;         ///< TSP [n × b]: neighbour taken from a node, −1 when that was no choice
  double* to_go = nullptr;       ///< causal; TSP [n × b]: cost to go from step t; MIS with weights [b × n]: weight
                                 ///< chosen before step t
  double* mean_to_go = nullptr;  ///< causal [n]
  double* mass = nullptr;        ///< MIS [V]: e^(θ − max)
  double* prefix = nullptr;      ///< [b × n] MIS: C_t; TSP: lengths of the steps, where shared memory has no room
  // The samples after local search; without one, the samples themselves.
  int* found_items = nullptr;              ///< [b × n]
  int* found_variables = nullptr;          ///< [b × n]
  int* found_lengths = nullptr;            ///< [T × b]
  double* found_costs = nullptr;           ///< [T × b]
  int* search_integers = nullptr;          ///< working set of the local search, when shared memory is too small
  unsigned char* search_flags = nullptr;   ///< likewise
  double* search_reals = nullptr;          ///< likewise
  std::uint32_t* bits = nullptr;           ///< MIS: of all graphs; null where one is too large
  std::uint16_t* near = nullptr;           ///< MIS: of all graphs; null unless fused_gcn is used
  std::uint32_t* spill_keys = nullptr;     ///< MIS [b × n], when the keys do not fit into shared memory
  unsigned char* spill_visited = nullptr;  ///< TSP [b × n], when the marks do not fit there

  int* pool_items = nullptr;      ///< [32 × n] per trajectory, by slot
  int* pool_variables = nullptr;  ///< [32 × n]

  // Network state. Pointers to void hold T (bf16 or float).
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
  float* partials = nullptr;       ///< [items × 2D]; fused_gcn: pools [T × 2 × parts × D], blocks by turns
  float* edge_pools = nullptr;     ///< [node items × D] of the edges that enter their nodes
};

/// Whether somebody needs the nodes after the last block of a network for the TSP.
MOCO_HOST_DEVICE inline bool needs_last_nodes(const DeviceBatch& batch, const NetworkOffsets& net) {
  return net.has_global && !batch.pools_known;
}

}  // namespace moco::cuda
