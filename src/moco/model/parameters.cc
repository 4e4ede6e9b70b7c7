// Layout of the parameter buffer.
#include "moco/model/parameters.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/model/rule_parameters.h"

namespace moco {

ParameterLayout::ParameterLayout(const ModelConfig& config) {
  validate(config);
  if (config.init == Initialisation::learned) {
    add_gnn("init", config, false);
  }
  if (config.rule == UpdateRule::gnn) {
    add_gnn("update", config, true);
  } else if (config.rule == UpdateRule::mlp) {
    add_mlp("update", config);
  }
}

void ParameterLayout::add_gnn(const std::string& net, const ModelConfig& config, bool update) {
  if (network_of(config) == NetworkKind::graph_network) {
    add_graph_network(net, config, update);
  } else {
    add_gcn(net, config, update);
  }
}

void ParameterLayout::add(std::string name, Index rows, Index cols) {
  tensors_.push_back({std::move(name), rows, cols, size_});
  size_ += tensors_.back().size();
}

void ParameterLayout::add_linear(const std::string& name, Index in, Index out) {
  add(name + ".w", in, out);
  add(name + ".b", 1, out);
}

void ParameterLayout::add_graph_network(const std::string& net, const ModelConfig& config, bool update) {
  const Index d = config.hidden;
  const Index parts = update ? 4 : 3;  // [edge; sender; receiver; global], [node; Σ out; Σ in; global]
  add_linear(net + ".edge_embedding", update ? kVariableFeatures : kInstanceFeatures, d);
  add_linear(net + ".node_embedding", 1, d);
  if (update) {
    add_linear(net + ".global_embedding", kGlobalFeatures, d);
  }
  for (int block = 0; block < config.blocks; ++block) {
    const std::string prefix = fmt::format("{}.blocks.{}", net, block);
    for (const char* part : {"edge", "node"}) {
      add_linear(fmt::format("{}.{}", prefix, part), parts * d, d);
      add(fmt::format("{}.{}_norm.scale", prefix, part), 1, d);
      add(fmt::format("{}.{}_norm.offset", prefix, part), 1, d);
    }
    if (update) {
      add_linear(prefix + ".global", 3 * d, d);  // [Σ nodes; Σ edges; global]
    }
  }
  add_linear(net + ".edge_decoder", d, 1);
  if (update) {
    add_linear(net + ".global_decoder", d, 1);
  }
}

void ParameterLayout::add_gcn(const std::string& net, const ModelConfig& config, bool update) {
  const Index d = config.hidden;
  const bool paper = config.gcn == GcnVariant::paper;
  add_linear(net + ".node_embedding", variable_features(config, update), d);
  if (update) {
    add_linear(net + ".global_embedding", kGlobalFeatures, d);
  }
  for (int block = 0; block < config.blocks; ++block) {
    const std::string prefix = fmt::format("{}.blocks.{}", net, block);
    add_linear(prefix + ".self", d, d);
    add_linear(prefix + ".neighbour", d, d);
    if (update) {
      add_linear(prefix + ".mix", paper ? 2 * d : d, d);     // paper: [global; node]; authors: global
      add_linear(prefix + ".global", paper ? d : 2 * d, d);  // paper: pooled nodes; authors: [max nodes; global]
    }
  }
  add_linear(net + ".node_decoder", d, 1);
  if (update) {
    add_linear(net + ".global_decoder", d, 1);
  }
}

bool ParameterLayout::has(std::string_view name) const {
  return std::ranges::find(tensors_, name, &TensorSpec::name) != tensors_.end();
}

void ParameterLayout::add_mlp(const std::string& net, const ModelConfig& config) {
  const Index d = config.hidden;
  add_linear(net + ".variable_embedding", kOptimizerFeatures, d);
  add_linear(net + ".step_embedding", kStepFeatures, d);
  for (int block = 0; block < config.blocks; ++block) {
    add_linear(fmt::format("{}.blocks.{}.layer", net, block), d, d);
  }
  add_linear(net + ".variable_decoder", d, 1);
  add_linear(net + ".global_decoder", d, 1);
}

const TensorSpec& ParameterLayout::at(std::string_view name) const {
  for (const TensorSpec& tensor : tensors_) {
    if (tensor.name == name) {
      return tensor;
    }
  }
  throw OptionError(fmt::format("no parameter tensor named '{}'", name));
}

NetworkKind network_of(const ModelConfig& config) {
  return find_family(config.family).network();
}

void validate(const ModelConfig& config) {
  const NetworkKind network = network_of(config);
  if (config.hidden < 8 || config.hidden > 1024 || config.hidden % 8 != 0) {
    throw OptionError(fmt::format("model hidden size {} is not a multiple of 8 in 8 … 1024", config.hidden));
  }
  if (config.blocks < 1 || config.blocks > 16) {
    throw OptionError(fmt::format("model block count {} is not in 1 … 16", config.blocks));
  }
  if (!(config.gradient_scale > 0.0 && config.gradient_scale <= 1e6)) {
    throw OptionError(fmt::format("model gradient scale {} is not in (0, 1e6]", config.gradient_scale));
  }
  if (config.crowding && network != NetworkKind::gcn) {
    throw OptionError(fmt::format("model crowding is a feature of nodes: there is none for {}", config.family));
  }
  if (config.node_weights && network != NetworkKind::gcn) {
    throw OptionError(fmt::format("model node_weights is a feature of nodes: there is none for {}", config.family));
  }
  validate_rule_parameters(config);
}

void validate(const Model& model) {
  validate(model.config);
  const std::size_t expected = ParameterLayout(model.config).size();
  if (model.weights.size() != expected) {
    throw OptionError(fmt::format("the model has {} weights, its configuration {}", model.weights.size(), expected));
  }
  const auto bad = std::ranges::find_if(model.weights, [](float weight) { return !std::isfinite(weight); });
  if (bad != model.weights.end()) {
    throw OptionError(fmt::format("weight {} of the model is {}", bad - model.weights.begin(), *bad));
  }
}

}  // namespace moco
