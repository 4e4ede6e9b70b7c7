// bench/paper: the constants agree with each other, rows are measured, kept and reported.
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "cli/run_moco.h"
#include "rows.h"

namespace moco::cli_test {
namespace {

class Paper : public CliTest {
 protected:
  /// Measures the cheapest row that has a curve.
  std::string measure(const Words& more = {}) const {
    Words words = {"behaviour", "--data",   "none",      "--instances", "2",        "--only",
                   "1x50x32",   "--ways",   "one-piece", "--engine",    "cpu",      "-o",
                   "results",   "--commit", "abc",       "--hardware",  "a machine"};
    words.insert(words.end(), more.begin(), more.end());
    return expect_success(words);
  }
};

TEST_F(Paper, GapsOfTheConstantsFollowFromTheirCosts) {
  int compared = 0;
  int others = 0;
  for (const paper::Table& table : paper::tables()) {
    for (const paper::Row& row : table.rows) {
      const paper::DataSpec& spec = paper::data_spec(row.data);
      if (!row.paper || table.name == "ablation") {  // measured on a set of its own
        continue;
      }
      const double gap = 100.0 * std::abs(row.paper->value - spec.paper_reference) / spec.paper_reference;
      EXPECT_NEAR(gap, row.paper->gap_percent, 0.04) << table.name << ": " << row.id;
      for (const auto& [way, figures] : row.paper_others) {
        const double other = 100.0 * (figures.value - spec.paper_reference) / spec.paper_reference;
        EXPECT_NEAR(other, figures.gap_percent, 0.06) << table.name << ": " << row.id << " " << paper::word_of(way);
        ++others;
      }
      ++compared;
    }
  }
  EXPECT_EQ(compared, 54);
  EXPECT_EQ(others, 30);
}

TEST_F(Paper, IdsAreUniqueWithinATable) {
  for (const paper::Table& table : paper::tables()) {
    std::vector<std::string> ids;
    for (const paper::Row& row : table.rows) {
      EXPECT_EQ(std::count(ids.begin(), ids.end(), row.id), 0) << row.id;
      ids.push_back(row.id);
    }
  }
}

TEST_F(Paper, ARowIsPrintedAndKept) {
  const auto lines = lines_of(measure());
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_NE(lines[2].find("figure only"), std::string::npos) << lines[2];
  EXPECT_NE(lines[3].find("ours, one piece"), std::string::npos) << lines[3];
  EXPECT_NE(lines[3].find("tsp100, 1 × 50, 2 of generated, uniform seed 20250"), std::string::npos) << lines[3];
  const Json rows = Json::parse(read("results/behaviour.json"));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].at("row"), "tsp100 1x50x32");
  EXPECT_EQ(rows[0].at("way"), "one-piece");
  EXPECT_EQ(rows[0].at("episode_steps"), 0);
  EXPECT_EQ(rows[0].at("seconds").at("alone_instances"), 2);
  EXPECT_GT(rows[0].at("seconds").at("alone").get<double>(), 0.0);
  EXPECT_EQ(rows[0].at("commit"), "abc");
  EXPECT_EQ(rows[0].at("hardware"), "a machine");
  EXPECT_EQ(rows[0].at("steps"), 50);
  EXPECT_EQ(rows[0].at("curve").size(), 50u);
}

TEST_F(Paper, CommitAndHardwareAreFoundOut) {
  expect_success({"behaviour", "--data", "none", "--instances", "1", "--only", "1x50x32", "--ways", "one-piece",
                  "--engine", "cpu", "-o", "r"});
  const Json row = Json::parse(read("r/behaviour.json")).at(0);
  for (const char* key : {"commit", "hardware"}) {
    const auto text = row.at(key).get<std::string>();
    EXPECT_FALSE(text.empty()) << key;
    EXPECT_EQ(text.find('\n'), std::string::npos) << key << ": " << text;
  }
}

