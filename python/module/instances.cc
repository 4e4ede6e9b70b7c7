// Instances from arrays and as arrays; checks, facts and pictures of them.
#include <cctype>

#include <fmt/format.h>

#include "arrays.h"
#include "moco/drawing/svg.h"
#include "moco/error.h"
#include "moco/formats/tsplib.h"
#include "moco/heatmap.h"
#include "moco/problem.h"
#include "moco/problems/tsp/fixed_paths.h"
#include "module.h"

namespace moco::python {

namespace {

using Held = std::shared_ptr<Instance>;

/// "euclidean", or TSPLIB's names in lower case.
Metric metric_named(const std::string& name) {
  std::string type;
  for (const char letter : name) {
    type += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  const std::optional<Metric> metric = type == "EUCLIDEAN" ? Metric::euclidean : tsplib_metric(type);
  if (!metric || metric == Metric::matrix) {
    throw OptionError(
        fmt::format("metric '{}' is not one of euclidean, euc_2d, ceil_2d, man_2d, max_2d, geo, att, "
                    "euc_3d, ceil_3d",
                    name));
  }
  return *metric;
}

std::string name_of(Metric metric) {
  std::string name;
  for (const char letter : metric == Metric::euclidean ? "EUCLIDEAN" : tsplib_type(metric)) {
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return metric == Metric::matrix ? "matrix" : name;
}

std::shared_ptr<Instance> tour_of_points(const std::string& name, const Array<double>& points,
                                         const std::string& metric, const std::vector<double>& heights) {
  static_assert(sizeof(Point) == 2 * sizeof(double));
  const std::span<const Point> cities(reinterpret_cast<const Point*>(points.data()),
                                      static_cast<std::size_t>(points.size() / 2));
  return std::make_shared<TspInstance>(name, cities, owner_of(points), metric_named(metric), heights);
}

std::shared_ptr<Instance> tour_of_distances(const std::string& name, const Array<double>& matrix,
                                            const std::optional<Array<double>>& display) {
  std::vector<Point> points;
  for (py::ssize_t i = 0; display && i < display->shape(0); ++i) {
    points.push_back({display->at(i, 0), display->at(i, 1)});
  }
  return std::make_shared<TspInstance>(name, static_cast<Index>(matrix.shape(0)), values_of(matrix), owner_of(matrix),
                                       std::move(points));
}

std::span<const Edge> edges_in(const Array<Index>& pairs) {
  static_assert(sizeof(Edge) == 2 * sizeof(Index));
  return {reinterpret_cast<const Edge*>(pairs.data()), static_cast<std::size_t>(pairs.size() / 2)};
}

std::shared_ptr<Instance> graph_of_edges(const std::string& problem, const std::string& name, Index nodes,
                                         const Array<Index>& edges, const std::vector<double>& weights) {
  const std::span<const Edge> pairs = edges_in(edges);
  GraphData graph{nodes, {pairs.begin(), pairs.end()}, weights, {}};
  return find_problem(problem).make({name, std::move(graph), {}, {}});
}

const TspInstance& cities_of(const Instance& instance) {
  if (const auto* cities = dynamic_cast<const TspInstance*>(&instance)) {
    return *cities;
  }
  throw OptionError(fmt::format("{} is a graph: it has no cities", instance.name()));
}

void fix_edges(Instance& instance, const Array<Index>& pairs) {
  cities_of(instance);
  dynamic_cast<TspInstance&>(instance).fix_edges(edges_in(pairs));
}

py::array fixed_edges(const Instance& instance) {
  std::vector<Index> ends;
  for (const auto& [u, v] : fixed_edges_of(cities_of(instance))) {
    ends.insert(ends.end(), {u, v});
  }
  const auto count = static_cast<py::ssize_t>(ends.size() / 2);
  return array_of(std::move(ends), {count, 2});
}

const GraphInstance& graph_of(const Instance& instance) {
  if (const auto* graph = dynamic_cast<const GraphInstance*>(&instance)) {
    return *graph;
  }
  throw OptionError(fmt::format("{} is not a graph", instance.name()));
}

py::object points_of(const Held& instance) {
  const auto points = cities_of(*instance).points();
  if (points.empty()) {
    return py::none();
  }
  return view_of(&points.front().x, {static_cast<py::ssize_t>(points.size()), 2}, py::cast(instance));
}

py::object matrix_of(const Held& instance) {
  const auto matrix = cities_of(*instance).matrix();
  if (matrix.empty()) {
    return py::none();
  }
  return view_of(matrix.data(), {instance->size(), instance->size()}, py::cast(instance));
}

py::object weights_of(const Held& instance) {
  const auto weights = graph_of(*instance).weights();
  if (weights.empty()) {
    return py::none();
  }
  return view_of(weights.data(), {instance->size()}, py::cast(instance));
}

py::object reference_of(const Instance& instance) {
  return instance.reference() ? py::object(array_of(instance.reference()->items)) : py::none();
}

py::dict facts_of(const Instance& instance) {
  py::dict facts;
  for (const auto& [name, value] : instance.problem().facts(instance)) {
    facts[py::str(name.data(), name.size())] =
        std::visit([](const auto& v) -> py::object { return py::cast(v); }, value);
  }
  return facts;
}

std::string picture_of(const Instance& instance, const Array<Index>& solution, const py::object& heatmap,
                       const std::string& title, const std::string& subtitle) {
  Heatmap map;
  if (!heatmap.is_none()) {
    const auto [from, to, probability] = heatmap.cast<std::tuple<Array<Index>, Array<Index>, Array<float>>>();
    map.from.assign(from.data(), from.data() + from.size());
    map.to.assign(to.data(), to.data() + to.size());
    map.probability.assign(probability.data(), probability.data() + probability.size());
  }
  const drawing::Sheet sheet = instance.problem().draw(instance, solution_of(solution),
                                                       heatmap.is_none() ? nullptr : &map, {title, subtitle, subtitle});
  return drawing::svg_document(sheet);
}

}  // namespace

void bind_instances(py::module_& module) {
  module.def("tour_of_points", &tour_of_points, py::arg("name"), py::arg("points"), py::arg("metric"),
             py::arg("heights"));
  module.def("tour_of_distances", &tour_of_distances, py::arg("name"), py::arg("matrix"), py::arg("display"));
  module.def("graph_of_edges", &graph_of_edges, py::arg("problem"), py::arg("name"), py::arg("nodes"), py::arg("edges"),
             py::arg("weights"));
  py::class_<Instance, Held>(module, "Instance")
      .def_property_readonly("name", &Instance::name)
      .def_property_readonly("problem", [](const Instance& i) { return std::string(i.problem().name()); })
      .def_property_readonly("size", &Instance::size)
      .def_property_readonly("labels", &Instance::labels)
      .def_property_readonly("reference", &reference_of)
      .def("set_reference", [](Instance& i, const Array<Index>& items) { i.set_reference(solution_of(items)); })
      .def_property_readonly("objective",
                             [](const Instance& i) {
                               const Objective objective = i.problem().objective(i);
                               return std::tuple(std::string(objective.word), objective.maximise, objective.whole);
                             })
      .def_property_readonly("metric", [](const Instance& i) { return name_of(cities_of(i).metric()); })
      .def_property_readonly("points", &points_of)
      .def_property_readonly("matrix", &matrix_of)
      .def_property_readonly("heights",
                             [](const Instance& i) {
                               const auto heights = cities_of(i).heights();
                               return std::vector<double>(heights.begin(), heights.end());
                             })
      .def_property_readonly("fixed_edges", &fixed_edges)
      .def("fix_edges", &fix_edges)
      .def_property_readonly("weights", &weights_of)
      .def_property_readonly("edges", [](const Instance& i) { return graph_of(i).edges(); })
      .def_property_readonly("indptr",
                             [](const Held& i) {
                               const auto offsets = graph_of(*i).offsets();
                               return view_of(offsets.data(), {static_cast<py::ssize_t>(offsets.size())}, py::cast(i));
                             })
      .def_property_readonly("indices",
                             [](const Held& i) {
                               const auto targets = graph_of(*i).targets();
                               return view_of(targets.data(), {static_cast<py::ssize_t>(targets.size())}, py::cast(i));
                             })
      .def_property_readonly("dropped",
                             [](const Instance& i) {
                               return std::pair(graph_of(i).dropped_self_loops(), graph_of(i).dropped_duplicates());
                             })
      .def_property_readonly("facts", &facts_of)
      .def("distance",
           [](const Instance& i, Index from, Index to) {
             const TspInstance& cities = cities_of(i);
             if (from < 0 || to < 0 || from >= i.size() || to >= i.size()) {
               throw py::index_error(fmt::format("cities are 0 … {}", i.size() - 1));
             }
             return cities.distance(from, to);
           })
      .def("check",
           [](const Instance& i, const Array<Index>& items) {
             const CheckResult result = i.check(solution_of(items));
             return std::tuple(result.feasible, result.cost, result.violation);
           })
      .def("svg", &picture_of, py::arg("solution"), py::arg("heatmap"), py::arg("title"), py::arg("subtitle"));
}

}  // namespace moco::python
