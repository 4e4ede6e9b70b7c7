// Resume states and metrics on disk: round trip, damage, backups.
#include "moco/training/state.h"

#include <gtest/gtest.h>

#include "moco/error.h"
#include "moco/training/metrics.h"
#include "unit/training/support.h"

namespace moco {
namespace {

TrainState example_state(int step) {
  TrainState state;
  state.learner.step = step;
  state.learner.parameters = {1.0f, -2.5f, 1e-30f};
  state.learner.adam = AdamState(3);
  state.learner.adam.steps = step;
  state.learner.adam.first = {0.1f, 0.2f, 0.3f};
  state.learner.adam.second = {1e-12f, 0.0f, 5.0f};
  state.best_validation = 0.1 + 0.2;
  state.best_step = 3;
  state.seconds = 12.5;
  state.config = format_train_config(training_test::tiny_config());
  return state;
}

TEST(TrainStateFile, ComesBackBitForBit) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "state";
  const TrainState state = example_state(7);
  save_state(file, state);
  const TrainState back = load_state(file);
  EXPECT_EQ(back.learner.step, 7);
  EXPECT_EQ(back.learner.parameters, state.learner.parameters);
  EXPECT_EQ(back.learner.adam, state.learner.adam);
  EXPECT_EQ(back.best_validation, state.best_validation);
  EXPECT_EQ(back.best_step, 3);
  EXPECT_EQ(back.seconds, 12.5);
  EXPECT_EQ(back.config, state.config);
}

TEST(TrainStateFile, KeepsTheOneBefore) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "state";
  const auto backup = folder.path() / "state.bak";
  save_state(file, example_state(1));
  EXPECT_FALSE(std::filesystem::exists(backup));
  save_state(file, example_state(2));
  save_state(file, example_state(3));
  EXPECT_EQ(load_state(file).learner.step, 3);
  EXPECT_EQ(load_state(backup).learner.step, 2);
}

TEST(TrainStateFile, DamageIsNoticedEverywhere) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "state";
  save_state(file, example_state(7));
  const std::string good = slurp(file);
  for (const std::size_t length : {std::size_t{0}, std::size_t{4}, std::size_t{50}, good.size() - 1}) {
    spill(file, good.substr(0, length));
    EXPECT_THROW(load_state(file), InputError) << length;
  }
  for (std::size_t back = 1; back <= 36; ++back) {  // every byte of the tensors
    std::string bad = good;
    bad[bad.size() - back] = static_cast<char>(bad[bad.size() - back] ^ 1);
    spill(file, bad);
    EXPECT_THROW(load_state(file), InputError) << back;
  }
  EXPECT_THROW(load_state(folder.path() / "none"), IoError);
}

TEST(TrainStateFile, DamageWithABackupNamesIt) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "state";
  save_state(file, example_state(1));
  save_state(file, example_state(2));
  spill(file, "rubbish that is long enough");
  try {
    load_state(file);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("state.bak' over it"), std::string::npos) << error.what();
  }
  EXPECT_EQ(load_state(folder.path() / "state.bak").learner.step, 1);
}

TEST(TrainStateFile, AFailedWriteLeavesTheOldState) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "state";
  EXPECT_THROW(save_state(folder.path() / "no" / "folder" / "state", example_state(1)), IoError);
  save_state(file, example_state(1));
  std::filesystem::create_directory(folder.path() / "state.bak");
  spill(folder.path() / "state.bak" / "inside", "x");
  EXPECT_THROW(save_state(file, example_state(2)), IoError) << "the backup cannot be made";
  EXPECT_EQ(load_state(file).learner.step, 1);
}

TEST(TrainStateFile, ACheckpointIsNoState) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "model.safetensors";
  save_model(file, random_model(training_test::tiny_config().model, 1));
  EXPECT_THROW(load_state(file), InputError);
}

MetricsRow example_row(int step) {
  MetricsRow row;
  row.step = step;
  row.result = StepResult{};
  return row;
}

TEST(Metrics, ContinueWithoutDuplicates) {
  const TemporaryFolder folder;
  const auto jsonl = folder.path() / "m.jsonl";
  const auto csv = folder.path() / "m.csv";
  {
    const MetricsLog log(jsonl, csv, -1);
    for (int step = 0; step <= 5; ++step) {
      log.append(example_row(step));
    }
  }
  const std::string jsonl_before = slurp(jsonl);
  const std::string csv_before = slurp(csv);
  spill(jsonl, jsonl_before + "{\"step\": 6, \"lo");
  spill(csv, csv_before + "6,1.2");
  const MetricsLog log(jsonl, csv, 3);
  log.append(example_row(4));
  log.append(example_row(5));
  EXPECT_EQ(slurp(jsonl), jsonl_before);
  EXPECT_EQ(slurp(csv), csv_before);
  EXPECT_EQ(csv_before.substr(0, 10), "step,loss,");
  const MetricsLog anew(jsonl, csv, -1);
  EXPECT_EQ(slurp(jsonl), "");
}

TEST(Metrics, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) {
    GTEST_SKIP();
  }
  const TemporaryFolder folder;
  const MetricsLog log(folder.path() / "m.jsonl", folder.path() / "m.csv", -1);
  std::filesystem::remove(folder.path() / "m.jsonl");
  std::filesystem::create_symlink("/dev/full", folder.path() / "m.jsonl");
  EXPECT_THROW(log.append(example_row(1)), IoError);
}

}  // namespace
}  // namespace moco
