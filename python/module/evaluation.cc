// A model's scores on a data set, setting by setting.
#include <pybind11/stl/filesystem.h>

#include "interrupt.h"
#include "keywords.h"
#include "moco/evaluate.h"
#include "moco/problem.h"
#include "moco/references.h"
#include "module.h"

namespace moco::python {

namespace {

using Instances = std::vector<std::shared_ptr<Instance>>;

py::dict row_dict(const Evaluation& evaluation, const std::string& model) {
  const Summary summary = summarise(evaluation);
  py::dict row;
  row["model"] = model;
  row["restarts"] = evaluation.setting.restarts;
  row["steps"] = evaluation.setting.steps;
  row["samples"] = evaluation.setting.samples;
  row["instances"] = evaluation.scores.size();
  row["cost"] = summary.cost.mean;
  row["cost_error"] = summary.cost.standard_error;
  row["gap"] = summary.gap ? py::cast(summary.gap->mean) : py::none();
  row["gap_error"] = summary.gap ? py::cast(summary.gap->standard_error) : py::none();
  row["better"] = summary.better;
  row["seconds"] = summary.search_seconds;
  row["whole_seconds"] = summary.whole_seconds;
  row["engine"] = evaluation.engine;
  return row;
}

py::list score_dicts(const Evaluation& evaluation) {
  py::list scores;
  for (const InstanceScore& score : evaluation.scores) {
    py::dict dict;
    dict["restarts"] = evaluation.setting.restarts;
    dict["steps"] = evaluation.setting.steps;
    dict["samples"] = evaluation.setting.samples;
    dict["instance"] = score.instance;
    dict["nodes"] = score.nodes;
    dict["cost"] = score.cost;
    dict["reference"] = score.reference;
    dict["gap"] = score.gap;
    dict["seconds"] = score.seconds;
    scores.append(dict);
  }
  return scores;
}

EvaluationOptions options_of(const Keywords& keywords, const std::vector<InstancePtr>& instances,
                             const NamedModel& model) {
  EvaluationOptions options;
  SolveOptions& search = options.search;
  set_loop(search.loop, keywords, *model.model, instances, "none");
  search.polish = keywords.get<std::string>("polish", "");
  search.seed = keywords.get<std::uint64_t>("seed", 1);
  search.batch = keywords.get("batch", 0);
  search.time_limit = keywords.get("time_limit", search.time_limit);
  return options;
}

std::pair<py::list, py::list> evaluate_all(const Instances& given, const py::object& model,
                                           const std::vector<std::tuple<int, int, int>>& settings,
                                           const py::dict& values, const ReferenceCosts& references) {
  const Keywords keywords(values);
  DataSet data;
  data.instances.assign(given.begin(), given.end());
  data.references = references.empty() ? own_references(data.instances) : references;
  const std::string local_search =
      local_search_named(keywords.get<std::string>("local_search", "none"), *data.instances.front());
  const NamedModel chosen = model_for(model, data.instances, local_search);
  EvaluationOptions options = options_of(keywords, data.instances, chosen);
  const EngineKind engine = choice_named<EngineKind>("device", keywords.get<std::string>("device", "auto"));
  const int threads = keywords.get("threads", 0);
  Interrupt interrupt;
  options.search.interrupted = [&] { return interrupt.wanted(); };
  py::list rows;
  py::list scores;
  for (const auto& [restarts, steps, samples] : settings) {
    Evaluation evaluation;
    {
      const py::gil_scoped_release unlocked;
      SolverLease lease(chosen, engine, threads);
      evaluation = evaluate(data, lease.solver(), {restarts, steps, samples}, options);
    }
    interrupt.rethrow();
    if (evaluation.scores.empty()) {
      break;  // interrupted
    }
    rows.append(row_dict(evaluation, chosen.name));
    scores.attr("extend")(score_dicts(evaluation));
  }
  return {rows, scores};
}

}  // namespace

void bind_evaluation(py::module_& module) {
  module.def("evaluate", &evaluate_all, py::arg("instances"), py::arg("model"), py::arg("settings"),
             py::arg("keywords"), py::arg("references"));
  module.def("read_references", [](const std::filesystem::path& file, const Instances& given) {
    const std::vector<InstancePtr> instances(given.begin(), given.end());
    return read_references(file, instances);
  });
}

}  // namespace moco::python
