// Generators: determinism, independence of instances, and the statistics and structure of each family.
#include "moco/generate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "moco/core/random.h"
#include "moco/error.h"
#include "options.h"
#include "unit/problems/support.h"

namespace moco {
namespace {

using test::edges_of;
using test::points_of;

GeneratorOptions of_kind(std::string_view kind) {
  return test_generator(kind);
}

std::shared_ptr<const TspInstance> tsp(const GeneratorOptions& options, std::uint64_t index = 0) {
  return std::dynamic_pointer_cast<const TspInstance>(generate(options, index));
}

std::shared_ptr<const GraphInstance> mis(const GeneratorOptions& options, std::uint64_t index = 0) {
  return std::dynamic_pointer_cast<const GraphInstance>(generate(options, index));
}

TEST(Generate, KnowsTheProblemOfEachKind) {
  EXPECT_EQ(generate(of_kind("uniform"))->problem().name(), "tsp");
  EXPECT_EQ(generate(of_kind("sat"))->problem().name(), "mis");
  EXPECT_EQ(find_generator({.problem = "mis", .kind = "sat"}).name, "sat");
  EXPECT_THROW(find_generator({.problem = "mis", .kind = "nothing"}), OptionError);
  EXPECT_THROW(find_generator({.problem = "nothing", .kind = "sat"}), OptionError);
  EXPECT_THROW(generate(of_kind("nothing")), OptionError);
  EXPECT_THROW(generate({.problem = "tsp", .kind = "sat"}), OptionError) << "a kind of another problem";
}

TEST(Generate, TakesTheFirstKindWhereNoneIsNamed) {
  EXPECT_EQ(find_generator({.problem = "tsp"}).name, "uniform");
  EXPECT_EQ(find_generator({.problem = "mis"}).name, "er");
  EXPECT_EQ(generate({.problem = "mis"}, 7)->name(), "er-seed1-7");
}

TEST(Generate, IsAFunctionOfSeedAndIndex) {
  for (const std::string_view kind : {"uniform", "clustered"}) {
    GeneratorOptions options = of_kind(kind);
    const auto first = points_of(*tsp(options, 3));
    EXPECT_EQ(first, points_of(*tsp(options, 3)));
    EXPECT_NE(first, points_of(*tsp(options, 4)));
    options.seed = 2;
    EXPECT_NE(first, points_of(*tsp(options, 3)));
  }
  for (const std::string_view kind : {"er", "ba", "rb", "sat"}) {
    GeneratorOptions options = of_kind(kind);
    const auto first = edges_of(*mis(options, 3));
    EXPECT_EQ(first, edges_of(*mis(options, 3)));
    EXPECT_NE(first, edges_of(*mis(options, 4)));
    options.seed = 2;
    EXPECT_NE(first, edges_of(*mis(options, 3)));
  }
}

TEST(Generate, RefusesWhatCannotFitIntoMemory) {
  const auto refusal = [](const GeneratorOptions& options, std::uint64_t count) -> std::string {
    try {
      require_memory(options, count, false);
    } catch (const ResourceError& error) {
      return error.what();
    }
    return "";
  };
  GeneratorOptions er = of_kind("er");
  er.nodes = 100'000'000;
  er.own.set("probability", 1.0);
  EXPECT_THAT(refusal(er, 1), testing::StartsWith("1 instance of kind er with 1e+08 nodes and about 5e+15 edges would "
                                                  "need about 260770322.8 GiB, and "));
  EXPECT_THROW(generate(er), ResourceError);
  GeneratorOptions rb = of_kind("rb");
  rb.own.set("cliques", 70'000);
  rb.own.set("clique_size", 30'000);
  EXPECT_THROW(generate(rb), ResourceError);
  GeneratorOptions sat = of_kind("sat");
  sat.own.set("variables", 3);
  sat.own.set("clauses", 100'000'000).set("max_clauses", 100'000'000);
  EXPECT_THROW(generate(sat), ResourceError);
  GeneratorOptions points = of_kind("uniform");
  points.nodes = 100'000'000;
  EXPECT_THAT(refusal(points, 100'000'000),
              testing::StartsWith("100000000 instances of kind uniform with 1e+08 nodes each would need about "));
  for (const char* kind : {"uniform", "clustered", "er", "ba", "rb", "sat"}) {
    EXPECT_EQ(refusal(of_kind(kind), 1000), "") << kind;
  }
}

TEST(Generate, RefusesMoreEdgesThanItCanNumber) {
  GeneratorOptions ba = of_kind("ba");
  ba.nodes = 100'000'000;
  ba.own.set("attachment", 100);
  EXPECT_THROW(generate(ba), OptionError);
}

TEST(Generate, NamesInstancesBySeedAndIndex) {
  EXPECT_EQ(generate(of_kind("er"), 7)->name(), "er-seed1-7");
}

TEST(Generate, StaysTheSame) {
  // Pins the first numbers of the stream: a change here changes every instance that anybody has generated.
  GeneratorOptions options = of_kind("uniform");
  const auto points = points_of(*tsp(options));
  RandomSequence random(stream_key(1, 0, 0), Purpose::generator);
  EXPECT_EQ(points[0].x, random.next_double());
  EXPECT_EQ(points[0].y, random.next_double());
  EXPECT_EQ(points[1].x, random.next_double());
}

TEST(Generate, DrawsSizesFromTheWholeRange) {
  GeneratorOptions options = of_kind("uniform");
  options.nodes = 10;
  options.max_nodes = 14;
  std::map<Index, int> counts;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    ++counts[generate(options, i)->size()];
  }
  ASSERT_EQ(counts.size(), 5u);
  for (const auto& [size, count] : counts) {
    EXPECT_TRUE(size >= 10 && size <= 14);
    EXPECT_NEAR(count, 200, 60) << size;
  }
}

TEST(Generate, UniformFillsTheUnitSquare) {
  GeneratorOptions options = of_kind("uniform");
  options.nodes = 20'000;
  int cells[4][4] = {};
  for (const auto& [x, y] : points_of(*tsp(options))) {
    ASSERT_TRUE(x >= 0 && x < 1 && y >= 0 && y < 1);
    ++cells[static_cast<int>(x * 4)][static_cast<int>(y * 4)];
  }
  double chi_square = 0.0;
  for (const auto& row : cells) {
    for (const int count : row) {
      chi_square += (count - 1250.0) * (count - 1250.0) / 1250.0;
    }
  }
  EXPECT_LT(chi_square, 37.7);  // 15 degrees of freedom, one in a thousand
}

TEST(Generate, ClusteredStaysNearFewCentres) {
  GeneratorOptions options = of_kind("clustered");
  options.nodes = 2000;
  options.own.set("clusters", 1);
  options.own.set("spread", 0.01);
  const auto points = points_of(*tsp(options));
  double mean = 0.0;
  double square = 0.0;
  for (const auto& [x, y] : points) {
    ASSERT_TRUE(x >= 0 && x < 1 && y >= 0 && y < 1);
    mean += x / 2000;
    square += x * x / 2000;
  }
  EXPECT_NEAR(std::sqrt(square - mean * mean), 0.01, 0.002);
  options.own.set("spread", 0.0);
  const auto heap = points_of(*tsp(options));
  EXPECT_TRUE(std::all_of(heap.begin(), heap.end(), [&](const auto& point) { return point == heap[0]; }));
}

TEST(Generate, ErHasTheRightNumberOfEdges) {
  GeneratorOptions options = of_kind("er");
  options.nodes = 1000;
  for (const double p : {0.001, 0.02, 0.15, 0.5, 0.9}) {
    options.own.set("probability", p);
    const auto graph = mis(options);
    const double pairs = 1000.0 * 999 / 2;
    EXPECT_NEAR(static_cast<double>(graph->edges()), pairs * p, 4 * std::sqrt(pairs * p * (1 - p))) << p;
    EXPECT_EQ(graph->dropped_duplicates(), 0);
    EXPECT_EQ(graph->dropped_self_loops(), 0);
  }
  options.nodes = 50;
  options.own.set("probability", 0.0);
  EXPECT_EQ(mis(options)->edges(), 0);
  options.own.set("probability", 1e-300);
  EXPECT_EQ(mis(options)->edges(), 0);
  options.own.set("probability", 1.0);
  EXPECT_EQ(mis(options)->edges(), 50 * 49 / 2);
  options.nodes = 1;
  EXPECT_EQ(mis(options)->edges(), 0);
}

TEST(Generate, ErGivesEveryPairTheSameProbability) {
  GeneratorOptions options = of_kind("er");
  options.nodes = 6;
  options.own.set("probability", 0.3);
  std::map<std::pair<Index, Index>, int> counts;
  const int instances = 4000;
  for (int i = 0; i < instances; ++i) {
    for (const auto& edge : edges_of(*mis(options, static_cast<std::uint64_t>(i)))) {
      ++counts[edge];
    }
  }
  ASSERT_EQ(counts.size(), 15u);
  for (const auto& [edge, count] : counts) {
    EXPECT_NEAR(count, 1200, 5 * std::sqrt(4000 * 0.3 * 0.7)) << edge.first << " " << edge.second;
  }
}

TEST(Generate, BaAttachesEveryNewNode) {
  GeneratorOptions options = of_kind("ba");
  options.nodes = 400;
  options.own.set("attachment", 3);
  const auto graph = mis(options);
  EXPECT_EQ(graph->edges(), 3 * (400 - 3));
  EXPECT_EQ(graph->dropped_duplicates(), 0);
  std::size_t largest = 0;
  for (Index node = 0; node < graph->size(); ++node) {
    const auto row = graph->neighbours(node);
    largest = std::max(largest, row.size());
    if (node > 3) {
      EXPECT_EQ(std::count_if(row.begin(), row.end(), [&](Index other) { return other < node; }), 3);
    }
  }
  EXPECT_GT(largest, 20u);  // a hub; a graph with even chances would hardly exceed 12
}

TEST(Generate, RbIsMadeOfCliquesAndConstraints) {
  GeneratorOptions options = of_kind("rb");
  options.own.set("cliques", 12);
  options.own.set("clique_size", 5);
  options.own.set("tightness", 0.3);
  options.own.set("density", 0.7);
  const auto graph = mis(options);
  ASSERT_EQ(graph->size(), 60);
  std::map<std::pair<Index, Index>, int> between;
  Offset inside = 0;
  for (const auto& [u, v] : edges_of(*graph)) {
    u / 5 == v / 5 ? static_cast<void>(++inside) : static_cast<void>(++between[{u / 5, v / 5}]);
  }
  EXPECT_EQ(inside, 12 * 10);
  const auto constraints = std::lround(0.7 * 12 * std::log(12.0));
  const Offset conflicts = std::lround(0.3 * 25);
  EXPECT_EQ(graph->edges() + graph->dropped_duplicates() - inside, constraints * conflicts);
  EXPECT_LE(between.size(), static_cast<std::size_t>(constraints));
  for (const auto& [cliques, count] : between) {
    EXPECT_GE(count, conflicts);
  }
}

TEST(Generate, SatLinksContradictingLiterals) {
  GeneratorOptions options = of_kind("sat");
  options.own.set("variables", 20);
  options.own.set("clauses", 50);
  options.own.set("max_clauses", 0);
  const auto graph = mis(options);
  ASSERT_EQ(graph->size(), 150);
  EXPECT_EQ(graph->dropped_duplicates(), 0);
  for (Index clause = 0; clause < 50; ++clause) {
    for (Index i = 0; i < 3; ++i) {
      const auto row = graph->neighbours(3 * clause + i);
      EXPECT_EQ(std::count_if(row.begin(), row.end(), [&](Index other) { return other / 3 == clause; }), 2);
    }
  }
  // Without the triangles every connected component is complete bipartite: the two signs of one variable.
  std::vector<std::set<Index>> outside(150);
  for (const auto& [u, v] : edges_of(*graph)) {
    if (u / 3 != v / 3) {
      outside[static_cast<std::size_t>(u)].insert(v);
      outside[static_cast<std::size_t>(v)].insert(u);
    }
  }
  for (Index u = 0; u < 150; ++u) {
    for (const Index v : outside[static_cast<std::size_t>(u)]) {
      for (const Index w : outside[static_cast<std::size_t>(v)]) {
        EXPECT_EQ(outside[static_cast<std::size_t>(u)], outside[static_cast<std::size_t>(w)]);
      }
    }
  }
}

TEST(Generate, SatDefaultsLookLikeSatlib) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto graph = mis(of_kind("sat"), i);
    EXPECT_EQ(graph->size() % 3, 0);
    EXPECT_TRUE(graph->size() >= 3 * 403 && graph->size() <= 3 * 449);
    // A triangle per clause, and per variable the product of its positive and negative occurrences.
    const double literals = graph->size();
    EXPECT_NEAR(static_cast<double>(graph->edges()), literals + literals * literals / 400, 250);
  }
}

TEST(Generate, WeightsLeaveTheGraphsAsTheyAre) {
  for (const std::string_view kind : {"er", "ba", "rb", "sat"}) {
    GeneratorOptions options = of_kind(std::string(kind));
    const auto plain = mis(options, 2);
    EXPECT_TRUE(plain->weights().empty());
    for (const std::string_view weights : {"uniform", "integer", "degree"}) {
      options.own.set("weights", weights);
      const auto weighted = mis(options, 2);
      EXPECT_EQ(edges_of(*weighted), edges_of(*plain)) << kind << " " << weights;
      ASSERT_EQ(weighted->weights().size(), static_cast<std::size_t>(weighted->size()));
      EXPECT_TRUE(std::ranges::equal(weighted->weights(), mis(options, 2)->weights()));
    }
  }
}

TEST(Generate, WeightsAreOfTheirKind) {
  GeneratorOptions options = of_kind("er");
  options.nodes = 5000;
  options.own.set("probability", 0.001);
  options.own.set("weights", "uniform");
  double sum = 0.0;
  const auto uniform = mis(options);
  for (const double weight : uniform->weights()) {
    EXPECT_TRUE(weight > 0.0 && weight <= 1.0);
    sum += weight;
  }
  EXPECT_NEAR(sum / 5000, 0.5, 0.02);
  options.own.set("weights", "integer");
  options.own.set("max_weight", 4);
  std::map<double, int> counts;
  const auto integers = mis(options);
  for (const double weight : integers->weights()) {
    ++counts[weight];
  }
  EXPECT_THAT(counts, testing::ElementsAre(testing::Key(1.0), testing::Key(2.0), testing::Key(3.0), testing::Key(4.0)));
  for (const auto& [weight, count] : counts) {
    EXPECT_NEAR(count, 1250, 150) << weight;
  }
  options.own.set("weights", "degree");
  const auto graph = mis(options);
  for (Index node = 0; node < graph->size(); ++node) {
    EXPECT_EQ(graph->weights()[static_cast<std::size_t>(node)],
              1.0 + static_cast<double>(graph->neighbours(node).size()));
  }
}

TEST(Generate, RejectsOptionsOutOfRange) {
  const auto expect_rejected = [](const std::string& kind, auto change) {
    GeneratorOptions options = of_kind(kind);
    change(options);
    EXPECT_THROW(generate(options), OptionError) << kind;
  };
  expect_rejected("uniform", [](auto& o) { o.nodes = 0; });
  expect_rejected("clustered", [](auto& o) { o.own.set("clusters", 0); });
  expect_rejected("clustered", [](auto& o) { o.own.set("spread", -0.1); });
  expect_rejected("clustered", [](auto& o) { o.own.set("spread", std::nan("")); });
  expect_rejected("er", [](auto& o) { o.nodes = -1; });
  expect_rejected("er", [](auto& o) { o.own.set("probability", 1.5); });
  expect_rejected("er", [](auto& o) { o.own.set("probability", std::nan("")); });
  expect_rejected("ba", [](auto& o) { o.own.set("attachment", 0); });
  expect_rejected("ba", [](auto& o) { o.own.set("attachment", 100); });
  expect_rejected("rb", [](auto& o) { o.own.set("cliques", 1); });
  expect_rejected("rb", [](auto& o) { o.own.set("clique_size", 0); });
  expect_rejected("rb", [](auto& o) { o.own.set("tightness", 2); });
  expect_rejected("rb", [](auto& o) { o.own.set("density", -1); });
  expect_rejected("sat", [](auto& o) { o.own.set("variables", 2); });
  expect_rejected("sat", [](auto& o) { o.own.set("clauses", 0); });
  expect_rejected("sat", [](auto& o) { o.own.set("max_clauses", 2'000'000'000); });
  expect_rejected("sat", [](auto& o) { o.own.set("clauses", 4.5); });
  expect_rejected("er", [](auto& o) { o.own.set("probability", "high"); });
  expect_rejected("er", [](auto& o) { o.own.set("clusters", 8); });
  expect_rejected("er", [](auto& o) { o.own.set("weights", "heavy"); });
  expect_rejected("er", [](auto& o) { o.own.set("max_weight", 0); });
  expect_rejected("uniform", [](auto& o) { o.own.set("weights", "integer"); });
}

}  // namespace
}  // namespace moco
