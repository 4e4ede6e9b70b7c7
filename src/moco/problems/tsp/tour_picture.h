// Pictures of tours.
#pragma once

#include "moco/problems/picture.h"

namespace moco {

/// The tour over the edges shaded by θ, north or y up; cities that have only distances are placed by them. `heatmap`
/// may be null.
drawing::Sheet draw_tour(const TspInstance& instance, const Solution& tour, const Heatmap* heatmap,
                         const PictureCaption& caption);

}  // namespace moco
