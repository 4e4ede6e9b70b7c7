// What the TSP is to the rest of the program.
#include "moco/problems/tsp/tsp_problem.h"

#include <algorithm>
#include <array>

#include "moco/drawing/sheet.h"
#include "moco/error.h"
#include "moco/problems/own_content.h"
#include "moco/problems/tsp/check_tour.h"
#include "moco/problems/tsp/fixed_paths.h"
#include "moco/problems/tsp/generators.h"
#include "moco/problems/tsp/insertion_tours.h"
#include "moco/problems/tsp/partial_tours.h"
#include "moco/problems/tsp/quadrant_neighbours.h"
#include "moco/problems/tsp/quick_tours.h"
#include "moco/problems/tsp/tour_kicks.h"
#include "moco/problems/tsp/tour_picture.h"
#include "moco/problems/tsp/tsp_construction.h"
#include "moco/problems/tsp/tsp_graph.h"
#include "moco/problems/tsp/tsp_local_search.h"
#include "moco/problems/tsp/window_search.h"

namespace moco {

namespace {

const TspInstance& tsp(const Instance& instance) {
  return dynamic_cast<const TspInstance&>(instance);
}

std::shared_ptr<const TspInstance> tsp(const InstancePtr& instance) {
  return std::dynamic_pointer_cast<const TspInstance>(instance);
}

std::string metric_name(Metric metric) {
  constexpr std::array<std::string_view, 10> kNames = {"euclidean", "EUC_2D", "CEIL_2D", "MAN_2D", "MAX_2D",
                                                       "GEO",       "ATT",    "matrix",  "EUC_3D", "CEIL_3D"};
  return std::string(kNames.at(static_cast<std::size_t>(metric)));
}

/// Whether candidates on all sides serve kicks better than the nearest ones do (docs/performance.md).
bool prefers_quadrants(const TspInstance& instance) {
  return has_quadrants(instance.metric());
}

class Tsp final : public Problem {
 public:
  std::string_view name() const override { return "tsp"; }
  std::string_view summary() const override { return "the shortest closed tour through all cities"; }
  DataKind data() const override { return DataKind::points; }
  SolutionShape solution_shape() const override { return SolutionShape::order; }
  using Problem::objective;
  Objective objective() const override { return {}; }

  std::shared_ptr<Instance> make(InstanceData data) const override {
    auto& points = own_content<PointData>(data, *this);
    std::shared_ptr<TspInstance> made;
    if (points.metric == Metric::matrix) {
      Index n = 0;
      while (static_cast<std::size_t>(n) * static_cast<std::size_t>(n) < points.matrix.size()) {
        ++n;
      }
      made = std::make_shared<TspInstance>(data.name, n, std::move(points.matrix), std::move(points.points));
    } else {
      made =
          std::make_shared<TspInstance>(data.name, std::move(points.points), points.metric, std::move(points.heights));
    }
    made->fix_edges(points.fixed);
    made->set_labels(std::move(data.labels));
    if (data.reference) {
      made->set_reference(std::move(*data.reference));
    }
    return made;
  }

  InstanceData data_of(const Instance& instance) const override {
    const TspInstance& cities = tsp(instance);
    PointData points{.metric = cities.metric()};
    points.points.assign(cities.points().begin(), cities.points().end());
    points.matrix.assign(cities.matrix().begin(), cities.matrix().end());
    points.heights.assign(cities.heights().begin(), cities.heights().end());
    points.fixed = fixed_edges_of(cities);
    return {instance.name(), std::move(points), instance.labels(), instance.reference()};
  }

  CheckResult check(const Instance& instance, const Solution& tour) const override {
    return check_tour(tsp(instance), tour);
  }

  std::span<const GeneratorKind> generators() const override { return point_generators(); }

