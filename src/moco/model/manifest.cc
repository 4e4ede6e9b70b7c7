// Reading of manifests and the choice among their models.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "moco/error.h"
#include "moco/models.h"
#include "moco/problem.h"

namespace moco {

namespace {

/// A table of the manifest with errors that name the place.
class Section {
 public:
  Section(const toml::table& table, const std::string& file, std::string_view what)
      : table_(table), file_(file), what_(what) {}

  [[noreturn]] void fail(const std::string& message) const { fail_at(table_, message); }

  void require_known(const std::vector<std::string_view>& keys) const {
    for (const auto& [key, value] : table_) {
      if (std::find(keys.begin(), keys.end(), key.str()) == keys.end()) {
        fail_at(value, fmt::format("{} has no key '{}'; known are {}", what_, key.str(), fmt::join(keys, ", ")));
      }
    }
  }

  const toml::node* find(std::string_view key) const { return table_.get(key); }

  std::string text(std::string_view key) const {
    const auto value = node(key).value<std::string>();
    if (!value || value->empty()) {
      fail_at(node(key), fmt::format("{} must be a text", key));
    }
    return *value;
  }

  double positive(std::string_view key) const {
    const auto value = node(key).value<double>();
    if (!value || !std::isfinite(*value) || *value <= 0.0) {
      fail_at(node(key), fmt::format("{} must be a positive number", key));
    }
    return *value;
  }

  int count(std::string_view key) const { return count_of(node(key), key); }

  /// A number, or a list of the least and the most.
  std::pair<int, int> count_range(std::string_view key) const {
    const toml::array* list = node(key).as_array();
    if (list == nullptr) {
      return {count(key), count(key)};
    }
    if (list->size() != 2) {
      fail_at(*list, fmt::format("{} must be a number or a list of the least and the most", key));
    }
    const std::pair<int, int> range = {count_of(*list->get(0), key), count_of(*list->get(1), key)};
    if (range.first > range.second) {
      fail_at(*list, fmt::format("{} must begin with the lesser number, not {}", key, range.first));
    }
    return range;
  }

  double finite(std::string_view key) const {
    const auto value = node(key).value<double>();
    if (!value || !std::isfinite(*value)) {
      fail_at(node(key), fmt::format("{} must be a number", key));
    }
    return *value;
  }

  bool flag(std::string_view key) const {
    const auto value = node(key).value<bool>();
    if (!node(key).is_boolean()) {
      fail_at(node(key), fmt::format("{} must be true or false", key));
    }
    return *value;
  }

  std::vector<std::string> texts(std::string_view key) const {
    const toml::array* list = node(key).as_array();
    std::vector<std::string> result;
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      result.push_back(list->get(i)->value_or(std::string()));
    }
    if (result.empty() || std::ranges::find(result, "") != result.end()) {
      fail_at(node(key), fmt::format("{} must be a list of texts", key));
    }
    return result;
  }

 private:
  [[noreturn]] void fail_at(const toml::node& node, const std::string& message) const {
    throw InputError(file_, static_cast<std::int64_t>(node.source().begin.line), message);
  }

  const toml::node& node(std::string_view key) const {
    const toml::node* found = table_.get(key);
    if (found == nullptr) {
      fail(fmt::format("{} needs the key '{}'", what_, key));
    }
    return *found;
  }

  int count_of(const toml::node& node, std::string_view key) const {
    const auto value = node.value<std::int64_t>();
    if (!value || *value < 1 || *value > 1'000'000'000) {
      fail_at(node, fmt::format("{} must be a whole number from 1 to 1000000000", key));
    }
    return static_cast<int>(*value);
  }

  const toml::table& table_;
  const std::string& file_;
  std::string_view what_;
};

ModelScore read_score(const Section& section) {
  section.require_known({"data", "restarts", "steps", "samples", "local_search", "value", "gap"});
  ModelScore score;
  score.data = section.text("data");
  score.restarts = section.count("restarts");
  score.steps = section.count("steps");
  score.samples = section.count("samples");
  if (section.find("local_search") != nullptr) {
    score.local_search = section.text("local_search");
  }
  score.value = section.positive("value");
  if (section.find("gap") != nullptr) {
    score.gap = section.finite("gap");
  }
  return score;
}

ModelEntry read_entry(const Section& section, const std::string& file) {
  ModelEntry entry;
  entry.name = section.text("name");
  entry.problem = section.text("problem");
  entry.distribution = section.text("distribution");
  try {
    find_problem(entry.problem);
    find_generator({.problem = entry.problem, .kind = entry.distribution});
  } catch (const OptionError& error) {
    section.fail(error.what());
  }
  section.require_known({"name", "problem", "distribution", "nodes", "mean_degree", "weighted", "only_for", "automatic",
                         "steps", "samples", "local_search", "config", "sha256", "training", "training_seconds",
                         "training_hardware", "licence", "score"});
  const auto [least, most] = section.count_range("nodes");
  entry.least_nodes = least;
  entry.most_nodes = most;
  if (section.find("mean_degree") != nullptr) {
    entry.mean_degree = section.positive("mean_degree");
  }
  entry.weighted = section.find("weighted") != nullptr && section.flag("weighted");
  if (section.find("only_for") != nullptr) {
    entry.only_for = section.texts("only_for");
  }
  entry.automatic = section.find("automatic") == nullptr || section.flag("automatic");
  entry.steps = section.count("steps");
  entry.samples = section.count("samples");
  if (section.find("local_search") != nullptr) {
    entry.local_search = section.text("local_search");
  }
  entry.config = section.text("config");
  entry.sha256 = section.text("sha256");
  if (entry.sha256.size() != 64 || entry.sha256.find_first_not_of("0123456789abcdef") != std::string::npos) {
    section.fail(fmt::format("sha256 must be 64 hexadecimal digits in lower case, not '{}'", entry.sha256));
  }
  entry.training = section.text("training");
  entry.training_seconds = section.positive("training_seconds");
  entry.training_hardware = section.text("training_hardware");
  entry.licence = section.text("licence");
  if (const toml::node* scores = section.find("score")) {
    if (!scores->is_array_of_tables()) {
      section.fail("scores are written as [[model.score]] tables");
    }
    for (const toml::node& score : *scores->as_array()) {
      entry.scores.push_back(read_score({*score.as_table(), file, "a score"}));
    }
  }
  return entry;
}

/// |ln| of how far a value is outside a range, as a ratio.
double distance(double value, double low, double high) {
  return std::abs(std::log(value / std::clamp(value, low, high)));
}

}  // namespace

