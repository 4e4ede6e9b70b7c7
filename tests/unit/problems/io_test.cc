// Format detection, round trips of every instance writer, compression, and the refusals of the dispatcher.
#include <fstream>
#include <limits>

#include "moco/core/files.h"
#include "moco/generate.h"
#include "options.h"
#include "unit/problems/support.h"

namespace moco {
namespace {

using test::edges_of;
using test::points_of;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Whether two instances are the same in everything but their names.
void expect_same(const Instance& a, const Instance& b) {
  ASSERT_EQ(a.problem().name(), b.problem().name());
  EXPECT_EQ(a.reference(), b.reference());
  if (const auto* first = dynamic_cast<const TspInstance*>(&a)) {
    const auto& second = dynamic_cast<const TspInstance&>(b);
    EXPECT_EQ(first->metric(), second.metric());
    EXPECT_EQ(points_of(*first), points_of(second));
    EXPECT_TRUE(
        std::equal(first->matrix().begin(), first->matrix().end(), second.matrix().begin(), second.matrix().end()));
    EXPECT_EQ(first->scale(), second.scale());
  } else {
    EXPECT_EQ(a.size(), b.size());
    EXPECT_EQ(a.labels(), b.labels());
    EXPECT_EQ(edges_of(dynamic_cast<const GraphInstance&>(a)), edges_of(dynamic_cast<const GraphInstance&>(b)));
  }
}

InstancePtr generated(std::string_view kind, Index nodes, std::uint64_t index) {
  GeneratorOptions options = test_generator(kind, nodes);
  set_where_declared(options, "probability", 0.1);
  set_where_declared(options, "attachment", 2);
  return generate(options, index);
}

TEST(FormatNames, GoBothWays) {
  for (const auto format :
       {InstanceFormat::automatic, InstanceFormat::tsplib, InstanceFormat::concorde, InstanceFormat::npy,
        InstanceFormat::csv, InstanceFormat::dimacs, InstanceFormat::metis, InstanceFormat::edge_list,
        InstanceFormat::matrix_market, InstanceFormat::ml4co, InstanceFormat::pace, InstanceFormat::matrix}) {
    EXPECT_EQ(instance_format_from(to_string(format)), format);
  }
  for (const auto format : {SolutionFormat::automatic, SolutionFormat::tour, SolutionFormat::node_list,
                            SolutionFormat::kamis, SolutionFormat::json, SolutionFormat::csv}) {
    EXPECT_EQ(solution_format_from(to_string(format)), format);
  }
  try {
    instance_format_from("gif");
    FAIL();
  } catch (const OptionError& error) {
    EXPECT_STREQ(error.what(),
                 "unknown instance format 'gif'; known are auto, tsplib, concorde, npy, csv, dimacs, metis, edge-list, "
                 "matrix-market, ml4co, pace, matrix");
  }
  EXPECT_THROW(solution_format_from(""), OptionError);
}

TEST(InstanceFiles, GoRoundInEveryCoordinateFormat) {
  const TemporaryFolder folder;
  for (const std::string_view kind : {"uniform", "clustered"}) {
    for (const Index n : {1, 2, 3, 50}) {
      const std::vector<InstancePtr> original{generated(std::string(kind), n, static_cast<std::uint64_t>(n))};
      for (const std::string_view name : {"a.concorde", "a.npy", "a.csv", "a.concorde.gz", "a.npy.gz", "a.csv.gz"}) {
        write_instances(folder / name, original);
        const auto back = read_instances(folder / name);
        ASSERT_EQ(back.size(), 1u) << name;
        expect_same(*original[0], *back[0]);
        EXPECT_EQ(back[0]->name(), "a");
      }
    }
  }
}

TEST(InstanceFiles, GoRoundInTsplibWithEveryMetric) {
  const TemporaryFolder folder;
  const auto points = points_of(dynamic_cast<const TspInstance&>(*generated("uniform", 30, 1)));
  std::vector<Point> degrees;
  for (const auto& [x, y] : points) {
    degrees.push_back({x * 80, y * 170});
  }
  std::vector<InstancePtr> originals;
  for (const Metric metric :
       {Metric::euc_2d, Metric::ceil_2d, Metric::man_2d, Metric::max_2d, Metric::geo, Metric::att}) {
    originals.push_back(std::make_shared<TspInstance>("with: colon", degrees, metric));
  }
  originals.push_back(std::make_shared<TspInstance>("s", std::vector<Point>{{1, 2}, {3, 4}}, Metric::euc_3d,
                                                    std::vector<double>{5, 0.5}));
  const std::vector<double> symmetric{0, 1.5, 2, 1.5, 0, 1e-7, 2, 1e-7, 0};
  const std::vector<double> asymmetric{9, 1, 2, 3, 9, 5, -6, 7, 9};
  originals.push_back(std::make_shared<TspInstance>("m", 3, symmetric));
  originals.push_back(std::make_shared<TspInstance>("m", 3, asymmetric));
  originals.push_back(std::make_shared<TspInstance>("m", 3, symmetric, std::vector<Point>{{1, 2}, {3, 4}, {5, 6}}));
  originals.push_back(std::make_shared<TspInstance>("one", 1, std::vector<double>{0}));
  for (const InstancePtr& original : originals) {
    write_instances(folder / "a.tsp", {&original, 1});
    std::vector<std::string> warnings;
    const auto back = read_instances(folder / "a.tsp", {}, &warnings);
    EXPECT_TRUE(warnings.empty());
    expect_same(*original, *back.at(0));
    EXPECT_EQ(original->name(), back[0]->name());
  }
}

TEST(InstanceFiles, GoRoundInEveryGraphFormat) {
  const TemporaryFolder folder;
  for (const std::string_view kind : {"er", "ba"}) {
    for (const Index n : {3, 10, 80}) {
      const std::vector<InstancePtr> original{generated(std::string(kind), n, static_cast<std::uint64_t>(n))};
      for (const std::string_view name : {"a.col", "a.clq", "a.mis", "a.graph", "a.metis", "a.edges", "a.mtx", "a.txt",
                                          "a.gr", "a.ml4co", "a.graph.gz"}) {
        write_instances(folder / name, original);
        std::vector<std::string> warnings;
        const auto back = read_instances(folder / name, {}, &warnings);
        ASSERT_EQ(back.size(), 1u) << name;
        expect_same(*original[0], *back[0]);
        EXPECT_TRUE(warnings.empty()) << name;
      }
    }
  }
}

TEST(InstanceFiles, GoRoundWithoutEdges) {
  const TemporaryFolder folder;
  const std::vector<InstancePtr> original{std::make_shared<GraphInstance>(mis(), "lonely", 4, std::span<Edge>())};
  for (const std::string_view name : {"a.col", "a.graph", "a.edges", "a.mtx", "a.txt"}) {
    write_instances(folder / name, original);
    expect_same(*original[0], *read_instances(folder / name).at(0));
  }
}

TEST(InstanceFiles, HoldSeveralInstancesWithReferences) {
  const TemporaryFolder folder;
  std::vector<InstancePtr> originals;
  for (std::uint64_t i = 0; i < 5; ++i) {
    GeneratorOptions options;
    options.nodes = 4;
    auto instance = std::make_shared<TspInstance>(
        "x", points_of(dynamic_cast<const TspInstance&>(*generate(options, i))), Metric::euclidean);
    if (i % 2 == 0) {
      instance->set_reference({{2, 0, 3, 1}});
    }
    originals.push_back(std::move(instance));
  }
  for (const std::string_view name : {"many.txt", "many.txt.gz", "many.concorde"}) {
    write_instances(folder / name, originals);
    const auto back = read_instances(folder / name);
    ASSERT_EQ(back.size(), 5u);
    for (std::size_t i = 0; i < back.size(); ++i) {
      expect_same(*originals[i], *back[i]);
      EXPECT_EQ(back[i]->name(), fmt::format("many#{}", i));
    }
  }
  write_instances(folder / "many.npy", originals);
  const auto back = read_instances(folder / "many.npy");
  ASSERT_EQ(back.size(), 5u);
  EXPECT_EQ(points_of(dynamic_cast<const TspInstance&>(*back[3])),
            points_of(dynamic_cast<const TspInstance&>(*originals[3])));
}

TEST(InstanceFiles, RefuseWhatAFormatCannotExpress) {
  const TemporaryFolder folder;
  const InstancePtr city = generated("uniform", 3, 0);
  const InstancePtr larger = generated("uniform", 4, 0);
  const InstancePtr graph = generated("er", 3, 0);
  const InstancePtr rounded = std::make_shared<TspInstance>("r", std::vector<Point>(3), Metric::euc_2d);
  const auto refusal = [&](std::string_view name, std::vector<InstancePtr> instances,
                           InstanceFormat format = InstanceFormat::automatic) -> std::string {
    try {
      write_instances(folder / name, instances, format);
    } catch (const OptionError& error) {
      EXPECT_FALSE(std::filesystem::exists(folder / name));
      return error.what();
    }
    return "no refusal";
  };
  EXPECT_EQ(refusal("a.npy", {}), "there is no instance to write");
  EXPECT_THAT(refusal("a.what", {city}), HasSubstr("does not tell the format"));
  EXPECT_THAT(refusal("a.tsp", {city}), HasSubstr("TSPLIB cannot express"));
  EXPECT_THAT(refusal("a.csv", {rounded}), HasSubstr("has metric EUC_2D, which csv cannot express"));
  EXPECT_THAT(refusal("a.npy", {rounded}), HasSubstr("which npy cannot express"));
  EXPECT_THAT(refusal("a.txt", {rounded}), HasSubstr("which concorde cannot express"));
  EXPECT_THAT(refusal("a.csv", {city, city}), HasSubstr("format csv holds one instance a file, not 2"));
  EXPECT_THAT(refusal("a.npy", {city, larger}), HasSubstr("npy holds instances of one size"));
  EXPECT_THAT(refusal("a.graph", {city}), HasSubstr("format metis holds graphs, but '"));
  EXPECT_THAT(refusal("a.npy", {graph}), HasSubstr("format npy holds points or distances, but '"));
}

TEST(FormatDetection, LooksAtTheContentWhenTheNameLeavesDoubt) {
  const auto problem_and_size = [](std::string_view content, std::string_view problem = "") {
    const auto instances = parse_instances(content, "file.txt", {InstanceFormat::automatic, std::string(problem)});
    return fmt::format("{} {} {}", instances[0]->problem().name(), instances.size(), instances[0]->size());
  };
  EXPECT_EQ(problem_and_size("0 0 1 1 output 1 2 1\n"), "tsp 1 2");
  EXPECT_EQ(problem_and_size("0 0 1 1 2 2\n0 0 1 1 2 3\n"), "tsp 2 3");
  EXPECT_EQ(problem_and_size("0.5 0.5\n0.25 1\n"), "tsp 1 2");
  EXPECT_EQ(problem_and_size("0 1\n1 2\n"), "mis 1 3");
  EXPECT_EQ(problem_and_size("0 1\n1 2\n", "tsp"), "tsp 1 2");
  EXPECT_EQ(problem_and_size("x,y\n1,2\n"), "tsp 1 1");
  EXPECT_EQ(problem_and_size("1 0.5 0.5\n2 0.25 1\n"), "tsp 1 2");
  EXPECT_EQ(problem_and_size("c graph\np edge 3 1\ne 1 2\n"), "mis 1 3");
  EXPECT_EQ(problem_and_size("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"), "mis 1 2");
  EXPECT_EQ(problem_and_size("NAME : x\nDIMENSION : 1\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n"),
            "tsp 1 1");
  EXPECT_EQ(problem_and_size("# nodes 7\n"), "mis 1 7");
  EXPECT_THROW(problem_and_size("1 2 3 4 5\n"), InputError);
  EXPECT_THROW(problem_and_size("what is this?\nx\n"), InputError);
}

TEST(FormatDetection, RefusesTheWrongProblem) {
  try {
    parse_instances("p edge 3 1\ne 1 2\n", "a.col", {InstanceFormat::automatic, "tsp"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "a.col: format dimacs holds graphs, but points or distances were asked for");
  }
  EXPECT_THROW(parse_instances("0 1\n", "a.txt", {InstanceFormat::automatic, "sat"}), OptionError);
}

TEST(InstanceFiles, RepairGraphsWithWarnings) {
  const auto read = [](std::string_view content, InstanceFormat format) {
    std::vector<std::string> warnings;
    const auto instances = parse_instances(content, "in", {format, ""}, &warnings);
    return std::pair(edges_of(dynamic_cast<const GraphInstance&>(*instances.at(0))), warnings);
  };
  const auto [edges, warnings] = read("p edge 3 4\ne 1 2\ne 2 1\ne 3 3\ne 1 2\n", InstanceFormat::dimacs);
  EXPECT_THAT(edges, ElementsAre(::testing::Pair(0, 1)));
  EXPECT_THAT(warnings, ElementsAre("in: dropped 1 self-loop", "in: dropped 2 repeated edges"));
  EXPECT_THAT(read("2 2\n2 2 1\n1 1\n", InstanceFormat::metis).second,
              ElementsAre("in: dropped 1 self-loop", "in: dropped 1 repeated edge"));
  EXPECT_THAT(read("%%MatrixMarket matrix coordinate pattern general\n2 2 4\n1 1\n1 2\n1 2\n2 1\n",
                   InstanceFormat::matrix_market)
                  .second,
              ElementsAre("in: dropped 1 self-loop", "in: dropped 1 repeated edge"));
}

TEST(InstanceFiles, KeepLabelsWeightsAndWhatWasTaken) {
  std::vector<std::string> warnings;
  const auto labelled = parse_instances("10 20\n20 10\n", "in.txt", {}, &warnings).at(0);
  EXPECT_THAT(labelled->labels(), ElementsAre("10", "20"));
  EXPECT_THAT(warnings, ElementsAre("in.txt: read as an edge list of 2 nodes; --format csv reads coordinates"));
  const TemporaryFolder folder;
  write_instances(folder / "a.edges", {&labelled, 1});
  EXPECT_EQ(read_file(folder / "a.edges"), "10 20\n");
  const std::vector<SolvedInstance> solved{{labelled, {{1}}}};
  EXPECT_EQ(format_solutions(solved, SolutionFormat::node_list), "20\n");
  EXPECT_THAT(parse_solutions("20\n", "s", {&labelled, 1})[0].items, ElementsAre(1));
  const auto weighted = parse_instances("p edge 2 1\nn 1 3\ne 1 2\n", "in.col").at(0);
  EXPECT_THAT(dynamic_cast<const GraphInstance&>(*weighted).weights(), ElementsAre(3, 1));
}

TEST(InstanceFiles, LeaveOutReferencesOfOtherProblems) {
  std::vector<std::string> warnings;
  const auto instances = parse_instances("0 1 1 0 label 1 0\n0 1 1 0 label 1 1\n", "in.txt", {}, &warnings);
  EXPECT_TRUE(instances[0]->reference());
  EXPECT_FALSE(instances[1]->reference());
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("in.txt: the solution that came with 'in#1' is none for mis")));
  const auto complement = parse_instances("0 1 1 0 label 1 1\n", "in.txt", {{}, "mis", true}).at(0);
  EXPECT_TRUE(complement->reference()) << "a clique is independent in the complement";
}

TEST(FormatDetection, IgnoresCaseAndGz) {
  EXPECT_EQ(parse_instances("0.5,1\n", "A.CSV")[0]->name(), "A");
  EXPECT_EQ(parse_instances(gzip("0.5,1\n"), "A.CSV.GZ")[0]->name(), "A");
}

TEST(InstanceFiles, ReportMissingAndDamagedFiles) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_instances(folder / "missing.tsp"), IoError);
  EXPECT_THROW(read_instances(folder.path()), IoError);
  const std::string packed = gzip("0 0 1 1 output 1 2 1\n");
  std::ofstream(folder / "cut.txt.gz", std::ios::binary) << packed.substr(0, packed.size() - 9);
  EXPECT_THROW(read_instances(folder / "cut.txt.gz"), InputError);
  std::ofstream(folder / "empty.tsp");
  EXPECT_THROW(read_instances(folder / "empty.tsp"), InputError);
}

}  // namespace
}  // namespace moco
