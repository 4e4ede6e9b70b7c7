// From data to instances and back.
#include "moco/problems/instance_data.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "moco/error.h"

namespace moco {

namespace {

std::shared_ptr<Instance> make_bare(InstanceData& data) {
  if (auto* graph = std::get_if<GraphData>(&data.content)) {
    return std::make_shared<GraphInstance>(std::move(data.name), graph->nodes, graph->edges,
                                           std::move(graph->node_weights));
  }
  auto& points = std::get<PointData>(data.content);
  if (points.metric != Metric::matrix) {
    return std::make_shared<TspInstance>(std::move(data.name), std::move(points.points), points.metric,
                                         std::move(points.heights));
  }
  Index n = 0;
  while (static_cast<std::size_t>(n) * static_cast<std::size_t>(n) < points.matrix.size()) {
    ++n;
  }
  return std::make_shared<TspInstance>(std::move(data.name), n, std::move(points.matrix), std::move(points.points));
}

}  // namespace

std::optional<DataKind> kind_needed(std::string_view problem) {
  if (problem.empty()) {
    return std::nullopt;
  }
  if (problem != "tsp" && problem != "mis") {
    throw OptionError(fmt::format("unknown problem '{}'; known are tsp, mis", problem));
  }
  return problem == "tsp" ? DataKind::points : DataKind::graph;
}

InstancePtr make_instance(InstanceData data, std::string_view problem, std::string_view file,
                          std::vector<std::string>& warnings) {
  if (const auto needed = kind_needed(problem); needed && *needed != kind_of(data)) {
    throw InputError(file, fmt::format("'{}' is no instance of {}", data.name, problem));
  }
  std::optional<Solution> reference = std::move(data.reference);
  std::vector<std::string> labels = std::move(data.labels);
  const std::shared_ptr<Instance> instance = make_bare(data);
  instance->set_labels(std::move(labels));
  if (reference) {
    if (const CheckResult result = instance->check(*reference); !result.feasible) {
      warnings.push_back(fmt::format("{}: the solution that came with '{}' is none for {} and left out: {}", file,
                                     instance->name(), instance->problem(), result.violation));
    } else {
      instance->set_reference(std::move(*reference));
    }
  }
  return instance;
}

InstanceData data_of(const Instance& instance) {
  InstanceData data{
      .name = instance.name(), .content = {}, .labels = instance.labels(), .reference = instance.reference()};
  if (const auto* tsp = dynamic_cast<const TspInstance*>(&instance)) {
    data.content = PointData{.metric = tsp->metric(),
                             .points = {tsp->points().begin(), tsp->points().end()},
                             .matrix = {tsp->matrix().begin(), tsp->matrix().end()},
                             .heights = {tsp->heights().begin(), tsp->heights().end()}};
    return data;
  }
  const auto& graph = dynamic_cast<const GraphInstance&>(instance);
  GraphData content;
  content.nodes = graph.size();
  content.node_weights.assign(graph.weights().begin(), graph.weights().end());
  content.edges.reserve(static_cast<std::size_t>(graph.edges()));
  for (Index u = 0; u < graph.size(); ++u) {
    for (const Index v : graph.neighbours(u)) {
      if (u < v) {
        content.edges.push_back({u, v});
      }
    }
  }
  data.content = std::move(content);
  return data;
}

SolutionShape solution_shape(const Instance& instance) {
  return instance.problem() == "tsp" ? SolutionShape::order : SolutionShape::subset;
}

}  // namespace moco
