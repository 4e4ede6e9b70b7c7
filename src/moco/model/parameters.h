// The flat parameter buffer of a model and its named tensors.
//
// One buffer holds both networks: GNN_init under "init." and the rule's under "update.". Matrices are row-major
// [in × out] (y = x·w + b). docs/method.md has the formulas the names refer to.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "moco/model.h"
#include "moco/problem.h"

namespace moco {

/// Inputs of the networks; the order of the features is in docs/method.md.
inline constexpr int kEliteSize = 32;        ///< L, remembered solutions
inline constexpr int kMomenta = 6;           ///< averages of the gradient
inline constexpr int kInstanceFeatures = 1;  ///< d_ij (TSP edge), constant 1 (MIS node)
inline constexpr int kVariableFeatures = kInstanceFeatures + kEliteSize + kMomenta + 2;
inline constexpr int kWeightFeatures = 1;  ///< of models with node_weights: weight / mean weight, behind the others
inline constexpr int kTimescales = 11;
inline constexpr int kStepFeatures = kTimescales + 1;  ///< encodings of the step, share of the budget spent
inline constexpr int kGlobalFeatures = kEliteSize + 1 + kStepFeatures;
inline constexpr int kOptimizerFeatures = kMomenta + 2;  ///< of rule mlp, per variable: averages of the gradient, g, θ

struct TensorSpec {
  std::string name;
  Index rows = 0;
  Index cols = 0;
  std::size_t offset = 0;  ///< of the first element in the flat buffer

  std::size_t size() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols); }
};

class ParameterLayout {
 public:
  explicit ParameterLayout(const ModelConfig& config);

  const std::vector<TensorSpec>& tensors() const { return tensors_; }
  std::size_t size() const { return size_; }
  bool has(std::string_view name) const;
  /// Throws OptionError for a name that is not part of the layout.
  const TensorSpec& at(std::string_view name) const;

 private:
  void add(std::string name, Index rows, Index cols);
  void add_linear(const std::string& name, Index in, Index out);
  void add_gnn(const std::string& net, const ModelConfig& config, bool update);
  void add_mlp(const std::string& net, const ModelConfig& config);
  void add_graph_network(const std::string& net, const ModelConfig& config, bool update);
  void add_gcn(const std::string& net, const ModelConfig& config, bool update);

  std::vector<TensorSpec> tensors_;
  std::size_t size_ = 0;
};

/// Architecture of the model's networks. Throws OptionError when no problem is of its family.
NetworkKind network_of(const ModelConfig& config);

/// Columns of the feature rows that a model's GNN_init or GNN_update sees.
constexpr int variable_features(const ModelConfig& config, bool update) {
  return (update ? kVariableFeatures : kInstanceFeatures) + (config.node_weights ? kWeightFeatures : 0);
}

/// Throws OptionError when a configuration is outside what the engines support.
void validate(const ModelConfig& config);
/// Likewise when the weights are not as many as the configuration's networks have, or not finite.
void validate(const Model& model);

}  // namespace moco