TEST_F(Paper, AnotherRunReplacesTheRowOfTheSameModel) {
  measure();
  measure();
  measure({"--model", "adam"});
  const Json rows = Json::parse(read("results/behaviour.json"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("model"), "tsp100");
  EXPECT_EQ(rows[1].at("model"), "adam");
}

TEST_F(Paper, TheReportShowsWhatWasMeasuredAndWhatWasNot) {
  measure();
  fs::create_directory(work() / "docs");
  expect_success({"report", "results", "-o", "docs"});
  const std::string report = read("docs/results.md");
  for (const char* part : {"| TSP100 | 1 | 50 | 32 | paper, quoted | figure only |", "| `tsp100` | a machine | abc |",
                           "| TSP100 | 1 | 200 | 32 | paper, quoted | 7.8409 | 1.03 |  |  |  | 1.07 |",
                           "| | | | | ours, episodes | not run: not measured yet |",
                           "| | | | | the paper's rule | not run: model ablation-tsp200-mlp has not been trained |",
                           "| | | | | the paper's rule | not run: no model of the paper's rule trained for uniform 100 "
                           "to 100 nodes for K = "
                           "500 |",
                           "](images/results-behaviour_extrapolation-steps.svg)",
                           "](images/results-behaviour_extrapolation-seconds.svg)"}) {
    EXPECT_NE(report.find(part), std::string::npos) << part << "\n" << report;
  }
  for (const char* unit : {"steps", "seconds"}) {
    const std::string chart = read(std::string("docs/images/results-behaviour_extrapolation-") + unit + ".svg");
    EXPECT_NE(chart.find("K = 50, b = 32 (tsp100, 2 instances): last "), std::string::npos);
  }
  EXPECT_FALSE(fs::exists(work() / "docs" / "images" / "results-behaviour_batch_size-steps.svg"));
}

TEST_F(Paper, FewerInstancesAreSpreadOverTheFile) {
  fs::create_directories(work() / "data" / "tsp");
  std::string squares;
  for (const char* side : {"1", "2", "3", "4"}) {  // tours of 4, 8, 12 and 16
    squares += fmt::format("0 0 {0} 0 {0} {0} 0 {0} output 1 2 3 4 1\n", side);
  }
  write("data/tsp/tsp100_1280.txt.gz", squares);
  expect_success(
      {"behaviour", "--data", "data", "--instances", "2", "--only", "1x50x32", "--ways", "one-piece", "-o", "results"});
  const Json row = Json::parse(read("results/behaviour.json")).at(0);
  EXPECT_EQ(row.at("instances"), 2);
  EXPECT_DOUBLE_EQ(row.at("cost").at("mean").get<double>(), 8.0) << "of 4 and 12";
  EXPECT_DOUBLE_EQ(row.at("gap").at("mean").get<double>(), 0.0) << "each has its own reference";
}

TEST_F(Paper, ChartsShowGapsOnALogarithmicAxisWhereThereAreReferences) {
  measure();
  fs::create_directory(work() / "docs");
  const auto chart = [&](const Json& curve) {
    Json rows = Json::parse(read("results/behaviour.json"));
    rows[0]["reference"] = {{"source", "known"}, {"instances", 2}, {"mean", 10.0}, {"better", 0}};
    rows[0]["gap"] = {{"mean", 0.1}, {"standard_error", nullptr}};
    rows[0]["curve"] = curve;
    write("results/behaviour.json", rows.dump());
    expect_success({"report", "results", "-o", "docs"});
    return read("docs/images/results-behaviour_extrapolation-seconds.svg");
  };
  const std::string falling = chart({{1, 11.0, 0.1}, {10, 10.1, 1.0}, {50, 9.99, 5.0}});
  for (const char* part : {">gap of the mean best to the mean reference [%]</text>", ">time per instance [s]</text>",
                           ">10</text>", ">1</text>", ">≤ 0</text>", ": last -0.1</text>"}) {
    EXPECT_NE(falling.find(part), std::string::npos) << part;
  }
  EXPECT_NE(read("docs/results.md").find("gap over seconds](images/"), std::string::npos);
  const std::string below = chart({{1, 9.9, 0.1}, {10, 9.8, 1.0}});  // which has no logarithm at all
  EXPECT_NE(below.find(": last -2</text>"), std::string::npos);
}

TEST_F(Paper, EveryWayIsMeasuredAndOnePieceStandsForEpisodesThatWouldBeOne) {
  fs::create_directories(work() / "data" / "tsp");
  write("data/tsp/tsp100_1280.txt.gz", "0 0 1 0 1 1 0 1 output 1 2 3 4 1\n0 0 2 0 2 2 0 2 output 1 2 3 4 1\n");
  const Words words = {"tsp", "--data",  "data",     "--only", "tsp100 1x200x32", "--engine", "cpu",
                       "-o",  "results", "--commit", "abc",    "--batch",         "1"};
  const std::string text = expect_success(words);
  const Json rows = Json::parse(read("results/tsp.json"));
  ASSERT_EQ(rows.size(), 4u) << text;
  const std::vector<std::tuple<std::string, std::string, int, std::string>> expected = {
      {"exact", "paper-tsp100", 0, ""},
      {"one-piece", "tsp100", 0, ""},
      {"episodes", "tsp100", 100, ""},
      {"hybrid", "tsp100", 100, "2opt+oropt"}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [way, model, episode_steps, local_search] = expected[i];
    EXPECT_EQ(rows[i].at("way"), way);
    EXPECT_EQ(rows[i].at("model"), model);
    EXPECT_EQ(rows[i].at("episode_steps"), episode_steps);
    EXPECT_EQ(rows[i].at("local_search"), local_search);
    EXPECT_EQ(rows[i].at("reference").at("better"), 0) << "ties are not better";
  }
  EXPECT_NE(text.find(", 2 × 100, 2 of tsp100_1280.txt.gz"), std::string::npos) << text;
  expect_success({"behaviour", "--data", "none", "--only", "1x100x32", "--ways", "episodes", "-o", "results"});
  EXPECT_FALSE(fs::exists(work() / "results" / "behaviour.json")) << "a row that has no such way";
  fs::create_directory(work() / "docs");
  expect_success({"report", "results", "-o", "docs"});
  const std::string report = read("docs/results.md");
  EXPECT_NE(report.find("| **−1.030 ± 0.000** |"), std::string::npos) << report;
  const std::string page = read("docs/reproduction.md");
  for (const char* part :
       {"| TSP100 | 1 | 200 | 32 | 1.03 | 0.000 ± 0.000 | **−1.030 ± 0.000** | 2 | `paper-tsp100` | "
        "reproduced, better |",
        "| TSP100 | 1 | 200 | 32 | 1.03 | 0.000 ± 0.000 | 0.000 ± 0.000 | 0.000 ± 0.000 | 0.000 ± 0.000 |",
        "| TSP500 | 1 | 200 | 32 | 3.93 | | | | | no model of the paper's rule"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part << "\n" << page;
  }
}

TEST_F(Paper, WaysThatThereAreNotAreNamed) {
  expect_error(
      {"tsp", "--ways", "fast"}, 1,
      "paper: way 'fast' is not one of untrained, ants, max-min, learned-ants, learned-adam, exact, one-piece, "
      "episodes, hybrid");
}

TEST_F(Paper, RowsWithoutAModelAreNotRun) {
  const std::string text = expect_success({"ablation", "--only", "MLP"});
  EXPECT_NE(text.find("not run: model ablation-tsp200-mlp has not been trained"), std::string::npos) << text;
}

TEST_F(Paper, OtherHeatmapMethodsAreComparedWithTheirOwnFigures) {
  fs::create_directories(work() / "data" / "tsp");
  write("data/tsp/tsp500_128.txt.gz", "0 0 1 0 1 1 0 1 output 1 2 3 4 1\n0 0 2 0 2 2 0 2 output 1 2 3 4 1\n");
  const std::string text =
      expect_success({"heatmaps", "--data", "data", "--only", "1x200x32", "--ways",
                      "ants,max-min,learned-ants,learned-adam", "--commit", "abc", "--hardware", "x", "-o", "results"});
  EXPECT_NE(text.find("not run: model learned-ants-tsp500 has not been trained"), std::string::npos) << text;
  EXPECT_NE(text.find("not run: model learned-adam-tsp500 has not been trained"), std::string::npos) << text;
  const Json rows = Json::parse(read("results/heatmaps.json"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("way"), "ants");
  EXPECT_EQ(rows[0].at("model"), "ants");
  EXPECT_EQ(rows[1].at("model"), "max-min");
  fs::create_directory(work() / "docs");
  expect_success({"report", "results", "-o", "docs"});
  EXPECT_NE(read("docs/results.md").find("**−44.650 ± 0.000**"), std::string::npos) << "from the paper's ACO";
  const std::string refused = expect_success({"heatmaps", "--only", "1x200x32", "--ways", "ants", "--engine", "cuda"});
  EXPECT_NE(refused.find("not run: it runs on the CPU engine only"), std::string::npos) << refused;
}

TEST_F(Paper, DamagedResultsAreNamed) {
  fs::create_directory(work() / "results");
  write("results/tsp.json", "[1]");
  expect_error({"tsp", "--only", "nothing", "-o", "results"}, 1,
               "paper: results/tsp.json: a row without 'row', 'way' and 'model'");
  write("results/tsp.json", "[");
  expect_error({"report", "results", "-o", "r.md"}, 1, "paper: results/tsp.json: not a list of rows in JSON");
}

}  // namespace
}  // namespace moco::cli_test
