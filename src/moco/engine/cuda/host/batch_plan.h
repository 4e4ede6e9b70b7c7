// Everything about a batch that is decided before memory is taken: where trajectories lie in the ragged arrays, how
// rows are cut into items, which kernels' shapes are used, and how many bytes each array needs.
#pragma once

#include <cstddef>
#include <vector>

#include "moco/engine/cuda/cuda_engine.h"
#include "moco/engine/cuda/kit/arena.h"
#include "moco/engine/cuda/step/device_batch.h"
#include "moco/engine/cuda/step/network_kernels.h"
#include "moco/engine/cuda/step/step_kernels.h"
#include "moco/engine/cuda/step/weight_plan.h"

namespace moco::cuda {

struct BatchPlan {
  BatchPlan(const BatchSpec& spec, const CudaOptions& options);

  WeightPlan weights;
  DeviceBatch batch;  ///< sizes and switches; pointers are set by assign()
  NetworkShape network;
  SamplerShape sampler;
  bool improving = false;  ///< a local search follows the sampling
  bool crowding = false;   ///< the network sees it
  SearchShape search;
  std::vector<TrajectoryData> trajectories;
  std::vector<Item> gradient_items;
  std::vector<Item> edge_items;
  std::vector<Item> node_items;
  int weight_sets = 0;
  int max_degree = 0;
  int largest_graph = 0;        ///< nodes
  std::size_t bit_words = 0;    ///< MIS: of all graphs, where the sampler takes their bits
  std::size_t near_places = 0;  ///< MIS: of all graphs' lists for fused_gcn
  Region zero_once;             ///< to be cleared before anything runs
  Region zero_at_begin;         ///< to be cleared whenever a search begins

  /// Bytes of all arrays that kernels write, and their addresses from `base` on.
  std::size_t assign(std::byte* base);
  /// Bytes of the constant data (graphs, tables, base weights) that are copied to the device.
  static std::size_t constant_bytes(const BatchSpec& spec, const BatchPlan& plan);

 private:
  void cut(const BatchSpec& spec, const CudaOptions& options);
  void cut_network();

  bool bf16_ = true;
};

}  // namespace moco::cuda
