// Whole runs: resume bit for bit, stopping, folders, data sets, warm starts; and that training learns.
#include "moco/training/trainer.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include <gtest/gtest.h>

#include "moco/error.h"
#include "moco/generate.h"
#include "moco/io.h"
#include "moco/training/schedules.h"
#include "moco/training/state.h"
#include "moco/training/streams.h"
#include "solve_once.h"
#include "unit/training/support.h"

namespace moco {
namespace {

using training_test::options_for;
using training_test::tiny_config;

TrainOutcome train_alone(const TrainConfig& config, const TrainOptions& options) {
  return train(config, options, *single_process());
}

/// Interrupts a run once it has done that many steps.
TrainOptions stopping_at(TrainOptions options, int step) {
  auto reached = std::make_shared<bool>(false);
  options.progress = [reached, step](const MetricsRow& row) { *reached = row.step >= step; };
  options.interrupted = [reached] { return *reached; };
  return options;
}

/// Steps of a metrics file, in order.
std::vector<int> steps_of(const std::filesystem::path& csv) {
  std::vector<int> steps;
  const std::string text = slurp(csv);
  for (std::size_t at = text.find('\n') + 1; at < text.size(); at = text.find('\n', at) + 1) {
    steps.push_back(std::stoi(text.substr(at, 12)));
  }
  return steps;
}

class Resume : public ::testing::TestWithParam<std::string> {};

TEST_P(Resume, IsBitForBitTheUninterruptedRun) {
  const TrainConfig config = tiny_config(GetParam());
  const TemporaryFolder whole;
  const TemporaryFolder parts;
  EXPECT_EQ(train_alone(config, options_for(whole.path())).end, TrainEnd::finished);
  const TrainOutcome first = train_alone(config, stopping_at(options_for(parts.path()), 3));
  EXPECT_EQ(first.end, TrainEnd::interrupted);
  EXPECT_EQ(first.step, 3);
  TrainOptions again = options_for(parts.path());
  again.resume = true;
  again.threads = 1;
  EXPECT_EQ(train_alone(config, again).step, 6);

  const TrainState a = load_state(whole.path() / "state.safetensors");
  const TrainState b = load_state(parts.path() / "state.safetensors");
  EXPECT_EQ(a.learner.step, 6);
  EXPECT_EQ(a.learner.parameters, b.learner.parameters);
  EXPECT_EQ(a.learner.adam, b.learner.adam);
  EXPECT_EQ(a.best_validation, b.best_validation);
  EXPECT_EQ(a.best_step, b.best_step);
  EXPECT_EQ(slurp(whole.path() / "best.safetensors"), slurp(parts.path() / "best.safetensors"));
  EXPECT_EQ(slurp(whole.path() / "last.safetensors"), slurp(parts.path() / "last.safetensors"));
  EXPECT_EQ(steps_of(parts.path() / "metrics.csv"), (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
}

INSTANTIATE_TEST_SUITE_P(Problems, Resume, ::testing::Values("tsp", "mis"));

TEST(Trainer, ResumesFromAnOlderStateToTheSameEnd) {
  const TrainConfig config = tiny_config();
  const TemporaryFolder whole;
  const TemporaryFolder killed;
  TrainOptions options = options_for(killed.path());
  options.save_every_steps = 2;
  train_alone(config, options_for(whole.path()));
  train_alone(config, options);
  // As after kill −9 at step 5: the state is of step 4, best and metrics are ahead of it.
  std::filesystem::rename(killed.path() / "state.safetensors.bak", killed.path() / "state.safetensors");
  EXPECT_EQ(load_state(killed.path() / "state.safetensors").learner.step, 4);
  options.resume = true;
  train_alone(config, options);
  EXPECT_EQ(load_state(whole.path() / "state.safetensors").learner.parameters,
            load_state(killed.path() / "state.safetensors").learner.parameters);
  EXPECT_EQ(steps_of(killed.path() / "metrics.csv"), (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(Trainer, ResumesAStateFromBeforeAKeyWasAdded) {
  const TemporaryFolder folder;
  TrainOptions options = stopping_at(options_for(folder.path()), 2);
  train_alone(tiny_config(), options);
  const std::filesystem::path file = folder.path() / "state.safetensors";
  TrainState state = load_state(file);
  const std::string line = "move_limit = 0\n";
  ASSERT_NE(state.config.find(line), std::string::npos);
  state.config.erase(state.config.find(line), line.size());
  save_state(file, state);
  options = options_for(folder.path());
  options.resume = true;
  EXPECT_EQ(train_alone(tiny_config(), options).step, 6);
}

TEST(Trainer, PartsOfAModelAreTrainedAlone) {
  const std::pair<Initialisation, UpdateRule> parts[] = {{Initialisation::heuristic, UpdateRule::gnn},
                                                         {Initialisation::heuristic, UpdateRule::mlp},
                                                         {Initialisation::learned, UpdateRule::adam},
                                                         {Initialisation::learned, UpdateRule::ant_system},
                                                         {Initialisation::learned, UpdateRule::max_min}};
  for (const std::string problem : {"tsp", "mis"}) {
    for (const auto& [init, rule] : parts) {
      const TemporaryFolder folder;
      TrainConfig config = tiny_config(problem);
      config.steps = 2;
      config.data.nodes = {30};
      config.es.sigma = 0.5;  // which moves the best solutions of every search
      config.model.init = init;
      config.model.rule = rule;
      if (problem == "mis") {
        config.model.gcn =
            GcnVariant::authors;  // the paper's sees no difference between nodes before the first samples
      }
      config.model.learning_rate = 0.3;
      config.model.evaporation = 0.3;
      EXPECT_EQ(train_alone(config, options_for(folder.path())).end, TrainEnd::finished);
      const Model model = load_model(folder.path() / "last.safetensors");
      EXPECT_EQ(model.config, config.model);
      EXPECT_NE(model.weights, random_model(config.model, config.seed).weights) << "training moved nothing";
    }
  }
}

TEST(Trainer, LocalSearchInTheLoopLowersTheLoss) {
  for (const std::string problem : {"tsp", "mis"}) {
    const TemporaryFolder folder;
    TrainConfig config = tiny_config(problem);
    config.steps = 2;
    config.data.nodes = {30};
    const double plain = train_alone(config, options_for(folder.path() / "plain")).best_validation.value();
    config.search.local_search.name = problem == "tsp" ? "2opt+oropt" : "swap12";
    config.search.advantage = AdvantageKind::improved;
    EXPECT_LT(train_alone(config, options_for(folder.path() / "hybrid")).best_validation.value(), plain) << problem;
  }
}

TEST(Trainer, TrainsOnPartialSamples) {
  for (const std::string problem : {"tsp", "mis"}) {
    const TemporaryFolder folder;
    TrainConfig config = tiny_config(problem);
    config.steps = 2;
    config.data.nodes = {80};
    config.search.samples = 2;
    config.es.sigma = 0.5;  // which moves the best solutions of every search
    config.es.loss = LossKind::elite;
    if (problem == "mis") {
      config.model.gcn = GcnVariant::authors;
    }
    config.search.rebuild = 6;
    EXPECT_EQ(train_alone(config, options_for(folder.path())).end, TrainEnd::finished);
    const Model model = load_model(folder.path() / "last.safetensors");
    EXPECT_EQ(model.search->rebuild, 6) << "searches by the model do likewise";
    EXPECT_NE(model.weights, random_model(config.model, config.seed).weights) << "training moved nothing";
  }
}

TEST(Trainer, ResumeOfAFinishedOrMissingRun) {
  const TemporaryFolder folder;
  TrainOptions options = options_for(folder.path() / "new" / "run");
  options.resume = true;
  EXPECT_EQ(train_alone(tiny_config(), options).step, 6);
  EXPECT_EQ(train_alone(tiny_config(), options).end, TrainEnd::finished);
  EXPECT_EQ(steps_of(options.folder / "metrics.csv"), (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(format_train_config(config_of_run(options.folder)), format_train_config(tiny_config()));
}

TEST(Trainer, AFinishedRunGoesOnWhenItIsMadeLonger) {
  const TemporaryFolder folder;
  TrainConfig config = tiny_config();
  config.optimizer.schedule = RateSchedule::constant;  // so that both ways see the same rates
  train_alone(config, options_for(folder.path() / "parts"));
  config.steps = 8;
  TrainOptions longer = options_for(folder.path() / "parts");
  longer.resume = true;
  EXPECT_THROW(train_alone(config, longer), OptionError);  // not by accident
  longer.reschedule = true;
  EXPECT_EQ(train_alone(config, longer).step, 8);
  train_alone(config, options_for(folder.path() / "whole"));
  EXPECT_EQ(load_state(folder.path() / "parts" / "state.safetensors").learner.parameters,
            load_state(folder.path() / "whole" / "state.safetensors").learner.parameters);
  EXPECT_EQ(config_of_run(folder.path() / "parts").steps, 8);
  EXPECT_EQ(load_train_config(folder.path() / "parts" / "config.toml").steps, 8);
  config.steps = 7;
  EXPECT_THROW(train_alone(config, longer), OptionError);  // it is past that
  config.steps = 9;
  config.es.sigma = 0.5;
  EXPECT_THROW(train_alone(config, longer), OptionError);  // not only the schedule
}

TEST(Trainer, AnnealsFromWhereARunStands) {
  const TemporaryFolder folder;
  const TrainConfig config = tiny_config();
  TrainOptions options = options_for(folder.path());
  train_alone(config, stopping_at(options, 3));
  const double rate = learning_rate(config.optimizer, 3, config.steps);
  const TrainConfig annealed = annealed_config_of_run(folder.path(), 4);
  EXPECT_EQ(annealed.steps, 7);
  EXPECT_DOUBLE_EQ(learning_rate(annealed.optimizer, 3, annealed.steps), rate);
  EXPECT_DOUBLE_EQ(learning_rate(annealed.optimizer, 5, annealed.steps), rate / 2);
  EXPECT_DOUBLE_EQ(learning_rate(annealed.optimizer, 7, annealed.steps), 0.0);
  options.resume = true;
  options.reschedule = true;
  EXPECT_EQ(train_alone(annealed, options).step, 7);
  EXPECT_THROW(annealed_config_of_run(folder.path(), 4), OptionError);  // the rate is 0 now
}

TEST(Trainer, EntersAScheduleFromACheckpoint) {
  const TemporaryFolder folder;
  TrainConfig config = tiny_config();
  train_alone(config, stopping_at(options_for(folder.path() / "lost"), 3));
  config.from = (folder.path() / "lost" / "last.safetensors").string();
  config.first_step = 3;
  std::vector<double> rates;
  TrainOptions options = options_for(folder.path() / "again");
  options.progress = [&](const MetricsRow& row) {
    if (row.result) {
      rates.push_back(row.result->learning_rate);
    }
  };
  EXPECT_EQ(train_alone(config, options).step, 6);
  EXPECT_EQ(rates, (std::vector<double>{learning_rate(config.optimizer, 3, 6), learning_rate(config.optimizer, 4, 6),
                                        learning_rate(config.optimizer, 5, 6)}));
  EXPECT_EQ(steps_of(folder.path() / "again" / "metrics.csv"), (std::vector<int>{3, 4, 5, 6}));
  config.from.clear();
  EXPECT_THROW(validate(config), OptionError);
}

TEST(Trainer, RefusesFoldersOfOtherRuns) {
  const TemporaryFolder folder;
  TrainConfig config = tiny_config();
  config.steps = 1;
  train_alone(config, options_for(folder.path()));
  EXPECT_THROW(train_alone(config, options_for(folder.path())), OptionError);
  TrainOptions options = options_for(folder.path());
  options.resume = true;
  config.es.sigma = 0.5;
  try {
    train_alone(config, options);
    ADD_FAILURE();
  } catch (const OptionError& error) {
    EXPECT_NE(std::string(error.what()).find("'sigma = 0.01', not 'sigma = 0.5'"), std::string::npos) << error.what();
  }
  spill(folder.path() / "state.safetensors", "damaged beyond repair");
  config.es.sigma = 0.01;
  EXPECT_THROW(train_alone(config, options), Error);
  spill(folder.path() / "file", "");
  EXPECT_THROW(train_alone(config, options_for(folder.path() / "file" / "run")), IoError);
}

TEST(Trainer, EndsInTimeWithASavedState) {
  const TemporaryFolder folder;
  TrainConfig config = tiny_config();
  config.steps = 1000000;
  config.validation.every = 0;
  TrainOptions options = options_for(folder.path());
  options.time_limit = 1.5;
  const TrainOutcome outcome = train_alone(config, options);
  EXPECT_EQ(outcome.end, TrainEnd::time);
  EXPECT_GT(outcome.step, 0);
  EXPECT_LT(outcome.step, config.steps);
  EXPECT_EQ(load_state(folder.path() / "state.safetensors").learner.step, outcome.step);
}

/// Interrupts a run when it has asked so often.
TrainOptions stopping_after_polls(TrainOptions options, int polls) {
  auto left = std::make_shared<std::atomic<int>>(polls);
  options.interrupted = [left] { return left->fetch_sub(1) <= 0; };
  return options;
}

TEST(Trainer, ValidationEndsWhenToldTo) {
  const TemporaryFolder folder;
  TrainConfig config = tiny_config();
  config.validation.steps = 100000000;  // nobody lives to see its end
  TrainOptions options = stopping_after_polls(options_for(folder.path() / "told"), 100);
  TrainOutcome outcome = train_alone(config, options);
  EXPECT_EQ(outcome.end, TrainEnd::interrupted);
  EXPECT_EQ(outcome.step, 0);
  EXPECT_FALSE(outcome.best_validation);
  EXPECT_EQ(load_state(options.folder / "state.safetensors").learner.step, 0);

  options = options_for(folder.path() / "late");
  options.time_limit = 0.5;
  outcome = train_alone(config, options);
  EXPECT_EQ(outcome.end, TrainEnd::time);
  EXPECT_FALSE(outcome.best_validation);
}

TEST(Trainer, InterruptedAnywhereItEndsLikeAnUndisturbedRun) {
  const TrainConfig config = tiny_config();
  const TemporaryFolder whole;
  const TemporaryFolder parts;
  train_alone(config, options_for(whole.path()));
  int interruptions = 0;
  int without_progress = 0;  // among them those inside a step or its validation
  int step = 0;
  for (int polls = 1; step < config.steps; polls += 3) {
    TrainOptions options = stopping_after_polls(options_for(parts.path()), polls);
    options.resume = true;
    const TrainOutcome outcome = train_alone(config, options);
    interruptions += outcome.end == TrainEnd::interrupted ? 1 : 0;
    without_progress += outcome.step == step ? 1 : 0;
    step = outcome.step;
  }
  EXPECT_GT(interruptions, 10);
  EXPECT_GT(without_progress, 5);
  EXPECT_EQ(slurp(whole.path() / "best.safetensors"), slurp(parts.path() / "best.safetensors"));
  EXPECT_EQ(slurp(whole.path() / "last.safetensors"), slurp(parts.path() / "last.safetensors"));
  EXPECT_EQ(steps_of(parts.path() / "metrics.csv"), (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(Trainer, ValidationIsASolversSearch) {
  const TemporaryFolder folder;
  std::vector<InstancePtr> instances;
  for (std::uint64_t i = 0; i < 3; ++i) {
    instances.push_back(generate({.nodes = 12, .seed = 4}, i));
  }
  const std::filesystem::path file = folder.path() / "three.txt";
  write_instances(file, instances);
  TrainConfig config = tiny_config();
  config.steps = 1;
  config.validation.files = {file.string()};
  TrainOptions options = options_for(folder.path() / "run");
  std::vector<MetricsRow> rows;
  options.progress = [&](const MetricsRow& row) { rows.push_back(row); };
  train_alone(config, options);
  SolveOptions search;
  search.loop = config.search;
  search.loop.steps = most_search_steps(config);
  search.seed = training_seed(config.validation.seed, TrainingDraw::validation);
  double sum = 0.0;
  for (const SolveResult& result :
       solve_once(read_instances(file), load_model(folder.path() / "run/last.safetensors"), search)) {
    sum += result.cost;
  }
  ASSERT_TRUE(rows.back().validation);
  EXPECT_DOUBLE_EQ(rows.back().validation->cost, sum / 3.0);
  EXPECT_GT(rows.back().validation->entropy, 0.0);
}

TEST(Trainer, DrawsFromDataSetsAndReportsGaps) {
  const TemporaryFolder folder;
  std::vector<InstancePtr> instances;
  for (std::uint64_t i = 0; i < 4; ++i) {
    GeneratorOptions generator;
    generator.nodes = 12;
    const InstancePtr instance = generate(generator, i);
    auto copy =
        std::make_shared<TspInstance>(instance->name(),
                                      std::vector<Point>(dynamic_cast<const TspInstance&>(*instance).points().begin(),
                                                         dynamic_cast<const TspInstance&>(*instance).points().end()),
                                      Metric::euclidean);
    Solution identity;
    for (Index city = 0; city < 12; ++city) {
      identity.items.push_back(city);
    }
    copy->set_reference(identity);
    instances.push_back(copy);
  }
  std::filesystem::create_directory(folder.path() / "data");
  write_instances(folder.path() / "data" / "some.txt", instances);
  TrainConfig config = tiny_config();
  config.steps = 2;
  config.data.files = {(folder.path() / "data").string()};
  config.validation.files = {(folder.path() / "data" / "some.txt").string()};
  TrainOptions options = options_for(folder.path() / "run");
  std::vector<MetricsRow> rows;
  options.progress = [&](const MetricsRow& row) { rows.push_back(row); };
  train_alone(config, options);
  ASSERT_EQ(rows.size(), 3u);
  ASSERT_TRUE(rows[0].validation && rows[0].validation->gap);
  EXPECT_LT(*rows[0].validation->gap, 0.0) << "the references are poor tours";
  config.data.files = {(folder.path() / "none.txt").string()};
  EXPECT_THROW(train_alone(config, options_for(folder.path() / "other")), IoError);
}

TEST(Trainer, StartsFromACheckpointWithMoreNetworks) {
  const TemporaryFolder folder;
  TrainConfig config = tiny_config();
  config.steps = 1;
  train_alone(config, options_for(folder.path() / "whole"));
  config.from = (folder.path() / "whole" / "last.safetensors").string();
  const Model whole = load_model(config.from);
  config.model.init = Initialisation::heuristic;
  config.optimizer.learning_rate = 1e-30;  // stays where it is
  train_alone(config, options_for(folder.path() / "part"));
  const Model part = load_model(folder.path() / "part" / "last.safetensors");
  EXPECT_LT(part.weights.size(), whole.weights.size());
  EXPECT_EQ(part.weights, changed_model(whole, {.init = Initialisation::heuristic, .rule = UpdateRule::gnn}).weights);
  config.model.rule = UpdateRule::mlp;
  EXPECT_THROW(train_alone(config, options_for(folder.path() / "none")), OptionError);
}

TEST(Trainer, StartsFromACheckpoint) {
  const TemporaryFolder folder;
  TrainConfig config = tiny_config();
  config.steps = 1;
  train_alone(config, options_for(folder.path() / "first"));
  config.from = (folder.path() / "first" / "last.safetensors").string();
  config.optimizer.learning_rate = 1e-30;
  train_alone(config, options_for(folder.path() / "second"));
  EXPECT_EQ(load_model(config.from).weights, load_model(folder.path() / "second" / "last.safetensors").weights);
  config.model.hidden = 16;
  EXPECT_THROW(train_alone(config, options_for(folder.path() / "third")), OptionError);
}

TEST(Trainer, SeveralPairsPerInstanceAndMixedSizes) {
  const TemporaryFolder folder;
  TrainConfig config = tiny_config();
  config.steps = 3;
  config.es.pairs_per_instance = 3;
  config.data.nodes = {8, 14};
  config.data.mix = SizeMix::instance;
  config.least_search_steps = 2;
  config.search_steps = {{0.0, 4.0}};
  EXPECT_EQ(train_alone(config, options_for(folder.path())).step, 3);
}

/// The preset for checks of an installation must learn a lot. Measured: mean length 5.11 untrained, 3.92 trained.
TEST(Learning, Tsp20ImprovesByAWideMargin) {
  const TemporaryFolder folder;
  const TrainConfig config = parse_train_config(preset_text("tsp20-smoke"), "tsp20-smoke");
  TrainOptions options = options_for(folder.path());
  double start = 0.0;
  options.progress = [&](const MetricsRow& row) {
    if (row.step == 0) {
      start = row.validation->cost;
    }
  };
  const TrainOutcome outcome = train_alone(config, options);
  EXPECT_GT(start, 4.9);
  EXPECT_LT(*outcome.best_validation, 4.1) << "from " << start;
  RecordProperty("start", std::to_string(start));
  RecordProperty("best", std::to_string(*outcome.best_validation));
}

}  // namespace
}  // namespace moco
