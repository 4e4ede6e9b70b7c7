// `moco info`: facts about instances and models, as text or JSON Lines.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "commands.h"
#include "instance_input.h"
#include "json_output.h"
#include "moco/core/files.h"
#include "moco/core/printable.h"
#include "moco/model/parameters.h"
#include "moco/model/safetensors.h"
#include "moco/models.h"
#include "numbers.h"
#include "output_files.h"

namespace moco::cli {

namespace {

Json fact_json(const FactValue& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    return json_number(*number);
  }
  if (const auto* range = std::get_if<std::array<double, 2>>(&value)) {
    return {json_number((*range)[0]), json_number((*range)[1])};
  }
  if (const auto* count = std::get_if<std::int64_t>(&value)) {
    return *count;
  }
  return std::get<std::string>(value);
}

Json describe_instance(const std::string& file, const Instance& instance) {
  Json facts;
  facts["file"] = file;
  facts["instance"] = instance.name();
  facts["problem"] = instance.problem().name();
  facts["n"] = instance.size();
  for (const auto& [key, value] : instance.problem().facts(instance)) {
    facts[std::string(key)] = fact_json(value);
  }
  if (instance.reference()) {
    const CheckResult reference = instance.check(*instance.reference());
    if (reference.feasible) {
      facts["reference_cost"] = json_number(reference.cost);
    } else {
      facts["reference_violation"] = reference.violation;
    }
  }
  return facts;
}

/// How the searches of its training went.
Json search_facts(const TrainedSearch& search) {
  Json facts;
  facts["steps"] = search.steps;
  facts["samples"] = search.samples;
  facts["episode_steps"] = search.episode_steps;
  facts["nodes"] = search.nodes;
  for (const auto& [key, value] : search.problem.all()) {
    std::visit([&, &key = key](const auto& plain) { facts[key] = plain; }, value);
  }
  facts["gradient"] = name_of(search.gradient);
  if (!search.local_search.name.empty()) {
    facts["local_search"] = search.local_search.name;
    facts["move_limit"] = search.local_search.move_limit;
    facts["advantage"] = name_of(search.advantage);
  }
  if (search.rebuild > 0) {
    facts["rebuild"] = search.rebuild;
  }
  return facts;
}

Json describe_model(const ModelStore& store, const std::string& file) {
  const Model model = store.load(file);
  const ModelConfig& config = model.config;
  Json facts;
  facts["file"] = file;
  facts["family"] = config.family;
  facts["init"] = name_of(config.init);
  facts["rule"] = name_of(config.rule);
  facts["parameters"] = model.weights.size();
  if (!model.weights.empty()) {
    facts["hidden"] = config.hidden;
    facts["blocks"] = config.blocks;
    const auto has = [&](std::string_view key) { return has_model_option(find_family(config.family), key); };
    if (has("gcn")) {
      facts["gcn"] = name_of(config.gcn);
    } else {
      facts["global_pooling"] = name_of(config.global_pooling);
    }
    facts["theta_update"] = name_of(config.theta_update);
    if (has("membership")) {
      facts["membership"] = name_of(config.membership);
    }
    facts["gradient_scale"] = json_number(config.gradient_scale);
    facts["elite"] = name_of(config.elite);
    if (has("crowding")) {
      facts["crowding"] = config.crowding;
    }
    if (has("node_weights")) {
      facts["node_weights"] = config.node_weights;
    }
  }
  for (const RuleParameter& parameter : rule_parameters()) {
    if (parameter.is_of(config.rule)) {
      facts[std::string(parameter.key)] = json_number(config.*parameter.value);
    }
  }
  if (model.search) {
    facts["search"] = search_facts(*model.search);
  }
  facts["metadata"] = model.metadata;
  return facts;
}

/// A name of a model, or a file that is called or begins like a checkpoint.
bool means_model(const ModelStore& store, const std::string& text) {
  if (name_ends_with(text, ".safetensors") || store.find(text)) {
    return true;
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(text, error)) {  // also a pipe, which can be read only once
    return false;
  }
  std::array<char, kSafetensorsStart> start{};
  std::ifstream(text, std::ios::binary).read(start.data(), start.size());
  return begins_like_safetensors({start.data(), start.size()});
}

std::string value_text(const Json& value) {
  if (value.is_string()) {
    return printable(value.get<std::string>());
  }
  if (value.is_number_float()) {
    return fmt::format("{:.6g}", value.get<double>());
  }
  if (value.is_array()) {
    return fmt::format("{} to {}", value_text(value.at(0)), value_text(value.at(1)));
  }
  return value.dump();
}

/// "key   value" lines; nested objects are indented below their key.
std::string facts_text(const Json& facts, int indent = 0) {
  std::string text;
  for (const auto& [key, value] : facts.items()) {
    std::string label = printable(key);
    if (indent == 0) {
      std::ranges::replace(label, '_', ' ');
    }
    if (value.is_object()) {
      text += value.empty() ? "" : fmt::format("{}\n{}", label, facts_text(value, indent + 2));
    } else {
      text += fmt::format("{:{}}{:<18} {}\n", "", indent, label, value_text(value));
    }
  }
  return text;
}

}  // namespace

int run_info(const Arguments& arguments) {
  const ModelStore store;
  std::vector<Json> all;
  for (const std::string& file : arguments.positionals("FILE")) {
    if (means_model(store, file)) {
      all.push_back(describe_model(store, file));
      continue;
    }
    for (const InstancePtr& instance : load_instances(file, arguments)) {
      all.push_back(describe_instance(file, *instance));
    }
  }
  std::string text;
  std::string lines;
  for (const Json& facts : all) {
    text += fmt::format("{}{}", text.empty() ? "" : "\n", facts_text(facts));
    lines += json_line(facts);
  }
  const std::string json = arguments.text("json");
  if (json.empty()) {
    write_text("-", text);
  } else {
    write_text(json, lines);
  }
  return kExitSuccess;
}

}  // namespace moco::cli
