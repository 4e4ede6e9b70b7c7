// Configurations: reading, writing, overriding, and messages that say where and what.
#include "moco/training/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "moco/error.h"
#include "moco/training/config_fields.h"
#include "unit/training/support.h"

namespace moco {
namespace {

void expect_refused(const std::string& text, const std::string& message) {
  try {
    parse_train_config(text, "run.toml");
    ADD_FAILURE() << "accepted: " << text;
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), message);
  }
}

TEST(TrainConfigFile, ReadsEverySection) {
  const TrainConfig config = parse_train_config(R"(
problem = "mis"
seed = 7
steps = 20
[model]
hidden = 64
gcn = "authors"
elite = "newest"
crowding = true
node_weights = true
[data]
kind = "er"
weights = "integer"
max_weight = 9
nodes = [50, 100]
mix = "instance"
[search]
steps = [[0.0, 20], [0.5, 50], [1, 200]]
least_steps = 10
local_search = "swap12"
move_limit = 9
plateau_steps = 4
advantage = "improved"
rebuild = 25
[es]
pairs = 8
sigma = 1e-3
loss = "log"
shaping = "rank"
[optimizer]
kind = "adamw"
weight_decay = 0.01
[validation]
files = ["a.txt", "b"]
)",
                                                "run.toml");
  EXPECT_EQ(config.problem, "mis");
  EXPECT_EQ(config.model.family, "mis");
  EXPECT_EQ(config.data.generator.problem, "mis");
  EXPECT_EQ(config.seed, 7u);
  EXPECT_EQ(config.model.hidden, 64);
  EXPECT_EQ(config.model.gcn, GcnVariant::authors);
  EXPECT_EQ(config.data.nodes, (std::vector<Index>{50, 100}));
  EXPECT_EQ(config.data.mix, SizeMix::instance);
  EXPECT_EQ(config.search_steps, (Curve{{0.0, 20.0}, {0.5, 50.0}, {1.0, 200.0}}));
  EXPECT_EQ(config.least_search_steps, 10);
  EXPECT_EQ(config.model.elite, EliteRule::newest);
  EXPECT_TRUE(config.model.crowding);
  EXPECT_TRUE(config.model.node_weights);
  EXPECT_EQ(std::get<std::string>(config.data.generator.own.all().at("weights")), "integer");
  EXPECT_EQ(std::get<double>(config.data.generator.own.all().at("max_weight")), 9.0);
  EXPECT_EQ(config.search.local_search.name, "swap12");
  EXPECT_EQ(config.search.local_search.move_limit, 9);
  EXPECT_EQ(config.search.problem, OptionValues().set("plateau_steps", 4));
  EXPECT_EQ(config.search.advantage, AdvantageKind::improved);
  EXPECT_EQ(config.search.rebuild, 25);
  EXPECT_DOUBLE_EQ(config.es.sigma, 1e-3);
  EXPECT_EQ(config.es.loss, LossKind::log);
  EXPECT_EQ(config.es.shaping, Shaping::rank);
  EXPECT_EQ(config.optimizer.kind, OptimizerKind::adamw);
  EXPECT_EQ(config.validation.files, (std::vector<std::string>{"a.txt", "b"}));
}

TEST(TrainConfigFile, TheEliteOfOlderFilesIsThePool) {
  const TrainConfig config = parse_train_config("[model]\npool = \"newest\"\n[es]\nloss = \"pool\"\n", "run.toml");
  EXPECT_EQ(config.model.elite, EliteRule::newest);
  EXPECT_EQ(config.es.loss, LossKind::elite);
}

TEST(TrainConfigFile, ReadsTheOptionsOfProblemsAndGenerators) {
  const TrainConfig config = parse_train_config(R"(
problem = "tsp"
[data]
kind = "clustered"
clusters = 3
spread = 0.2
[search]
neighbours = 9
dead_end = "penalty"
local_search = "2opt"
move_rule = "best"
)",
                                                "run.toml");
  EXPECT_EQ(config.search.problem,
            OptionValues().set("neighbours", 9).set("dead_end", "penalty").set("move_rule", "best"));
  EXPECT_EQ(config.data.generator.own, OptionValues().set("clusters", 3).set("spread", 0.2));
  EXPECT_EQ(config.data.generator.kind, "clustered");
}

