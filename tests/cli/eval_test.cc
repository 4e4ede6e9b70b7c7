// Evaluations: table, CSV and JSON, data sets, references, settings, signals and what is refused.
#include "cli/run_moco.h"

namespace moco::cli_test {
namespace {

class Eval : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    expect_success({"generate", "tsp", "-n", "12", "--count", "3", "--seed", "3", "-o", "a.txt"});
    fs::create_directory(work() / "graphs");
    expect_success({"generate", "mis", "-n", "30", "--count", "3", "-o", "graphs/er-{}.graph"});
  }

  /// The objects of an evaluation.
  std::vector<Json> eval(Words words) const {
    words.insert(words.begin(), "eval");
    words.insert(words.end(), {"--json", "--quiet"});
    return json_lines(expect_success(words));
  }

  static std::vector<std::string> fields_of(const std::string& line) {
    std::istringstream words(line);
    return {std::istream_iterator<std::string>(words), {}};
  }
};

TEST_F(Eval, TableWithALinePerSetting) {
  const auto lines = lines_of(expect_success({"eval", "a.txt", "-K", "2,4", "-b", "4", "-M", "1,2"}));
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_EQ(lines[0], "data set   a.txt (3 tsp instances)");
  EXPECT_EQ(lines[1], "model      tsp100");
  EXPECT_EQ(lines[2], "reference  none");
  EXPECT_EQ(fields_of(lines[4]).at(3), "cost");
  std::vector<std::string> settings;
  for (std::size_t i = 5; i < 9; ++i) {
    const auto fields = fields_of(lines[i]);
    ASSERT_EQ(fields.size(), 11u) << lines[i];
    settings.push_back(fields[0] + "x" + fields[1] + "x" + fields[2]);
    EXPECT_EQ(fields[5], "-");
    EXPECT_EQ(fields[10], "3");
  }
  EXPECT_EQ(settings, (std::vector<std::string>{"1x2x4", "1x4x4", "2x2x4", "2x4x4"}));
}

TEST_F(Eval, JsonAgreesWithSolve) {
  const auto objects = eval({"a.txt", "--settings", "2x5x8,1x3x4", "--seed", "5", "--per-instance"});
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects[0].at("restarts"), 2);
  EXPECT_EQ(objects[1].at("steps"), 3);
  const auto solved = json_lines(expect_success(
      {"solve", "a.txt", "-M", "2", "-K", "5", "-b", "8", "--seed", "5", "--local-search", "none", "--json", "-q"}));
  double mean = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(objects[0].at("scores").at(i).at("cost"), solved[i].at("cost"));
    EXPECT_EQ(objects[0].at("scores").at(i).at("instance"), solved[i].at("instance"));
    mean += solved[i].at("cost").get<double>() / 3.0;
  }
  EXPECT_NEAR(objects[0].at("cost").at("mean").get<double>(), mean, 1e-12);
  for (const char* key : {"dataset", "problem", "instances", "asked", "complete", "model", "samples", "neighbours",
                          "seed", "engine", "batch", "reference", "gap", "seconds"}) {
    EXPECT_TRUE(objects[0].contains(key)) << key;
  }
  EXPECT_EQ(objects[0].at("model"), "tsp100") << "the name behind auto";
  EXPECT_TRUE(objects[0].at("gap").is_null());
}

TEST_F(Eval, LocalSearchIsAppliedAndNamed) {
  const Words plain = {"eval", "a.txt", "-K", "2", "-b", "4", "-q", "--json"};
  Words improved = plain;
  improved.insert(improved.end(), {"--local-search", "2opt", "--polish", "2opt+oropt"});
  const Json before = json_lines(expect_success(plain)).at(0);
  const Json after = json_lines(expect_success(improved)).at(0);
  EXPECT_EQ(before.at("local_search"), "");
  EXPECT_EQ(after.at("local_search"), "2opt");
  EXPECT_EQ(after.at("polish"), "2opt+oropt");
  EXPECT_LT(after.at("cost").at("mean").get<double>(), before.at("cost").at("mean").get<double>());
  const std::string table = expect_success({"eval", "a.txt", "-K", "2", "-q", "--local-search", "oropt"});
  EXPECT_NE(table.find("\nsamples    improved by oropt\n"), std::string::npos) << table;
  expect_error({"eval", "a.txt", "--move-limit", "3"}, 2, "moco: --move-limit needs --local-search or --polish");
}

