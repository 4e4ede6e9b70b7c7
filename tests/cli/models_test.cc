// The models that ship: their manifest describes the files that are there, and `--model auto` chooses among them.
#include <set>

#include "cli/run_moco.h"

namespace moco::cli_test {
namespace {

const fs::path kModels = fs::path(MOCO_TEST_DATA).parent_path().parent_path() / "models";

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

  static std::string entry(const std::string& name, int nodes) {
    return "[[model]]\nname = \"" + name +
           "\"\nproblem = \"tsp\"\ndistribution = \"uniform\"\nnodes = " + std::to_string(nodes) +
           "\nneighbours = 7\nsteps = 5\nsamples = 4\nconfig = \"tsp100\"\nsha256 = \"0\"\ntraining = \"none\"\n"
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
    EXPECT_EQ(facts.at("problem"), model.at("problem")) << file;
    EXPECT_FALSE(model.at("scores").empty()) << file;
    EXPECT_TRUE(fs::exists(kModels.parent_path() / "presets" / (model.at("config").get<std::string>() + ".toml")))
        << model.at("config");
    EXPECT_EQ(model.at("mean_degree").is_null(), model.at("problem") == "tsp") << file;
    EXPECT_EQ(model.at("neighbours").is_null(), model.at("problem") == "mis") << file;
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
  EXPECT_NE(text.find("tsp100: tsp uniform, n 100, K 100, b 32, k 20\n  trained in "), std::string::npos) << text;
}

TEST_F(Models, WithoutAnyTheSearchSaysSo) {
  write("a.txt", "0 0 1 0 1 1 0 1\n");
  fs::create_directory(work() / "bin");  // far from the source tree and its models
  fs::copy_file(MOCO_BINARY, work() / "bin" / "moco");
  const std::string command = "cd '" + work().string() + "' && bin/moco solve a.txt -K 1 2> notice > tour";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read("notice"), "moco: no trained model is shipped for tsp; using --model adam\n");
}

TEST_F(Models, AutoTakesTheNearestSizeAndItsNeighbours) {
  make_folder(entry("small", 20) + entry("large", 2000) + entry("absent", 50), {"small", "large"});
  const auto object = [&](int nodes) {
    const std::string count = std::to_string(nodes);
    return json_lines(expect_success({"eval", "generate tsp -n " + count, "-K", "1", "-b", "2", "--json", "-q"})).at(0);
  };
  EXPECT_EQ(object(30).at("model"), "small");
  EXPECT_EQ(object(30).at("neighbours"), 7);
  EXPECT_EQ(object(20).at("episode_steps"), 5);
  EXPECT_EQ(object(30).at("episode_steps"), 8) << "in proportion with the size";
  EXPECT_EQ(object(1500).at("model"), "large");
  expect_success({"generate", "tsp", "-n", "60", "-o", "a.txt"});
  const Outcome outcome = run({"solve", "a.txt", "-K", "1", "--model", "auto", "--json"});
  EXPECT_EQ(json_lines(outcome.out).at(0).at("model"), "tsp100") << "the models that ship are candidates too";
  EXPECT_EQ(outcome.err, "moco: using --model tsp100\n");
}

TEST_F(Models, ADamagedManifestIsNamed) {
  make_folder("[[model]]\nname = 3\n", {});
  const std::string file = (work() / "models" / "manifest.toml").string();
  expect_error({"models"}, 2, "moco: " + file + ":2: name must be a text");
}

}  // namespace
}  // namespace moco::cli_test
