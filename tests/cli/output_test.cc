// Files a search writes: solutions, JSON, traces, drawings, and that nothing partial is left behind.
#include "cli/run_moco.h"

namespace moco::cli_test {
namespace {

class Output : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    expect_success({"generate", "tsp", "-n", "15", "--count", "2", "-o", "two.txt"});
    expect_success({"generate", "tsp", "-n", "15", "-o", "one.txt"});
    expect_success({"generate", "mis", "-n", "20", "-o", "one.graph"});
    inputs_ = file_count();
  }

  std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(work()), fs::directory_iterator()));
  }
  std::size_t inputs() const { return inputs_; }

 private:
  std::size_t inputs_ = 0;
};

/// Checks that tags are balanced and quotes closed; returns the number of elements.
int count_elements(const std::string& xml) {
  std::vector<std::string> open;
  int elements = 0;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at)) {
    const std::size_t end = xml.find('>', at);
    EXPECT_NE(end, std::string::npos);
    const std::string tag = xml.substr(at + 1, end - at - 1);
    EXPECT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
    EXPECT_EQ(tag.find('<'), std::string::npos) << tag;
    const std::string name = tag.substr(0, tag.find_first_of(" /"));
    if (tag.starts_with('/')) {
      EXPECT_FALSE(open.empty());
      EXPECT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else if (!tag.starts_with('?')) {
      ++elements;
      if (!tag.ends_with('/')) {
        open.push_back(name);
      }
    }
    at = end;
  }
  EXPECT_TRUE(open.empty());
  return elements;
}

TEST_F(Output, EverySolutionFormatOfATourIsReadBack) {
  for (const Words& output : {Words{"s.tour"}, Words{"s.txt"}, Words{"s.json"}, Words{"s.jsonl"}, Words{"s.csv"},
                              Words{"plain", "--output-format", "tour"}, Words{"s.tour.gz"}}) {
    Words words = {"solve", "one.txt", "-K", "5", "--json", "-q", "-o"};
    words.insert(words.end(), output.begin(), output.end());
    const double cost = json_lines(expect_success(words)).at(0).at("cost");
    const auto verdict = json_lines(expect_success({"check", "one.txt", output.front(), "--json"})).at(0);
    EXPECT_EQ(verdict.at("feasible"), true) << output.front();
    EXPECT_DOUBLE_EQ(verdict.at("cost").get<double>(), cost) << output.front();
  }
}

TEST_F(Output, EverySolutionFormatOfASetIsReadBack) {
  for (const char* format : {"node-list", "kamis", "json", "csv"}) {
    const Json solved = json_lines(expect_success({"solve", "one.graph", "-K", "5", "--json", "-q", "-o", "s.out",
                                                   "--output-format", format}))
                            .at(0);
    const std::string verdict = expect_success({"check", "one.graph", "s.out", "--solution-format", format});
    EXPECT_EQ(verdict, "feasible size " + solved.at("size").dump() + "\n") << format;
  }
}

TEST_F(Output, FormatsThatCannotHoldTheSolutionsAreRefusedBeforeTheSearch) {
  const Words endless = {"-K", "1000000000"};
  const auto with = [&](Words words) {
    words.insert(words.end(), endless.begin(), endless.end());
    return words;
  };
  expect_error(with({"solve", "two.txt", "-o", "s.tour"}), 2,
               "moco: format tour holds one solution and there are 2 instances; use .json or .csv for s.tour");
  expect_error(with({"solve", "one.txt", "-o", "s.txt", "--output-format", "kamis"}), 2,
               "moco: format kamis cannot hold solutions of tsp");
  expect_error(with({"solve", "one.txt", "--output-format", "kamis"}), 2, "moco: --output-format needs -o FILE");
  expect_error(with({"solve", "two.txt", "--plot", "p.svg"}), 2, "moco: --plot draws one instance and there are 2");
  expect_error(with({"solve", "one.txt", "-o", "-", "--json"}), 2, "moco: two outputs go to standard output");
}

TEST_F(Output, ExtensionsCountWhateverTheirCase) {
  expect_success({"solve", "one.txt", "-K", "3", "-q", "-o", "S.TOUR"});
  EXPECT_EQ(read("S.TOUR").substr(0, 4), "NAME");
  expect_success({"solve", "one.txt", "-K", "3", "-q", "-o", "S.JSON"});
  EXPECT_EQ(json_lines(read("S.JSON")).size(), 1u);
  expect_success({"solve", "one.txt", "-K", "3", "-q", "-o", "S.TOUR.GZ"});
  EXPECT_EQ(read("S.TOUR.GZ").substr(0, 2), "\x1f\x8b");
  expect_success({"check", "one.txt", "S.TOUR.GZ"});
  expect_success({"solve", "one.graph", "-K", "3", "-q", "-o", "s.kamis"});
  EXPECT_EQ(lines_of(read("s.kamis")).size(), 20u);
  expect_success({"solve", "one.txt", "-K", "3", "-q", "--json", "R.JSONL"});
  EXPECT_EQ(json_lines(read("R.JSONL")).size(), 1u);
}

