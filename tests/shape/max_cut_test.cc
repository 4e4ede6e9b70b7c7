// The test of the shape: a problem of another kind, maximum cut, that no other file knows. It is registered at run time
// and then generated, read, written, solved, checked, drawn, evaluated and trained for like those that ship.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "moco/drawing/sheet.h"
#include "moco/drawing/svg.h"
#include "moco/error.h"
#include "moco/evaluate.h"
#include "moco/io.h"
#include "moco/policy/construction.h"
#include "moco/policy/gumbel.h"
#include "moco/policy/kicks.h"
#include "moco/problem.h"
#include "moco/problems/decision_graph.h"
#include "moco/training/trainer.h"
#include "solve_once.h"
#include "temporary_folder.h"

namespace moco {
namespace {

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

const GraphInstance& graph_of(const Instance& instance) {
  return dynamic_cast<const GraphInstance&>(instance);
}

/// Edges between a set of nodes and the rest.
double cut_of(const GraphInstance& graph, std::span<const Index> side) {
  std::vector<bool> inside(at(graph.size()), false);
  for (const Index node : side) {
    inside[at(node)] = true;
  }
  double cut = 0.0;
  for (const Index node : side) {
    for (const Index neighbour : graph.neighbours(node)) {
      cut += inside[at(neighbour)] ? 0.0 : 1.0;
    }
  }
  return cut;
}

/// Every node goes to one side with probability σ(θ), whatever the others do.
class SideConstruction final : public Construction {
 public:
  explicit SideConstruction(const DecisionGraph& graph) : graph_(graph), instance_(graph_of(*graph.instance)) {}

  Index stride() const override { return graph_.nodes; }
  Index choices(Index) const override { return graph_.nodes; }

  void sample(const float* theta, const Draw& draw, SampleSet& out, SampleScratch& scratch) const override {
    const std::size_t n = at(graph_.nodes);
    const std::size_t blocks = (2 * n + 3) / 4;
    scratch.keys.resize(4 * blocks);
    fill_gumbel(draw.stream, draw.step, static_cast<std::uint32_t>(draw.sample), blocks, scratch.keys.data());
    Solution side;
    for (std::size_t i = 0; i < n; ++i) {
      if (theta[i] + scratch.keys[2 * i] > scratch.keys[2 * i + 1]) {  // the difference of two Gumbels is logistic
        side.items.push_back(static_cast<Index>(i));
      }
    }
    encode(side, draw.start, draw.sample, out);
  }

  void masses(const float* theta, double* mass) const override {
    for (std::size_t i = 0; i < at(graph_.nodes); ++i) {
      mass[i] = 1.0 / (1.0 + std::exp(-static_cast<double>(theta[i])));
    }
  }

  void prepare_gradient(const double*, Index, SampleSet&) const override {}

  void gradient(const double* mass, const SampleSet& set, Index begin, Index end, float* out) const override {
    for (Index i = begin; i < end; ++i) {
      double sum = 0.0;
      for (Index s = 0; s < set.samples; ++s) {
        const double chosen = set.left_at[at(s) * at(set.nodes) + at(i)];
        sum += set.advantage_at(s, 0) * (chosen - mass[i]);
      }
      out[i] = static_cast<float>(sum / (static_cast<double>(set.nodes) * set.samples));
    }
  }

  double entropy(const float* theta) const override {
    std::vector<double> p(at(graph_.nodes));
    masses(theta, p.data());
    double sum = 0.0;
    for (const double x : p) {
      sum -= x * std::log(std::max(x, 1e-300)) + (1.0 - x) * std::log(std::max(1.0 - x, 1e-300));
    }
    return sum / graph_.nodes;
  }

  void encode(const Solution& side, Index, Index sample, SampleSet& out) const override {
    Index* in = out.left_at.data() + at(sample) * at(out.nodes);
    std::fill_n(in, out.nodes, 0);
    for (std::size_t t = 0; t < side.items.size(); ++t) {
      out.items[out.row(sample) + t] = side.items[t];
      out.variables[out.row(sample) + t] = side.items[t];
      in[side.items[t]] = 1;
    }
    out.lengths[at(sample)] = static_cast<Index>(side.items.size());
    out.costs[at(sample)] = -cut_of(instance_, side.items);
  }

