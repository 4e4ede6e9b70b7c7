// A search goes on with another model where the first one stopped: on the device as on the CPU.
#include <utility>
#include <vector>

#include "moco/error.h"
#include "parity/side_by_side.h"

namespace moco::parity {
namespace {

LoopOptions loop_of() {
  LoopOptions loop;
  loop.steps = 12;
  loop.samples = 9;
  loop.problem.set("neighbours", 8);
  return loop;
}

/// Models that see the state in different ways.
std::vector<Model> models_of(const std::string& family) {
  std::vector<Model> models;
  models.push_back(random_model(config_of(family, 32), 5));
  ModelConfig wide = config_of(family, 128, 2);
  wide.theta_update = ThetaUpdate::anchored;
  if (family == "tsp") {
    wide.membership = Membership::undirected;
  } else {
    wide.crowding = true;
  }
  models.push_back(random_model(wide, 9));
  models.push_back(adam_model(family));
  ModelConfig residual = config_of(family, 64);
  residual.theta_update = ThetaUpdate::residual;
  models.push_back(random_model(residual, 11));
  for (const UpdateRule rule : {UpdateRule::mlp, UpdateRule::ant_system, UpdateRule::max_min}) {
    ModelConfig other = config_of(family, 32);
    other.init = usual_init(rule, family);
    other.rule = rule;
    other.theta_update = ThetaUpdate::anchored;
    other.visibility_weight = 2.0;
    models.push_back(random_model(other, 13));
  }
  return models;
}

class ModelChange : public ::testing::TestWithParam<std::pair<std::string, CudaOptions>> {};

TEST_P(ModelChange, GoesOnAsOnTheCpu) {
  MOCO_NEEDS_DEVICE();
  const auto& [family, options] = GetParam();
  const std::vector<Model> models = models_of(family);
  TestBatch setup(models.front().config, loop_of());
  setup.model = models.front();
  setup.spec.weights = {{setup.model.weights, 0.0f, {}}};
  setup.add(family == "tsp" ? uniform_tsp(30) : random_graph(40), 2)
      .add(family == "tsp" ? uniform_tsp(17, 1) : random_graph(23, 0.3, 1), 2);
  const auto cpu_engine = make_cpu_engine(1);
  const auto cuda_engine = make_cuda_engine(options);
  const auto cpu = cpu_engine->create(setup.spec);
  const auto cuda = cuda_engine->create(setup.spec);
  const ArrayView theta = cuda->array(SearchArray::theta, 3);
  const auto compare = [&](const std::string& where) {
    for (std::size_t t = 0; t < setup.spec.trajectories.size(); ++t) {
      const std::vector<float> expected = cpu->theta(t);
      expect_same_theta(expected, cuda->theta(t), where + ", trajectory " + std::to_string(t), 2e-2);
      cuda->set_theta(t, expected);
    }
  };
  cpu->begin();
  cuda->begin();
  compare("begin");
  for (std::size_t step = 0; step < 2 * models.size(); ++step) {
    const Model& model = models[step % models.size()];
    const std::string where = "change " + std::to_string(step);
    for (Batch* batch : {cpu.get(), cuda.get()}) {
      batch->sample();
      batch->set_model(model.config, model.weights);
    }
    for (std::size_t t = 0; t < setup.spec.trajectories.size(); ++t) {
      expect_same_step(cpu->snapshot(t), cuda->snapshot(t), where + ", trajectory " + std::to_string(t));
    }
    for (int update = 0; update < 3; ++update) {
      cpu->update();
      cuda->update();
      compare(where + ", update " + std::to_string(update));
      cpu->sample();
      cuda->sample();
    }
  }
  EXPECT_EQ(cuda->array(SearchArray::theta, 3).data, theta.data) << "arrays stay where they are";
  EXPECT_EQ(cpu->best_solution(1), cuda->best_solution(1));
  EXPECT_THROW(cuda->set_model(adam_model(family == "tsp" ? "mis" : "tsp").config, {}), OptionError);
  cpu->begin();
  cuda->begin();
  compare("another begin");
}

INSTANTIATE_TEST_SUITE_P(All, ModelChange,
                         ::testing::Values(std::pair{"tsp", CudaOptions{.precision = CudaPrecision::float32}},
                                           std::pair{"tsp",
                                                     CudaOptions{.precision = CudaPrecision::float32, .parts = 2}},
                                           std::pair{"mis", CudaOptions{.precision = CudaPrecision::float32}},
                                           std::pair{"mis", CudaOptions{.precision = CudaPrecision::float32,
                                                                        .fused = FusedUse::never,
                                                                        .parts = 2}}));

}  // namespace
}  // namespace moco::parity