TEST_F(Output, NamesThatDoNotTellTheFormatAreRefused) {
  for (const char* file : {"s.out", "s", "s.tour.bz2"}) {
    const std::string beginning =
        "moco: the name '" + std::string(file) + "' does not tell the format to write; use one of ";
    const std::string end = ".tour, .nodes, .kamis, .json, .jsonl, .csv, .txt, .sol, or --output-format";
    expect_error({"solve", "one.txt", "-K", "1000000000", "-o", file}, 2, beginning + end);
    expect_error({"improve", "one.txt", "--solution", "none", "-o", file}, 2, beginning + end);
    expect_error_beginning({"convert", "one.txt", file}, 2,
                           "moco: convert: the name '" + std::string(file) + "' does not");
  }
  EXPECT_EQ(file_count(), inputs());
}

TEST_F(Output, NamesFromFilesCannotDriveTheTerminal) {
  write("a.tsp",
        "NAME : x\x1b[2J\xff\nTYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n"
        "3 0 8\nEOF\n");
  const std::string name = "x\\x1b[2J\\xff";
  EXPECT_EQ(expect_success({"solve", "a.tsp", "-K", "2", "-q", "-o", "s.json"}).substr(0, name.size() + 1), name + " ");
  EXPECT_NE(expect_success({"info", "a.tsp"}).find(name + "\n"), std::string::npos);
  EXPECT_EQ(expect_success({"improve", "a.tsp", "--solution", "s.json"}).substr(0, name.size()), name);
  EXPECT_EQ(json_lines(read("s.json")).at(0).at("instance"), "x\x1b[2J\ufffd");
  EXPECT_EQ(json_lines(expect_success({"info", "a.tsp", "--json"})).at(0).at("instance"), "x\x1b[2J\ufffd");
  expect_success({"check", "a.tsp", "s.json"});
  expect_error({"solve", "no\x1b[31m\nfile"}, 2, "moco: cannot read 'no\\x1b[31m\\x0afile': No such file or directory");
}

TEST_F(Output, SeveralSolutionsInOneFile) {
  for (const char* file : {"all.json", "all.csv"}) {
    expect_success({"solve", "two.txt", "-K", "3", "-q", "-o", file});
    const auto verdicts = lines_of(expect_success({"check", "two.txt", file}));
    ASSERT_EQ(verdicts.size(), 2u);
    EXPECT_NE(verdicts[1].find("two#1: feasible cost "), std::string::npos) << verdicts[1];
  }
}

TEST_F(Output, SolutionsAndJsonOnStandardOutput) {
  const auto lines =
      lines_of(expect_success({"solve", "one.txt", "-K", "3", "-q", "-o", "-", "--output-format", "node-list"}));
  EXPECT_EQ(lines.size(), 15u);
  const std::string text = expect_success({"solve", "one.txt", "-K", "3", "-q", "--json", "r.jsonl"});
  EXPECT_NE(text.find("  stop kicks"), std::string::npos);
  EXPECT_EQ(json_lines(read("r.jsonl")).size(), 1u);
  expect_success({"solve", "one.txt", "-K", "3", "-q", "--json=other.name"});
  EXPECT_EQ(json_lines(read("other.name")).size(), 1u);
}

TEST_F(Output, JsonNeverTakesAnInstanceForItsFile) {
  const std::string before = read("one.txt");
  EXPECT_EQ(json_lines(expect_success({"solve", "--json", "one.txt", "-K", "3", "-q"})).size(), 1u);
  EXPECT_EQ(read("one.txt"), before);
}

TEST_F(Output, TraceHasARowPerStep) {
  expect_success({"solve", "two.txt", "-K", "7", "--kicks", "0", "-q", "--trace", "t.csv"});
  const auto rows = lines_of(read("t.csv"));
  ASSERT_EQ(rows.size(), 15u);
  EXPECT_EQ(rows[0], "instance,phase,step,best,mean,entropy,seconds");
  EXPECT_EQ(rows[1].substr(0, 15), "two#0,search,1,");
  EXPECT_EQ(rows[14].substr(0, 15), "two#1,search,7,");
  double last = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i <= 7; ++i) {
    const double best = std::stod(rows[i].substr(15));
    EXPECT_LE(best, last);
    last = best;
  }
}

TEST_F(Output, TraceOfEpisodesHasEveryStep) {
  expect_success(
      {"solve", "one.txt", "-K", "24", "--episode-steps", "6", "--local-search", "none", "-q", "--trace", "t.csv"});
  const auto rows = lines_of(read("t.csv"));
  ASSERT_EQ(rows.size(), 7u);  // four episodes of six steps side by side
  for (std::size_t step = 1; step <= 6; ++step) {
    const std::string begin = "one,search," + std::to_string(step) + ",";
    EXPECT_EQ(rows[step].substr(0, begin.size()), begin);
  }
}

