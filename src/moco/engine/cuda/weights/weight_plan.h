// Where the parameters of a model lie on the device.
//
// A weight set is two buffers: matrices in the precision of the products, each a padded [rows × 128] block per piece of
// a concatenated input, and vectors in float32. A pack entry copies one piece from the flat parameters
// (model/parameters.h).
#pragma once

#include <vector>

#include "moco/engine/cuda/batch/device_batch.h"
#include "moco/model/parameters.h"

namespace moco::cuda {

struct PackEntry {
  long long source = 0;  ///< in the flat parameters
  int rows = 0;
  int columns = 0;
  int destination = 0;  ///< in the set's matrices or vectors
  bool matrix = false;
};

struct WeightPlan {
  explicit WeightPlan(const ModelConfig& config);

  std::vector<PackEntry> entries;
  // Of the networks that the model has.
  NetworkOffsets init;
  NetworkOffsets update;
  MlpOffsets mlp;
  long long matrix_stride = 0;  ///< elements per weight set
  long long vector_stride = 0;

 private:
  int add_matrix(long long source, int rows, int columns, int padded_rows);
  int add_vector(const TensorSpec& tensor);
  /// Rows that are not multiplied by the tensor cores.
  int add_rows(const TensorSpec& tensor);
  int add_parts(const TensorSpec& tensor, int parts, int hidden);
  void add_embedding(const ParameterLayout& layout, const std::string& name, const ModelConfig& config,
                     NetworkOffsets& net);
  void add_global_embedding(const ParameterLayout& layout, const std::string& name, int hidden, NetworkOffsets& net);
  void add_decoders(const ParameterLayout& layout, const std::string& name, const std::string& decoder,
                    NetworkOffsets& net);
  NetworkOffsets add_network(const ParameterLayout& layout, const ModelConfig& config, bool update);
  NetworkOffsets add_graph_network(const ParameterLayout& layout, const ModelConfig& config, bool update);
  NetworkOffsets add_gcn(const ParameterLayout& layout, const ModelConfig& config, bool update);
  void add_mlp(const ParameterLayout& layout, const ModelConfig& config);
};

}  // namespace moco::cuda
