// Models: by name, from and to files, as named arrays.
#include "moco/models.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <pybind11/stl/filesystem.h>

#include "arrays.h"
#include "keywords.h"
#include "moco/error.h"
#include "moco/model/parameters.h"
#include "moco/problem.h"
#include "module.h"

namespace moco::python {

namespace {

/// Models that have been read, by file and its time of change.
class ModelCache {
 public:
  std::shared_ptr<const Model> load(const std::string& text, const std::filesystem::path& file) {
    std::error_code error;
    const auto changed = std::filesystem::last_write_time(file, error);
    const std::scoped_lock lock(mutex_);
    Entry& entry = entries_[file.string()];
    if (!entry.model || entry.changed != changed) {
      entry = {std::make_shared<const Model>(model_store()->load(text)), changed};
    }
    return entry.model;
  }

  std::shared_ptr<const Model> of(const Baseline& baseline, std::string_view family) {
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<const Model>& model = baselines_[{&baseline, std::string(family)}];
    if (!model) {
      model = std::make_shared<const Model>(baseline_model(baseline, family));
    }
    return model;
  }

 private:
  struct Entry {
    std::shared_ptr<const Model> model;
    std::filesystem::file_time_type changed;
  };
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::map<std::pair<const Baseline*, std::string>, std::shared_ptr<const Model>> baselines_;  ///< of a family
};

ModelCache& model_cache() {
  static ModelCache cache;
  return cache;
}

py::dict config_dict(const ModelConfig& config) {
  py::dict dict;
  dict["family"] = config.family;
  dict["init"] = std::string(name_of(config.init));
  dict["rule"] = std::string(name_of(config.rule));
  dict["hidden"] = config.hidden;
  dict["blocks"] = config.blocks;
  dict["gcn"] = std::string(name_of(config.gcn));
  dict["global_pooling"] = std::string(name_of(config.global_pooling));
  dict["theta_update"] = std::string(name_of(config.theta_update));
  dict["membership"] = std::string(name_of(config.membership));
  dict["gradient_scale"] = config.gradient_scale;
  dict["elite"] = std::string(name_of(config.elite));
  dict["crowding"] = config.crowding;
  dict["node_weights"] = config.node_weights;
  for (const RuleParameter& parameter : rule_parameters()) {
    dict[py::str(std::string(parameter.key))] = config.*parameter.value;
  }
  return dict;
}

const RuleParameter* find_rule_parameter(std::string_view key) {
  const auto found = std::ranges::find(rule_parameters(), key, &RuleParameter::key);
  return found != rule_parameters().end() ? &*found : nullptr;
}

void set_config(ModelConfig& config, const std::string& key, const py::handle& value) {
  const auto word = [&] { return value_of<std::string>(key, value); };
  if (key == "family") {
    config.family = word();
  } else if (key == "init") {
    config.init = choice_named<Initialisation>(key, word());
  } else if (key == "rule") {
    config.rule = choice_named<UpdateRule>(key, word());
  } else if (key == "hidden") {
    config.hidden = value_of<int>(key, value);
  } else if (key == "blocks") {
    config.blocks = value_of<int>(key, value);
  } else if (key == "gcn") {
    config.gcn = choice_named<GcnVariant>(key, word());
  } else if (key == "global_pooling") {
    config.global_pooling = choice_named<GlobalPooling>(key, word());
  } else if (key == "theta_update") {
    config.theta_update = choice_named<ThetaUpdate>(key, word());
  } else if (key == "membership") {
    config.membership = choice_named<Membership>(key, word());
  } else if (key == "gradient_scale") {
    config.gradient_scale = value_of<double>(key, value);
  } else if (key == "elite") {
    config.elite = choice_named<EliteRule>(key, word());
  } else if (key == "crowding") {
    config.crowding = value_of<bool>(key, value);
  } else if (key == "node_weights") {
    config.node_weights = value_of<bool>(key, value);
  } else if (const auto* parameter = find_rule_parameter(key)) {
    config.*parameter->value = value_of<double>(key, value);
  } else {
    throw OptionError(fmt::format("a model has no '{}'", key));
  }
}

ModelConfig config_of(const py::dict& values) {
  ModelConfig config;
  for (const auto& [key, value] : values) {
    set_config(config, key.cast<std::string>(), value);
  }
  if (!values.contains("init")) {
    config.init = usual_init(config.rule, config.family);
  }
  validate(config);
  return config;
}

/// The tensors by name; views of the model's own memory.
py::dict tensors_of(const py::object& self) {
  const auto& named = self.cast<const NamedModel&>();
  const Model& model = *named.model;
  py::dict tensors;
  const ParameterLayout layout(model.config);
  for (const TensorSpec& tensor : layout.tensors()) {
    tensors[py::str(tensor.name)] = view_of(model.weights.data() + tensor.offset, {tensor.rows, tensor.cols}, self);
  }
  return tensors;
}

NamedModel model_of_tensors(const py::dict& config, const py::dict& tensors,
                            const std::map<std::string, std::string>& metadata) {
  auto model = std::make_shared<Model>();
  model->config = config_of(config);
  model->metadata = metadata;
  const ParameterLayout layout(model->config);
  model->weights.resize(layout.size());
  if (tensors.size() != layout.tensors().size()) {
    throw OptionError(fmt::format("{} tensors for a model that has {}", tensors.size(), layout.tensors().size()));
  }
  for (const TensorSpec& spec : layout.tensors()) {
    if (!tensors.contains(spec.name)) {
      throw OptionError(fmt::format("tensor '{}' is missing", spec.name));
    }
    const auto values =
        tensors[py::str(spec.name)].cast<py::array_t<float, py::array::c_style | py::array::forcecast>>();
    if (static_cast<std::size_t>(values.size()) != spec.size()) {
      throw OptionError(
          fmt::format("tensor '{}' has {} values, not {}×{}", spec.name, values.size(), spec.rows, spec.cols));
    }
    std::copy_n(values.data(), spec.size(), model->weights.begin() + static_cast<std::ptrdiff_t>(spec.offset));
  }
  return {"", model};
}

py::dict score_dict(const ModelScore& score) {
  py::dict dict;
  dict["data"] = score.data;
  dict["restarts"] = score.restarts;
  dict["steps"] = score.steps;
  dict["samples"] = score.samples;
  dict["local_search"] = score.local_search;
  dict["value"] = score.value;
  dict["gap"] = score.gap;
  return dict;
}

py::dict entry_dict(const ModelEntry& entry) {
  py::dict dict;
  dict["name"] = entry.name;
  dict["problem"] = entry.problem;
  dict["distribution"] = entry.distribution;
  dict["nodes"] = std::pair(entry.least_nodes, entry.most_nodes);
  dict["mean_degree"] = entry.mean_degree;
  dict["weighted"] = entry.weighted;
  dict["steps"] = entry.steps;
  dict["samples"] = entry.samples;
  dict["local_search"] = entry.local_search;
  dict["training_seconds"] = entry.training_seconds;
  dict["training_hardware"] = entry.training_hardware;
  dict["licence"] = entry.licence;
  py::list scores;
  for (const ModelScore& score : entry.scores) {
    scores.append(score_dict(score));
  }
  dict["scores"] = scores;
  return dict;
}

}  // namespace

NamedModel named_model(const std::string& text, std::string_view family) {
  if (const Baseline* baseline = find_baseline(text)) {
    return {text, model_cache().of(*baseline, family)};
  }
  const auto known = model_store()->find(text);
  return {text, model_cache().load(text, known.value_or(text))};
}

void bind_models(py::module_& module) {
  py::class_<NamedModel>(module, "Model")
      .def_readonly("name", &NamedModel::name)
      .def_property_readonly("config", [](const NamedModel& m) { return config_dict(m.model->config); })
      .def_property_readonly("metadata", [](const NamedModel& m) { return m.model->metadata; })
      .def_property_readonly("tensors", &tensors_of)
      .def("save", [](const NamedModel& m, const std::filesystem::path& file) { save_model(file, *m.model); });
  module.def("load_model", [](const std::filesystem::path& file) {
    return NamedModel{"", std::make_shared<const Model>(load_model(file))};
  });
  module.def("named_model",
             [](const std::string& name, const std::string& family) { return named_model(name, family); });
  module.def("random_model", [](const py::dict& config, std::uint64_t seed) {
    return NamedModel{"", std::make_shared<const Model>(random_model(config_of(config), seed))};
  });
  module.def("model_of_tensors", &model_of_tensors);
  module.def("rule_parameters", [] {
    py::list keys;
    for (const RuleParameter& parameter : rule_parameters()) {
      keys.append(std::string(parameter.key));
    }
    return keys;
  });
  module.def("models", [] {
    py::list all;
    const auto store = model_store();
    for (const ModelEntry& entry : store->entries()) {
      all.append(entry_dict(entry));
    }
    return all;
  });
}

}  // namespace moco::python