TEST_F(Eval, GapsToTheSolutionsInTheFile) {
  const auto solved = json_lines(expect_success({"solve", "a.txt", "-K", "50", "--json", "-q"}));
  std::string concorde;
  const auto instances = lines_of(read("a.txt"));
  for (std::size_t i = 0; i < 3; ++i) {
    concorde += instances[i] + (instances[i].find("output") == std::string::npos ? " output" : "");
    const auto tour = solved[i].at("solution").get<std::vector<int>>();
    for (const int city : tour) {
      concorde += " " + std::to_string(city + 1);
    }
    concorde += " " + std::to_string(tour.front() + 1) + "\n";
  }
  write("known.txt", concorde);
  const Json object = eval({"known.txt", "-K", "50"}).at(0);
  EXPECT_EQ(object.at("reference").at("instances"), 3);
  EXPECT_EQ(object.at("reference").at("source"), "solutions that came with the instances");
  EXPECT_NEAR(object.at("gap").at("mean").get<double>(), 0.0, 1e-9) << "the same search against itself";
}

TEST_F(Eval, GapsToAFileAreHonest) {
  write("sizes.tsv", "file\tn\tsize\ner-0.graph\t30\t100\ner-2.graph\t30\t1\n");
  const Json object = eval({"graphs", "-K", "3", "--reference", "sizes.tsv", "--per-instance"}).at(0);
  EXPECT_EQ(object.at("problem"), "mis");
  EXPECT_EQ(object.at("model"), "mis-er") << "the model for random graphs";
  EXPECT_EQ(object.at("reference").at("instances"), 2);
  EXPECT_EQ(object.at("reference").at("better"), 1);
  const Json& scores = object.at("scores");
  EXPECT_NEAR(scores.at(0).at("gap").get<double>(), (100.0 - scores.at(0).at("size").get<double>()) / 100.0, 1e-12);
  EXPECT_LT(scores.at(2).at("gap").get<double>(), 0.0);
  EXPECT_TRUE(scores.at(1).at("gap").is_null());
  const auto lines = lines_of(expect_success({"eval", "graphs", "-K", "3", "--reference", "sizes.tsv", "-q"}));
  EXPECT_EQ(lines.at(2), "reference  sizes.tsv (for 2 of 3 instances)");
}

TEST_F(Eval, GeneratedDataSetsAreThoseOfGenerate) {
  const Json generated = eval({"generate tsp -n 12 --count 3 --seed 3", "-K", "4", "--per-instance"}).at(0);
  const Json read = eval({"a.txt", "-K", "4", "--per-instance"}).at(0);
  EXPECT_EQ(generated.at("dataset"), "generate tsp -n 12 --count 3 --seed 3");
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(generated.at("scores").at(i).at("cost").get<double>(), read.at("scores").at(i).at("cost").get<double>(),
                1e-6);
  }
}

TEST_F(Eval, WeightsOfGeneratedGraphsCount) {
  const auto objective = [&](const std::string& options) {
    const Json row =
        eval({"generate mis -n 12 --seed 3" + options, "-K", "4", "--per-instance"}).at(0).at("scores").at(0);
    return (row.contains("weight") ? row.at("weight") : row.at("size")).get<double>();
  };
  const double size = objective("");
  EXPECT_LE(size, 12.0);
  EXPECT_GT(objective(" --weights integer"), 12.0);
  EXPECT_EQ(objective(" --weights integer --max-weight 1"), size) << "each weighs 1";
  EXPECT_LT(objective(" --weights uniform"), size);
  EXPECT_GT(objective(" --weights degree"), size);
}

TEST_F(Eval, ArchivesAndFoldersAreTheSame) {
  ASSERT_EQ(std::system(("cd '" + work().string() + "' && tar czf graphs.tar.gz graphs").c_str()), 0);
  const Json folder = eval({"graphs", "-K", "3", "--per-instance"}).at(0);
  const Json archive = eval({"graphs.tar.gz", "-K", "3", "--per-instance"}).at(0);
  EXPECT_EQ(folder.at("size"), archive.at("size"));
  EXPECT_EQ(archive.at("scores").at(2).at("instance"), "er-2");
}

TEST_F(Eval, OnlyTheFirstInstances) {
  write("costs.txt", "1\n2\n3\n");
  const Json object = eval({"a.txt", "-K", "2", "--instances", "2", "--reference", "costs.txt"}).at(0);
  EXPECT_EQ(object.at("instances"), 2);
  EXPECT_EQ(object.at("reference").at("mean"), 1.5);
}

