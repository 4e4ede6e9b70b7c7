// The loop itself, step by step: sample, look, update by whatever rule the caller has.
#include <utility>

#include <fmt/format.h>

#include "arrays.h"
#include "dlpack.h"
#include "keywords.h"
#include "moco/engine/feature_rows.h"
#include "moco/engine/registry.h"
#include "moco/error.h"
#include "moco/model/parameters.h"
#include "moco/problem.h"
#include "moco/search/work.h"
#include "module.h"

namespace moco::python {

namespace {

SearchArray array_named(const std::string& name) {
  for (const auto& [word, which] : {std::pair("theta", SearchArray::theta),
                                    {"gradient", SearchArray::gradient},
                                    {"momenta", SearchArray::momenta},
                                    {"membership", SearchArray::membership}}) {
    if (name == word) {
      return which;
    }
  }
  throw OptionError(fmt::format("a search has no array '{}'", name));
}

/// Trajectories of some instances, each with its restarts, that step together.
class SearchBatch {
 public:
  SearchBatch(const std::vector<std::shared_ptr<Instance>>& instances, const py::dict& values)
      : instances_(instances.begin(), instances.end()) {
    const Keywords keywords(values);
    const SolveOptions options = options_of(keywords);
    const EngineKind engine = choice_named<EngineKind>("device", keywords.get<std::string>("device", "auto"));
    const int threads = keywords.get("threads", 0);
    {
      const py::gil_scoped_release unlocked;
      engine_ = make_engine(engine, threads);
      work_ = make_work(instances_, *model_.model, options, {0, instances_.size()});
    }
    for (const DecisionGraph& graph : work_.graphs) {
      constructions_.push_back(graph.instance->problem().construction(graph, options.loop.problem));
    }
    work_.spec.keep_samples = true;
    first_model_ = model_;
    const py::gil_scoped_release unlocked;
    batch_ = engine_->create(work_.spec);
    batch_->begin();
  }

  std::size_t size() const { return work_.spec.trajectories.size(); }
  const NamedModel& model() const { return model_; }
  std::size_t instance_of(std::size_t t) const { return static_cast<std::size_t>(&graph_of(t) - work_.graphs.data()); }

  /// Begins anew, as at first; arrays that somebody looks at stay where they are.
  void restart() {
    set_model(first_model_);
    sampled_ = false;
    const py::gil_scoped_release unlocked;
    batch_->begin();
  }

  void sample() {
    const py::gil_scoped_release unlocked;
    batch_->sample();
    sampled_ = true;
  }

  void update() {
    require_sample();
    const py::gil_scoped_release unlocked;
    batch_->update();
  }

  void set_theta(std::size_t t, const Array<float>& theta) {
    trajectory(t);
    batch_->set_theta(t, values_of(theta));
  }

  void set_theta_from_device(std::size_t t, const py::capsule& capsule) {
    trajectory(t);
    const TakenTensor theta(capsule);
    const py::gil_scoped_release unlocked;
    batch_->set_theta_from_device(t, theta.values());
  }

  /// After everything that the search was asked for has been done.
  ArrayView array(const std::string& name, std::size_t t) {
    trajectory(t);
    const SearchArray which = array_named(name);
    const py::gil_scoped_release unlocked;
    return batch_->array(which, t);
  }

  void set_model(const NamedModel& model) {
    if (model.model == model_.model) {
      return;
    }
    batch_->set_model(model.model->config, model.model->weights);
    model_ = model;
  }

  py::array theta(std::size_t t) {
    trajectory(t);
    return array_of(batch_->theta(t));
  }

  /// State after sample(), as arrays.
  py::dict state(std::size_t t) {
    require_sample();
    const DecisionGraph& graph = graph_of(t);
    TrajectorySnapshot snapshot = batch_->snapshot(t);
    const auto variables = static_cast<py::ssize_t>(snapshot.theta.size());
    py::dict dict;
    dict["elite_costs"] = shifted(std::move(snapshot.elite_costs), graph.cost_offset);
    dict["sample_costs"] = shifted(std::move(snapshot.sample_costs), graph.cost_offset);
    py::list samples;
    for (std::vector<Index>& items : snapshot.samples) {
      samples.append(array_of(std::move(items)));
    }
    dict["samples"] = samples;
    dict["gradient"] = array_of(std::move(snapshot.gradient));
    dict["momenta"] = array_of(std::move(snapshot.momenta), {kMomenta, variables});
    return dict;
  }

  py::tuple features(std::size_t t) {
    require_sample();
    const DecisionGraph& graph = graph_of(t);
    const TrajectorySnapshot snapshot = batch_->snapshot(t);
    const ModelConfig& config = model_.model->config;
    std::vector<float> rows = feature_rows(snapshot, graph, *constructions_[instance_of(t)], config);
    const auto variables = static_cast<py::ssize_t>(snapshot.theta.size());
    const auto columns = static_cast<py::ssize_t>(rows.size()) / variables;
    return py::make_tuple(array_of(std::move(rows), {variables, columns}), variable_feature_names(config),
                          array_of(snapshot.global_features), global_feature_names());
  }

  std::vector<Solution> elite(std::size_t t) {
    require_sample();
    const Problem& problem = graph_of(t).instance->problem();
    std::vector<Solution> solutions;
    for (Solution& items : batch_->elite(t)) {
      solutions.push_back(problem.from_search(*graph_of(t).instance, std::move(items)));
    }
    return solutions;
  }

