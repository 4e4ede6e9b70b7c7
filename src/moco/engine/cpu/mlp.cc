// Tiles of variables through all layers at once.
#include "moco/engine/cpu/mlp.h"

#include <algorithm>

#include <fmt/format.h>

#include "moco/engine/cpu/gemm.h"
#include "moco/engine/features.h"

namespace moco::cpu {

namespace {

constexpr std::size_t kTile = 64;

void rectify(float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = std::max(values[i], 0.0f);
  }
}

/// y [rows × out] = constant + x·w, the same constant in each row.
void affine(std::size_t rows, const float* x, const Linear& layer, const float* constant, float* y) {
  const auto width = static_cast<std::size_t>(layer.out);
  for (std::size_t i = 0; i < rows; ++i) {
    std::copy_n(constant, width, y + i * width);
  }
  multiply(static_cast<Index>(rows), layer.in, layer.out, x, layer.w, y, true);
}

}  // namespace

Mlp::Mlp(const ModelConfig& config, std::string_view net, const ParameterView& view)
    : d_(config.hidden),
      variable_embedding_(view.linear(fmt::format("{}.variable_embedding", net))),
      step_embedding_(view.linear(fmt::format("{}.step_embedding", net))),
      variable_decoder_(view.linear(fmt::format("{}.variable_decoder", net))),
      global_decoder_(view.linear(fmt::format("{}.global_decoder", net))) {
  for (int l = 0; l < config.blocks; ++l) {
    layers_.push_back(view.linear(fmt::format("{}.blocks.{}.layer", net, l)));
  }
}

std::size_t Mlp::workspace_floats(std::size_t hidden, std::size_t workers) {
  return workers * kTile * (kOptimizerFeatures + 2 * hidden);
}

float Mlp::forward(const DecisionGraph& graph, const NetworkInput& input, const Executor& executor,
                   NetworkWorkspace& workspace, float* theta) const {
  const auto d = static_cast<std::size_t>(d_);
  std::vector<float> step(step_embedding_.b, step_embedding_.b + d);
  accumulate_row(input.global + kFirstStepFeature, step_embedding_.w, kStepFeatures, d_, step.data());
  std::vector<float> constant = step;
  for (std::size_t c = 0; c < d; ++c) {
    constant[c] += variable_embedding_.b[c];
  }
  workspace.scratch.resize(std::max(workspace.scratch.size(), executor.workers()));
  const auto variables = static_cast<std::size_t>(graph.variables);
  executor.for_each((variables + kTile - 1) / kTile, [&](std::size_t tile, std::size_t worker) {
    const std::size_t begin = tile * kTile;
    const std::size_t rows = std::min(variables, begin + kTile) - begin;
    float* h = workspace.scratch[worker].reserve(kTile * (kOptimizerFeatures + 2 * d));
    float* change = h + kTile * d;
    float* features = change + kTile * d;
    input.features(static_cast<Index>(begin), static_cast<Index>(begin + rows), features);
    affine(rows, features, variable_embedding_, constant.data(), h);
    rectify(h, rows * d);
    for (const Linear& layer : layers_) {
      affine(rows, h, layer, layer.b, change);
      rectify(change, rows * d);
      for (std::size_t i = 0; i < rows * d; ++i) {
        h[i] += change[i];
      }
    }
    for (std::size_t i = 0; i < rows; ++i) {
      theta[begin + i] = variable_decoder_.b[0] + dot(h + i * d, variable_decoder_.w, d);
    }
  });
  rectify(step.data(), d);
  return global_decoder_.b[0] + dot(step.data(), global_decoder_.w, d);
}

}  // namespace moco::cpu
