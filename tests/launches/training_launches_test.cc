// Trainings of parts of a model on the CUDA engine, with a device that runs nothing: what its kernels would be.
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "launches/fake_runtime.h"
#include "moco/training/trainer.h"
#include "temporary_folder.h"

namespace moco {
namespace {

using ::testing::Contains;
using ::testing::Not;
using Names = std::vector<std::string>;

/// The kernels of two steps of a preset on small instances, by name and once each.
Names kernels_of(std::string_view preset) {
  TrainConfig config = parse_train_config(preset_text(preset), std::string(preset));
  config.steps = 2;
  config.data.nodes = {20};
  config.search_steps = {{0.0, 5.0}};
  config.search.samples = 4;
  config.es.pairs = 4;
  config.es.loss = LossKind::best;  // costs of 0 have no logarithm
  config.validation.every = 0;
  const TemporaryFolder folder;
  TrainOptions options;
  options.folder = folder.path() / "run";
  options.engine = EngineKind::cuda;
  options.threads = 1;
  fake::record().forget();
  EXPECT_EQ(train(config, options, *single_process()).step, 2);
  EXPECT_EQ(fake::record().outside, 0);
  Names names;
  for (const fake::Launch& launch : fake::record().launches) {
    names.push_back(launch.kernel);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

TEST(TrainingLaunches, AblationWithoutABeginningToLearn) {
  const Names gnn = kernels_of("ablation-tsp200-gnn");
  EXPECT_THAT(gnn, Contains("tsp_promise_kernel"));
  EXPECT_THAT(gnn, Contains("fused_network_kernel"));
  const Names mlp = kernels_of("ablation-tsp200-mlp");
  EXPECT_THAT(mlp, Contains("tsp_promise_kernel"));
  EXPECT_THAT(mlp, Contains("mlp_kernel"));
  EXPECT_THAT(mlp, Not(Contains("fused_network_kernel")));
  for (const Names& names : {gnn, mlp}) {
    EXPECT_THAT(names, Contains("pack_kernel"));
    EXPECT_THAT(names, Contains("add_noise_kernel"));
  }
}

TEST(TrainingLaunches, BeginningsForRulesWithoutANetwork) {
  const Names ants = kernels_of("learned-ants-tsp500");
  EXPECT_THAT(ants, Contains("narrow_network_kernel"));
  EXPECT_THAT(ants, Contains("pheromones_deposit_kernel"));
  const Names adam = kernels_of("learned-adam-tsp500");
  EXPECT_THAT(adam, Contains("narrow_network_kernel"));
  EXPECT_THAT(adam, Contains("adam_update_kernel"));
  for (const Names& names : {ants, adam}) {
    EXPECT_THAT(names, Contains("pack_kernel"));
    EXPECT_THAT(names, Contains("add_noise_kernel"));
    EXPECT_THAT(names, Not(Contains("tsp_promise_kernel")));
  }
}

}  // namespace
}  // namespace moco