  py::dict graph(std::size_t t) const {
    const DecisionGraph& graph = graph_of(t);
    py::dict dict;
    const bool edges = graph.kind == VariableKind::edge;
    dict["edges"] = edges;
    dict["nodes"] = graph.nodes;
    dict["variables"] = graph.variables;
    dict["degree"] = graph.degree;
    dict["scale"] = graph.cost_scale;
    dict["start"] = trajectory(t).start;
    dict["targets"] = array_of(std::vector<Index>(graph.targets.begin(), graph.targets.end()));
    dict["offsets"] = array_of(std::vector<Offset>(graph.offsets.begin(), graph.offsets.end()));
    dict["feature"] = array_of(graph.feature);
    return dict;
  }

 private:
  SolveOptions options_of(const Keywords& keywords) {
    const Instance& first = *instances_.front();
    SolveOptions options;
    LoopOptions& loop = options.loop;
    const py::object model = keywords.given("model") ? keywords.object("model") : py::str("adam");
    const auto local_search = local_search_named(keywords.get<std::string>("local_search", "none"), first);
    model_ = model_for(model, instances_, local_search);
    set_loop(loop, keywords, *model_.model, instances_, "none");
    loop.episode_steps = 0;
    loop.steps = keywords.get("steps", loop.steps);
    options.seed = keywords.get<std::uint64_t>("seed", 1);
    for (const int number : {loop.steps, loop.samples, loop.restarts}) {
      if (number < 1) {
        throw OptionError("steps, samples and restarts are at least 1");
      }
    }
    for (const InstancePtr& instance : instances_) {
      if (instance->problem().family() != model_.model->config.family) {
        throw OptionError(fmt::format("{} is a {} instance, the model is for {}", instance->name(),
                                      instance->problem().name(), model_.model->config.family));
      }
      validate(loop.problem, instance->problem().options(), instance->problem().name());
      validate(loop.local_search, *instance);
    }
    return options;
  }

  const Trajectory& trajectory(std::size_t t) const {
    if (t >= size()) {
      throw py::index_error(fmt::format("there are {} searches", size()));
    }
    return work_.spec.trajectories[t];
  }
  const DecisionGraph& graph_of(std::size_t t) const { return *work_.spec.graphs[trajectory(t).graph]; }

  void require_sample() const {
    if (!sampled_) {
      throw OptionError("nothing has been sampled yet: call sample() first");
    }
  }

  static py::array shifted(std::vector<double> costs, double offset) {
    for (double& cost : costs) {
      cost += offset;
    }
    return array_of(std::move(costs));
  }

  std::vector<InstancePtr> instances_;
  NamedModel first_model_;  ///< its weights are the batch's at first
  NamedModel model_;
  std::unique_ptr<Engine> engine_;
  Work work_;
  std::vector<std::unique_ptr<Construction>> constructions_;
  std::unique_ptr<Batch> batch_;
  bool sampled_ = false;
};

/// Shape, device (−1: the host) and stream.
py::tuple place_of(SearchBatch& batch, const std::string& name, std::size_t t) {
  const ArrayView view = batch.array(name, t);
  const py::tuple shape = view.rows == 1 ? py::make_tuple(view.columns) : py::make_tuple(view.rows, view.columns);
  return py::make_tuple(shape, view.device, view.stream);
}

py::capsule tensor_of_search(const py::object& batch, const std::string& name, std::size_t t) {
  const ArrayView view = batch.cast<SearchBatch&>().array(name, t);
  return tensor_of(view, array_named(name) == SearchArray::membership, owner_of(batch));
}

py::array host_view(const py::object& batch, const std::string& name, std::size_t t) {
  const ArrayView view = batch.cast<SearchBatch&>().array(name, t);
  std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(view.rows), static_cast<py::ssize_t>(view.columns)};
  if (view.device != kHostMemory) {
    throw OptionError(fmt::format("{} lies on CUDA device {}: NumPy sees the host's memory alone", name, view.device));
  }
  if (view.rows == 1) {
    shape.erase(shape.begin());
  }
  if (array_named(name) == SearchArray::membership) {
    return view_of(static_cast<const std::uint32_t*>(view.data), std::move(shape), batch);
  }
  return view_of(static_cast<const float*>(view.data), std::move(shape), batch);
}

py::list arrays_of(std::vector<Solution> solutions) {
  py::list all;
  for (Solution& solution : solutions) {
    all.append(array_of(std::move(solution.items)));
  }
  return all;
}

}  // namespace

void bind_search(py::module_& module) {
  py::class_<SearchBatch>(module, "SearchBatch")
      .def(py::init<const std::vector<std::shared_ptr<Instance>>&, const py::dict&>(), py::arg("instances"),
           py::arg("keywords"))
      .def("__len__", &SearchBatch::size)
      .def_property_readonly("model", &SearchBatch::model)
      .def("instance_of", &SearchBatch::instance_of)
      .def("restart", &SearchBatch::restart)
      .def("sample", &SearchBatch::sample)
      .def("update", &SearchBatch::update)
      .def("set_theta", &SearchBatch::set_theta)
      .def("set_theta_from_device", &SearchBatch::set_theta_from_device)
      .def("place", &place_of)
      .def("tensor", &tensor_of_search)
      .def("host_view", &host_view)
      .def("set_model", &SearchBatch::set_model)
      .def("theta", &SearchBatch::theta)
      .def("state", &SearchBatch::state)
      .def("features", &SearchBatch::features)
      .def("elite", [](SearchBatch& batch, std::size_t t) { return arrays_of(batch.elite(t)); })
      .def("graph", &SearchBatch::graph);
}

}  // namespace moco::python
