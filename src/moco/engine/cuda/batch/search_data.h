// What a search owns on the device, whatever the problem and the network: θ and what is learned about it from samples,
// the samples themselves, the elites, and the status for the host.
#pragma once

#include <cstdint>

#include "moco/engine/cuda/batch/rows.h"
#include "moco/model/parameters.h"

namespace moco::cuda {

inline constexpr int kStatusRing = 64;  ///< steps whose status the device remembers

/// What a step leaves for the host.
struct StatusEntry {
  double best_cost;
  double elite_cost;
  double mean_cost;
  double entropy;
};

struct SearchState {
  int active;
  int step;  ///< k, steps sampled so far
  int elite_size;
  int pad;
  double previous_best;
  double mean_cost;   ///< baseline of the gradient
  double found_mean;  ///< of the samples after local search
  double entropy;
  double elite_cost[kEliteSize];         ///< by rank
  std::uint64_t elite_hash[kEliteSize];  ///< by rank
  int elite_slot[kEliteSize];            ///< by rank: where items and variables lie
  int elite_length[kEliteSize];          ///< by slot
};

/// The samples after local search; without one, the samples themselves.
struct FoundData {
  int* items = nullptr;      ///< [b × n]
  int* variables = nullptr;  ///< [b × n]
  int* lengths = nullptr;    ///< [T × b]
  double* costs = nullptr;   ///< [T × b]
  // Working set of the local search, when shared memory is too small.
  int* integers = nullptr;
  unsigned char* flags = nullptr;
  double* reals = nullptr;
};

struct SearchData {
  int gradient_blocks = 0;
  int variable_blocks = 0;
  EliteRule elite = EliteRule::paper;
  bool causal = false;
  bool by_improved = false;  ///< advantages from the costs after local search

  int* budget = nullptr;                      ///< [1] steps that the networks are told
  SearchState* state = nullptr;               ///< [T]
  StatusEntry* ring = nullptr;                ///< [64 × T]
  unsigned* arrivals = nullptr;               ///< [T × kArrivals] blocks done
  const RowChunk* gradient_chunks = nullptr;  ///< of the kernels that compute gradients, a warp per node
  const RowChunk* variable_chunks = nullptr;  ///< of the kernels of rules to which all variables are alike

  float* theta = nullptr;               ///< [V]
  float* gradient = nullptr;            ///< [V]
  float* momenta = nullptr;             ///< [6 × V]
  std::uint32_t* membership = nullptr;  ///< [V]

  int* items = nullptr;          ///< [b × n] per trajectory, from b·node_offset: nodes in order of choice
  int* variables = nullptr;      ///< [b × n] likewise: variable set at each step, −1 for none
  int* lengths = nullptr;        ///< [T × b]
  double* costs = nullptr;       ///< [T × b]
  int* left_at = nullptr;        ///< [n × b] per trajectory: step at which a node stopped being a candidate
  double* to_go = nullptr;       ///< causal; TSP [n × b]: cost to go from step t; MIS with weights [b × n]: weight
                                 ///< chosen before step t
  double* mean_to_go = nullptr;  ///< causal [n]
  double* prefix = nullptr;      ///< [b × n] MIS: C_t; TSP: lengths of the steps, where shared memory has no room
  FoundData found;

  int* elite_items = nullptr;      ///< [32 × n] per trajectory, by slot
  int* elite_variables = nullptr;  ///< [32 × n]
};

}  // namespace moco::cuda
