// Round trips of weights, labels, matrices and heights, and what each format refuses.
#include "unit/formats/support.h"

namespace moco {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

InstanceData graph_data(std::vector<double> node_weights, std::vector<double> edge_weights,
                        std::vector<std::string> labels = {}) {
  return {.name = "g",
          .content = GraphData{.nodes = 3,
                               .edges = {{2, 1}, {0, 1}, {1, 1}},
                               .node_weights = std::move(node_weights),
                               .edge_weights = std::move(edge_weights)},
          .labels = std::move(labels),
          .reference = {}};
}

InstanceData matrix_data(std::vector<double> matrix) {
  return {.name = "m",
          .content = PointData{.metric = Metric::matrix, .points = {}, .matrix = std::move(matrix), .heights = {}},
          .labels = {},
          .reference = {}};
}

std::string written(const InstanceData& data, InstanceFormat format) {
  const InstanceData* const one[] = {&data};
  return format_data(one, format);
}

std::string refusal(const InstanceData& data, InstanceFormat format) {
  try {
    written(data, format);
  } catch (const OptionError& error) {
    return error.what();
  }
  return "no refusal";
}

GraphData graph_back(const InstanceData& data, InstanceFormat format) {
  return std::get<GraphData>(parse_data(written(data, format), "in", {.format = format}).instances.at(0).content);
}

TEST(GraphWriters, KeepWeightsWhereTheyCan) {
  using enum InstanceFormat;
  for (const InstanceFormat format : {dimacs, metis, ml4co}) {
    EXPECT_THAT(graph_back(graph_data({5, 1, 7}, {}), format).node_weights, ElementsAre(5, 1, 7));
  }
  for (const InstanceFormat format : {metis, edge_list, matrix_market, csv}) {
    EXPECT_THAT(graph_back(graph_data({}, {4, 2, 9}), format).edge_weights, ElementsAre(2, 4)) << to_string(format);
  }
  EXPECT_EQ(written(graph_data({5, 1, 7}, {4, 2, 9}), metis), "3 2 11\n5 2 2\n1 1 2 3 4\n7 2 4\n");
  for (const InstanceFormat format : {pace, edge_list, matrix_market, csv}) {
    EXPECT_THAT(refusal(graph_data({5, 1, 7}, {}), format), HasSubstr("'g' has node weights, which"))
        << to_string(format);
  }
  for (const InstanceFormat format : {dimacs, pace, ml4co}) {
    EXPECT_THAT(refusal(graph_data({}, {4, 2, 9}), format), HasSubstr("'g' has edge weights, which"));
  }
  EXPECT_THAT(refusal(graph_data({0.5, 1, 7}, {}), metis), HasSubstr("metis holds whole numbers only"));
  EXPECT_THAT(refusal(graph_data({}, {}), npy), HasSubstr("format npy holds points or distances, but 'g' is a graph"));
  EXPECT_EQ(written(graph_data({}, {}), pace), "c g\np td 3 2\n1 2\n2 3\n");
}

TEST(GraphWriters, WriteLabelsInLists) {
  const InstanceData named = graph_data({}, {}, {"a", "b", "c"});
  EXPECT_EQ(written(named, InstanceFormat::edge_list), "a b\nb c\n");
  EXPECT_EQ(written(named, InstanceFormat::csv), "source,target\na,b\nb,c\n");
  EXPECT_EQ(written(graph_data({}, {}), InstanceFormat::edge_list), "# nodes 3\n0 1\n1 2\n");
  const InstanceData like_a_header = graph_data({}, {}, {"u", "v", "w"});
  EXPECT_EQ(written(like_a_header, InstanceFormat::edge_list), "source target\nu v\nv w\n");
  EXPECT_THAT(parse_data(written(like_a_header, InstanceFormat::edge_list), "in.edges").instances.at(0).labels,
              ElementsAre("u", "v", "w"));
  EXPECT_THAT(refusal(graph_data({}, {}, {"a b", "b", "c"}), InstanceFormat::edge_list), HasSubstr("'a b'"));
  InstanceData isolated = named;
  std::get<GraphData>(isolated.content).edges = {{0, 1}};
  EXPECT_THAT(refusal(isolated, InstanceFormat::edge_list), HasSubstr("node c of 'g' has no edge"));
  EXPECT_THAT(refusal(isolated, InstanceFormat::csv), HasSubstr("node c of 'g' has no edge"));
}

TEST(GraphWriters, KeepReferencesInMl4co) {
  InstanceData one = graph_data({}, {});
  one.reference = Solution{{0, 2}};
  EXPECT_EQ(written(one, InstanceFormat::ml4co), "0 1 1 0 1 2 2 1 label 1 0 1\n");
  const InstanceData two = graph_data({0.5, 1, 2}, {});
  const InstanceData three = graph_data({}, {});
  const InstanceData* const all[] = {&one, &two, &three};
  const auto back = parse_data(format_data(all, InstanceFormat::ml4co), "in.txt").instances;
  ASSERT_EQ(back.size(), 3u);
  EXPECT_EQ(back[0].reference, one.reference);
  EXPECT_THAT(std::get<GraphData>(back[1].content).node_weights, ElementsAre(0.5, 1, 2));
  EXPECT_THAT(std::get<GraphData>(back[2].content).node_weights, IsEmpty());
  EXPECT_EQ(std::get<GraphData>(back[2].content).nodes, 3);
}

TEST(PointWriters, KeepMatrices) {
  using enum InstanceFormat;
  const std::vector<double> symmetric{0, 1.5, 2, 1.5, 0, 3, 2, 3, 0};
  const std::vector<double> asymmetric{9, 1, 2, 3, 9, 5, 6, 7, 9};
  for (const InstanceFormat format : {tsplib, matrix, matrix_market, npy}) {
    for (const auto& entries : {symmetric, asymmetric}) {
      const auto back = parse_data(written(matrix_data(entries), format), "in", {.format = format}).instances;
      EXPECT_EQ(std::get<PointData>(back.at(0).content).matrix, entries) << to_string(format);
    }
  }
  const auto back = parse_data(written(matrix_data(symmetric), csv), "in.csv").instances;
  EXPECT_EQ(std::get<PointData>(back.at(0).content).matrix, symmetric);
  EXPECT_THAT(refusal(matrix_data(symmetric), concorde), HasSubstr("has metric EXPLICIT, which concorde cannot"));
  EXPECT_THAT(refusal(matrix_data({0, 1, 1, 0}), npy), HasSubstr("which npy cannot express"));
  EXPECT_THAT(refusal(matrix_data({0, 1, 1, 0}), csv), HasSubstr("which csv cannot express"));
}

TEST(PointWriters, OnlyTsplibHoldsFixedEdges) {
  using enum InstanceFormat;
  const InstanceData places{
      .name = "f",
      .content = PointData{.metric = Metric::euc_2d, .points = {{1, 2}, {3, 4}, {5, 9}}, .fixed = {{0, 2}, {1, 0}}}};
  const auto back = parse_data(written(places, tsplib), "in.tsp").instances;
  EXPECT_THAT(std::get<PointData>(back.at(0).content).fixed, ElementsAre(Edge{0, 2}, Edge{1, 0}));
  EXPECT_EQ(std::get<PointData>(scaled(places, 3.0).content).fixed.size(), 2u);
  InstanceData distances = matrix_data({0, 1.5, 2, 1.5, 0, 3, 2, 3, 0});
  std::get<PointData>(distances.content).fixed = {{0, 1}};
  const auto known = parse_data(written(distances, tsplib), "in.tsp").instances;
  EXPECT_THAT(std::get<PointData>(known.at(0).content).fixed, ElementsAre(Edge{0, 1}));
  for (const InstanceFormat format : {matrix, matrix_market, npy, csv, concorde}) {
    EXPECT_THAT(refusal(distances, format), HasSubstr("has fixed edges, which")) << to_string(format);
  }
  for (const InstanceFormat format : {npy, csv, concorde}) {
    EXPECT_THAT(refusal(places, format), HasSubstr("has fixed edges, which")) << to_string(format);
  }
}

TEST(PointWriters, KeepHeightsAndLabels) {
  const InstanceData spatial{
      .name = "s",
      .content = PointData{.metric = Metric::ceil_3d, .points = {{1, 2}, {3, 4}}, .matrix = {}, .heights = {0.5, -7}},
      .labels = {},
      .reference = {}};
  const auto back = parse_data(written(spatial, InstanceFormat::tsplib), "in.tsp").instances;
  EXPECT_EQ(std::get<PointData>(back.at(0).content).metric, Metric::ceil_3d);
  EXPECT_THAT(std::get<PointData>(back.at(0).content).heights, ElementsAre(0.5, -7));
  EXPECT_THAT(refusal(spatial, InstanceFormat::csv), HasSubstr("has metric CEIL_3D, which csv cannot express"));
  const InstanceData named{
      .name = "n",
      .content = PointData{.metric = Metric::euclidean, .points = {{1, 2}, {3, 4}}, .matrix = {}, .heights = {}},
      .labels = {"Paris", "Rome"},
      .reference = {}};
  EXPECT_EQ(written(named, InstanceFormat::csv), "id,x,y\nParis,1,2\nRome,3,4\n");
  EXPECT_THAT(parse_data(written(named, InstanceFormat::csv), "in.csv").instances.at(0).labels,
              ElementsAre("Paris", "Rome"));
}

}  // namespace
}  // namespace moco