std::vector<ModelEntry> parse_manifest(std::string_view text, const std::string& file) {
  toml::table root;
  try {
    root = toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw InputError(file, static_cast<std::int64_t>(error.source().begin.line), error.description());
  }
  Section(root, file, "a manifest").require_known({"model"});
  const toml::node* models = root.get("model");
  if (models == nullptr || !models->is_array_of_tables()) {
    throw InputError(file, "a manifest lists models as [[model]] tables");
  }
  std::vector<ModelEntry> entries;
  for (const toml::node& model : *models->as_array()) {
    const Section section(*model.as_table(), file, "a model");
    entries.push_back(read_entry(section, file));
    entries.back().file =
        (std::filesystem::path(file).parent_path() / (entries.back().name + ".safetensors")).lexically_normal();
    const std::string& name = entries.back().name;
    if (std::ranges::count(entries, name, &ModelEntry::name) > 1) {
      section.fail(fmt::format("a second model named '{}'", name));
    }
  }
  return entries;
}

InstanceTraits traits_of(std::span<const InstancePtr> instances, std::string distribution) {
  InstanceTraits traits;
  traits.family = instances.front()->problem().family();
  traits.distribution = std::move(distribution);
  double log_nodes = 0.0;
  double log_degree = 0.0;
  double weighted = 0.0;
  std::map<std::string_view, double> kinds;
  const auto count = static_cast<double>(instances.size());
  for (const InstancePtr& instance : instances) {
    log_nodes += std::log(static_cast<double>(std::max<Index>(instance->size(), 1))) / count;
    const ModelTraits own = instance->problem().traits(*instance);
    if (own.degree) {
      log_degree += std::log(*own.degree) / count;
      traits.degree = std::exp(log_degree);
    }
    weighted += own.weighted ? 1.0 : 0.0;
    kinds[own.kind] += 1.0;
  }
  traits.weighted = weighted > 0.5 * count;
  for (const auto& [kind, graphs] : kinds) {
    if (traits.distribution.empty() && graphs > 0.5 * count) {
      traits.distribution = kind;
    }
  }
  traits.nodes = std::exp(log_nodes);
  return traits;
}

const ModelEntry* nearest_model(std::span<const ModelEntry> entries, const InstanceTraits& traits) {
  const auto of_family = [&](const ModelEntry& entry) {
    return entry.automatic && find_problem(entry.problem).family() == traits.family;
  };
  const bool by_weights = std::ranges::any_of(
      entries, [&](const ModelEntry& entry) { return of_family(entry) && entry.weighted == traits.weighted; });
  const auto of_problem = [&](const ModelEntry& entry) {
    return of_family(entry) && (!by_weights || entry.weighted == traits.weighted);
  };
  const auto of_distribution = [&](const ModelEntry& entry) {
    return of_problem(entry) && (entry.distribution == traits.distribution ||
                                 std::ranges::find(entry.only_for, traits.distribution) != entry.only_for.end());
  };
  const auto general = [&](const ModelEntry& entry) { return of_problem(entry) && entry.only_for.empty(); };
  const bool by_distribution = std::ranges::any_of(entries, of_distribution);
  const bool by_generality = !by_distribution && std::ranges::any_of(entries, general);
  const ModelEntry* nearest = nullptr;
  double least = 0.0;
  for (const ModelEntry& entry : entries) {
    if (!of_problem(entry) || (by_distribution && !of_distribution(entry)) || (by_generality && !general(entry)) ||
        (traits.local_search.empty() && !entry.local_search.empty())) {
      continue;
    }
    double far = distance(traits.nodes, entry.least_nodes, entry.most_nodes);
    if (traits.degree && entry.mean_degree) {
      far += distance(*traits.degree, *entry.mean_degree, *entry.mean_degree);
    }
    const bool suits_better = far == least && !entry.local_search.empty();
    if (nearest == nullptr || far < least || suits_better) {
      nearest = &entry;
      least = far;
    }
  }
  return nearest;
}

}  // namespace moco