TEST_F(Eval, CsvWithARowPerSettingOrPerInstance) {
  write("costs.txt", "1\n2\n3\n");
  const Words common = {"eval", "a.txt", "-K", "2,3", "--reference", "costs.txt", "-q", "--csv", "-"};
  const auto rows = lines_of(expect_success(common));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0],
            "dataset,problem,model,local_search,polish,restarts,steps,samples,time_limit,instances,asked,cost,"
            "cost_standard_error,references,reference,better,gap,gap_standard_error,search_seconds,whole_seconds");
  EXPECT_TRUE(rows[1].starts_with("a.txt,tsp,tsp100,,,1,2,32,,3,3,")) << rows[1];
  EXPECT_EQ(std::count(rows[1].begin(), rows[1].end(), ','), 19);
  Words each = common;
  each.push_back("--per-instance");
  const auto scores = lines_of(expect_success(each));
  ASSERT_EQ(scores.size(), 7u);
  EXPECT_EQ(scores[0],
            "dataset,problem,model,local_search,polish,restarts,steps,samples,time_limit,instance,n,cost,reference,gap,"
            "seconds");
  EXPECT_TRUE(scores[4].starts_with("a.txt,tsp,tsp100,,,1,3,32,,a#0,12,")) << scores[4];
}

TEST_F(Eval, FilesBesideTheTable) {
  const std::string table =
      expect_success({"eval", "a.txt", "-K", "2", "--csv", "r.csv", "--json", "r.jsonl", "--curve", "-q"});
  EXPECT_EQ(lines_of(table).size(), 6u);
  EXPECT_EQ(lines_of(read("r.csv")).size(), 2u);
  const Json object = json_lines(read("r.jsonl")).at(0);
  ASSERT_EQ(object.at("curve").size(), 2u);
  EXPECT_EQ(object.at("curve").at(1).at(0), 2);
  EXPECT_NEAR(object.at("curve").at(1).at(1).get<double>(), object.at("cost").at("mean").get<double>(), 1e-4);
}

TEST_F(Eval, NoticeAboutTheModelUnlessQuiet) {
  EXPECT_EQ(run({"eval", "a.txt", "-K", "1"}).err, "moco: using --model tsp100\n");
  EXPECT_EQ(run({"eval", "graphs", "-K", "1"}).err, "moco: using --model mis-er\n");
  EXPECT_EQ(run({"eval", "a.txt", "-K", "1", "--model", "adam"}).err, "");
}

TEST_F(Eval, TimeLimitPerInstance) {
  const Words words = {"a.txt", "-K", "1000000000", "-b", "4", "--time-limit", "0.01"};
  const Json object = eval(words).at(0);
  EXPECT_EQ(object.at("instances"), 3) << "each ends by the clock";
  EXPECT_EQ(object.at("time_limit"), 0.01);
  EXPECT_EQ(object.at("episode_steps"), 0) << "as in solve";
  EXPECT_EQ(eval({"a.txt", "-K", "2"}).at(0).at("time_limit"), nullptr);
  const auto lines = lines_of(expect_success({"eval", "a.txt", "-K", "1", "--time-limit", "5", "-q"}));
  EXPECT_EQ(lines.at(2), "time limit 5 s per instance");
  const auto rows = lines_of(expect_success({"eval", "a.txt", "-K", "1", "--time-limit", "5", "-q", "--csv", "-"}));
  EXPECT_TRUE(rows.at(1).starts_with("a.txt,tsp,tsp100,,,1,1,32,5,3,3,")) << rows[1];
  expect_error({"eval", "a.txt", "--time-limit", "1", "--curve", "--json"}, 2,
               "moco: eval: --curve needs searches of equal length; leave out --time-limit");
}

