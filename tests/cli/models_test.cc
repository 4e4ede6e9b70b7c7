// The models that ship: their manifest describes the files that are there, and `--model auto` chooses among them.
#include <cstring>
#include <set>

#include "cli/run_moco.h"
#include "moco/problem.h"

namespace moco::cli_test {
namespace {

const fs::path kModels = fs::path(MOCO_TEST_DATA).parent_path().parent_path() / "models";

const std::string kGoldenDigest = "baeb7e39cf0dc0006ac966478e5293db1398a70364386f19dba7722bbc41ba5b";

class Models : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    unsetenv("MOCO_MODELS");
  }
  void TearDown() override {
    unsetenv("MOCO_MODELS");
    CliTest::TearDown();
  }

  /// A folder of models with a manifest of those names, sizes and problems; every checkpoint is the same small one.
  void make_folder(const std::string& manifest, const std::vector<std::string>& names) const {
    fs::create_directory(work() / "models");
    write("models/manifest.toml", manifest);
    for (const std::string& name : names) {
      fs::copy_file(fs::path(MOCO_GOLDEN) / "tsp_weights.safetensors", work() / "models" / (name + ".safetensors"));
    }
    setenv("MOCO_MODELS", (work() / "models").c_str(), 1);
  }

  /// `digest` is that of the checkpoint that make_folder copies.
  static std::string entry(const std::string& name, int nodes, const std::string& digest = kGoldenDigest) {
    return "[[model]]\nname = \"" + name +
           "\"\nproblem = \"tsp\"\ndistribution = \"uniform\"\nnodes = " + std::to_string(nodes) +
           "\nsteps = 5\nsamples = 4\nconfig = \"tsp100\"\nsha256 = \"" + digest +
           "\"\ntraining = \"none\"\n"
           "training_seconds = 1\ntraining_hardware = \"none\"\nlicence = \"MIT\"\n";
  }
};

TEST_F(Models, TheManifestDescribesTheFiles) {
  std::set<std::string> listed;
  std::uintmax_t bytes = 0;
  for (const Json& model : json_lines(expect_success({"models", "--json"}))) {
    const fs::path file = model.at("file").get<std::string>();
    ASSERT_EQ(fs::canonical(file.parent_path()), fs::canonical(kModels));
    listed.insert(file.filename().string());
    bytes += fs::file_size(file);
    const std::string sums = (work() / "sums").string();
    ASSERT_EQ(std::system(("sha256sum '" + file.string() + "' > '" + sums + "'").c_str()), 0);
    EXPECT_EQ(slurp(sums).substr(0, 64), model.at("sha256")) << file;
    const Json facts = json_lines(expect_success({"info", model.at("name").get<std::string>(), "--json"})).at(0);
    EXPECT_EQ(facts.at("family"), find_problem(model.at("problem").get<std::string>()).family()) << file;
    EXPECT_TRUE(model.at("weighted").is_boolean()) << file;
    EXPECT_FALSE(model.at("scores").empty()) << file;
    EXPECT_TRUE(fs::exists(kModels.parent_path() / "presets" / (model.at("config").get<std::string>() + ".toml")))
        << model.at("config");
    EXPECT_EQ(model.at("mean_degree").is_null(), model.at("problem") == "tsp") << file;
    // What both say is the same.
    const Json& search = facts.at("search");
    EXPECT_EQ(search.at("steps"), model.at("steps")) << file;
    EXPECT_EQ(search.at("samples"), model.at("samples")) << file;
    EXPECT_EQ(search.at("nodes"), model.at("nodes").at(1)) << file;
    EXPECT_EQ(search.value("local_search", ""), model.at("local_search")) << file;
    EXPECT_EQ(search.contains("neighbours"), model.at("problem") == "tsp") << file;
  }
  std::set<std::string> present;
  for (const auto& file : fs::directory_iterator(kModels)) {
    if (file.path().extension() == ".safetensors") {
      present.insert(file.path().filename().string());
    }
  }
  EXPECT_EQ(listed, present);
  EXPECT_FALSE(present.empty());
  EXPECT_LE(bytes, std::uintmax_t{24} << 20);
}

