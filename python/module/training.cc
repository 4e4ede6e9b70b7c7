// Training: configurations as TOML and by key, runs with a function that hears of every step.
#include <fmt/format.h>
#include <pybind11/stl/filesystem.h>

#include "interrupt.h"
#include "moco/error.h"
#include "moco/training/config_fields.h"
#include "moco/training/trainer.h"
#include "module.h"

namespace moco::python {

namespace {

std::string config_text(const std::string& base, const std::string& name,
                        const std::vector<std::pair<std::string, std::string>>& values) {
  TrainConfig config = parse_train_config(base, name);
  for (const auto& [key, value] : values) {
    if (key == "problem") {
      set_problem(config, value);
    } else {
      set_value(config, key, value);
    }
  }
  validate(config);
  return format_train_config(config);
}

py::dict row_dict(const MetricsRow& row) {
  py::dict dict;
  dict["step"] = row.step;
  dict["seconds"] = row.seconds;
  if (row.result) {
    dict["loss"] = row.result->loss;
    dict["difference"] = row.result->difference;
    dict["gradient_norm"] = row.result->gradient_norm;
    dict["learning_rate"] = row.result->learning_rate;
    dict["search_steps"] = row.result->search_steps;
    dict["nodes"] = row.result->nodes;
    dict["instances_per_second"] = row.instances_per_second;
  }
  if (row.validation) {
    dict["validation"] = row.validation->cost;
    dict["validation_gap"] = row.validation->gap;
    dict["entropy"] = row.validation->entropy;
  }
  return dict;
}

const char* end_name(TrainEnd end) {
  return end == TrainEnd::finished ? "finished" : end == TrainEnd::time ? "time-limit" : "signal";
}

py::dict run(const std::string& text, const std::filesystem::path& folder, const std::string& device, int threads,
             bool resume, double time_limit, const py::object& on_step, const Cancel& cancel) {
  const TrainConfig config = parse_train_config(text, "the configuration");
  Interrupt interrupt(cancel);
  TrainOptions options;
  options.folder = folder;
  options.engine = choice_named<EngineKind>("device", device);
  options.threads = threads;
  options.resume = resume;
  options.reschedule = resume;
  options.time_limit = time_limit;
  options.interrupted = [&] { return interrupt.wanted(); };
  options.progress = [&](const MetricsRow& row) {
    interrupt.call([&] {
      if (!on_step.is_none() && py::bool_(on_step(row_dict(row)))) {
        interrupt.stop();
      }
    });
  };
  TrainOutcome outcome;
  {
    const py::gil_scoped_release unlocked;
    const std::unique_ptr<Communicator> alone = single_process();
    outcome = train(config, options, *alone);
  }
  interrupt.rethrow();
  py::dict dict;
  dict["end"] = end_name(outcome.end);
  dict["step"] = outcome.step;
  dict["best_validation"] = outcome.best_validation;
  dict["best_step"] = outcome.best_step;
  return dict;
}

py::list keys() {
  py::list all;
  for (const ConfigField& field : config_fields()) {
    all.append(py::make_tuple(std::string(field.key), std::string(field.help)));
  }
  return all;
}

}  // namespace

void bind_training(py::module_& module) {
  module.def("train_config", &config_text, py::arg("base"), py::arg("name"), py::arg("values"));
  module.def("preset", [](const std::string& name) { return std::string(preset_text(name)); });
  module.def("preset_names", [] {
    const std::vector<std::string_view> names = preset_names();
    return std::vector<std::string>(names.begin(), names.end());
  });
  module.def("config_of_run",
             [](const std::filesystem::path& folder) { return format_train_config(config_of_run(folder)); });
  module.def("train", &run, py::arg("config"), py::arg("folder"), py::arg("device"), py::arg("threads"),
             py::arg("resume"), py::arg("time_limit"), py::arg("on_step"), py::arg("cancel"));
  module.def("train_keys", &keys);
}

}  // namespace moco::python
