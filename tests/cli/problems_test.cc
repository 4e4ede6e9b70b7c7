// One graph under several questions, weights, labels, complements and scaled coordinates, from file to checked answer.
#include "run_moco.h"

namespace moco::cli_test {
namespace {

class Problems : public CliTest {
 protected:
  /// The last JSON object that a command prints.
  Json json(Words words) const {
    words.insert(words.end(), {"--json", "--quiet"});
    return json_lines(expect_success(words)).back();
  }
};

// A triangle 0-1-2 with a tail 2-3-4.
constexpr const char* kTriangle = "p edge 5 5\ne 1 2\ne 2 3\ne 1 3\ne 3 4\ne 4 5\n";

TEST_F(Problems, AskDifferentThingsOfOneGraph) {
  write("g.clq", kTriangle);
  EXPECT_EQ(json({"solve", "g.clq"})["size"], 2);
  const Json cover = json({"solve", "g.clq", "--problem", "vertex-cover"});
  EXPECT_EQ(cover["size"], 3);
  EXPECT_EQ(cover["cost"], 3);
  EXPECT_EQ(cover["problem"], "vertex-cover");
  const Json clique = json({"solve", "g.clq", "--problem", "clique"});
  EXPECT_EQ(clique["cost"], -3);
  EXPECT_EQ(clique["solution"], Json({0, 1, 2}));
  EXPECT_EQ(json({"solve", "g.clq", "--complement"})["size"], 3) << "an independent set of the complement";
  EXPECT_NE(expect_success({"solve", "g.clq", "--problem", "clique", "--quiet"}).find("size 3"), std::string::npos);
}

TEST_F(Problems, AreCheckedByTheirOwnDefinition) {
  write("g.clq", kTriangle);
  write("s.txt", "0\n1\n2\n");
  EXPECT_EQ(expect_success({"check", "g.clq", "s.txt", "--problem", "clique"}), "feasible size 3\n");
  Outcome outcome = run({"check", "g.clq", "s.txt"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "infeasible: nodes 0 and 1 are both chosen but adjacent\n");
  outcome = run({"check", "g.clq", "s.txt", "--problem", "vertex-cover"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "infeasible: the edge between nodes 3 and 4 is not covered\n");
}

TEST_F(Problems, StepsOfModelsAndTargetsWorkForAllOfThem) {
  write("g.clq", kTriangle);
  for (const char* problem : {"mis", "vertex-cover", "clique"}) {
    const Json result = json({"solve", "g.clq", "--problem", problem, "--local-search", "none", "-K", "3"});
    EXPECT_EQ(result["model"].get<std::string>().substr(0, 4), "mis-") << problem;
    EXPECT_TRUE(result["feasible"]) << problem;
  }
  const Json met = json({"solve", "g.clq", "--problem", "vertex-cover", "--local-search", "none", "--model", "adam",
                         "-K", "500", "--target", "3"});
  EXPECT_EQ(met["stop"], "target");
  EXPECT_EQ(met["cost"], 3);
}

TEST_F(Problems, CountWeights) {
  write("w.graph", "% nodes with weights\n4 3 10\n5 2\n1 1 3\n1 2 4\n5 3\n");  // a path; the ends are heavy
  EXPECT_EQ(expect_success({"solve", "w.graph", "-o", "s.txt", "--quiet"}).substr(0, 17), "w  n 4  weight 10");
  EXPECT_EQ(expect_success({"check", "w.graph", "s.txt"}), "feasible weight 10\n");
  const Json set = json({"solve", "w.graph"});
  EXPECT_EQ(set["weight"], 10);
  EXPECT_EQ(set["size"], 2);
  const Json cover = json({"solve", "w.graph", "--problem", "vertex-cover"});
  EXPECT_EQ(cover["weight"], 2);
  EXPECT_EQ(cover["solution"], Json({1, 2}));
  EXPECT_EQ(json({"info", "w.graph"})["weight_range"], Json({1, 5}));
  const Json searched = json({"solve", "w.graph", "--local-search", "none", "-K", "3"});
  EXPECT_EQ(searched["model"], "mis-weighted");
  EXPECT_EQ(searched["weight"], 10);
}

TEST_F(Problems, WeightsOfGeneratedGraphsAreWritten) {
  expect_success({"generate", "clique", "-n", "12", "--weights", "integer", "--seed", "4", "-o", "w.graph"});
  expect_success({"convert", "w.graph", "w.ml4co"});
  EXPECT_EQ(json({"solve", "w.graph", "--problem", "clique"})["weight"],
            json({"solve", "w.ml4co", "--problem", "clique"})["weight"]);
  expect_error_beginning({"convert", "w.graph", "w.gr"}, 2, "moco: ");
}

TEST_F(Problems, NodesKeepTheNamesOfTheirFile) {
  write("net.csv", "source,target\nana,bob\nbob,cyd\n");
  EXPECT_EQ(json({"solve", "net.csv"})["solution"], Json({"ana", "cyd"}));
  expect_success({"solve", "net.csv", "-o", "s.txt", "--quiet"});
  EXPECT_EQ(read("s.txt"), "ana\ncyd\n");
  EXPECT_EQ(expect_success({"check", "net.csv", "s.txt"}), "feasible size 2\n");
}

TEST_F(Problems, ComplementsAndScaledCoordinatesAreWritten) {
  write("g.clq", kTriangle);
  expect_success({"convert", "g.clq", "c.graph", "--complement"});
  EXPECT_EQ(json({"info", "c.graph"})["edges"], 5);
  expect_success({"convert", "c.graph", "back.graph", "--complement"});
  EXPECT_EQ(json({"info", "back.graph"})["edges"], 5);
  expect_success({"generate", "tsp", "-n", "8", "--scale", "1000", "-o", "x.tsp"});
  const Json facts = json({"info", "x.tsp"});
  EXPECT_EQ(facts["metric"], "EUC_2D");
  EXPECT_TRUE(facts["x_range"][0].is_number_integer());
  EXPECT_TRUE(json({"solve", "x.tsp"})["cost"].is_number_integer());
  expect_error_beginning({"convert", "g.clq", "y.graph", "--scale", "10"}, 2, "moco: ");
}

TEST_F(Problems, OptionsOfOthersAreRefused) {
  write("g.clq", kTriangle);
  expect_error({"solve", "g.clq", "--neighbours", "5"}, 2, "moco: --neighbours is for tsp, not for mis");
  expect_error({"solve", "g.clq", "--problem", "clique", "--dead-end", "penalty"}, 2,
               "moco: --dead-end is for tsp, not for clique");
  expect_error_beginning({"solve", "g.clq", "--problem", "tsp"}, 2, "moco: g.clq: ");
}

}  // namespace
}  // namespace moco::cli_test