TEST_F(Models, ListForReaders) {
  const std::string text = expect_success({"models"});
  EXPECT_NE(text.find("tsp100: tsp uniform, n 100, K 100, b 32\n  trained in "), std::string::npos) << text;
}

/// A copy of the program in an otherwise empty folder, far from the source tree and its models.
class CopiedProgram : public Models {
 protected:
  void SetUp() override {
    Models::SetUp();
    if (fs::exists("/usr/share/moco/models") || fs::exists(MOCO_INSTALL_PREFIX "/share/moco/models")) {
      GTEST_SKIP() << "this machine has installed models";
    }
    fs::create_directory(work() / "bin");
    fs::copy_file(MOCO_BINARY, work() / "bin" / "moco");
    write("a.txt", "0 0 1 0 1 1 0 1\n");
    fs::path own = fs::canonical(work()) / "share" / "moco" / "models";
    looked_ = own.string();
    for (const std::string prefix : {MOCO_INSTALL_PREFIX, "/usr"}) {
      const std::string folder = prefix + "/share/moco/models";
      looked_ += looked_.ends_with(folder) ? "" : ", " + folder;
    }
  }

  /// Runs it; standard output goes to the file "out", standard error to "err".
  int copy(const std::string& arguments) const {
    const std::string command = "cd '" + work().string() + "' && bin/moco " + arguments + " > out 2> err";
    return WEXITSTATUS(std::system(command.c_str()));
  }

  std::string looked_;  ///< where it looks for models, as messages say it
};

TEST_F(CopiedProgram, SaysWhereItLookedForModels) {
  EXPECT_EQ(copy("solve a.txt -K 1"), 0);
  EXPECT_EQ(read("err"), "moco: no trained model was found in " + looked_ + "; using --model adam\n");
  EXPECT_EQ(copy("models"), 0);
  EXPECT_EQ(read("out"), "no trained model was found in " + looked_ +
                             "; searches use --model adam\n"
                             "adam: untrained, for every problem: gradient descent on θ\n"
                             "ants: untrained, for every problem: pheromones of an elitist ant system\n"
                             "max-min: untrained, for every problem: pheromones of a max–min ant system\n");
  EXPECT_EQ(copy("models --names"), 0);
  EXPECT_EQ(read("out") + read("err"), "");
}

TEST_F(CopiedProgram, AModelThatIsNeededIsAnError) {
  for (const std::string needs :
       {"solve a.txt -K 1 --model tsp100", "eval a.txt --model tsp100", "train --preset tsp100 --from tsp100 -o run"}) {
    EXPECT_EQ(copy(needs), 2) << needs;
    EXPECT_EQ(read("out"), "") << needs;
    EXPECT_EQ(read("err"), "moco: no model 'tsp100': no file of this name, and no tsp100.safetensors in " + looked_ +
                               "; models there: none\n");
  }
}

TEST_F(CopiedProgram, FindsTheModelsOfItsOwnTree) {
  fs::create_directories(work() / "share" / "moco");
  fs::create_directory_symlink(kModels, work() / "share" / "moco" / "models");
  EXPECT_EQ(copy("solve a.txt -K 1"), 0);
  EXPECT_EQ(read("err"), "moco: using --model tsp100\n");
  EXPECT_EQ(copy("models --names"), 0);
  EXPECT_NE(read("out").find("tsp200\n"), std::string::npos) << read("out");
}

TEST_F(Models, NamesAlone) {
  std::string names;
  for (const Json& model : json_lines(expect_success({"models", "--json"}))) {
    names += model.at("name").get<std::string>() + "\n";
  }
  EXPECT_EQ(expect_success({"models", "--names"}), names);
  expect_error({"models", "--names", "--json"}, 2, "moco: models: --names and --json exclude each other");
}

TEST_F(Models, AutoTakesTheNearestSize) {
  make_folder(entry("small", 20) + entry("large", 2000) + entry("absent", 50), {"small", "large"});
  const auto object = [&](int nodes) {
    const std::string count = std::to_string(nodes);
    return json_lines(expect_success({"eval", "generate tsp -n " + count, "-K", "1", "-b", "2", "--json", "-q"})).at(0);
  };
  EXPECT_EQ(object(30).at("model"), "small");
  EXPECT_EQ(object(1500).at("model"), "large");
  expect_success({"generate", "tsp", "-n", "60", "-o", "a.txt"});
  const Outcome outcome = run({"solve", "a.txt", "-K", "1", "--model", "auto", "--json"});
  EXPECT_EQ(json_lines(outcome.out).at(0).at("model"), "tsp100") << "the models that ship are candidates too";
  EXPECT_EQ(outcome.err, "moco: using --model tsp100\n");
}

