// Construction along the Morton curve and walks without a stack.
#include "moco/drawing/repulsion_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace moco::drawing {

namespace {

constexpr int kLevels = 16;           ///< the finest squares are 2⁻¹⁶ of the widest extent
constexpr double kOpening = 1.0;      ///< a square is one point from further away than its side times this
constexpr std::size_t kLeafSize = 4;  ///< points that are not divided any more

/// Bits of a number with a gap after each.
std::uint64_t spread_bits(std::uint32_t value) {
  std::uint64_t bits = value;
  bits = (bits | bits << 16) & 0x0000FFFF0000FFFFu;
  bits = (bits | bits << 8) & 0x00FF00FF00FF00FFu;
  bits = (bits | bits << 4) & 0x0F0F0F0F0F0F0F0Fu;
  bits = (bits | bits << 2) & 0x3333333333333333u;
  return (bits | bits << 1) & 0x5555555555555555u;
}

}  // namespace

RepulsionTree::RepulsionTree(std::span<const Place> points) {
  Place low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  Place high{-low.x, -low.y};
  for (const Place& point : points) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
  width_ = std::max({high.x - low.x, high.y - low.y, std::numeric_limits<double>::min()});
  const double cells = std::exp2(kLevels) * (1.0 - 1e-9) / width_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> sorted(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto column = static_cast<std::uint32_t>((points[i].x - low.x) * cells);
    const auto row = static_cast<std::uint32_t>((points[i].y - low.y) * cells);
    sorted[i] = {spread_bits(column) | spread_bits(row) << 1, static_cast<std::uint32_t>(i)};
  }
  std::ranges::sort(sorted);
  for (const auto& [code, index] : sorted) {
    order_.push_back(code);
    points_.push_back(points[index]);
  }
  squares_.reserve(points.size());
  if (!points.empty()) {
    build(0, points.size(), 0);
  }
}

void RepulsionTree::build(std::size_t begin, std::size_t end, int level) {
  const std::size_t self = squares_.size();
  squares_.emplace_back();
  Square square;
  if (end - begin <= kLeafSize || level == kLevels) {
    // Points of a leaf are squares of no extent, unless they could not be told apart.
    if (level < kLevels && end - begin > 1) {
      for (std::size_t i = begin; i < end; ++i) {
        squares_.push_back({points_[i], 1.0, 0.0, static_cast<std::int32_t>(squares_.size() + 1), true});
      }
    } else {
      square.leaf = true;
    }
  } else {
    const int shift = 2 * (kLevels - 1 - level);
    for (std::size_t from = begin; from < end;) {
      const std::uint64_t quarter = order_[from] >> shift;
      const auto to =
          static_cast<std::size_t>(std::partition_point(order_.begin() + static_cast<std::ptrdiff_t>(from),
                                                        order_.begin() + static_cast<std::ptrdiff_t>(end),
                                                        [&](std::uint64_t code) { return code >> shift == quarter; }) -
                                   order_.begin());
      build(from, to, level + 1);
      from = to;
    }
  }
  for (std::size_t i = begin; i < end; ++i) {
    square.centre = {square.centre.x + points_[i].x, square.centre.y + points_[i].y};
  }
  square.mass = static_cast<double>(end - begin);
  square.centre = {square.centre.x / square.mass, square.centre.y / square.mass};
  square.reach = std::pow(kOpening * width_ * std::exp2(-level), 2.0);
  square.next = static_cast<std::int32_t>(squares_.size());
  squares_[self] = square;
}

Place RepulsionTree::push(Place place) const {
  Place sum;
  for (std::size_t i = 0; i < squares_.size();) {
    const Square& square = squares_[i];
    const double x = place.x - square.centre.x;
    const double y = place.y - square.centre.y;
    const double squared = x * x + y * y;
    if (!square.leaf && squared < square.reach) {
      ++i;
      continue;
    }
    if (squared > 0.0) {
      const double weight = square.mass / (squared * std::sqrt(squared));
      sum = {sum.x + weight * x, sum.y + weight * y};
    }
    i = static_cast<std::size_t>(square.next);
  }
  return sum;
}

}  // namespace moco::drawing
