// Problem instances: immutable data, independent of how they are searched.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moco/data.h"

namespace moco {

/// What the independent checker says about a solution. The cost is recomputed from the instance in double precision.
struct CheckResult {
  bool feasible = false;
  double cost = 0.0;      ///< in the instance's own metric; meaningful only when feasible
  std::string violation;  ///< the first violation found; empty when feasible
};

class Problem;

/// An instance of some problem. Costs are minimised; of sets that are to be large they are minus the size or weight.
class Instance {
 public:
  virtual ~Instance() = default;
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const Problem& problem() const { return *problem_; }
  const std::string& name() const { return name_; }
  /// Number of cities or nodes.
  virtual Index size() const = 0;
  /// Checks a solution against the definition of the problem; shares no code with the search.
  CheckResult check(const Solution& solution) const;

  /// What its file calls the cities or nodes, in the order of their numbers; empty: 0 … n−1.
  const std::vector<std::string>& labels() const { return labels_; }
  void set_labels(std::vector<std::string> labels) { labels_ = std::move(labels); }
  /// A solution that came with the instance (Concorde text has one per line); empty when none did.
  const std::optional<Solution>& reference() const { return reference_; }
  void set_reference(Solution solution) { reference_ = std::move(solution); }

 protected:
  Instance(const Problem& problem, std::string name) : problem_(&problem), name_(std::move(name)) {}

 private:
  const Problem* problem_;
  std::string name_;
  std::vector<std::string> labels_;
  std::optional<Solution> reference_;
};

using InstancePtr = std::shared_ptr<const Instance>;

/// A travelling salesman instance: points with a metric, or an explicit (possibly asymmetric) matrix.
class TspInstance final : public Instance {
 public:
  /// Points under a coordinate metric (anything but Metric::matrix), spatial ones with a height each. Throws
  /// OptionError when a coordinate is not finite.
  TspInstance(std::string name, std::vector<Point> points, Metric metric, std::vector<double> heights = {});
  /// Explicit distances, row-major n×n, finite. `display` may hold n points for drawing, or be empty.
  TspInstance(std::string name, Index n, std::vector<double> matrix, std::vector<Point> display = {});
  /// The same with points or distances that are not copied: they stay where and as they are while `owner` lives.
  TspInstance(std::string name, std::span<const Point> points, std::shared_ptr<const void> owner, Metric metric,
              std::vector<double> heights = {});
  TspInstance(std::string name, Index n, std::span<const double> matrix, std::shared_ptr<const void> owner,
              std::vector<Point> display = {});

  Index size() const override { return n_; }
  /// Length of the way from city `from` to city `to` in the instance's own metric.
  double distance(Index from, Index to) const;
  Metric metric() const { return metric_; }
  /// The points, for the metric or for display; empty for a bare matrix.
  std::span<const Point> points() const { return points_; }
  std::span<const double> matrix() const { return matrix_; }
  /// Third coordinates, of spatial metrics only.
  std::span<const double> heights() const { return heights_; }
  /// Whether both directions between any two cities have the same length.
  bool symmetric() const { return symmetric_; }
  /// Makes these edges part of every tour, in one direction or the other. Throws OptionError unless there is such a
  /// tour. An edge may be given more than once.
  void fix_edges(std::span<const Edge> edges);
  /// [2n] the other ends of the fixed edges at each city, −1 where there is none; empty: no edge is fixed.
  std::span<const Index> fixed_partners() const { return fixed_; }
  /// Divide a distance by this to have it in the unit square the networks are trained on: the longest side of the
  /// bounding box measured in the instance's metric, or for a matrix its largest entry / √2; 1 when that would be 0.
  double scale() const { return scale_; }

 private:
  Index n_ = 0;
  Metric metric_ = Metric::euclidean;
  std::shared_ptr<const void> owner_;  ///< of the points, or of the matrix
  std::vector<Point> display_;         ///< points of a matrix
  std::span<const Point> points_;
  std::span<const double> matrix_;
  std::vector<double> heights_;
  std::vector<double> table_;  ///< distances where they are slow to compute and few; empty elsewhere
  std::vector<Index> fixed_;
  double scale_ = 1.0;
  bool symmetric_ = true;
};

/// A simple undirected graph; what is wanted of it is its problem's business.
class GraphInstance : public Instance {
 public:
  /// Builds the adjacency from an edge list. Self-loops and repeated edges are dropped and counted. `weights` has one
  /// number per node, none of them negative, or is empty: all 1. Throws OptionError when an end lies outside 0 … n−1 or
  /// a weight cannot be one.
  GraphInstance(const Problem& problem, std::string name, Index n, std::span<const Edge> edges,
                std::vector<double> weights = {});

  Index size() const override { return n_; }

  /// Neighbours of a node in ascending order.
  std::span<const Index> neighbours(Index node) const {
    const auto begin = static_cast<std::size_t>(offsets_[static_cast<std::size_t>(node)]);
    const auto end = static_cast<std::size_t>(offsets_[static_cast<std::size_t>(node) + 1]);
    return {targets_.data() + begin, end - begin};
  }
  std::span<const Offset> offsets() const { return offsets_; }
  std::span<const Index> targets() const { return targets_; }
  /// Number of undirected edges.
  Offset edges() const { return static_cast<Offset>(targets_.size() / 2); }
  /// Weight of each node; empty where all weigh 1.
  std::span<const double> weights() const { return weights_; }
  Offset dropped_self_loops() const { return dropped_self_loops_; }
  Offset dropped_duplicates() const { return dropped_duplicates_; }

 private:
  Index n_ = 0;
  std::vector<Offset> offsets_;
  std::vector<Index> targets_;
  std::vector<double> weights_;
  Offset dropped_self_loops_ = 0;
  Offset dropped_duplicates_ = 0;
};

}  // namespace moco
