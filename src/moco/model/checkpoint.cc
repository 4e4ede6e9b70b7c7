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
constexpr const char* kSearchKey = "moco.search";
constexpr const char* kFormatVersion = "1";

json config_to_json(const ModelConfig& config) {
  json object = {{"family", config.family},
                 {"init", name_of(config.init)},
                 {"rule", name_of(config.rule)},
                 {"hidden", config.hidden},
                 {"blocks", config.blocks},
                 {"gcn", name_of(config.gcn)},
                 {"global_pooling", name_of(config.global_pooling)},
                 {"theta_update", name_of(config.theta_update)},
                 {"membership", name_of(config.membership)},
                 {"gradient_scale", config.gradient_scale},
                 {"elite", name_of(config.elite)},
                 {"crowding", config.crowding},
                 {"node_weights", config.node_weights}};
  for (const RuleParameter& parameter : rule_parameters()) {
    object[std::string(parameter.key)] = config.*parameter.value;
  }
  return object;
}

template <typename Enum>
void read_choice(const json& object, const char* key, Enum& value) {
  value = choice_named<Enum>(fmt::format("model {}", key), object.at(key).get<std::string>());
}

/// Likewise for a key that files from before there was a choice do not have.
template <typename Enum>
void read_later_choice(const json& object, const char* key, Enum& value) {
  if (object.contains(key)) {
    read_choice(object, key, value);
  }
}

ModelConfig config_from_json(const json& value) {
  ModelConfig config;
  // Files from before problems had families name the problem.
  config.family = value.at(value.contains("family") ? "family" : "problem").get<std::string>();
  read_choice(value, "rule", config.rule);
  config.init = usual_init(config.rule, config.family);  // of files from before there was a choice
  read_later_choice(value, "init", config.init);
  config.hidden = integer_of<int>(value.at("hidden"));
  config.blocks = integer_of<int>(value.at("blocks"));
  read_choice(value, "gcn", config.gcn);
  read_choice(value, "global_pooling", config.global_pooling);
  read_later_choice(value, "theta_update", config.theta_update);
  read_later_choice(value, "membership", config.membership);
  config.gradient_scale = value.value("gradient_scale", config.gradient_scale);
  read_later_choice(value, "pool", config.elite);  // the elite of older files
  read_later_choice(value, "elite", config.elite);
  config.crowding = value.value("crowding", config.crowding);
  config.node_weights = value.value("node_weights", config.node_weights);
  for (const RuleParameter& parameter : rule_parameters()) {
    config.*parameter.value = value.value(std::string(parameter.key), config.*parameter.value);
  }
  validate(config);
  return config;
}

json search_to_json(const TrainedSearch& search) {
  json problem = json::object();
  for (const auto& [key, value] : search.problem.all()) {
    std::visit([&, &key = key](const auto& plain) { problem[key] = plain; }, value);
  }
  return {{"steps", search.steps},
          {"samples", search.samples},
          {"episode_steps", search.episode_steps},
          {"nodes", search.nodes},
          {"problem", problem},
          {"gradient", name_of(search.gradient)},
          {"local_search", search.local_search.name},
          {"move_limit", search.local_search.move_limit},
          {"advantage", name_of(search.advantage)},
          {"rebuild", search.rebuild}};
}

TrainedSearch search_from_json(const json& value) {
  TrainedSearch search;
  search.steps = integer_of<int>(value.at("steps"));
  search.samples = integer_of<int>(value.at("samples"));
  search.episode_steps = integer_of<int>(value.at("episode_steps"));
  search.nodes = integer_of<Index>(value.at("nodes"));
  for (const auto& [key, option] : value.at("problem").items()) {
    if (option.is_string()) {
      search.problem.set(key, option.get<std::string>());
    } else {
      search.problem.set(key, option.get<double>());
    }
  }
  read_choice(value, "gradient", search.gradient);
  search.local_search.name = value.at("local_search").get<std::string>();
  search.local_search.move_limit = integer_of<int>(value.at("move_limit"));
  read_choice(value, "advantage", search.advantage);
  if (value.contains("rebuild")) {  // not in files from before there were partial samples
    search.rebuild = integer_of<int>(value.at("rebuild"));
  }
  if (search.steps < 1 || search.samples < 1 || search.episode_steps < 0 || search.nodes < 0 ||
      search.local_search.move_limit < 0 || search.rebuild < 0) {
    throw OptionError("the numbers of the search in training are out of range");
  }
  return search;
}

/// The options and local search must be ones that problems of the family have.
void validate_search(const TrainedSearch& search, const std::string& family) {
  const Problem& problem = find_family(family);
  validate(search.problem, problem.options(), problem.name());
  validate(search.local_search, problem);
}

/// Biases, scales and offsets are vectors in the file; matrices stay matrices.
std::vector<std::int64_t> shape_of(const TensorSpec& tensor) {
  if (tensor.name.ends_with(".w")) {
    return {tensor.rows, tensor.cols};
  }
  return {tensor.cols};
}

/// What `read` makes of a piece of metadata, its errors in the file's name.
template <typename Read>
auto read_metadata(const std::string& text, const char* key, const std::string& name, const Read& read) {
  try {
    return read(json::parse(text));
  } catch (const json::exception& error) {
    throw InputError(name, fmt::format("malformed {}: {}", key, error.what()));
  } catch (const OptionError& error) {
    throw InputError(name, error.what());
  }
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
  model.config = read_metadata(config->second, kConfigKey, name, config_from_json);
  if (const auto search = file.metadata.find(kSearchKey); search != file.metadata.end()) {
    model.search = read_metadata(search->second, kSearchKey, name, [&](const json& value) {
      const TrainedSearch read = search_from_json(value);
      validate_search(read, model.config.family);
      return read;
    });
  }
  model.metadata = file.metadata;
  for (const char* key : {kFormatKey, kConfigKey, kSearchKey}) {
    model.metadata.erase(key);
  }
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
  if (model.search) {
    metadata[kSearchKey] = search_to_json(*model.search).dump();
  }
  std::vector<TensorToStore> tensors;
  for (const TensorSpec& tensor : layout.tensors()) {
    tensors.push_back({tensor.name, shape_of(tensor), model.weights.data() + tensor.offset});
  }
  write_file(file, format_safetensors(metadata, tensors));
}

}  // namespace moco
