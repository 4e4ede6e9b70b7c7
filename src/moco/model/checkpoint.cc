// Checkpoints: a model's configuration and weights in a safetensors file. docs/checkpoint-format.md is the
// specification.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "moco/core/files.h"
#include "moco/core/json_integer.h"
#include "moco/error.h"
#include "moco/model/parameters.h"
#include "moco/model/safetensors.h"

namespace moco {

namespace {

using nlohmann::json;

constexpr const char* kFormatKey = "moco.format";
constexpr const char* kConfigKey = "moco.config";
constexpr const char* kFormatVersion = "1";

json config_to_json(const ModelConfig& config) {
  return {{"family", config.family},
          {"rule", to_string(config.rule)},
          {"hidden", config.hidden},
          {"blocks", config.blocks},
          {"gcn", to_string(config.gcn)},
          {"global_pooling", to_string(config.global_pooling)},
          {"theta_update", to_string(config.theta_update)},
          {"membership", to_string(config.membership)},
          {"gradient_scale", config.gradient_scale},
          {"pool", to_string(config.pool)},
          {"crowding", config.crowding},
          {"node_weights", config.node_weights},
          {"learning_rate", config.learning_rate}};
}

template <typename Enum>
Enum choice(const json& config, const char* key, std::initializer_list<Enum> values) {
  const auto text = config.at(key).get<std::string>();
  for (const Enum value : values) {
    if (to_string(value) == text) {
      return value;
    }
  }
  throw OptionError(fmt::format("model {} '{}' is unknown", key, text));
}

ModelConfig config_from_json(const json& value) {
  ModelConfig config;
  // Files from before problems had families name the problem.
  config.family = value.at(value.contains("family") ? "family" : "problem").get<std::string>();
  config.rule = choice(value, "rule", {UpdateRule::gnn, UpdateRule::adam});
  config.hidden = integer_of<int>(value.at("hidden"));
  config.blocks = integer_of<int>(value.at("blocks"));
  config.gcn = choice(value, "gcn", {GcnVariant::paper, GcnVariant::authors});
  config.global_pooling =
      choice(value, "global_pooling", {GlobalPooling::sum, GlobalPooling::mean, GlobalPooling::max});
  if (value.contains("theta_update")) {  // files from before there was a choice do not have it
    config.theta_update =
        choice(value, "theta_update", {ThetaUpdate::absolute, ThetaUpdate::residual, ThetaUpdate::anchored});
  }
  if (value.contains("membership")) {  // likewise
    config.membership = choice(value, "membership", {Membership::directed, Membership::undirected});
  }
  config.gradient_scale = value.value("gradient_scale", config.gradient_scale);
  if (value.contains("pool")) {  // likewise
    config.pool = choice(value, "pool", {PoolRule::paper, PoolRule::distinct, PoolRule::newest});
  }
  config.crowding = value.value("crowding", config.crowding);
  config.node_weights = value.value("node_weights", config.node_weights);
  config.learning_rate = value.at("learning_rate").get<double>();
  validate(config);
  return config;
}

/// Biases, scales and offsets are vectors in the file; matrices stay matrices.
std::vector<std::int64_t> shape_of(const TensorSpec& tensor) {
  if (tensor.name.ends_with(".w")) {
    return {tensor.rows, tensor.cols};
  }
  return {tensor.cols};
}

void read_weights(const SafetensorsFile& file, const ParameterLayout& layout, const std::string& name,
                  std::vector<float>& weights) {
  weights.resize(layout.size());
  for (const TensorSpec& tensor : layout.tensors()) {
    const auto found = file.tensors.find(tensor.name);
    if (found == file.tensors.end()) {
      throw InputError(name, fmt::format("tensor '{}' is missing", tensor.name));
    }
    if (found->second.shape != shape_of(tensor)) {
      throw InputError(name, fmt::format("tensor '{}' has shape {}, not {}", tensor.name,
                                         json(found->second.shape).dump(), json(shape_of(tensor)).dump()));
    }
    try {
      const std::vector<float> values = found->second.floats();
      std::copy(values.begin(), values.end(), weights.begin() + static_cast<std::ptrdiff_t>(tensor.offset));
    } catch (const OptionError& error) {
      throw InputError(name, fmt::format("tensor '{}': {}", tensor.name, error.what()));
    }
  }
  if (file.tensors.size() != layout.tensors().size()) {
    for (const auto& entry : file.tensors) {
      const auto& known = layout.tensors();
      if (std::none_of(known.begin(), known.end(), [&](const TensorSpec& spec) { return spec.name == entry.first; })) {
        throw InputError(name, fmt::format("tensor '{}' is no part of this model", entry.first));
      }
    }
  }
}

}  // namespace

Model parse_model(std::string_view content, const std::string& name) {
  const SafetensorsFile file = parse_safetensors(content, name);
  const auto format = file.metadata.find(kFormatKey);
  const auto config = file.metadata.find(kConfigKey);
  if (format == file.metadata.end() || config == file.metadata.end()) {
    throw InputError(name, fmt::format("no {} and {} in the metadata: not a moco checkpoint", kFormatKey, kConfigKey));
  }
  if (format->second != kFormatVersion) {
    throw InputError(name, fmt::format("checkpoint format '{}' is not {}, the one this program reads", format->second,
                                       kFormatVersion));
  }
  Model model;
  try {
    model.config = config_from_json(json::parse(config->second));
  } catch (const json::exception& error) {
    throw InputError(name, fmt::format("malformed {}: {}", kConfigKey, error.what()));
  } catch (const OptionError& error) {
    throw InputError(name, error.what());
  }
  model.metadata = file.metadata;
  model.metadata.erase(kFormatKey);
  model.metadata.erase(kConfigKey);
  read_weights(file, ParameterLayout(model.config), name, model.weights);
  return model;
}

Model load_model(const std::filesystem::path& file) {
  return parse_model(read_file(file), file.string());
}

void save_model(const std::filesystem::path& file, const Model& model) {
  const ParameterLayout layout(model.config);
  if (model.weights.size() != layout.size()) {
    throw OptionError(fmt::format("model has {} weights, its configuration {}", model.weights.size(), layout.size()));
  }
  std::map<std::string, std::string> metadata = model.metadata;
  metadata[kFormatKey] = kFormatVersion;
  metadata[kConfigKey] = config_to_json(model.config).dump();
  std::vector<TensorToStore> tensors;
  for (const TensorSpec& tensor : layout.tensors()) {
    tensors.push_back({tensor.name, shape_of(tensor), model.weights.data() + tensor.offset});
  }
  write_file(file, format_safetensors(metadata, tensors));
}

}  // namespace moco