TEST(TrainConfigFile, OptionsOfOthersCountOnlyWhereTheySayMoreThanTheDefault) {
  // Configurations that were written when every key was have all of them.
  const TrainConfig config = parse_train_config(R"(
problem = "mis"
[data]
kind = "er"
clusters = 8
spread = 0.05
attachment = 4
[search]
neighbours = 20
dead_end = "nearest"
move_rule = "first"
)",
                                                "run.toml");
  EXPECT_EQ(config.search.problem, OptionValues());
  EXPECT_EQ(config.data.generator.own, OptionValues());
  expect_refused("problem = 'mis'\n[search]\nneighbours = 9", "run.toml: mis has no option neighbours");
  expect_refused("problem = 'mis'\n[search]\nmove_rule = 'best'", "run.toml: mis has no option move_rule");
  expect_refused("[search]\nplateau_steps = 4", "run.toml: tsp has no option plateau_steps");
  expect_refused("[data]\nkind = 'uniform'\nspread = 0.2", "run.toml: kind uniform has no option spread");
}

TEST(TrainConfigFile, MessagesNameFileLineAndValue) {
  expect_refused("steps = 5\n[es]\nsigma = -1.0\n", "run.toml:3: es.sigma: -1 is not a number from 1e-300 to 100");
  expect_refused("steps = 0", "run.toml:1: steps: 0 is not a whole number from 1 to 1000000000");
  expect_refused("steps = 2.5", "run.toml:1: steps: 2.5 is not a whole number from 1 to 1000000000");
  expect_refused("\nproblem = 'sat'",
                 fmt::format("run.toml:2: problem: 'sat' is not one of {}", fmt::join(problem_names(), ", ")));
  expect_refused("[search]\nneighbours = 0", "run.toml:2: search.neighbours: 0 is not a whole number from 1 to 10000");
  expect_refused("[search]\ndead_end = 'far'", "run.toml:2: search.dead_end: 'far' is not one of nearest, penalty");
  expect_refused("[es]\npears = 3", "run.toml:2: unknown key 'es.pears'");
  expect_refused("[ess]\npairs = 3", "run.toml:1: unknown key 'ess'");
  expect_refused("[data]\nfiles = 3", "run.toml:2: data.files: 3 is not a text in quotes");
  expect_refused("[search]\nsteps = [[0, 20],\n [0.5]]",
                 "run.toml:2: search.steps: this list is not a point [share of the run, value]");
  expect_refused("[search]\nsteps = [[0.5, 20], [0.2, 10]]",
                 "run.toml:2: search.steps: 0.2 is not a share of the run: they ascend from 0 to 1");
  expect_refused("[es]\npairs = 10\npairs_per_instance = 4",
                 "run.toml: es.pairs_per_instance 4 does not divide es.pairs 10");
  expect_refused("problem = 'mis'\n[model]\nmembership = 'undirected'",
                 "run.toml: model.membership is no option of models for mis");
  expect_refused("problem = 'mis'\n[search]\nlocal_search = '2opt'",
                 "run.toml: local search '2opt' is not one of those for mis: swap12");
  expect_refused("problem = 'mis'\n[data]\nkind = 'uniform'",
                 "run.toml: unknown generator 'uniform' for mis; known are er, ba, rb, sat");
  expect_refused("[model]\ninit = 'heuristic'\nrule = 'adam'",
                 "run.toml: a model with init 'heuristic' and rule 'adam' has no weights to train");
  try {
    parse_train_config("steps = 5\nseed = \n", "run.toml");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 12), "run.toml:2: ");
  }
  EXPECT_THROW(load_train_config("/no/such/file.toml"), IoError);
}

TEST(TrainConfigFile, WritesWhatItReads) {
  TrainConfig config = training_test::tiny_config();
  config.from = "a \"quoted\\ name";
  config.data.files = {"x.txt", "y,z"};
  config.search_steps = {{0.0, 20.0}, {1.0, 200.0}};
  config.optimizer.learning_rate = 0.1 + 0.2;
  const std::string text = format_train_config(config);
  EXPECT_EQ(format_train_config(parse_train_config(text, "again")), text);
  EXPECT_EQ(parse_train_config(text, "again").optimizer.learning_rate, 0.1 + 0.2);
  EXPECT_EQ(parse_train_config(text, "again").from, config.from);
}