  Solution decode(const Index* items, Index length) const override { return {{items, items + length}}; }
  float heuristic(Index) const override { return 0.0f; }
  float instance_feature(Index) const override { return 1.0f; }

 private:
  const DecisionGraph& graph_;
  const GraphInstance& instance_;
};

const OptionDeclaration kChords = {
    .key = "chords", .fallback = 0.0, .help = "edges across the ring", .low = 0, .high = 1000};

InstanceData generate_ring(const GeneratorOptions& options, RandomSequence& random) {
  GraphData graph;
  graph.nodes = options.nodes;
  for (Index node = 0; node < graph.nodes; ++node) {
    graph.edges.push_back({node, (node + 1) % graph.nodes});
  }
  for (int chord = 0; chord < options.own.integer(kChords); ++chord) {
    const auto u = static_cast<Index>(random.next_below(static_cast<std::uint32_t>(graph.nodes)));
    const auto v = static_cast<Index>(random.next_below(static_cast<std::uint32_t>(graph.nodes)));
    graph.edges.push_back({u, v});
  }
  return {.content = std::move(graph)};
}

ExpectedSize expect_ring(const GeneratorOptions& options) {
  return {.nodes = static_cast<double>(options.nodes), .edges = static_cast<double>(options.nodes)};
}

class MaxCut final : public Problem {
 public:
  std::string_view name() const override { return "max-cut"; }
  std::string_view summary() const override { return "two sides with as many edges between them as possible"; }
  DataKind data() const override { return DataKind::graph; }
  SolutionShape solution_shape() const override { return SolutionShape::subset; }
  using Problem::objective;
  Objective objective() const override { return {"cut", true, true}; }

  std::shared_ptr<Instance> make(InstanceData data) const override {
    const auto& graph = std::get<GraphData>(data.content);
    return std::make_shared<GraphInstance>(*this, data.name, graph.nodes, graph.edges);
  }

  InstanceData data_of(const Instance& instance) const override {
    GraphData graph;
    graph.nodes = instance.size();
    for (Index node = 0; node < instance.size(); ++node) {
      for (const Index neighbour : graph_of(instance).neighbours(node)) {
        if (node < neighbour) {
          graph.edges.push_back({node, neighbour});
        }
      }
    }
    return {.name = instance.name(), .content = std::move(graph)};
  }

  CheckResult check(const Instance& instance, const Solution& side) const override {
    for (std::size_t i = 0; i < side.items.size(); ++i) {
      const Index node = side.items[i];
      if (node < 0 || node >= instance.size() || (i > 0 && node <= side.items[i - 1])) {
        return {false, 0.0, "not a set of nodes"};
      }
    }
    return {true, objective().cost(cut_of(graph_of(instance), side.items)), {}};
  }

  std::span<const GeneratorKind> generators() const override {
    static const std::vector<GeneratorKind> kinds = {
        {"ring", "a ring with chords", true, {kChords}, generate_ring, expect_ring}};
    return kinds;
  }

  drawing::Sheet draw(const Instance& instance, const Solution& side, const Heatmap*,
                      const PictureCaption& caption) const override {
    drawing::Sheet sheet(200.0, 200.0, caption.title);
    for (const Index node : side.items) {
      const double angle = 6.283185307179586 * node / instance.size();
      sheet.circle({100.0 + 80.0 * std::cos(angle), 100.0 + 80.0 * std::sin(angle)}, 4.0, {20, 40, 90});
    }
    return sheet;
  }

  NetworkKind network() const override { return NetworkKind::gcn; }

  DecisionGraph graph_shape(const InstancePtr& instance, const OptionValues&) const override {
    DecisionGraph graph;
    graph.instance = instance;
    graph.kind = VariableKind::node;
    graph.nodes = instance->size();
    graph.variables = graph.nodes;
    graph.offsets = graph_of(*instance).offsets();
    graph.targets = graph_of(*instance).targets();
    return graph;
  }

