// Reading, checking and searching of problems on sets of nodes.
#include "moco/problems/mis/set_problem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "moco/core/halt.h"
#include "moco/drawing/sheet.h"
#include "moco/problems/graph_generators.h"
#include "moco/problems/graph_kind.h"
#include "moco/problems/mis/greedy_weight_set.h"
#include "moco/problems/mis/min_degree_set.h"
#include "moco/problems/mis/mis_construction.h"
#include "moco/problems/mis/mis_local_search.h"
#include "moco/problems/mis/partial_sets.h"
#include "moco/problems/mis/set_kicks.h"
#include "moco/problems/own_content.h"
#include "moco/problems/set_picture.h"

namespace moco {

namespace {

const OptionDeclaration kPlateauSteps = {
    .key = "plateau_steps",
    .fallback = 0.0,
    .help = "swaps of one node for another that a local search tries when no better move is left",
    .low = 0,
    .high = 1'000'000'000,
    .use = OptionUse::local_search};

const GraphInstance& graph_of(const Instance& instance) {
  return dynamic_cast<const GraphInstance&>(instance);
}

/// Weights rounded to multiples of a power of two of which fewer than 2^53 make up the total: whatever is added up in
/// whatever order, every sum of weights is exact, so that engines agree on costs and searches may carry sums along.
std::vector<double> summable(std::span<const double> weights) {
  constexpr int kSmallest = -1074;  // of all numbers: they are multiples of 2 to this already
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  // 2^52 steps up to the power of two above the total leave room for what rounding adds.
  const int step = total > 0.0 ? std::ilogb(total) + 1 - 52 : kSmallest;
  if (step <= kSmallest) {
    return {weights.begin(), weights.end()};
  }
  std::vector<double> rounded;
  rounded.reserve(weights.size());
  for (const double weight : weights) {
    rounded.push_back(std::scalbn(std::nearbyint(std::scalbn(weight, -step)), step));
  }
  return rounded;
}

}  // namespace

int plateau_steps(const OptionValues& values) {
  return values.integer(kPlateauSteps);
}

Objective SetProblem::objective(const Instance& instance) const {
  return graph_of(instance).weights().empty() ? objective() : Objective{"weight", maximises(), false};
}

std::shared_ptr<GraphInstance> SetProblem::make_instance(std::string name, GraphData graph) const {
  return std::make_shared<GraphInstance>(*this, std::move(name), graph.nodes, graph.edges,
                                         std::move(graph.node_weights));
}

std::shared_ptr<Instance> SetProblem::make(InstanceData data) const {
  auto made = make_instance(data.name, std::move(own_content<GraphData>(data, *this)));
  made->set_labels(std::move(data.labels));
  if (data.reference) {
    made->set_reference(std::move(*data.reference));
  }
  return made;
}

InstanceData SetProblem::data_of(const Instance& instance) const {
  const GraphInstance& given = graph_of(instance);
  GraphData graph{.nodes = given.size()};
  graph.edges.reserve(static_cast<std::size_t>(given.edges()));
  for (Index node = 0; node < given.size(); ++node) {
    for (const Index neighbour : given.neighbours(node)) {
      if (node < neighbour) {
        graph.edges.push_back({node, neighbour});
      }
    }
  }
  graph.node_weights.assign(given.weights().begin(), given.weights().end());
  return {instance.name(), std::move(graph), instance.labels(), instance.reference()};
}

CheckResult SetProblem::check(const Instance& instance, const Solution& set) const {
  const GraphInstance& graph = graph_of(instance);
  const auto violated = [](std::string what) { return CheckResult{false, 0.0, std::move(what)}; };
  std::vector<bool> chosen(static_cast<std::size_t>(graph.size()), false);
  double weight = 0.0;
  for (std::size_t position = 0; position < set.items.size(); ++position) {
    const Index node = set.items[position];
    if (node < 0 || node >= graph.size()) {
      return violated(fmt::format("position {}: {} is not a node of 0 … {}", position, node, graph.size() - 1));
    }
    const auto i = static_cast<std::size_t>(node);
    if (chosen[i]) {
      const auto earlier = std::find(set.items.begin(), set.items.end(), node) - set.items.begin();
      return violated(fmt::format("node {} appears twice, at positions {} and {}", node, earlier, position));
    }
    chosen[i] = true;
    weight += graph.weights().empty() ? 1.0 : graph.weights()[i];
  }
  if (std::string what = violation(graph, chosen); !what.empty()) {
    return violated(std::move(what));
  }
  return {true, objective().cost(weight), {}};
}

std::span<const GeneratorKind> SetProblem::generators() const {
  return graph_generators();
}

std::vector<Fact> SetProblem::facts(const Instance& instance) const {
  const GraphInstance& graph = graph_of(instance);
  const auto n = static_cast<double>(graph.size());
  const auto edges = static_cast<double>(graph.edges());
  std::size_t least = graph.neighbours(0).size();
  std::size_t most = least;
  std::int64_t isolated = 0;
  for (Index node = 0; node < graph.size(); ++node) {
    const std::size_t degree = graph.neighbours(node).size();
    least = std::min(least, degree);
    most = std::max(most, degree);
    isolated += degree == 0 ? 1 : 0;
  }
  std::vector<Fact> facts{
      {"edges", static_cast<std::int64_t>(graph.edges())}, {"density", n > 1.0 ? 2.0 * edges / (n * (n - 1.0)) : 0.0},
      {"degree_min", static_cast<std::int64_t>(least)},    {"degree_mean", 2.0 * edges / n},
      {"degree_max", static_cast<std::int64_t>(most)},     {"isolated_nodes", isolated}};
  if (const auto weights = graph.weights(); !weights.empty()) {
    const auto [lightest, heaviest] = std::ranges::minmax_element(weights);
    facts.emplace_back("weight_range", std::array{*lightest, *heaviest});
  }
  return facts;
}

drawing::Sheet SetProblem::draw(const Instance& instance, const Solution& set, const Heatmap* heatmap,
                                const PictureCaption& caption) const {
  return draw_set(graph_of(instance), set, heatmap, caption);
}

std::span<const ModelOption> SetProblem::model_options() const {
  static constexpr std::array<ModelOption, 3> options = {
      {{"gcn", "variant of the network: as printed in the paper, or as in its authors' program"},
       {"crowding", "whether the network sees how many neighbours of a node are in the best solutions"},
       {"node_weights", "whether the networks see what a node weighs"}}};
  return options;
}

ModelTraits SetProblem::traits(const Instance& instance) const {
  const GraphInstance& graph = searched(graph_of(instance));
  // A graph without edges counts as one edge, so that the mean of logarithms exists.
  const auto ends = 2.0 * static_cast<double>(std::max<Offset>(graph.edges(), 1));
  return {ends / static_cast<double>(graph.size()), recognised_kind(graph), !graph.weights().empty()};
}

std::span<const OptionDeclaration> SetProblem::options() const {
  return {&kPlateauSteps, 1};
}

DecisionGraph SetProblem::graph_shape(const InstancePtr& instance, const OptionValues&) const {
  const GraphInstance& searched_graph = searched(graph_of(*instance));
  DecisionGraph graph;
  graph.instance = instance;
  graph.kind = VariableKind::node;
  graph.nodes = instance->size();
  graph.variables = graph.nodes;
  graph.offsets = searched_graph.offsets();
  graph.targets = searched_graph.targets();
  graph.weighted = !searched_graph.weights().empty();
  return graph;
}

DecisionGraph SetProblem::graph(const InstancePtr& instance, const OptionValues& options, const Executor&) const {
  DecisionGraph graph = graph_shape(instance, options);
  if (graph.weighted) {
    graph.weights = summable(graph_of(*instance).weights());
    const double mean = std::accumulate(graph.weights.begin(), graph.weights.end(), 0.0) / graph.nodes;
    graph.cost_scale = mean > 0.0 ? mean : 1.0;
    graph.feature.reserve(graph.weights.size());
    for (const double weight : graph.weights) {
      graph.feature.push_back(static_cast<float>(weight / graph.cost_scale));
    }
  }
  return graph;
}

std::unique_ptr<Construction> SetProblem::construction(const DecisionGraph& graph, const OptionValues&) const {
  return std::make_unique<MisConstruction>(graph);
}

std::unique_ptr<PartialConstruction> SetProblem::partial_construction(const DecisionGraph& graph, int count) const {
  return make_partial_sets(graph, count);
}

Solution SetProblem::instant_solution(const InstancePtr& instance) const {
  const Halt at_once(Halt::Clock::now(), 0.0);
  const DecisionGraph whole = graph(instance, {}, {});
  return from_search(*instance, greedy_items(whole, {}, at_once));
}

Solution SetProblem::greedy_items(const DecisionGraph& graph, const OptionValues&, const Halt& halt) const {
  return graph.weights.empty() ? min_degree_set(graph, halt) : greedy_weight_set(graph, halt);
}

std::span<const LocalSearchKind> SetProblem::local_searches() const {
  static constexpr std::array<LocalSearchKind, 1> kinds = {{{kSwapSearch}}};
  return kinds;
}

std::string_view SetProblem::default_local_search(const Instance&) const {
  return kSwapSearch;
}

std::unique_ptr<LocalSearch> SetProblem::local_search(const DecisionGraph& graph, const LocalSearchOptions& search,
                                                      const OptionValues& options) const {
  return make_mis_local_search(graph, search, plateau_steps(options));
}

std::unique_ptr<KickSearch> SetProblem::kicks(const DecisionGraph& graph) const {
  return make_set_kicks(graph);
}

Effort SetProblem::effort(const Instance& instance) const {
  constexpr std::int64_t kKicksPerNode = 400;
  Effort effort;
  effort.kicks = std::clamp<std::int64_t>(kKicksPerNode * instance.size(), 50'000, 1'000'000);
  return effort;
}

}  // namespace moco