TEST(TrainConfigFile, WritesTheOptionsOfItsOwnProblemOnly) {
  TrainConfig config = training_test::tiny_config("mis");
  config.data.generator.kind = "ba";
  config.data.generator.own.set("attachment", 2);
  config.search.problem.set("plateau_steps", 4);
  const std::string text = format_train_config(config);
  const TrainConfig back = parse_train_config(text, "again");
  EXPECT_EQ(format_train_config(back), text);
  EXPECT_EQ(back.problem, "mis");
  EXPECT_NE(text.find("\nattachment = 2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nplateau_steps = 4\n"), std::string::npos) << text;
  for (const char* foreign :
       {"\nneighbours = ", "\ndead_end = ", "\nmove_rule = ", "\nprobability = ", "\nclusters = "}) {
    EXPECT_EQ(text.find(foreign), std::string::npos) << foreign << text;
  }
}

TEST(TrainConfigValues, CanBeOverridden) {
  TrainConfig config;
  set_value(config, "es.sigma", "0.5");
  set_value(config, "optimizer.learning_rate", "1");
  set_value(config, "search.steps", "[[0, 20], [1, 200]]");
  set_value(config, "data.nodes", "30");
  set_value(config, "data.files", "a.txt,b.txt");
  set_value(config, "es.shaping", "sign");
  set_value(config, "from", "x.safetensors");
  EXPECT_DOUBLE_EQ(config.es.sigma, 0.5);
  EXPECT_DOUBLE_EQ(config.optimizer.learning_rate, 1.0);
  EXPECT_EQ(config.search_steps.size(), 2u);
  EXPECT_EQ(config.data.nodes, std::vector<Index>{30});
  EXPECT_EQ(config.data.files.size(), 2u);
  EXPECT_EQ(config.es.shaping, Shaping::sign);
  EXPECT_EQ(config.from, "x.safetensors");
  set_value(config, "search.neighbours", "7");
  set_value(config, "search.dead_end", "penalty");
  set_value(config, "data.spread", "0.5");
  EXPECT_EQ(config.search.problem, OptionValues().set("neighbours", 7).set("dead_end", "penalty"));
  EXPECT_EQ(config.data.generator.own, OptionValues().set("spread", 0.5));
  EXPECT_THROW(set_value(config, "search.neighbours", "0"), OptionError);
  EXPECT_THROW(set_value(config, "search.dead_end", "far"), OptionError);
  EXPECT_THROW(set_value(config, "es.sigma", "abc"), OptionError);
  EXPECT_THROW(set_value(config, "es.sigma", "1\nseed = 3 ="), OptionError);
  EXPECT_THROW(set_value(config, "es.none", "1"), OptionError);
}

TEST(Presets, AreAllValid) {
  EXPECT_GE(preset_names().size(), 11u);
  for (const std::string_view name : preset_names()) {
    const TrainConfig config = parse_train_config(preset_text(name), std::string(name));
    EXPECT_NO_THROW(validate(config)) << name;
    EXPECT_EQ(name.find("mis") != name.npos ? "mis" : "tsp", config.problem) << name;
    EXPECT_EQ(config.model.family, find_problem(config.problem).family()) << name;
    EXPECT_EQ(config.data.generator.problem, config.problem) << name;
  }
  EXPECT_THROW(preset_text("none"), OptionError);
}

TEST(ConfigFields, HaveDistinctNamesAndSectionsInOneBlock) {
  std::vector<std::string_view> options;
  std::vector<std::string_view> sections;
  for (const ConfigField& field : config_fields()) {
    EXPECT_EQ(std::find(options.begin(), options.end(), field.option), options.end()) << field.option;
    options.push_back(field.option);
    if (sections.empty() || sections.back() != field.section()) {
      EXPECT_EQ(std::find(sections.begin(), sections.end(), field.section()), sections.end()) << field.key;
      sections.push_back(field.section());
    }
    EXPECT_FALSE(field.help.empty()) << field.key;
  }
}

}  // namespace
}  // namespace moco
