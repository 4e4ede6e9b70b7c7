// Pack entries of the networks that a model has.
#include "moco/engine/cuda/weights/weight_plan.h"

#include <fmt/format.h>

#include "moco/engine/features.h"
#include "moco/error.h"

namespace moco::cuda {

WeightPlan::WeightPlan(const ModelConfig& config) {
  const bool begins = config.init == Initialisation::learned;
  const bool updates = config.rule == UpdateRule::gnn || config.rule == UpdateRule::mlp;
  if (!begins && !updates) {
    return;
  }
  if (config.hidden > kHidden) {
    throw OptionError(
        fmt::format("the CUDA engine runs models with a hidden size of up to {}, not {}; use the CPU engine", kHidden,
                    config.hidden));
  }
  const ParameterLayout layout(config);
  if (begins) {
    init = add_network(layout, config, false);
  }
  if (config.rule == UpdateRule::gnn) {
    update = add_network(layout, config, true);
  } else if (config.rule == UpdateRule::mlp) {
    add_mlp(layout, config);
  }
}

int WeightPlan::add_matrix(long long source, int rows, int columns, int padded_rows) {
  const auto offset = static_cast<int>(matrix_stride);
  entries.push_back({source, rows, columns, offset, true});
  matrix_stride += static_cast<long long>(padded_rows) * kHidden;
  return offset;
}

int WeightPlan::add_vector(const TensorSpec& tensor) {
  const auto offset = static_cast<int>(vector_stride);
  entries.push_back({static_cast<long long>(tensor.offset), 1, static_cast<int>(tensor.size()), offset, false});
  vector_stride += kHidden;
  return offset;
}

int WeightPlan::add_rows(const TensorSpec& tensor) {
  const auto offset = static_cast<int>(vector_stride);
  entries.push_back({static_cast<long long>(tensor.offset), tensor.rows, tensor.cols, offset, false});
  vector_stride += static_cast<long long>(tensor.rows) * kHidden;
  return offset;
}

/// The pieces of a matrix over a concatenated input, each padded to [128 × 128].
int WeightPlan::add_parts(const TensorSpec& tensor, int parts, int hidden) {
  const auto first = static_cast<int>(matrix_stride);
  for (int part = 0; part < parts; ++part) {
    const long long source = static_cast<long long>(tensor.offset) + static_cast<long long>(part) * hidden * hidden;
    add_matrix(source, hidden, hidden, kHidden);
  }
  return first;
}

/// The embedding of the feature rows: 41 rows (or the first alone), then the repeated rows for the low halves, and the
/// row for the weight with its low half.
void WeightPlan::add_embedding(const ParameterLayout& layout, const std::string& name, const ModelConfig& config,
                               NetworkOffsets& net) {
  const int hidden = config.hidden;
  const TensorSpec& w = layout.at(name + ".w");
  const int rows = w.rows - (config.node_weights ? kWeightFeatures : 0);
  const auto source = static_cast<long long>(w.offset);
  net.embedding = add_matrix(source, rows, hidden, kFeatureRows);
  const auto repeat = [&](int row, int place) {
    entries.push_back({source + static_cast<long long>(row) * hidden, 1, hidden,
                       net.embedding + (kVariableFeatures + place) * kHidden, true});
  };
  repeat(0, 0);
  if (rows == kVariableFeatures) {
    repeat(kGradientColumn, 1);
    repeat(kThetaColumn, 2);
  }
  if (config.node_weights) {
    repeat(rows, 3);
    repeat(rows, 4);
  }
  net.embedding_bias = add_vector(layout.at(name + ".b"));
}

void WeightPlan::add_global_embedding(const ParameterLayout& layout, const std::string& name, int hidden,
                                      NetworkOffsets& net) {
  if (net.has_global) {
    const auto source = static_cast<long long>(layout.at(name + ".global_embedding.w").offset);
    net.global_embedding = add_matrix(source, kGlobalFeatures, hidden, kFeatureRows);
    net.global_bias = add_vector(layout.at(name + ".global_embedding.b"));
  }
}

void WeightPlan::add_decoders(const ParameterLayout& layout, const std::string& name, const std::string& decoder,
                              NetworkOffsets& net) {
  net.decoder = add_vector(layout.at(name + decoder + ".w"));
  net.decoder_bias = add_vector(layout.at(name + decoder + ".b"));
  if (net.has_global) {
    net.global_decoder = add_vector(layout.at(name + ".global_decoder.w"));
    net.global_decoder_bias = add_vector(layout.at(name + ".global_decoder.b"));
  }
}

NetworkOffsets WeightPlan::add_network(const ParameterLayout& layout, const ModelConfig& config, bool is_update) {
  return network_of(config) == NetworkKind::graph_network ? add_graph_network(layout, config, is_update)
                                                          : add_gcn(layout, config, is_update);
}

NetworkOffsets WeightPlan::add_graph_network(const ParameterLayout& layout, const ModelConfig& config, bool is_update) {
  const std::string name = is_update ? "update" : "init";
  const int d = config.hidden;
  const int parts = is_update ? 4 : 3;
  NetworkOffsets net;
  net.has_global = is_update;
  net.blocks = config.blocks;
  add_embedding(layout, name + ".edge_embedding", config, net);
  net.node_embedding = add_vector(layout.at(name + ".node_embedding.w"));
  net.node_bias = add_vector(layout.at(name + ".node_embedding.b"));
  add_global_embedding(layout, name, d, net);
  for (int l = 0; l < config.blocks; ++l) {
    const std::string prefix = fmt::format("{}.blocks.{}", name, l);
    BlockOffsets& block = net.block[l];
    block.edge = add_parts(layout.at(prefix + ".edge.w"), parts, d);
    block.node = add_parts(layout.at(prefix + ".node.w"), parts, d);
    block.edge_bias = add_vector(layout.at(prefix + ".edge.b"));
    block.edge_scale = add_vector(layout.at(prefix + ".edge_norm.scale"));
    block.edge_shift = add_vector(layout.at(prefix + ".edge_norm.offset"));
    block.node_bias = add_vector(layout.at(prefix + ".node.b"));
    block.node_scale = add_vector(layout.at(prefix + ".node_norm.scale"));
    block.node_shift = add_vector(layout.at(prefix + ".node_norm.offset"));
    if (is_update) {
      block.global = add_parts(layout.at(prefix + ".global.w"), 3, d);
      block.global_bias = add_vector(layout.at(prefix + ".global.b"));
    }
  }
  add_decoders(layout, name, ".edge_decoder", net);
  net.start_rows = static_cast<int>(vector_stride);
  vector_stride += 4 * kHidden;
  net.first_bias = static_cast<int>(vector_stride);
  vector_stride += kHidden;
  net.first_edge = static_cast<int>(matrix_stride);
  matrix_stride += static_cast<long long>(kFeatureRows) * kHidden;
  return net;
}

NetworkOffsets WeightPlan::add_gcn(const ParameterLayout& layout, const ModelConfig& config, bool is_update) {
  const std::string name = is_update ? "update" : "init";
  const int d = config.hidden;
  const bool paper = config.gcn == GcnVariant::paper;
  NetworkOffsets net;
  net.has_global = is_update;
  net.blocks = config.blocks;
  add_embedding(layout, name + ".node_embedding", config, net);
  add_global_embedding(layout, name, d, net);
  for (int l = 0; l < config.blocks; ++l) {
    const std::string prefix = fmt::format("{}.blocks.{}", name, l);
    BlockOffsets& block = net.block[l];
    block.edge = add_parts(layout.at(prefix + ".self.w"), 1, d);
    block.node = add_parts(layout.at(prefix + ".neighbour.w"), 1, d);
    block.edge_bias = add_vector(layout.at(prefix + ".self.b"));
    block.node_bias = add_vector(layout.at(prefix + ".neighbour.b"));
    if (is_update) {
      block.mix = add_parts(layout.at(prefix + ".mix.w"), paper ? 2 : 1, d);
      block.mix_bias = add_vector(layout.at(prefix + ".mix.b"));
      block.global = add_parts(layout.at(prefix + ".global.w"), paper ? 1 : 2, d);
      block.global_bias = add_vector(layout.at(prefix + ".global.b"));
    }
  }
  add_decoders(layout, name, ".node_decoder", net);
  return net;
}

void WeightPlan::add_mlp(const ParameterLayout& layout, const ModelConfig& config) {
  const TensorSpec& embedding = layout.at("update.variable_embedding.w");
  const auto source = static_cast<long long>(embedding.offset);
  mlp.blocks = config.blocks;
  mlp.embedding = add_matrix(source, embedding.rows, config.hidden, embedding.rows);
  add_matrix(source, embedding.rows, config.hidden, embedding.rows);
  mlp.embedding_bias = add_vector(layout.at("update.variable_embedding.b"));
  mlp.step_embedding = add_rows(layout.at("update.step_embedding.w"));
  mlp.step_bias = add_vector(layout.at("update.step_embedding.b"));
  for (int l = 0; l < config.blocks; ++l) {
    const std::string name = fmt::format("update.blocks.{}.layer", l);
    mlp.layer[l] = add_parts(layout.at(name + ".w"), 1, config.hidden);
    mlp.layer_bias[l] = add_vector(layout.at(name + ".b"));
  }
  mlp.decoder = add_vector(layout.at("update.variable_decoder.w"));
  mlp.decoder_bias = add_vector(layout.at("update.variable_decoder.b"));
  mlp.global_decoder = add_vector(layout.at("update.global_decoder.w"));
  mlp.global_decoder_bias = add_vector(layout.at("update.global_decoder.b"));
}

}  // namespace moco::cuda
