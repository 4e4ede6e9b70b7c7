// The networks on the device, in float32, against outputs of the authors' own code (tests/golden).
#include "golden/golden_case.h"
#include "parity/side_by_side.h"

namespace moco::parity {
namespace {

using golden::GoldenCase;

/// θ⁰ and, from the given features, θ = θ̃/α.
void expect_golden(const GoldenCase& golden, const DecisionGraph& graph, const Model& model, Index start,
                   const std::vector<float>& rows, FusedUse fused = FusedUse::automatic) {
  BatchSpec spec;
  spec.config = model.config;
  spec.loop.samples = 4;
  spec.graphs = {&graph};
  spec.weights = {{model.weights, 0.0f, {}}};
  spec.trajectories = {{0, 0, stream_key(1, 0, 0), start, nullptr}};
  const auto batch = make_cuda_engine({.precision = CudaPrecision::float32, .fused = fused})->create_cuda(spec);
  batch->set_features(rows, golden.floats("global_features"));
  batch->begin();
  golden::expect_close(batch->theta(0), golden.floats("theta0"), "theta0");
  batch->sample();
  batch->update();
  std::vector<float> theta = golden.floats("theta_tilde");
  const float alpha = golden.floats("alpha_authors").at(0);
  for (float& value : theta) {
    value /= alpha;
  }
  golden::expect_close(batch->theta(0), theta, "theta");
}

class GoldenTsp : public ::testing::TestWithParam<const char*> {};

TEST_P(GoldenTsp, BothNetworksMatch) {
  MOCO_NEEDS_DEVICE();
  const GoldenCase golden(GetParam());
  expect_golden(golden, golden::tsp_graph(golden), load_model(std::string(MOCO_GOLDEN) + "/tsp_weights.safetensors"),
                golden.integer("start"), golden.floats("edge_features"));
}

INSTANTIATE_TEST_SUITE_P(Sizes, GoldenTsp, ::testing::Values("tsp20_k8", "tsp100_k20"));

class GoldenMis : public ::testing::TestWithParam<const char*> {};

TEST_P(GoldenMis, BothNetworksMatch) {
  MOCO_NEEDS_DEVICE();
  const GoldenCase golden(GetParam());
  const Model model = load_model(std::string(MOCO_GOLDEN) + "/mis_weights.safetensors");
  for (const FusedUse fused : {FusedUse::automatic, FusedUse::never}) {
    expect_golden(golden, golden::mis_graph(golden), model, 0, golden.floats("node_features"), fused);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, GoldenMis, ::testing::Values("mis30", "mis200"));

}  // namespace
}  // namespace moco::parity