TEST_F(Output, TraceOfKicksHasEveryImprovement) {
  expect_success({"generate", "tsp", "-n", "300", "-o", "large.txt"});
  expect_success({"solve", "large.txt", "--kicks", "2000", "-q", "--trace", "t.csv"});
  const auto rows = lines_of(read("t.csv"));
  ASSERT_GT(rows.size(), 2u);
  double last = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].substr(0, 14), "large,kicks,0,");
    const double best = std::stod(rows[i].substr(14));
    EXPECT_LT(best, last);
    last = best;
  }
}

TEST_F(Output, IncumbentsAreEverBetter) {
  expect_success({"generate", "tsp", "-n", "6000", "-o", "large.txt"});
  const auto result =
      json_lines(expect_success({"solve", "large.txt", "--kicks", "6000", "--json", "-q", "--incumbents", "i.csv"}));
  const auto rows = lines_of(read("i.csv"));
  ASSERT_GT(rows.size(), 2u);
  EXPECT_EQ(rows.front(), "instance,seconds,cost");
  double last = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].substr(0, 6), "large,");
    const double cost = std::stod(rows[i].substr(rows[i].rfind(',') + 1));
    EXPECT_LT(cost, last);
    last = cost;
  }
  EXPECT_NEAR(last, result.front().at("cost").get<double>(), 1e-9 * last);
}

TEST_F(Output, IncumbentsWithTheirSolutions) {
  expect_success({"solve", "one.txt", "--kicks", "640", "-q", "--incumbents", "i.jsonl", "-o", "s.json"});
  const auto incumbents = json_lines(read("i.jsonl"));
  ASSERT_GT(incumbents.size(), 1u);
  EXPECT_GT(incumbents.front().at("solution").size(), 0u);
  double last = std::numeric_limits<double>::infinity();
  for (const auto& incumbent : incumbents) {
    EXPECT_EQ(incumbent.at("instance"), "one");
    EXPECT_LT(incumbent.at("cost").get<double>(), last);
    last = incumbent.at("cost");
  }
  EXPECT_EQ(lines_of(expect_success({"solve", "one.txt", "--kicks", "640", "-q", "--incumbents", "-"})).front(),
            "instance,seconds,cost");
}

TEST_F(Output, DrawingsAreWellFormed) {
  write("a<b>&c.tsp",
        "NAME : x<y>&\"z\"\nTYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : FULL_MATRIX\n"
        "EDGE_WEIGHT_SECTION\n0 1 2\n1 0 3\n2 3 0\nEOF\n");
  for (const char* file : {"one.txt", "one.graph", "a<b>&c.tsp"}) {
    expect_success({"solve", file, "-K", "3", "-q", "--plot", "p.svg"});
    const std::string svg = read("p.svg");
    EXPECT_GT(count_elements(svg), 10) << file;
    EXPECT_NE(svg.find("viewBox"), std::string::npos);
  }
  EXPECT_NE(read("p.svg").find("x&lt;y&gt;&amp;&quot;z&quot;"), std::string::npos);
}

TEST_F(Output, UnwritablePlacesAreFoundBeforeTheSearch) {
  for (const char* option : {"-o", "--trace", "--plot"}) {
    expect_error({"solve", "one.txt", "-K", "1000000000", option, "nowhere/s.tour"}, 2,
                 "moco: cannot write 'nowhere/s.tour': No such file or directory");
  }
  expect_error({"solve", "one.txt", "--json=one.graph/r"}, 2, "moco: cannot write 'one.graph/r': Not a directory");
  expect_error({"solve", "one.txt", "-o", "."}, 2, "moco: cannot write '.': Is a directory");
  expect_error({"generate", "tsp", "-o", "nowhere/x.tsp"}, 2,
               "moco: cannot write 'nowhere/x.tsp': No such file or directory");
  expect_error({"convert", "one.txt", "nowhere/x.tsp"}, 2,
               "moco: cannot write 'nowhere/x.tsp': No such file or directory");
  EXPECT_EQ(file_count(), inputs());
}

TEST_F(Output, OutputsNeverOverwriteInputsOrEachOther) {
  const std::string before = read("one.txt");
  expect_error({"solve", "one.txt", "-o", "./one.txt"}, 2,
               "moco: cannot write './one.txt': it is an input of this command");
  expect_error({"solve", "one.txt", "-o", "x.json", "--json", "x.json"}, 2, "moco: two outputs go to 'x.json'");
  EXPECT_EQ(read("one.txt"), before);
  EXPECT_EQ(file_count(), inputs());
}

TEST_F(Output, FullDiskIsAFailureOfTheWork) {
  if (!fs::exists("/dev/full")) {
    GTEST_SKIP() << "no /dev/full";
  }
  const Outcome outcome = run({"solve", "one.txt", "-K", "3", "-q", "-o", "/dev/full", "--output-format", "tour"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
  EXPECT_EQ(file_count(), inputs());
}

TEST_F(Output, NothingButTheFilesAskedForIsLeftBehind) {
  expect_success(
      {"solve", "one.txt", "-K", "3", "-q", "-o", "s.tour", "--json", "r.json", "--trace", "t.csv", "--plot", "p.svg"});
  EXPECT_EQ(file_count(), inputs() + 4);
}

}  // namespace
}  // namespace moco::cli_test
