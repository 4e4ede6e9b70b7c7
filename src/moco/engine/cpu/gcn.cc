// Two passes over the nodes per block: messages W2 h for all nodes, then everything else tile by tile.
#include "moco/engine/cpu/gcn.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "moco/core/ceil_div.h"
#include "moco/engine/cpu/gemm.h"
#include "moco/engine/cpu/neighbour_max.h"

namespace moco::cpu {

namespace {

constexpr std::size_t kTile = 32;

}  // namespace

struct Gcn::Pass {
  const Gcn& net;
  const DecisionGraph& graph;
  const Executor& executor;
  NetworkWorkspace& workspace;

  std::size_t n = static_cast<std::size_t>(graph.nodes);
  std::size_t d = static_cast<std::size_t>(net.d_);
  std::size_t tiles = ceil_div(n, kTile);
  bool paper = net.variant_ == GcnVariant::paper;
  float* h = workspace.buffer[NetworkWorkspace::nodes].reserve(n * d);
  float* message = workspace.buffer[NetworkWorkspace::nodes_new].reserve(n * d);
  float* partials = workspace.buffer[NetworkWorkspace::partials].reserve(tiles * d);
  std::vector<float> h_g = std::vector<float>(d);
  std::vector<float> mix_constant = std::vector<float>(d);  // the global part of W3 and its bias
  std::vector<float> pooled = std::vector<float>(d);

  std::span<const Index> neighbours(std::size_t i) const {
    const auto begin = static_cast<std::size_t>(graph.offsets[i]);
    return {graph.targets.data() + begin, static_cast<std::size_t>(graph.offsets[i + 1]) - begin};
  }
  float degree_scale(std::size_t i) const {
    return 1.0f / std::sqrt(static_cast<float>(std::max<std::size_t>(neighbours(i).size(), 1)));
  }
  template <typename Body>
  void for_tiles(const Body& body) {
    executor.for_each(tiles, [&](std::size_t tile, std::size_t worker) {
      const std::size_t begin = tile * kTile;
      body(tile, begin, std::min(n, begin + kTile), worker);
    });
  }
  /// y [rows × d] = x·w + b
  void affine(std::size_t rows, const float* x, const float* w, const float* b, float* y) const {
    for (std::size_t i = 0; i < rows; ++i) {
      std::copy_n(b, d, y + i * d);
    }
    multiply(static_cast<Index>(rows), net.d_, net.d_, x, w, y, true);
  }

  void embed(const NetworkInput& input);
  void send_messages(const Block& block);
  void update_nodes(const Block& block);
  void pool_nodes();
  void update_global(const Block& block);
};

Gcn::Gcn(const ModelConfig& config, std::string_view net, const ParameterView& view)
    : d_(config.hidden),
      has_global_(net == "update"),
      variant_(config.gcn),
      pooling_(config.gcn == GcnVariant::paper ? config.global_pooling : GlobalPooling::max),
      node_embedding_(view.linear(fmt::format("{}.node_embedding", net))),
      node_decoder_(view.linear(fmt::format("{}.node_decoder", net))) {
  if (has_global_) {
    global_embedding_ = view.linear(fmt::format("{}.global_embedding", net));
    global_decoder_ = view.linear(fmt::format("{}.global_decoder", net));
  }
  for (int l = 0; l < config.blocks; ++l) {
    const std::string prefix = fmt::format("{}.blocks.{}", net, l);
    Block block;
    block.self = view.linear(prefix + ".self");
    block.neighbour = view.linear(prefix + ".neighbour");
    if (has_global_) {
      block.mix = view.linear(prefix + ".mix");
      block.global = view.linear(prefix + ".global");
    }
    blocks_.push_back(block);
  }
}

std::size_t Gcn::workspace_floats(std::size_t nodes, std::size_t hidden, std::size_t workers) {
  const std::size_t scratch = kTile * std::max<std::size_t>(kVariableFeatures + kWeightFeatures, 2 * hidden);
  return (2 * nodes + ceil_div(nodes, kTile)) * hidden + workers * scratch;
}

float Gcn::forward(const DecisionGraph& graph, const NetworkInput& input, const Executor& executor,
                   NetworkWorkspace& workspace, float* theta) const {
  if (graph.nodes == 0) {
    return 0.0f;
  }
  workspace.scratch.resize(std::max(workspace.scratch.size(), executor.workers()));
  Pass pass{*this, graph, executor, workspace};
  pass.embed(input);
  for (const Block& block : blocks_) {
    pass.send_messages(block);
    pass.update_nodes(block);
    if (has_global_) {
      pass.pool_nodes();
      pass.update_global(block);
    }
  }
  pass.for_tiles([&](std::size_t, std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      theta[i] = node_decoder_.b[0] + dot(pass.h + i * pass.d, node_decoder_.w, pass.d);
    }
  });
  if (!has_global_) {
    return 0.0f;
  }
  return global_decoder_.b[0] + dot(pass.h_g.data(), global_decoder_.w, pass.d);
}

