// The Python module moco._core.
#include "module.h"

#include "moco/error.h"
#include "moco/model_folders.h"
#include "moco/problem.h"
#include "moco/version.h"

namespace moco::python {

OptionValues option_values(const py::dict& values) {
  OptionValues options;
  for (const auto& [key, value] : values) {
    const auto name = key.cast<std::string>();
    if (py::isinstance<py::str>(value)) {
      options.set(name, value.cast<std::string>());
    } else {
      options.set(name, value.cast<double>());
    }
  }
  return options;
}

std::string local_search_named(const std::string& word, const Instance& instance) {
  if (word == "auto") {
    return std::string(instance.problem().default_local_search(instance));
  }
  return word == "none" ? "" : word;
}

namespace {

py::dict option_dict(const OptionDeclaration& option) {
  py::dict entry;
  entry["key"] = std::string(option.key);
  entry["help"] = std::string(option.help);
  entry["default"] = option.fallback_text();
  entry["choices"] = std::vector<std::string>(option.choices.begin(), option.choices.end());
  return entry;
}

py::dict problem_dict(const Problem& problem) {
  py::dict entry;
  entry["name"] = std::string(problem.name());
  entry["summary"] = std::string(problem.summary());
  entry["data"] = problem.data() == DataKind::points ? "points" : "graph";
  entry["family"] = std::string(problem.family());
  entry["subset"] = problem.solution_shape() == SolutionShape::subset;
  py::list options;
  for (const OptionDeclaration& option : problem.options()) {
    options.append(option_dict(option));
  }
  entry["options"] = options;
  py::list searches;
  for (const std::string_view name : local_search_names(problem)) {
    searches.append(std::string(name));
  }
  entry["local_searches"] = searches;
  py::list generators;
  for (const GeneratorKind& kind : problem.generators()) {
    py::dict generator;
    generator["name"] = std::string(kind.name);
    generator["summary"] = std::string(kind.summary);
    py::list own;
    for (const OptionDeclaration& option : kind.options) {
      own.append(option_dict(option));
    }
    generator["options"] = own;
    generators.append(generator);
  }
  entry["generators"] = generators;
  return entry;
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of moco. Use the package `moco`.";
  module.attr("__version__") = std::string(version());
  module.def(
      "set_model_folder", [](const std::string& folder) { set_model_folder(folder); }, py::arg("folder"));
  module.def("forget_solvers", &forget_solvers);
  module.def("problems", [] {
    py::list all;
    for (const Problem* problem : problems()) {
      all.append(problem_dict(*problem));
    }
    return all;
  });
  bind_errors(module);
  bind_instances(module);
  bind_files(module);
  bind_models(module);
  bind_solving(module);
  bind_search(module);
  bind_training(module);
  bind_evaluation(module);
}

}  // namespace moco::python