  DecisionGraph graph(const InstancePtr& instance, const OptionValues& options, const Executor&) const override {
    return graph_shape(instance, options);
  }

  std::unique_ptr<Construction> construction(const DecisionGraph& graph, const OptionValues&) const override {
    return std::make_unique<SideConstruction>(graph);
  }

  Solution instant_solution(const InstancePtr&) const override { return {}; }
  Solution greedy_items(const DecisionGraph&, const OptionValues&, const Halt&) const override { return {}; }
};

class Shape : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    static const MaxCut problem;
    register_problem(problem);
  }

  static InstancePtr ring(Index nodes, int chords = 0) {
    return generate({.problem = "max-cut", .nodes = nodes, .own = OptionValues().set("chords", chords)});
  }

  static Model small_model() {
    ModelConfig config;
    config.family = "max-cut";
    config.hidden = 8;
    config.blocks = 2;
    return random_model(config, 3);
  }

  static TrainConfig training() {
    TrainConfig config;
    set_problem(config, "max-cut");
    config.steps = 4;
    config.model.hidden = 8;
    config.model.blocks = 1;
    config.data.nodes = {12};
    config.data.generator.own.set("chords", 5);
    config.search.samples = 6;
    config.search_steps = {{0.0, 5.0}};
    config.es.pairs = 4;
    config.validation.instances = 4;
    config.validation.every = 2;
    return config;
  }
};

TEST_F(Shape, IsListedAndNamesAreTakenOnce) {
  EXPECT_EQ(problem_names().back(), "max-cut");
  static const MaxCut again;
  EXPECT_THROW(register_problem(again), OptionError);
}

TEST_F(Shape, OptionsOfItsGeneratorAreChecked) {
  EXPECT_THROW(ring(10, -1), OptionError);
  EXPECT_THROW(generate({.problem = "max-cut", .kind = "uniform"}), OptionError);
  EXPECT_THROW(generate({.problem = "max-cut", .own = OptionValues().set("probability", 0.5)}), OptionError);
}

// The gradient is that of the expected cost: against all 2^n sides, each with its probability.
TEST_F(Shape, GradientIsThatOfTheExpectedCost) {
  const InstancePtr instance = ring(4, 1);
  const DecisionGraph graph = decision_graph(instance);
  const auto construction = instance->problem().construction(graph, {});
  const std::vector<float> theta = {0.4f, -0.7f, 0.1f, 1.2f};
  constexpr Index kSamples = 20000;
  SampleSet set;
  set.reshape(kSamples, 4, 4, false);
  SampleScratch scratch;
  for (Index s = 0; s < kSamples; ++s) {
    construction->sample(theta.data(), {stream_key(5, 0, 0), 0, s, 0}, set, scratch);
  }
  compute_advantages(set, 1.0, set.costs);
  std::vector<double> mass(4);
  construction->masses(theta.data(), mass.data());
  std::vector<float> gradient(4);
  construction->gradient(mass.data(), set, 0, 4, gradient.data());
  const auto expected_cost = [&](std::vector<float> at_theta) {
    std::vector<double> p(4);
    construction->masses(at_theta.data(), p.data());
    double cost = 0.0;
    for (unsigned bits = 0; bits < 16; ++bits) {
      double probability = 1.0;
      Solution side;
      for (Index i = 0; i < 4; ++i) {
        const bool chosen = (bits >> i & 1u) != 0;
        probability *= chosen ? p[at(i)] : 1.0 - p[at(i)];
        if (chosen) {
          side.items.push_back(i);
        }
      }
      cost += probability * instance->check(side).cost;
    }
    return cost;
  };
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<float> up = theta;
    std::vector<float> down = theta;
    up[i] += 0.01f;
    down[i] -= 0.01f;
    const double slope = (expected_cost(up) - expected_cost(down)) / 0.02;
    EXPECT_NEAR(gradient[i] * 4.0, slope, 0.05) << i;
  }
}

