// Pictures of sets of nodes.
#pragma once

#include "moco/problems/picture.h"

namespace moco {

/// The graph laid out by its structure, all nodes shaded by θ; without a heatmap (null) only the set is shown.
drawing::Sheet draw_set(const GraphInstance& instance, const Solution& set, const Heatmap* heatmap,
                        const PictureCaption& caption);

}  // namespace moco
