// Places for things of which only distances are known: pivot MDS (Brandes and Pich: "Eigensolver methods for
// progressive multidimensional scaling of large data", GD 2006).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "moco/drawing/sheet.h"

namespace moco::drawing {

/// Fills a row with the distances of everything from one of them.
using DistanceRow = std::function<void(std::size_t from, std::span<double> row)>;

/// Places in the plane whose distances resemble those given, which are asked for from at most `most_pivots` of the n
/// things, spread widely. With n pivots this is classical scaling. The widest extent lies along x, the centre of mass
/// at the origin. The same input gives the same places.
std::vector<Place> pivot_mds(std::size_t n, const DistanceRow& distances, std::size_t most_pivots);

}  // namespace moco::drawing
