// Two passes over the edges per block: (product + gathered node terms + ReLU + per-feature sums), then (normalise +
// residual + sums). Edge states stay in cache-sized tiles of whole nodes; every reduction runs over tiles in order, so
// the result does not depend on the number of threads.
#include "moco/engine/cpu/graph_network.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "moco/core/ceil_div.h"
#include "moco/engine/cpu/gemm.h"

namespace moco::cpu {

namespace {

constexpr std::size_t kTileRows = 64;
constexpr std::size_t kNodeTile = 32;
constexpr double kEpsilon = 1e-5;

std::size_t edge_tile_nodes(std::size_t degree) {
  return std::max<std::size_t>(1, kTileRows / degree);
}
/// Adds `row` into sum and its square into sum + width.
void add_moments(const float* row, std::size_t width, float* sum) {
  for (std::size_t c = 0; c < width; ++c) {
    sum[c] += row[c];
    sum[width + c] += row[c] * row[c];
  }
}

/// y ← max(y + a + b, floor)
void add_rectify(const float* a, const float* b, const float* floor, std::size_t width, float* y) {
  for (std::size_t c = 0; c < width; ++c) {
    const float value = y[c] + a[c] + b[c];
    y[c] = value > floor[c] ? value : floor[c];
  }
}

/// h ← h + u·factor + shift
void add_normalised(const float* u, const float* factor, const float* shift, std::size_t width, float* h) {
  for (std::size_t c = 0; c < width; ++c) {
    h[c] += u[c] * factor[c] + shift[c];
  }
}

void add_to(const float* x, std::size_t width, float* sum) {
  for (std::size_t c = 0; c < width; ++c) {
    sum[c] += x[c];
  }
}

void max_to(const float* x, std::size_t width, float* top) {
  for (std::size_t c = 0; c < width; ++c) {
    top[c] = std::max(top[c], x[c]);
  }
}

/// ReLU(x + c) − max(c, 0) = max(x + min(c, 0), −max(c, 0)): the same after a normalisation, which does not see shifts,
/// but without adding a large c to every x first. The global state sums over all edges, so its part c can be huge next
/// to x.
struct Rectifier {
  std::vector<float> shift;  ///< c; after split(), min(c, 0)
  std::vector<float> floor;  ///< −max(c, 0)

  void split() {
    for (std::size_t c = 0; c < shift.size(); ++c) {
      floor[c] = -std::max(shift[c], 0.0f);
      shift[c] = std::min(shift[c], 0.0f);
    }
  }
};

}  // namespace

struct GraphNetwork::Pass {
  const GraphNetwork& net;
  const DecisionGraph& graph;
  const Executor& executor;
  NetworkWorkspace& workspace;

  std::size_t n = static_cast<std::size_t>(graph.nodes);
  std::size_t k = static_cast<std::size_t>(graph.degree);
  std::size_t d = static_cast<std::size_t>(net.d_);
  std::size_t tile_nodes = edge_tile_nodes(k);
  std::size_t edge_tiles = ceil_div(n, tile_nodes);
  std::size_t node_tiles = ceil_div(n, kNodeTile);
  float* h_e = workspace.buffer[NetworkWorkspace::edges].reserve(n * k * d);
  float* u_e = workspace.buffer[NetworkWorkspace::edges_new].reserve(n * k * d);
  float* h_v = workspace.buffer[NetworkWorkspace::nodes].reserve(n * d);
  float* u_v = workspace.buffer[NetworkWorkspace::nodes_new].reserve(n * d);
  float* sent = workspace.buffer[NetworkWorkspace::sent].reserve(n * d);
  float* received = workspace.buffer[NetworkWorkspace::received].reserve(n * d);
  float* sum_out = workspace.buffer[NetworkWorkspace::sum_out].reserve(n * d);
  float* partials = workspace.buffer[NetworkWorkspace::partials].reserve(std::max(edge_tiles, node_tiles) * 2 * d);
  std::vector<float> h_g = std::vector<float>(d);
  Rectifier edge_rectifier{std::vector<float>(d), std::vector<float>(d)};  // of W_e's global part and bias
  Rectifier node_rectifier{std::vector<float>(d), std::vector<float>(d)};
  std::vector<float> factor = std::vector<float>(d);  // the normalisation as u·factor + shift
  std::vector<float> shift = std::vector<float>(d);
  std::vector<float> pooled = std::vector<float>(2 * d);  // nodes, edges