TEST_F(Eval, StrayFilesArePassedOver) {
  write("graphs/README", "Three graphs\n");
  write("graphs/notes.txt", "to do: more graphs\n");
  const Outcome outcome = run({"eval", "graphs", "-K", "1", "--model", "mis-er", "--csv", "-"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "moco: warning: graphs: passed over README, notes.txt: not an instance\n");
  EXPECT_EQ(lines_of(outcome.out).size(), 2u);
  ASSERT_EQ(std::system(("cd '" + work().string() + "' && tar cf graphs.tar graphs").c_str()), 0);
  EXPECT_EQ(run({"eval", "graphs.tar", "-K", "1", "--model", "mis-er"}).err,
            "moco: warning: graphs.tar: passed over README, notes.txt: not an instance\n");
  EXPECT_EQ(run({"eval", "graphs.tar", "-K", "1", "-q"}).err, "");
  write("graphs/er-3.graph", "not a graph\n");
  expect_error_beginning({"eval", "graphs"}, 2, "moco: graphs/er-3.graph:1: ");
  fs::create_directory(work() / "papers");
  write("papers/README", "no graphs\n");
  expect_error({"eval", "papers"}, 2, "moco: papers: no instance found, only README");
}

TEST_F(Eval, ASignalPrintsTheInstancesThatAreDone) {
  Outcome outcome;
  // Nothing tells from outside when the first instance is done: wait longer and longer, until one was.
  for (int milliseconds = 250; outcome.status != 0; milliseconds *= 2) {
    ASSERT_LT(milliseconds, 60'000) << outcome.err;
    const Running running = start({"eval", "generate tsp -n 20 --count 100000", "-K", "100", "--batch", "1",
                                   "--threads", "1", "--csv", "r.csv", "--json", "r.jsonl", "--per-instance"});
    wait_for_search();
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(running.process, SIGINT);
    outcome = finish(running, 30.0);
  }
  EXPECT_NE(outcome.err.find("moco: interrupted; 0 of 1 settings are complete\n"), std::string::npos) << outcome.err;
  const Json object = json_lines(read("r.jsonl")).at(0);
  EXPECT_EQ(object.at("complete"), false);
  const auto done = object.at("instances").get<std::size_t>();
  EXPECT_GE(done, 1u);
  EXPECT_EQ(lines_of(read("r.csv")).size(), done + 1);
  EXPECT_NE(lines_of(outcome.out).back().find(std::to_string(done) + "/100000"), std::string::npos) << outcome.out;
}

TEST_F(Eval, ASignalPrintsWhatIsComplete) {
  const Running running = start({"eval", "a.txt", "--settings", "1x2x4,1x1000000000x4", "--json", "r.jsonl"});
  EXPECT_TRUE(wait_until([&] { return lines_of(slurp(work().parent_path() / "stdout")).size() == 6; }, kTimeout));
  kill(running.process, SIGINT);
  const Outcome outcome = finish(running, 30.0);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("moco: interrupted; 1 of 2 settings are complete\n"), std::string::npos) << outcome.err;
  EXPECT_EQ(json_lines(read("r.jsonl")).size(), 1u);
}

TEST_F(Eval, BadRequestsAreOneLine) {
  expect_error({"eval", "nothing.txt"}, 2, "moco: cannot read 'nothing.txt': No such file or directory");
  expect_error({"eval", "a.txt", "--settings", "1x2"}, 2,
               "moco: --settings: '1x2' is not MxKxb with whole numbers of at least 1, such as 1x200x32");
  expect_error({"eval", "a.txt", "--settings", "1x2x3", "-K", "5"}, 2,
               "moco: eval: --settings already says what --steps says");
  expect_error({"eval", "a.txt", "-K", "5,x"}, 2,
               "moco: --steps must be whole numbers from 1 to 1000000000, separated by commas, not '5,x'");
  expect_error({"eval", "a.txt", "-K", "5,"}, 2,
               "moco: --steps must be whole numbers from 1 to 1000000000, separated by commas, not '5,'");
  expect_error({"eval", "a.txt", "--reference", "none"}, 2, "moco: cannot read 'none': No such file or directory");
  write("costs.txt", "1\n2\n");
  expect_error({"eval", "a.txt", "--reference", "costs.txt"}, 2, "moco: costs.txt: 2 references for 3 instances");
  expect_error({"eval", "generate tsp --kind er"}, 2, "moco: generate: there is no kind er for tsp");
  expect_error({"eval", "generate tsp -o x"}, 2, "moco: 'generate tsp -o x': --output has no meaning in a data set");
  expect_error({"eval", "generate tsp", "a.txt"}, 2,
               "moco: eval: a generator stands alone: give one 'generate …' or files");
  expect_error({"eval", "generate tsp", "--format", "csv"}, 2, "moco: eval: --format applies to files only");
  expect_error({"eval", "a.txt", "graphs"}, 2, "moco: graphs: er-0 is for mis, the data set for tsp");
  expect_error({"eval", "a.txt", "--per-instance"}, 2, "moco: eval: --per-instance needs --json or --csv");
  expect_error({"eval", "a.txt", "--curve"}, 2, "moco: eval: --curve needs --json");
  expect_error({"eval", "a.txt", "--csv", "-", "--json"}, 2, "moco: two outputs go to standard output");
  expect_error({"eval", "a.txt", "--csv", "no/r.csv"}, 2, "moco: cannot write 'no/r.csv': No such file or directory");
  write("broken.tar", std::string(600, 'x'));
  expect_error_beginning({"eval", "broken.tar"}, 2, "moco: broken.tar: damaged tar archive at byte 0: ");
}

}  // namespace
}  // namespace moco::cli_test