TEST_F(Models, SearchesGoAsInTraining) {
  expect_success({"train", "--problem",       "tsp",     "--steps",    "1",      "--hidden",
                  "8",     "--blocks",        "1",       "--nodes",    "20",     "--pairs",
                  "2",     "--search-steps",  "2",       "--samples",  "4",      "--neighbours",
                  "7",     "--dead-end",      "penalty", "--gradient", "causal", "--local-search",
                  "2opt",  "--episode-steps", "5",       "-q",         "-o",     "run"});
  const auto object = [&](Words more) {
    Words words = {
        "eval", "generate tsp -n 32 --count 8", "--model", "run/last.safetensors", "-K", "12", "-b", "4", "--json",
        "-q"};
    words.insert(words.end(), more.begin(), more.end());
    Json all = json_lines(expect_success(words)).at(0);
    all.erase("seconds");
    return all;
  };
  const Json own = object({});
  EXPECT_EQ(own.at("neighbours"), 7);
  EXPECT_EQ(own.at("episode_steps"), 8) << "in proportion with the size";
  EXPECT_EQ(own.at("local_search"), "2opt");
  EXPECT_EQ(own.at("cost"), object({"--gradient", "causal", "--dead-end", "penalty", "--local-search", "2opt", "-k",
                                    "7", "--episode-steps", "8"})
                                .at("cost"));
  const Json causal = object({"--local-search", "none"});
  EXPECT_EQ(causal.at("cost"), object({"--local-search", "none", "--gradient", "causal"}).at("cost"));
  EXPECT_NE(causal.at("cost"), object({"--local-search", "none", "--gradient", "total"}).at("cost"));
  const Json plain = object({"--local-search", "none", "-k", "5", "--episode-steps", "0"});
  EXPECT_EQ(plain.at("local_search"), "");
  EXPECT_EQ(plain.at("neighbours"), 5);
  EXPECT_EQ(plain.at("episode_steps"), 0);
  const Json solved = json_lines(expect_success({"solve", "--model", "run/last.safetensors", "--json", "-q", "-"},
                                                "0 0 1 0 1 1 0 1 0.5 0.2\n"))
                          .at(0);
  EXPECT_EQ(solved.at("local_search"), "2opt");
}