  float* scratch(std::size_t worker, std::size_t floats) { return workspace.scratch[worker].reserve(floats); }

  void embed(const NetworkInput& input);
  void project_nodes(const Block& block);
  void update_edges(const Block& block);
  void normalise_edges(const Block& block, float* theta);
  void update_nodes(const Block& block);
  void normalise_nodes(const Block& block, const Block* next);
  void update_global(const Block& block);
  void set_constants(const Block& block);
  void set_normalisation(std::size_t tiles, std::size_t rows, const Norm& norm);
  void pool_tiles(std::size_t tiles, std::size_t rows, float* out);
};

GraphNetwork::GraphNetwork(const ModelConfig& config, std::string_view net, const ParameterView& view)
    : d_(config.hidden),
      has_global_(net == "update"),
      pooling_(config.global_pooling),
      edge_embedding_(view.linear(fmt::format("{}.edge_embedding", net))),
      node_embedding_(view.linear(fmt::format("{}.node_embedding", net))),
      edge_decoder_(view.linear(fmt::format("{}.edge_decoder", net))) {
  if (has_global_) {
    global_embedding_ = view.linear(fmt::format("{}.global_embedding", net));
    global_decoder_ = view.linear(fmt::format("{}.global_decoder", net));
  }
  for (int l = 0; l < config.blocks; ++l) {
    const std::string prefix = fmt::format("{}.blocks.{}", net, l);
    Block block;
    block.edge = view.linear(prefix + ".edge");
    block.edge_norm = {view.vector(prefix + ".edge_norm.scale"), view.vector(prefix + ".edge_norm.offset")};
    block.node = view.linear(prefix + ".node");
    block.node_norm = {view.vector(prefix + ".node_norm.scale"), view.vector(prefix + ".node_norm.offset")};
    if (has_global_) {
      block.global = view.linear(prefix + ".global");
    }
    blocks_.push_back(block);
  }
}

std::size_t GraphNetwork::workspace_floats(std::size_t nodes, std::size_t degree, std::size_t hidden,
                                           std::size_t workers) {
  const std::size_t tile_nodes = edge_tile_nodes(std::max<std::size_t>(degree, 1));
  const std::size_t tiles = std::max(ceil_div(nodes, tile_nodes), ceil_div(nodes, kNodeTile));
  const std::size_t scratch = std::max(tile_nodes * degree * kVariableFeatures, kNodeTile * hidden);
  return (2 * nodes * degree + 5 * nodes + 2 * tiles) * hidden + workers * scratch;
}

float GraphNetwork::forward(const DecisionGraph& graph, const NetworkInput& input, const Executor& executor,
                            NetworkWorkspace& workspace, float* theta) const {
  if (graph.variables == 0) {
    return 0.0f;
  }
  workspace.scratch.resize(std::max(workspace.scratch.size(), executor.workers()));
  Pass pass{*this, graph, executor, workspace};
  pass.embed(input);
  for (std::size_t l = 0; l < blocks_.size(); ++l) {
    const bool last = l + 1 == blocks_.size();
    pass.set_constants(blocks_[l]);
    pass.update_edges(blocks_[l]);
    pass.normalise_edges(blocks_[l], last ? theta : nullptr);
    if (last && !has_global_) {
      break;  // nothing reads the nodes any more
    }
    pass.update_nodes(blocks_[l]);
    pass.normalise_nodes(blocks_[l], last ? nullptr : &blocks_[l + 1]);
    if (has_global_) {
      pass.update_global(blocks_[l]);
    }
  }
  if (!has_global_) {
    return 0.0f;
  }
  return global_decoder_.b[0] + dot(pass.h_g.data(), global_decoder_.w, pass.d);
}

void GraphNetwork::Pass::embed(const NetworkInput& input) {
  if (net.has_global_) {
    std::copy_n(net.global_embedding_.b, d, h_g.data());
    accumulate_row(input.global, net.global_embedding_.w, kGlobalFeatures, net.d_, h_g.data());
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(net.node_embedding_.b, d, h_v + i * d);
  }
  add_to(net.node_embedding_.w, d, h_v + static_cast<std::size_t>(input.start) * d);
  project_nodes(net.blocks_.front());

  const Linear& embedding = net.edge_embedding_;
  executor.for_each(edge_tiles, [&](std::size_t tile, std::size_t worker) {
    const std::size_t begin = tile * tile_nodes * k;
    const std::size_t end = std::min(n, (tile + 1) * tile_nodes) * k;
    float* features = scratch(worker, tile_nodes * k * static_cast<std::size_t>(embedding.in));
    input.features(static_cast<Index>(begin), static_cast<Index>(end), features);
    for (std::size_t e = begin; e < end; ++e) {
      std::copy_n(embedding.b, d, h_e + e * d);
    }
    multiply(static_cast<Index>(end - begin), embedding.in, net.d_, features, embedding.w, h_e + begin * d, true);
  });
}

/// Sender and receiver parts of W_e for all nodes.
void GraphNetwork::Pass::project_nodes(const Block& block) {
  executor.for_each(node_tiles, [&](std::size_t tile, std::size_t) {
    const std::size_t begin = tile * kNodeTile;
    const auto rows = static_cast<Index>(std::min(n, begin + kNodeTile) - begin);
    multiply(rows, net.d_, net.d_, h_v + begin * d, block.edge.part(1), sent + begin * d, false);
    multiply(rows, net.d_, net.d_, h_v + begin * d, block.edge.part(2), received + begin * d, false);
  });
}

void GraphNetwork::Pass::set_constants(const Block& block) {
  std::copy_n(block.edge.b, d, edge_rectifier.shift.data());
  std::copy_n(block.node.b, d, node_rectifier.shift.data());
  if (net.has_global_) {
    accumulate_row(h_g.data(), block.edge.part(3), net.d_, net.d_, edge_rectifier.shift.data());
    accumulate_row(h_g.data(), block.node.part(3), net.d_, net.d_, node_rectifier.shift.data());
  }
  edge_rectifier.split();
  node_rectifier.split();
}

void GraphNetwork::Pass::update_edges(const Block& block) {
  executor.for_each(edge_tiles, [&](std::size_t tile, std::size_t worker) {
    const std::size_t first = tile * tile_nodes;
    const std::size_t last = std::min(n, first + tile_nodes);
    multiply(static_cast<Index>((last - first) * k), net.d_, net.d_, h_e + first * k * d, block.edge.part(0),
             u_e + first * k * d, false);
    float* own = scratch(worker, d);
    float* sums = partials + tile * 2 * d;
    std::fill_n(sums, 2 * d, 0.0f);
    for (std::size_t i = first; i < last; ++i) {
      std::copy_n(edge_rectifier.shift.data(), d, own);
      add_to(sent + i * d, d, own);
      for (std::size_t e = i * k; e < (i + 1) * k; ++e) {
        add_rectify(own, received + static_cast<std::size_t>(graph.targets[e]) * d, edge_rectifier.floor.data(), d,
                    u_e + e * d);
        add_moments(u_e + e * d, d, sums);
      }
    }
  });
  set_normalisation(edge_tiles, n * k, block.edge_norm);
}

/// With `theta`, decodes the edges on the way and does not store them: the last block.
void GraphNetwork::Pass::normalise_edges(const Block&, float* theta) {
  const bool maximum = net.pooling_ == GlobalPooling::max;
  executor.for_each(edge_tiles, [&](std::size_t tile, std::size_t) {
    const std::size_t first = tile * tile_nodes;
    const std::size_t last = std::min(n, first + tile_nodes);
    float* top = partials + tile * d;
    if (maximum) {
      std::fill_n(top, d, -INFINITY);
    }
    for (std::size_t i = first; i < last; ++i) {
      std::fill_n(sum_out + i * d, d, 0.0f);
      for (std::size_t e = i * k; e < (i + 1) * k; ++e) {
        float* row = h_e + e * d;
        add_normalised(u_e + e * d, factor.data(), shift.data(), d, row);
        add_to(row, d, sum_out + i * d);
        if (maximum) {
          max_to(row, d, top);
        }
        if (theta != nullptr) {
          theta[e] = net.edge_decoder_.b[0] + dot(row, net.edge_decoder_.w, d);
        }
      }
    }
    if (!maximum) {
      std::fill_n(top, d, 0.0f);
      for (std::size_t i = first; i < last; ++i) {
        add_to(sum_out + i * d, d, top);
      }
    }
  });
  pool_tiles(edge_tiles, n * k, pooled.data() + d);
}

void GraphNetwork::Pass::update_nodes(const Block& block) {
  executor.for_each(node_tiles, [&](std::size_t tile, std::size_t worker) {
    const std::size_t begin = tile * kNodeTile;
    const std::size_t end = std::min(n, begin + kNodeTile);
    const auto rows = static_cast<Index>(end - begin);
    float* sum_in = scratch(worker, kNodeTile * d);
    std::fill_n(sum_in, (end - begin) * d, 0.0f);
    for (std::size_t i = begin; i < end; ++i) {
      for (Offset p = graph.in_offsets[i]; p < graph.in_offsets[i + 1]; ++p) {
        add_to(h_e + static_cast<std::size_t>(graph.in_edges[static_cast<std::size_t>(p)]) * d, d,
               sum_in + (i - begin) * d);
      }
      std::copy_n(node_rectifier.shift.data(), d, u_v + i * d);
    }
    multiply(rows, net.d_, net.d_, h_v + begin * d, block.node.part(0), u_v + begin * d, true);
    multiply(rows, net.d_, net.d_, sum_out + begin * d, block.node.part(1), u_v + begin * d, true);
    multiply(rows, net.d_, net.d_, sum_in, block.node.part(2), u_v + begin * d, true);
    float* sums = partials + tile * 2 * d;
    std::fill_n(sums, 2 * d, 0.0f);
    for (std::size_t i = begin; i < end; ++i) {
      float* row = u_v + i * d;
      for (std::size_t c = 0; c < d; ++c) {
        row[c] = std::max(row[c], node_rectifier.floor[c]);
      }
      add_moments(row, d, sums);
    }
  });
  set_normalisation(node_tiles, n, block.node_norm);
}

void GraphNetwork::Pass::normalise_nodes(const Block&, const Block* next) {
  const bool maximum = net.pooling_ == GlobalPooling::max;
  executor.for_each(node_tiles, [&](std::size_t tile, std::size_t) {
    const std::size_t begin = tile * kNodeTile;
    const std::size_t end = std::min(n, begin + kNodeTile);
    float* total = partials + tile * d;
    std::fill_n(total, d, maximum ? -INFINITY : 0.0f);
    for (std::size_t i = begin; i < end; ++i) {
      add_normalised(u_v + i * d, factor.data(), shift.data(), d, h_v + i * d);
      if (maximum) {
        max_to(h_v + i * d, d, total);
      } else {
        add_to(h_v + i * d, d, total);
      }
    }
  });
  pool_tiles(node_tiles, n, pooled.data());
  if (next != nullptr) {
    project_nodes(*next);
  }
}

void GraphNetwork::Pass::update_global(const Block& block) {
  std::vector<float> y(block.global.b, block.global.b + d);
  accumulate_row(pooled.data(), block.global.part(0), 2 * net.d_, net.d_, y.data());
  accumulate_row(h_g.data(), block.global.part(2), net.d_, net.d_, y.data());
  for (std::size_t c = 0; c < d; ++c) {
    h_g[c] += std::max(y[c], 0.0f);
  }
}

/// Mean and variance over all rows from the tiles' sums, folded with the learned scale and offset.
void GraphNetwork::Pass::set_normalisation(std::size_t tiles, std::size_t rows, const Norm& norm) {
  for (std::size_t c = 0; c < d; ++c) {
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      sum += static_cast<double>(partials[tile * 2 * d + c]);
      squares += static_cast<double>(partials[tile * 2 * d + d + c]);
    }
    const double mean = sum / static_cast<double>(rows);
    const double variance = std::max(0.0, squares / static_cast<double>(rows) - mean * mean);
    const double f = static_cast<double>(norm.scale[c]) / std::sqrt(variance + kEpsilon);
    factor[c] = static_cast<float>(f);
    shift[c] = static_cast<float>(static_cast<double>(norm.offset[c]) - mean * f);
  }
}

void GraphNetwork::Pass::pool_tiles(std::size_t tiles, std::size_t rows, float* out) {
  for (std::size_t c = 0; c < d; ++c) {
    if (net.pooling_ == GlobalPooling::max) {
      float top = -INFINITY;
      for (std::size_t tile = 0; tile < tiles; ++tile) {
        top = std::max(top, partials[tile * d + c]);
      }
      out[c] = top;
      continue;
    }
    double sum = 0.0;
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      sum += static_cast<double>(partials[tile * d + c]);
    }
    out[c] = static_cast<float>(net.pooling_ == GlobalPooling::mean ? sum / static_cast<double>(rows) : sum);
  }
}

}  // namespace moco::cpu
