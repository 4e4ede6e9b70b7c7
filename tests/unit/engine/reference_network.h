// All networks evaluated literally in double precision: concatenated inputs, no tiling, no splitting.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "moco/model/parameters.h"
#include "moco/problems/decision_graph.h"

namespace moco::test {

using Row = std::vector<double>;
using Matrix = std::vector<Row>;

class ReferenceNetwork {
 public:
  ReferenceNetwork(const Model& model, std::string net) : model_(model), layout_(model.config), net_(std::move(net)) {}

  struct Output {
    Row theta;
    double global = 0.0;
  };

  Output forward(const DecisionGraph& graph, const Matrix& features, const Row& global, Index start) const {
    if (net_ == "update" && model_.config.rule == UpdateRule::mlp) {
      return mlp(features, global);
    }
    return graph.kind == VariableKind::edge ? graph_network(graph, features, global, start)
                                            : gcn(graph, features, global);
  }

 private:
  double value(const TensorSpec& tensor, std::size_t row, std::size_t column) const {
    return static_cast<double>(model_.weights[tensor.offset + row * static_cast<std::size_t>(tensor.cols) + column]);
  }
  Row linear(const std::string& name, const Row& x) const {
    const TensorSpec& w = layout_.at(net_ + "." + name + ".w");
    const TensorSpec& b = layout_.at(net_ + "." + name + ".b");
    Row y;
    for (std::size_t o = 0; o < static_cast<std::size_t>(w.cols); ++o) {
      y.push_back(value(b, 0, o));
      for (std::size_t i = 0; i < x.size(); ++i) {
        y.back() += x[i] * value(w, i, o);
      }
    }
    return y;
  }
  static Row concatenate(const std::vector<Row>& parts) {
    Row all;
    for (const Row& part : parts) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }
  static void relu(Row& x) {
    for (double& v : x) {
      v = std::max(v, 0.0);
    }
  }
  static void add(Row& x, const Row& y) {
    for (std::size_t c = 0; c < x.size(); ++c) {
      x[c] += y[c];
    }
  }
  Row pool(const Matrix& rows, GlobalPooling how) const {
    Row result = rows.front();
    for (std::size_t i = 1; i < rows.size(); ++i) {
      for (std::size_t c = 0; c < result.size(); ++c) {
        result[c] = how == GlobalPooling::max ? std::max(result[c], rows[i][c]) : result[c] + rows[i][c];
      }
    }
    if (how == GlobalPooling::mean) {
      for (double& v : result) {
        v /= static_cast<double>(rows.size());
      }
    }
    return result;
  }
  /// Per feature over all rows, biased variance, learned scale and offset.
  void normalise(const std::string& name, Matrix& rows) const {
    const TensorSpec& scale = layout_.at(net_ + "." + name + ".scale");
    const TensorSpec& offset = layout_.at(net_ + "." + name + ".offset");
    for (std::size_t c = 0; c < rows.front().size(); ++c) {
      double mean = 0.0;
      double variance = 0.0;
      for (const Row& row : rows) {
        mean += row[c] / static_cast<double>(rows.size());
      }
      for (const Row& row : rows) {
        variance += (row[c] - mean) * (row[c] - mean) / static_cast<double>(rows.size());
      }
      for (Row& row : rows) {
        row[c] = (row[c] - mean) / std::sqrt(variance + 1e-5) * value(scale, 0, c) + value(offset, 0, c);
      }
    }
  }

  Output graph_network(const DecisionGraph& graph, const Matrix& features, const Row& global, Index start) const {
    const bool has_global = net_ == "update";
    const auto n = static_cast<std::size_t>(graph.nodes);
    const auto k = static_cast<std::size_t>(graph.degree);
    Matrix edges;
    Matrix nodes;
    for (const Row& row : features) {
      edges.push_back(linear("edge_embedding", row));
    }
    for (std::size_t i = 0; i < n; ++i) {
      nodes.push_back(linear("node_embedding", {i == static_cast<std::size_t>(start) ? 1.0 : 0.0}));
    }
    Row h_g = has_global ? linear("global_embedding", global) : Row();
    for (int l = 0; l < model_.config.blocks; ++l) {
      const std::string block = "blocks." + std::to_string(l);
      Matrix new_edges;
      for (std::size_t e = 0; e < edges.size(); ++e) {
        const auto target = static_cast<std::size_t>(graph.targets[e]);
        new_edges.push_back(linear(block + ".edge", concatenate({edges[e], nodes[e / k], nodes[target], h_g})));
        relu(new_edges.back());
      }
      normalise(block + ".edge_norm", new_edges);
      for (std::size_t e = 0; e < edges.size(); ++e) {
        add(edges[e], new_edges[e]);
      }
      Matrix out(n, Row(edges.front().size(), 0.0));
      Matrix in = out;
      for (std::size_t e = 0; e < edges.size(); ++e) {
        add(out[e / k], edges[e]);
        add(in[static_cast<std::size_t>(graph.targets[e])], edges[e]);
      }
      Matrix new_nodes;
      for (std::size_t i = 0; i < n; ++i) {
        new_nodes.push_back(linear(block + ".node", concatenate({nodes[i], out[i], in[i], h_g})));
        relu(new_nodes.back());
      }
      normalise(block + ".node_norm", new_nodes);
      for (std::size_t i = 0; i < n; ++i) {
        add(nodes[i], new_nodes[i]);
      }
      if (has_global) {
        const GlobalPooling how = model_.config.global_pooling;
        Row update = linear(block + ".global", concatenate({pool(nodes, how), pool(edges, how), h_g}));
        relu(update);
        add(h_g, update);
      }
    }
    return decode(edges, "edge_decoder", h_g);
  }

