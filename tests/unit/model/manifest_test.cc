// Reading of manifests and the choice of a model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "moco/error.h"
#include "moco/generate.h"
#include "moco/models.h"
#include "options.h"

namespace moco {
namespace {

using testing::HasSubstr;

constexpr const char* kComplete = R"([[model]]
name = "er"
problem = "mis"
distribution = "er"
nodes = [700, 800]
mean_degree = 112
steps = 50
samples = 32
config = "mis-er"
sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
training = "some steps"
training_seconds = 60
training_hardware = "a machine"
licence = "MIT"
[[model.score]]
data = "a set"
restarts = 1
steps = 50
samples = 32
value = 41.7
gap = 0.0786
)";

std::string without(const std::string& line) {
  std::string text = kComplete;
  const std::size_t at = text.find(line);
  EXPECT_NE(at, std::string::npos);
  return text.erase(at, text.find('\n', at) + 1 - at);
}

void expect_refused(const std::string& text, const std::string& message) {
  try {
    parse_manifest(text, "manifest.toml");
    ADD_FAILURE() << "accepted: " << text;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}

ModelEntry entry(const char* name, const char* problem, const char* distribution, Index least, Index most,
                 std::optional<double> degree = {}) {
  ModelEntry result;
  result.name = name;
  result.problem = problem;
  result.distribution = distribution;
  result.least_nodes = least;
  result.most_nodes = most;
  result.mean_degree = degree;
  return result;
}

std::string choice(const std::vector<ModelEntry>& entries, const InstanceTraits& traits) {
  const ModelEntry* nearest = nearest_model(entries, traits);
  return nearest == nullptr ? "none" : nearest->name;
}

InstanceTraits traits(const char* family, const char* distribution, double nodes, std::optional<double> degree = {}) {
  InstanceTraits result;
  result.family = family;
  result.distribution = distribution;
  result.nodes = nodes;
  result.degree = degree;
  return result;
}

TEST(Manifest, ReadsEveryKey) {
  const std::vector<ModelEntry> entries = parse_manifest(kComplete, "manifest.toml");
  ASSERT_EQ(entries.size(), 1u);
  const ModelEntry& read = entries.front();
  EXPECT_EQ(read.name, "er");
  EXPECT_EQ(read.problem, "mis");
  EXPECT_EQ(read.least_nodes, 700);
  EXPECT_EQ(read.most_nodes, 800);
  EXPECT_EQ(read.mean_degree, 112.0);
  EXPECT_EQ(read.steps, 50);
  EXPECT_EQ(parse_manifest(kComplete, "models/manifest.toml").front().file, "models/er.safetensors");
  EXPECT_FALSE(read.weighted);
  EXPECT_TRUE(read.only_for.empty());
  std::string special = kComplete;
  special.insert(special.find("steps"), "only_for = [\"er\", \"road\"]\n");
  EXPECT_EQ(parse_manifest(special, "manifest.toml").front().only_for, (std::vector<std::string>{"er", "road"}));
  EXPECT_TRUE(read.automatic);
  special.insert(special.find("steps"), "automatic = false\n");
  EXPECT_FALSE(parse_manifest(special, "manifest.toml").front().automatic);
  EXPECT_EQ(read.local_search, "");
  EXPECT_EQ(read.config, "mis-er");
  EXPECT_EQ(read.training_seconds, 60.0);
  ASSERT_EQ(read.scores.size(), 1u);
  EXPECT_EQ(read.scores.front().value, 41.7);
  EXPECT_EQ(read.scores.front().gap, 0.0786);
}

TEST(Manifest, RefusesWhatIsMissingUnknownOrWrong) {
  expect_refused("", "a manifest lists models");
  expect_refused("[[model]", "manifest.toml:1: ");
  expect_refused("x = 1\n", "manifest.toml:1: a manifest has no key 'x'");
  expect_refused(without("sha256"), "a model needs the key 'sha256'");
  expect_refused(without("value"), "a score needs the key 'value'");
  std::string text = kComplete;
  text.insert(text.find("name"), "colour = 1\n");
  expect_refused(text, "manifest.toml:2: a model has no key 'colour'");
  expect_refused(std::string(kComplete) + "nodes = 5\n", "a score has no key 'nodes'");
  text = kComplete;
  text.replace(text.find("[700, 800]"), 10, "[800, 700]");
  expect_refused(text, "manifest.toml:5: nodes must begin with the lesser number");
  text = kComplete;
  text.replace(text.find("\"er\"\nnodes"), 4, "\"uniform\"");
  expect_refused(text, "manifest.toml:1: unknown generator 'uniform' for mis; known are er, ba, rb, sat");
  text = kComplete;
  text.replace(text.find("\"mis\""), 5, "\"sat\"");
  expect_refused(text, "manifest.toml:1: unknown problem 'sat'; known are tsp, mis");
  expect_refused(std::string(kComplete) + kComplete, "a second model named 'er'");
  text = kComplete;
  text.replace(text.find("\"0123"), 3, "\"X");
  expect_refused(text, "manifest.toml:1: sha256 must be 64 hexadecimal digits in lower case, not 'X");
  text = kComplete;
  text.insert(text.find("steps"), "only_for = [3]\n");
  expect_refused(text, "manifest.toml:7: only_for must be a list of texts");
  text = kComplete;
  text.insert(text.find("steps"), "automatic = \"no\"\n");
  expect_refused(text, "manifest.toml:7: automatic must be true or false");
  text = kComplete;
  text.insert(text.find("steps"), "neighbours = 20\n");
  expect_refused(text, "manifest.toml:7: a model has no key 'neighbours'");
  text = kComplete;
  text.insert(text.find("steps"), "weighted = 1\n");
  expect_refused(text, "manifest.toml:7: weighted must be true or false");
}

TEST(NearestModel, LeavesOutWhatIsTakenByNameOnly) {
  std::vector<ModelEntry> entries = {entry("exact", "tsp", "uniform", 100, 100),
                                     entry("larger", "tsp", "uniform", 200, 200)};
  InstanceTraits traits;
  traits.family = "tsp";
  traits.nodes = 100.0;
  EXPECT_EQ(nearest_model(entries, traits)->name, "exact");
  entries.front().automatic = false;
  EXPECT_EQ(nearest_model(entries, traits)->name, "larger");
  entries.back().automatic = false;
  EXPECT_EQ(nearest_model(entries, traits), nullptr);
}

TEST(NearestModel, ByProblemAndSizeOnALogarithmicScale) {
  const std::vector<ModelEntry> entries = {entry("tsp100", "tsp", "uniform", 100, 100),
                                           entry("tsp500", "tsp", "uniform", 500, 500)};
  EXPECT_EQ(choice(entries, traits("tsp", "", 20)), "tsp100");
  EXPECT_EQ(choice(entries, traits("tsp", "", 220)), "tsp100");
  EXPECT_EQ(choice(entries, traits("tsp", "", 230)), "tsp500");
  EXPECT_EQ(choice(entries, traits("tsp", "clustered", 5000)), "tsp500") << "none of that distribution";
  EXPECT_EQ(choice(entries, traits("mis", "", 100)), "none");
}

TEST(NearestModel, ByDistributionAndFamilyAndOtherwiseAmongTheGeneralOnes) {
  std::vector<ModelEntry> entries = {entry("er", "mis", "er", 700, 800, 112.0),
                                     entry("sparse", "mis", "er", 700, 800, 8.0),
                                     entry("sat", "mis", "sat", 1209, 1347, 8.0)};
  entries[2].only_for = {"sat", "road"};
  EXPECT_EQ(choice(entries, traits("mis", "sat", 750, 112.0)), "sat");
  EXPECT_EQ(choice(entries, traits("mis", "road", 750, 112.0)), "sat");
  EXPECT_EQ(choice(entries, traits("mis", "", 1300, 8.0)), "sparse") << "nearer, but not for any graph";
  EXPECT_EQ(choice(entries, traits("mis", "ba", 1300, 90.0)), "er");
  EXPECT_EQ(choice({entries[2]}, traits("mis", "ba", 1300, 8.0)), "sat") << "better than none";
}

TEST(NearestModel, ByDistributionWhereKnownAndByDegreeOtherwise) {
  const std::vector<ModelEntry> entries = {entry("er", "mis", "er", 700, 800, 112.0),
                                           entry("sat", "mis", "sat", 1209, 1347, 8.0)};
  EXPECT_EQ(choice(entries, traits("mis", "er", 10000, 8.0)), "er");
  EXPECT_EQ(choice(entries, traits("mis", "sat", 750, 112.0)), "sat");
  EXPECT_EQ(choice(entries, traits("mis", "", 10000, 200.0)), "er") << "large and dense";
  EXPECT_EQ(choice(entries, traits("mis", "", 700, 7.5)), "sat") << "small and sparse";
}

TEST(NearestModel, TrainedWithALocalSearchForSearchesWithOne) {
  std::vector<ModelEntry> entries = {entry("plain", "tsp", "uniform", 100, 100),
                                     entry("hybrid", "tsp", "uniform", 100, 100),
                                     entry("large", "tsp", "uniform", 500, 500)};
  entries[1].local_search = entries[2].local_search = "2opt";
  InstanceTraits search = traits("tsp", "uniform", 100);
  EXPECT_EQ(choice(entries, search), "plain");
  search.nodes = 1000;
  EXPECT_EQ(choice(entries, search), "plain");
  search.local_search = "2opt+oropt";
  EXPECT_EQ(choice(entries, search), "large");
  search.nodes = 100;
  EXPECT_EQ(choice(entries, search), "hybrid") << "equally near";
}

TEST(NearestModel, WithWeightsForInstancesWithWeights) {
  std::vector<ModelEntry> entries = {entry("plain", "mis", "er", 700, 800, 112.0),
                                     entry("weighted", "mis", "er", 7000, 8000, 112.0)};
  entries[1].weighted = true;
  InstanceTraits instances = traits("mis", "er", 750, 112.0);
  EXPECT_EQ(choice(entries, instances), "plain");
  instances.weighted = true;
  EXPECT_EQ(choice(entries, instances), "weighted") << "farther, but for weights";
  EXPECT_EQ(choice({entries[0]}, instances), "plain") << "better than none";
  instances.weighted = false;
  EXPECT_EQ(choice({entries[1]}, instances), "weighted") << "better than none";
}

TEST(Traits, AreGeometricMeans) {
  GeneratorOptions options;
  options.nodes = 10;
  const InstancePtr small = generate(options);
  options.nodes = 1000;
  const std::vector<InstancePtr> cities = {small, generate(options)};
  EXPECT_NEAR(traits_of(cities).nodes, 100.0, 1e-9);
  EXPECT_FALSE(traits_of(cities).degree.has_value());
  const std::vector<Edge> edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  const std::vector<InstancePtr> graphs = {std::make_shared<GraphInstance>(mis(), "ring", 4, edges)};
  EXPECT_NEAR(traits_of(graphs, "er").degree.value(), 2.0, 1e-12);
  EXPECT_EQ(traits_of(graphs, "er").distribution, "er");
}

TEST(Traits, TakeTheFamilyOfMostGraphs) {
  GeneratorOptions options = test_generator("sat");
  std::vector<InstancePtr> graphs = {generate(options, 0), generate(options, 1)};
  options.kind = "er";
  graphs.push_back(generate(options));
  EXPECT_EQ(traits_of(graphs).distribution, "sat");
  graphs.push_back(generate(options, 1));
  EXPECT_EQ(traits_of(graphs).distribution, "") << "half of them";
}

}  // namespace
}  // namespace moco