TEST_F(Models, ANameOrAnyFileEverywhere) {
  write("a.txt", "0 0 1 0 1 1 0 1\n");
  fs::copy_file(kModels / "tsp100.safetensors", work() / "mine.ckpt");
  const auto model_of = [&](const std::string& name) {
    return json_lines(expect_success({"solve", "a.txt", "-K", "1", "--model", name, "--json", "-q"})).at(0).at("model");
  };
  EXPECT_EQ(model_of("mine.ckpt"), "mine.ckpt");
  EXPECT_EQ(model_of("./mine.ckpt"), "./mine.ckpt");
  EXPECT_EQ(json_lines(expect_success({"info", "mine.ckpt", "--json"})).at(0).at("hidden"), 32);
  const Words train = {"train", "--preset",       "tsp100", "--steps",   "1", "--nodes", "10", "--neighbours",
                       "5",     "--search-steps", "1",      "--samples", "2", "--pairs", "1",  "--validate-every",
                       "0",     "--time-limit",   "100",    "-q"};
  for (const std::string from : {"tsp100", "mine.ckpt", "./mine.ckpt"}) {
    Words words = train;
    words.insert(words.end(), {"--from", from, "-o", "run-" + fs::path(from).stem().string() + from.substr(0, 1)});
    expect_success(words);
  }
  // The header has the name that was given; what follows are the weights.
  const auto weights_of = [&](const std::string& folder) {
    const std::string content = read(folder + "/last.safetensors");
    std::uint64_t header = 0;
    std::memcpy(&header, content.data(), sizeof header);
    return content.substr(sizeof header + header);
  };
  EXPECT_GT(weights_of("run-tsp100t").size(), 100'000u);
  EXPECT_EQ(weights_of("run-tsp100t"), weights_of("run-minem"));
  EXPECT_EQ(weights_of("run-tsp100t"), weights_of("run-mine."));
  Words words = train;
  words.insert(words.end(), {"--from", "nobody", "-o", "run-nobody"});
  expect_error_beginning(words, 2, "moco: no model 'nobody': no file of this name, and no nobody.safetensors in ");
  EXPECT_FALSE(fs::exists(work() / "run-nobody"));
}

TEST_F(Models, OfAFileAndAModelOfOneNameTheModelIsMeant) {
  write("a.txt", "0 0 1 0 1 1 0 1\n");
  write("tsp100", "no checkpoint");
  expect_success({"solve", "a.txt", "-K", "1", "--model", "tsp100", "-q"});
  expect_error_beginning({"solve", "a.txt", "-K", "1", "--model", "./tsp100"}, 2, "moco: ./tsp100: ");
  fs::create_directory(work() / "runs");
  expect_error({"solve", "a.txt", "--model", "runs"}, 2, "moco: cannot read 'runs': Is a directory");
}

TEST_F(Models, AFileThatIsNotTheManifestsIsRefused) {
  write("a.txt", "0 0 1 0 1 1 0 1\n");
  make_folder(entry("tiny", 4), {"tiny"});
  expect_success({"solve", "a.txt", "-K", "1", "--model", "tiny", "-q"});
  const std::string file = (work() / "models" / "tiny.safetensors").string();
  std::string content = read("models/tiny.safetensors");
  content.back() = static_cast<char>(content.back() ^ 1);  // in a weight: the checkpoint itself stays well-formed
  write("models/tiny.safetensors", content);
  for (const Words& words : {Words{"solve", "a.txt", "-K", "1", "--model", "tiny"}, Words{"eval", "a.txt", "-K", "1"},
                             Words{"info", "tiny"}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(outcome.err.starts_with("moco: " + file + ": its SHA-256 is ")) << outcome.err;
    EXPECT_TRUE(outcome.err.ends_with(", in manifest.toml it is " + kGoldenDigest +
                                      ": the file is damaged or not the one described\n"))
        << outcome.err;
  }
  expect_success({"solve", "a.txt", "-K", "1", "--model", "models/tiny.safetensors", "-q"});
}

TEST_F(Models, AutoLooksAtTheStructureOfGraphs) {
  const auto model_of = [&](Words words) {
    words.insert(words.begin(), {"generate", "mis", "-o", "a.graph"});
    expect_success(words);
    const Outcome outcome = run({"solve", "a.graph", "-K", "1", "-b", "1"});
    EXPECT_EQ(outcome.status, 0);
    return outcome.err;
  };
  const std::string er = "moco: using --model mis-er\n";
  const std::string sat = "moco: using --model mis-sat\n";
  EXPECT_EQ(model_of({"-n", "200"}), er);
  EXPECT_EQ(model_of({"-n", "1200", "--probability", "0.007"}), er) << "as sparse and large as a formula's graph";
  EXPECT_EQ(model_of({"-n", "30"}), er);
  EXPECT_EQ(model_of({"--kind", "ba", "-n", "1000"}), er);
  EXPECT_EQ(model_of({"--kind", "rb"}), er);
  EXPECT_EQ(model_of({"--kind", "sat"}), sat);
  EXPECT_EQ(model_of({"--kind", "sat", "--variables", "20", "--clauses", "80"}), sat);
  write("a.graph", "6 6\n2 6\n1 3\n2 4\n3 5\n4 6\n5 1\n");
  EXPECT_EQ(run({"solve", "a.graph", "-K", "1"}).err, sat) << "a ring";
}

TEST_F(Models, ADamagedManifestIsNamed) {
  make_folder("[[model]]\nname = 3\n", {});
  const std::string file = (work() / "models" / "manifest.toml").string();
  expect_error({"models"}, 2, "moco: " + file + ":2: name must be a text");
}

}  // namespace
}  // namespace moco::cli_test
