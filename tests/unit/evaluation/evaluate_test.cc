// Scores, gaps, means and standard errors, and evaluations of small data sets.
#include "moco/evaluate.h"

#include <cmath>

#include <gtest/gtest.h>

#include "moco/error.h"
#include "moco/evaluation/evaluation_json.h"
#include "moco/generate.h"
#include "moco/model.h"
#include "options.h"

namespace moco {
namespace {

InstancePtr square() {
  return std::make_shared<TspInstance>("square", std::vector<Point>{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, Metric::euclidean);
}

DataSet generated(const char* kind, Index nodes, std::size_t count) {
  DataSet data;
  GeneratorOptions options = test_generator(kind);
  options.nodes = nodes;
  for (std::size_t i = 0; i < count; ++i) {
    data.instances.push_back(generate(options, i));
  }
  data.references.resize(count);
  return data;
}

TEST(Estimate, MeanAndStandardError) {
  const std::vector<double> values = {1.0, 2.0, 3.0, 6.0};
  const Estimate result = estimate(values).value();
  EXPECT_EQ(result.count, 4u);
  EXPECT_DOUBLE_EQ(result.mean, 3.0);
  EXPECT_DOUBLE_EQ(result.standard_error.value(), std::sqrt(14.0 / 3.0 / 4.0));
}

TEST(Estimate, OneValueHasNoErrorAndNoneHasNoMean) {
  EXPECT_FALSE(estimate({}).has_value());
  const std::vector<double> one = {5.0};
  EXPECT_DOUBLE_EQ(estimate(one)->mean, 5.0);
  EXPECT_FALSE(estimate(one)->standard_error.has_value());
}

TEST(Score, GapOfATourIsRelativeToTheReference) {
  const InstanceScore score = score_of(*square(), {{0, 1, 2, 3}}, 3.2);
  EXPECT_DOUBLE_EQ(score.cost, 4.0);
  EXPECT_DOUBLE_EQ(score.gap.value(), 0.25);
  EXPECT_LT(score_of(*square(), {{0, 1, 2, 3}}, 5.0).gap.value(), 0.0) << "a beaten reference stays negative";
  EXPECT_FALSE(score_of(*square(), {{0, 1, 2, 3}}, std::nullopt).gap.has_value());
}

TEST(Score, GapOfASetIsWhatIsMissing) {
  const std::vector<Edge> edges = {{0, 1}};
  const GraphInstance graph(mis(), "graph", 5, edges);
  EXPECT_DOUBLE_EQ(score_of(graph, {{0, 2, 3}}, -4.0).gap.value(), 0.25);
  EXPECT_DOUBLE_EQ(score_of(graph, {{0, 2, 3, 4}}, -2.0).gap.value(), -1.0);
}

TEST(Score, AnInfeasibleSolutionIsAnError) {
  EXPECT_THROW(score_of(*square(), {{0, 1, 2, 2}}, std::nullopt), InfeasibleSolution);
  EXPECT_THROW(score_of(*square(), {{0, 1}}, 4.0), InfeasibleSolution);
}

TEST(Summarise, AveragesTheInstancesGapsAndCountsThoseBeaten) {
  Evaluation evaluation;
  evaluation.asked = 4;
  evaluation.whole_seconds = 8.0;
  evaluation.scores = {{"a", 5, 11.0, 10.0, 0.1, 1.0},
                       {"b", 5, 30.0, 20.0, 0.5, 2.0},
                       {"c", 5, 9.0, 10.0, -0.1, 3.0},
                       {"d", 5, 2.0, {}, {}, 2.0}};
  const Summary summary = summarise(evaluation);
  EXPECT_DOUBLE_EQ(summary.cost.mean, 13.0);
  EXPECT_EQ(summary.gap->count, 3u);
  EXPECT_NEAR(summary.gap->mean, 0.5 / 3.0, 1e-15) << "the mean of gaps, not the gap of means";
  EXPECT_NEAR(summary.reference_mean, 40.0 / 3.0, 1e-12);
  EXPECT_EQ(summary.better, 1u);
  EXPECT_DOUBLE_EQ(summary.search_seconds, 2.0);
  EXPECT_DOUBLE_EQ(summary.whole_seconds, 2.0);
}

TEST(Summarise, TheSameSolutionAddedUpInAnotherOrderIsNotBetter) {
  Evaluation evaluation;
  evaluation.asked = 2;
  const double sum = 0.1 + (0.2 + 0.3);
  const double other = (0.1 + 0.2) + 0.3;
  ASSERT_LT(sum, other);
  evaluation.scores = {{"a", 5, sum, other, (sum - other) / other, 1.0}, {"b", 5, 0.5, 0.6, -0.1 / 0.6, 1.0}};
  EXPECT_EQ(summarise(evaluation).better, 1u);
}

TEST(Evaluate, ScoresEveryInstanceWhateverTheBatch) {
  const DataSet data = generated("uniform", 12, 5);
  EvaluationOptions options;
  options.curve = true;
  Solver solver(adam_model("tsp"), {EngineKind::cpu, 2});
  options.search.batch = 1;
  const Evaluation alone = evaluate(data, solver, {2, 4, 8}, options);
  options.search.batch = 3;
  const Evaluation together = evaluate(data, solver, {2, 4, 8}, options);
  options.search.batch = 0;
  const Evaluation filled = evaluate(data, solver, {2, 4, 8}, options);
  EXPECT_GE(filled.batch, 1);
  for (const Evaluation* evaluation : {&alone, &together, &filled}) {
    ASSERT_TRUE(evaluation->complete());
    EXPECT_EQ(evaluation->engine, "cpu");
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(evaluation->scores[i].cost, alone.scores[i].cost);
    }
    ASSERT_EQ(evaluation->curve.size(), 4u);
    EXPECT_NEAR(evaluation->curve.back().best, summarise(alone).cost.mean, 1e-4) << "the curve ends at the mean";
    EXPECT_GE(evaluation->curve.front().best, evaluation->curve.back().best);
  }
}

TEST(Evaluate, AnInterruptedInstanceIsDropped) {
  const DataSet data = generated("er", 30, 3);
  EvaluationOptions options;
  options.search.batch = 1;
  std::size_t done = 0;
  options.scored = [&](const InstanceScore&) { ++done; };
  options.search.interrupted = [&] { return done >= 1; };
  Solver solver(adam_model("mis"), {.engine = EngineKind::cpu});
  const Evaluation evaluation = evaluate(data, solver, {1, 5, 4}, options);
  EXPECT_EQ(evaluation.scores.size(), 1u);
  EXPECT_FALSE(evaluation.complete());
}

TEST(KeepFirst, KeepsInstancesAndReferencesTogether) {
  DataSet data = generated("uniform", 5, 3);
  data.references = {1.0, {}, 3.0};
  keep_first(data, 2);
  EXPECT_EQ(data.instances.size(), 2u);
  EXPECT_EQ(data.references, (ReferenceCosts{1.0, {}}));
  keep_first(data, 9);
  EXPECT_EQ(data.instances.size(), 2u);
}

TEST(EvaluationJson, SetsAreReportedBySize) {
  Evaluation evaluation;
  evaluation.asked = 2;
  evaluation.scores = {{"a", 9, -4.0, -5.0, 0.2, 1.0}, {"b", 9, -6.0, {}, {}, 1.0}};
  EvaluationLabels labels;
  labels.problem = "mis";
  labels.objective = mis().objective();
  const auto object = evaluation_json(evaluation, labels, true);
  EXPECT_EQ(object.at("size").at("mean"), 5.0);
  EXPECT_EQ(object.at("reference").at("mean"), 5.0);
  EXPECT_EQ(object.at("reference").at("instances"), 1);
  EXPECT_TRUE(object.at("gap").at("standard_error").is_null());
  EXPECT_EQ(object.at("scores").at(1).at("size"), 6.0);
  EXPECT_TRUE(object.at("scores").at(1).at("gap").is_null());
  EXPECT_FALSE(object.contains("neighbours"));
}

}  // namespace
}  // namespace moco
