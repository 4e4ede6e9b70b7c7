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
#include "moco/evaluation/model_store.h"
#include "moco/model/parameters.h"
#include "moco/model/safetensors.h"
#include "numbers.h"
#include "output_files.h"

namespace moco::cli {

namespace {

std::string_view metric_name(Metric metric) {
  constexpr std::array<std::string_view, 10> kNames = {"euclidean", "EUC_2D", "CEIL_2D", "MAN_2D", "MAX_2D",
                                                       "GEO",       "ATT",    "matrix",  "EUC_3D", "CEIL_3D"};
  return kNames.at(static_cast<std::size_t>(metric));
}

void describe_tsp(const TspInstance& instance, Json& facts) {
  facts["metric"] = metric_name(instance.metric());
  const auto points = instance.points();
  if (!points.empty()) {
    const auto [left, right] = std::ranges::minmax_element(points, {}, &Point::x);
    const auto [bottom, top] = std::ranges::minmax_element(points, {}, &Point::y);
    facts["x_range"] = {json_number(left->x), json_number(right->x)};
    facts["y_range"] = {json_number(bottom->y), json_number(top->y)};
  }
  if (!instance.heights().empty()) {
    const auto [lowest, highest] = std::ranges::minmax(instance.heights());
    facts["z_range"] = {json_number(lowest), json_number(highest)};
  }
  facts["scale"] = json_number(instance.scale());
}

void describe_mis(const GraphInstance& instance, Json& facts) {
  const auto n = static_cast<double>(instance.size());
  const auto edges = static_cast<double>(instance.edges());
  std::size_t least = instance.size() > 0 ? instance.neighbours(0).size() : 0;
  std::size_t most = least;
  std::int64_t isolated = 0;
  for (Index node = 0; node < instance.size(); ++node) {
    const std::size_t degree = instance.neighbours(node).size();
    least = std::min(least, degree);
    most = std::max(most, degree);
    isolated += degree == 0 ? 1 : 0;
  }
  facts["edges"] = instance.edges();
  facts["density"] = json_number(n > 1.0 ? 2.0 * edges / (n * (n - 1.0)) : 0.0);
  facts["degree_min"] = least;
  facts["degree_mean"] = json_number(n > 0.0 ? 2.0 * edges / n : 0.0);
  facts["degree_max"] = most;
  facts["isolated_nodes"] = isolated;
}

Json describe_instance(const std::string& file, const Instance& instance) {
  Json facts;
  facts["file"] = file;
  facts["instance"] = instance.name();
  facts["problem"] = instance.problem();
  facts["n"] = instance.size();
  if (const auto* tsp = dynamic_cast<const TspInstance*>(&instance)) {
    describe_tsp(*tsp, facts);
  } else if (const auto* mis = dynamic_cast<const GraphInstance*>(&instance)) {
    describe_mis(*mis, facts);
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

Json describe_model(const std::string& file) {
  const Model model = resolve_model(file, "");
  const ModelConfig& config = model.config;
  Json facts;
  facts["file"] = file;
  facts["problem"] = config.problem;
  facts["rule"] = to_string(config.rule);
  facts["parameters"] = model.weights.size();
  if (config.rule == UpdateRule::gnn) {
    facts["hidden"] = config.hidden;
    facts["blocks"] = config.blocks;
    if (config.problem == "mis") {
      facts["gcn"] = to_string(config.gcn);
    } else {
      facts["global_pooling"] = to_string(config.global_pooling);
    }
    facts["theta_update"] = to_string(config.theta_update);
    if (config.problem == "tsp") {
      facts["membership"] = to_string(config.membership);
    }
    facts["gradient_scale"] = json_number(config.gradient_scale);
    facts["pool"] = to_string(config.pool);
    if (config.problem == "mis") {
      facts["crowding"] = config.crowding;
    }
  } else {
    facts["learning_rate"] = json_number(config.learning_rate);
  }
  facts["metadata"] = model.metadata;
  return facts;
}

/// A name of a model, or a file that is called or begins like a checkpoint.
bool means_model(const std::string& text) {
  if (name_ends_with(text, ".safetensors") || find_model(text)) {
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
  std::vector<Json> all;
  for (const std::string& file : arguments.positionals("FILE")) {
    if (means_model(file)) {
      all.push_back(describe_model(file));
      continue;
    }
    for (const InstancePtr& instance :
         load_instances(file, arguments.text("format"), arguments.text("problem"), arguments.flag("quiet"))) {
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
