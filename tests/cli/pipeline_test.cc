// The commands together: generate, convert, info, solve and check on the same data, and degenerate instances.
#include "cli/run_moco.h"

namespace moco::cli_test {
namespace {

class Pipeline : public CliTest {
 protected:
  /// Solves a file and has the checker confirm every cost.
  void solve_and_check(const std::string& file, const Words& reading = {}) const {
    Words solving = {"solve", file, "-K", "3", "-b", "8", "--json", "-q", "-o", "solution.json"};
    Words checking = {"check", file, "solution.json", "--json", "-q"};
    solving.insert(solving.end(), reading.begin(), reading.end());
    checking.insert(checking.end(), reading.begin(), reading.end());
    const auto results = json_lines(expect_success(solving));
    const auto verdicts = json_lines(expect_success(checking));
    ASSERT_FALSE(results.empty()) << file;
    ASSERT_EQ(verdicts.size(), results.size()) << file;
    for (std::size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(verdicts[i].at("feasible"), true) << file;
      EXPECT_EQ(verdicts[i].at("cost"), results[i].at("cost")) << file;
    }
  }
};

TEST_F(Pipeline, EveryKindOfInstance) {
  expect_success({"generate", "tsp", "-n", "20", "--max-nodes", "30", "--count", "3", "-o", "uniform.txt"});
  expect_success({"generate", "tsp", "--kind", "clustered", "-n", "20", "--clusters", "2", "-o", "clustered.txt"});
  expect_success({"generate", "mis", "-n", "30", "--probability", "0.3", "-o", "er.graph"});
  expect_success({"generate", "mis", "--kind", "ba", "-n", "30", "--attachment", "2", "-o", "ba.graph"});
  expect_success({"generate", "mis", "--kind", "rb", "--cliques", "6", "--clique-size", "4", "-o", "rb.graph"});
  expect_success({"generate", "mis", "--kind", "sat", "--variables", "8", "--clauses", "20", "-o", "sat.graph"});
  for (const char* file : {"uniform.txt", "clustered.txt", "er.graph", "ba.graph", "rb.graph", "sat.graph"}) {
    solve_and_check(file);
  }
}

TEST_F(Pipeline, TheSeedDecidesTheInstances) {
  const Words words = {"generate", "tsp", "-n", "10", "--count", "2", "--seed", "7"};
  EXPECT_EQ(expect_success(words), expect_success(words));
  EXPECT_NE(expect_success(words), expect_success({"generate", "tsp", "-n", "10", "--count", "2", "--seed", "8"}));
}

TEST_F(Pipeline, ManyGraphsNeedManyFiles) {
  expect_error(
      {"generate", "mis", "--count", "3"}, 2,
      "moco: generate: one file holds one graph, not 3: give a name with {} in it, such as -o graphs/er-{}.graph, "
      "a folder, or a file of many graphs, .ml4co");
  expect_success({"generate", "mis", "-n", "10", "--count", "3", "--weights", "integer", "-o", "three.ml4co"});
  EXPECT_EQ(json_lines(expect_success({"info", "three.ml4co", "--json"})).size(), 3u);
  expect_error_beginning({"generate", "tsp", "--count", "3", "-o", "x.tsp"}, 2,
                         "moco: format tsplib holds one instance");
  expect_success({"generate", "mis", "-n", "10", "--count", "11", "-o", "g-{}.graph"});
  EXPECT_TRUE(fs::exists(work() / "g-00.graph"));
  EXPECT_TRUE(fs::exists(work() / "g-10.graph"));
  fs::create_directory(work() / "folder");
  expect_success({"generate", "mis", "-n", "10", "--count", "2", "-o", "folder"});
  EXPECT_TRUE(fs::exists(work() / "folder" / "er-1.graph"));
}

TEST_F(Pipeline, OptionsOfOtherKindsAreRefused) {
  expect_error({"generate", "tsp", "--kind", "er"}, 2, "moco: generate: there is no kind er for tsp");
  expect_error({"generate", "mis", "--kind", "ba", "--probability", "0.2"}, 2,
               "moco: generate: --probability does not apply to kind ba (only to: er)");
  expect_error({"generate", "tsp", "--weights", "uniform"}, 2,
               "moco: generate: --weights does not apply to kind uniform (only to: er ba rb sat)");
  expect_error_beginning({"generate", "mis", "-n", "100000000", "--probability", "1", "-o", "large.graph"}, 2,
                         "moco: 1 instance of kind er with 1e+08 nodes and about 5e+15 edges would need about ");
  expect_error_beginning({"generate", "tsp", "-n", "100000000", "--count", "1000000", "-o", "large.txt"}, 2,
                         "moco: 1000000 instances of kind uniform with 1e+08 nodes each would need about ");
  expect_error_beginning({"eval", "generate tsp -n 100000000 --count 100000000"}, 2,
                         "moco: 100000000 instances of kind ");
  expect_error({"generate", "tsp", "-n", "20", "--max-nodes", "10"}, 2,
               "moco: generate: --max-nodes 10 is below --nodes 20");
}

TEST_F(Pipeline, ConvertKeepsTheInstance) {
  expect_success({"generate", "tsp", "-n", "12", "-o", "a.txt"});
  expect_success({"solve", "a.txt", "-K", "3", "-q", "-o", "s.json"});
  const std::string cost = expect_success({"check", "a.txt", "s.json"});
  expect_success({"solve", "a.txt", "-K", "3", "-q", "-o", "s.txt"});
  for (const char* file : {"b.npy", "b.csv", "b.txt", "b.txt.gz"}) {
    expect_success({"convert", "a.txt", file});
    EXPECT_EQ(expect_success({"check", file, "s.txt"}), cost) << file;
  }
  expect_success({"generate", "mis", "-n", "25", "-o", "g.graph"});
  const Json original = json_lines(expect_success({"info", "g.graph", "--json"})).at(0);
  for (const char* format : {"dimacs", "metis", "edge-list", "matrix-market"}) {
    expect_success({"convert", "g.graph", "h", "--to", format});
    const Json copy = json_lines(expect_success({"info", "h", "--format", format, "--problem", "mis", "--json"})).at(0);
    EXPECT_EQ(copy.at("edges"), original.at("edges")) << format;
    EXPECT_EQ(copy.at("degree_max"), original.at("degree_max")) << format;
  }
  expect_error({"convert", "a.txt", "-"}, 2, "moco: convert: printing needs --to FORMAT");
  expect_error_beginning({"convert", "a.txt", "a.graph"}, 2, "moco: ");
  EXPECT_FALSE(fs::exists(work() / "a.graph"));
}

TEST_F(Pipeline, CheckNamesTheViolation) {
  write("a.txt", "0 0 1 0 0 1\n");
  write("twice.txt", "0\n1\n1\n");
  const Outcome tour = run({"check", "a.txt", "twice.txt"});
  EXPECT_EQ(tour.status, 1) << tour.err;
  EXPECT_EQ(tour.out.substr(0, 12), "infeasible: ");
  EXPECT_EQ(tour.err, "");
  write("g.graph", "3 2\n2\n1 3\n2\n");
  write("edge.txt", "0\n1\n");
  const Outcome set = run({"check", "g.graph", "edge.txt", "--json"});
  EXPECT_EQ(set.status, 1) << set.err;
  const Json verdict = json_lines(set.out).at(0);
  EXPECT_EQ(verdict.at("feasible"), false);
  EXPECT_FALSE(verdict.at("violation").get<std::string>().empty());
  write("good.txt", "0\n2\n");
  EXPECT_EQ(expect_success({"check", "g.graph", "good.txt"}), "feasible size 2\n");
}

TEST_F(Pipeline, CheckReadsOneFileFromStandardInput) {
  write("g.graph", "3 2\n2\n1 3\n2\n");
  write("good.txt", "0\n2\n");
  write("edge.txt", "0\n1\n");
  EXPECT_EQ(expect_success({"check", "g.graph", "-"}, read("good.txt")), "feasible size 2\n");
  EXPECT_EQ(expect_success({"check", "-", "good.txt", "--format", "metis"}, read("g.graph")), "feasible size 2\n");
  const Outcome infeasible = run({"check", "g.graph", "-"}, read("edge.txt"));
  EXPECT_EQ(infeasible.status, 1);
  EXPECT_EQ(infeasible.out, run({"check", "g.graph", "edge.txt"}).out);
  expect_error({"check", "-", "-"}, 2, "moco: standard input (-) can be only one of the files");
  expect_error({"improve", "-", "--solution", "-"}, 2, "moco: standard input (-) can be only one of the files");
}

TEST_F(Pipeline, InfoTellsTheFacts) {
  write("square.txt", "0 0 2 0 2 1 0 1 output 1 2 3 4 1\n");
  const Json facts = json_lines(expect_success({"info", "square.txt", "--json"})).at(0);
  EXPECT_EQ(facts.at("problem"), "tsp");
  EXPECT_EQ(facts.at("n"), 4);
  EXPECT_EQ(facts.at("x_range"), Json::parse("[0,2]"));
  EXPECT_EQ(facts.at("reference_cost"), 6);
  write("g.graph", "4 2\n2\n1 3\n2\n\n");
  const std::string text = expect_success({"info", "g.graph"});
  EXPECT_NE(text.find("edges              2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("isolated nodes     1\n"), std::string::npos) << text;
}

TEST_F(Pipeline, DegenerateTours) {
  write("n1.txt", "0.5 0.5\n");
  write("n2.txt", "0 0 1 1\n");
  write("n3.txt", "0 0 1 0 0 1\n");
  write("same.txt", "0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5\n");
  write("twins.txt", "0 0 0 0 1 1 1 1 0 1 0 1\n");
  write("line.txt", "0 0 1 0 2 0 3 0 4 0\n");
  for (const char* file : {"n1.txt", "n2.txt", "n3.txt", "same.txt", "twins.txt", "line.txt"}) {
    solve_and_check(file);
    expect_success({"solve", file, "-K", "2", "-q", "--plot", "p.svg", "--trace", "t.csv"});
  }
  EXPECT_EQ(json_lines(expect_success({"solve", "same.txt", "-K", "2", "-q", "--json"})).at(0).at("cost"), 0);
  EXPECT_EQ(json_lines(expect_success({"solve", "line.txt", "-K", "20", "-q", "--json"})).at(0).at("cost"), 8);
}

TEST_F(Pipeline, DegenerateGraphs) {
  write("single.graph", "1 0\n\n");
  write("empty.graph", "5 0\n\n\n\n\n\n");
  write("pair.graph", "2 1\n2\n1\n");
  write("triangle.graph", "3 3\n2 3\n1 3\n1 2\n");
  for (const auto& [file, size] : std::vector<std::pair<std::string, int>>{
           {"single.graph", 1}, {"empty.graph", 5}, {"pair.graph", 1}, {"triangle.graph", 1}}) {
    solve_and_check(file);
    const Json object = json_lines(expect_success({"solve", file, "-K", "5", "-q", "--json", "--plot", "p.svg"})).at(0);
    EXPECT_EQ(object.at("size"), size) << file;
  }
}

}  // namespace
}  // namespace moco::cli_test