  std::vector<Fact> facts(const Instance& instance) const override {
    const TspInstance& cities = tsp(instance);
    std::vector<Fact> facts{{"metric", metric_name(cities.metric())}};
    if (const auto points = cities.points(); !points.empty()) {
      const auto [left, right] = std::ranges::minmax_element(points, {}, &Point::x);
      const auto [bottom, top] = std::ranges::minmax_element(points, {}, &Point::y);
      facts.emplace_back("x_range", std::array{left->x, right->x});
      facts.emplace_back("y_range", std::array{bottom->y, top->y});
    }
    if (!cities.heights().empty()) {
      const auto [lowest, highest] = std::ranges::minmax(cities.heights());
      facts.emplace_back("z_range", std::array{lowest, highest});
    }
    if (const auto fixed = fixed_edges_of(cities); !fixed.empty()) {
      facts.emplace_back("fixed_edges", static_cast<std::int64_t>(fixed.size()));
    }
    facts.emplace_back("scale", cities.scale());
    return facts;
  }

  drawing::Sheet draw(const Instance& instance, const Solution& tour, const Heatmap* heatmap,
                      const PictureCaption& caption) const override {
    return draw_tour(tsp(instance), tour, heatmap, caption);
  }

  NetworkKind network() const override { return NetworkKind::graph_network; }

  std::span<const ModelOption> model_options() const override {
    static constexpr std::array<ModelOption, 1> options = {
        {{"membership", "whether the network sees the edges of good tours as they were passed or in both directions"}}};
    return options;
  }

  std::span<const OptionDeclaration> options() const override { return tsp_option_declarations(); }

  DecisionGraph graph_shape(const InstancePtr& instance, const OptionValues& options) const override {
    const TspOptions own = tsp_options(options);
    require_start(tsp(*instance), own.start);
    return tsp_graph_shape(tsp(instance), own.neighbours);
  }

  DecisionGraph graph(const InstancePtr& instance, const OptionValues& options,
                      const Executor& executor) const override {
    const TspOptions own = tsp_options(options);
    return tsp_decision_graph(tsp(instance), own.neighbours, executor, own.candidates);
  }

  std::unique_ptr<Construction> construction(const DecisionGraph& graph, const OptionValues& options) const override {
    return std::make_unique<TspConstruction>(graph, tsp_options(options).dead_end);
  }

  std::unique_ptr<PartialConstruction> partial_construction(const DecisionGraph& graph, int count) const override {
    return make_partial_tours(graph, count);
  }

  Solution instant_solution(const InstancePtr& instance) const override { return curve_tour(tsp(*instance)); }
  Solution greedy_items(const DecisionGraph& graph, const OptionValues& options, const Halt& halt) const override {
    if (const TourStart start = tsp_options(options).start; start != TourStart::greedy) {
      const TspInstance& cities = tsp(*graph.instance);
      return along_fixed_paths(cities, insertion_tour(cities, start, halt));
    }
    // Fragments of a greedy tour are joined by edges across the map, which no window holds.
    return suits_windows(graph) ? curve_tour(tsp(*graph.instance)) : greedy_tour(graph, halt);
  }

  std::span<const LocalSearchKind> local_searches() const override { return tour_searches(); }
  std::string_view default_local_search(const Instance& instance) const override {
    return tsp(instance).symmetric() ? "2opt+oropt" : "oropt3";
  }
  std::unique_ptr<LocalSearch> local_search(const DecisionGraph& graph, const LocalSearchOptions& search,
                                            const OptionValues& options) const override {
    return make_tsp_local_search(graph, search, tsp_options(options).move_rule);
  }
  std::unique_ptr<KickSearch> kicks(const DecisionGraph& graph) const override { return make_tour_kicks(graph); }

  Effort effort(const Instance& instance) const override {
    constexpr std::int64_t kKicksPerCity = 200;
    Effort effort;
    effort.kicks = std::clamp<std::int64_t>(kKicksPerCity * instance.size(), 10'000, 300'000);
    return effort;
  }
  OptionValues options_without_steps(const Instance& instance, const OptionValues& given) const override {
    OptionValues options;
    const bool sides = given.has("candidates") ? tsp_options(given).candidates == CandidateRule::quadrant
                                               : !given.has("neighbours") && prefers_quadrants(tsp(instance));
    options.set("candidates", sides ? "quadrant" : "nearest");
    options.set("neighbours", sides ? 6 : 10);
    options.merge(given);
    return options;
  }
};

}  // namespace

const Problem& tsp_problem() {
  static const Tsp problem;
  return problem;
}

}  // namespace moco