TEST_F(Shape, SearchesFindTheCutOfARing) {
  const std::vector<InstancePtr> instances = {ring(12)};
  SolveOptions options;
  options.loop.steps = 150;
  options.loop.samples = 16;
  const SolveResult best = solve_once(instances, adam_model("max-cut"), options).at(0);
  EXPECT_TRUE(best.feasible);
  EXPECT_EQ(best.cost, -12.0);  // every edge of an even ring
  options.loop.steps = 5;
  options.keep_heatmap = true;
  const SolveResult learned = solve_once(instances, small_model(), options).at(0);
  EXPECT_TRUE(learned.feasible);
  EXPECT_EQ(learned.cost, instances[0]->check(learned.solution).cost);
  EXPECT_EQ(learned.heatmap->probability.size(), 12u);
  const drawing::Sheet sheet =
      instances[0]->problem().draw(*instances[0], learned.solution, &*learned.heatmap, {"ring", "", ""});
  EXPECT_NE(drawing::svg_document(sheet).find("<circle"), std::string::npos);
}

TEST_F(Shape, WhatItDoesNotHaveIsRefused) {
  const std::vector<InstancePtr> instances = {ring(8)};
  SolveOptions options;
  options.loop.local_search.name = "swap12";
  EXPECT_THROW(solve_once(instances, adam_model("max-cut"), options), OptionError);
  options.loop.local_search.name = "";
  options.loop.problem.set("neighbours", 5);
  EXPECT_THROW(solve_once(instances, adam_model("max-cut"), options), OptionError);
  options.loop.problem = {};
  EXPECT_THROW(solve_once(instances, adam_model("mis"), options), OptionError);
  options.loop.rebuild = 3;
  EXPECT_THROW(solve_once(instances, adam_model("max-cut"), options), OptionError);
  options.loop.rebuild = 0;
  options.loop.steps = 2;
  options.kicks = 100;  // it has none: the result of the steps stands
  EXPECT_TRUE(solve_once(instances, adam_model("max-cut"), options).at(0).feasible);
}

TEST_F(Shape, FilesAreReadAndWritten) {
  const TemporaryFolder folder;
  const InstancePtr made = ring(9, 3);
  write_instances(folder.path() / "ring.graph", {&made, 1});
  const std::vector<InstancePtr> read = read_instances(folder.path() / "ring.graph", {.problem = "max-cut"});
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0]->problem().name(), "max-cut");
  EXPECT_EQ(graph_of(*read[0]).edges(), graph_of(*made).edges());
  const Solution side{{0, 2, 4}};
  write_solutions(folder.path() / "side.kamis", std::vector<SolvedInstance>{{made, side}});
  EXPECT_EQ(read_solutions(folder.path() / "side.kamis", read).at(0), side);
}

TEST_F(Shape, IsEvaluated) {
  DataSet data;
  data.instances = {ring(8), ring(10)};
  data.references = {-8.0, -10.0};
  Solver solver(adam_model("max-cut"), {.engine = EngineKind::cpu});
  const Evaluation evaluation = evaluate(data, solver, {2, 300, 32}, {});
  EXPECT_TRUE(evaluation.complete());
  EXPECT_EQ(summarise(evaluation).cost.mean, -9.0);
  EXPECT_EQ(summarise(evaluation).gap->mean, 0.0);
}

TEST_F(Shape, IsTrainedFor) {
  const TemporaryFolder folder;
  TrainOptions options;
  options.folder = folder.path() / "run";
  options.engine = EngineKind::cpu;
  const auto communicator = single_process();
  const TrainOutcome outcome = train(training(), options, *communicator);
  EXPECT_EQ(outcome.step, 4);
  ASSERT_TRUE(outcome.best_validation.has_value());
  EXPECT_LT(*outcome.best_validation, 0.0);
  const Model model = load_model(options.folder / "best.safetensors");
  EXPECT_EQ(model.config.family, "max-cut");
  const std::string text = format_train_config(training());
  EXPECT_EQ(format_train_config(parse_train_config(text, "again")), text);
  EXPECT_NE(text.find("chords = 5"), std::string::npos) << text;
}

}  // namespace
}  // namespace moco