void Gcn::Pass::embed(const NetworkInput& input) {
  if (net.has_global_) {
    std::copy_n(net.global_embedding_.b, d, h_g.data());
    accumulate_row(input.global, net.global_embedding_.w, kGlobalFeatures, net.d_, h_g.data());
  }
  const Linear& embedding = net.node_embedding_;
  for_tiles([&](std::size_t, std::size_t begin, std::size_t end, std::size_t worker) {
    float* features = workspace.scratch[worker].reserve(kTile * static_cast<std::size_t>(embedding.in));
    input.features(static_cast<Index>(begin), static_cast<Index>(end), features);
    for (std::size_t i = begin; i < end; ++i) {
      std::copy_n(embedding.b, d, h + i * d);
    }
    multiply(static_cast<Index>(end - begin), embedding.in, net.d_, features, embedding.w, h + begin * d, true);
  });
}

void Gcn::Pass::send_messages(const Block& block) {
  if (net.has_global_) {
    std::copy_n(block.mix.b, d, mix_constant.data());
    accumulate_row(h_g.data(), block.mix.w, net.d_, net.d_, mix_constant.data());
  }
  for_tiles([&](std::size_t, std::size_t begin, std::size_t end, std::size_t) {
    affine(end - begin, h + begin * d, block.neighbour.w, block.neighbour.b, message + begin * d);
    if (!paper) {
      for (std::size_t i = begin; i < end; ++i) {
        const float scale = degree_scale(i);
        for (std::size_t c = 0; c < d; ++c) {
          message[i * d + c] *= scale;
        }
      }
    }
  });
}

void Gcn::Pass::update_nodes(const Block& block) {
  const bool maximum = net.pooling_ == GlobalPooling::max;
  for_tiles([&](std::size_t tile, std::size_t begin, std::size_t end, std::size_t worker) {
    float* y = workspace.scratch[worker].reserve(2 * kTile * d);
    float* top = y + kTile * d;
    affine(end - begin, h + begin * d, block.self.w, block.self.b, y);
    for (std::size_t i = begin; i < end; ++i) {
      float* row = y + (i - begin) * d;
      if (neighbours(i).empty()) {
        if (!paper) {
          continue;  // ReLU(−∞) = 0
        }
        std::fill_n(top, d, 0.0f);
      } else {
        neighbour_max(message, d, neighbours(i), top);
      }
      const float scale = paper ? 1.0f : degree_scale(i);
      const bool add_global = !paper && net.has_global_;
      for (std::size_t c = 0; c < d; ++c) {
        const float value = row[c] + scale * top[c] + (add_global ? mix_constant[c] : 0.0f);
        h[i * d + c] += value > 0.0f ? value : 0.0f;
      }
    }
    if (paper && net.has_global_) {
      affine(end - begin, h + begin * d, block.mix.part(1), mix_constant.data(), y);
      for (std::size_t c = 0; c < (end - begin) * d; ++c) {
        h[begin * d + c] += y[c] > 0.0f ? y[c] : 0.0f;
      }
    }
    float* total = partials + tile * d;
    std::copy_n(h + begin * d, d, total);
    for (std::size_t i = begin + 1; i < end; ++i) {
      for (std::size_t c = 0; c < d; ++c) {
        total[c] = maximum ? std::max(total[c], h[i * d + c]) : total[c] + h[i * d + c];
      }
    }
  });
}

void Gcn::Pass::pool_nodes() {
  for (std::size_t c = 0; c < d; ++c) {
    double value = static_cast<double>(partials[c]);
    for (std::size_t tile = 1; tile < tiles; ++tile) {
      const auto other = static_cast<double>(partials[tile * d + c]);
      value = net.pooling_ == GlobalPooling::max ? std::max(value, other) : value + other;
    }
    pooled[c] = static_cast<float>(net.pooling_ == GlobalPooling::mean ? value / static_cast<double>(n) : value);
  }
}

void Gcn::Pass::update_global(const Block& block) {
  std::vector<float> y(block.global.b, block.global.b + d);
  accumulate_row(pooled.data(), block.global.part(0), net.d_, net.d_, y.data());
  if (!paper) {
    accumulate_row(h_g.data(), block.global.part(1), net.d_, net.d_, y.data());
  }
  for (std::size_t c = 0; c < d; ++c) {
    h_g[c] += std::max(y[c], 0.0f);
  }
}

}  // namespace moco::cpu