  Output gcn(const DecisionGraph& graph, const Matrix& features, const Row& global) const {
    const bool has_global = net_ == "update";
    const bool paper = model_.config.gcn == GcnVariant::paper;
    const auto n = static_cast<std::size_t>(graph.nodes);
    Matrix nodes;
    for (const Row& row : features) {
      nodes.push_back(linear("node_embedding", row));
    }
    Row h_g = has_global ? linear("global_embedding", global) : Row();
    const auto degree = [&](std::size_t i) { return static_cast<double>(graph.offsets[i + 1] - graph.offsets[i]); };
    for (int l = 0; l < model_.config.blocks; ++l) {
      const std::string block = "blocks." + std::to_string(l);
      Matrix next = nodes;
      for (std::size_t i = 0; i < n; ++i) {
        Row update = linear(block + ".self", nodes[i]);
        Row top(update.size(), -INFINITY);
        for (Offset p = graph.offsets[i]; p < graph.offsets[i + 1]; ++p) {
          const auto j = static_cast<std::size_t>(graph.targets[static_cast<std::size_t>(p)]);
          const Row message = linear(block + ".neighbour", nodes[j]);
          for (std::size_t c = 0; c < top.size(); ++c) {
            top[c] = std::max(top[c], message[c] * (paper ? 1.0 : 1.0 / std::sqrt(std::max(degree(j), 1.0))));
          }
        }
        for (std::size_t c = 0; c < top.size(); ++c) {
          const bool isolated = degree(i) == 0.0;
          top[c] = paper ? (isolated ? 0.0 : top[c]) : top[c] / std::sqrt(std::max(degree(i), 1.0));
        }
        add(update, top);
        if (!paper && has_global) {
          add(update, linear(block + ".mix", h_g));
        }
        relu(update);
        add(next[i], update);
        if (paper && has_global) {
          Row mixed = linear(block + ".mix", concatenate({h_g, next[i]}));
          relu(mixed);
          add(next[i], mixed);
        }
      }
      nodes = next;
      if (has_global) {
        Row update = paper ? linear(block + ".global", pool(nodes, model_.config.global_pooling))
                           : linear(block + ".global", concatenate({pool(nodes, GlobalPooling::max), h_g}));
        relu(update);
        add(h_g, update);
      }
    }
    return decode(nodes, "node_decoder", h_g);
  }

  /// The features of a variable are its averages of the gradient, gradient and θ; of the global ones the last count.
  Output mlp(const Matrix& features, const Row& global) const {
    const Row step = linear("step_embedding", {global.end() - kStepFeatures, global.end()});
    Output output;
    for (const Row& row : features) {
      Row h = linear("variable_embedding", row);
      add(h, step);
      relu(h);
      for (int l = 0; l < model_.config.blocks; ++l) {
        Row change = linear("blocks." + std::to_string(l) + ".layer", h);
        relu(change);
        add(h, change);
      }
      output.theta.push_back(linear("variable_decoder", h)[0]);
    }
    Row rectified = step;
    relu(rectified);
    output.global = linear("global_decoder", rectified)[0];
    return output;
  }

  Output decode(const Matrix& rows, const std::string& decoder, const Row& h_g) const {
    Output output;
    for (const Row& row : rows) {
      output.theta.push_back(linear(decoder, row)[0]);
    }
    output.global = h_g.empty() ? 0.0 : linear("global_decoder", h_g)[0];
    return output;
  }

  const Model& model_;
  ParameterLayout layout_;
  std::string net_;
};

}  // namespace moco::test
