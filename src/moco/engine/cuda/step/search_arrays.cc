// θ, samples, elites, status.
#include "moco/engine/cuda/step/search_arrays.h"

#include "moco/engine/features.h"

namespace moco::cuda {

void place_search(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) {
  SearchData& search = batch.search;
  const std::size_t trajectories = layout.per_trajectory();
  const std::size_t variables = layout.variables;
  arena.place(search.ring, trajectories * kStatusRing, Cleared::once);
  arena.place(search.arrivals, trajectories * kArrivals, Cleared::once);
  arena.place(search.gradient, variables, Cleared::at_begin);
  arena.place(search.momenta, kMomenta * variables, Cleared::at_begin);
  arena.place(search.membership, variables, Cleared::at_begin);
  arena.place(search.budget, 1);
  arena.place(search.state, trajectories);
  arena.place(search.theta, variables);
  arena.place(search.items, layout.per_step());
  arena.place(search.variables, layout.per_step());
  arena.place(search.lengths, layout.per_sample());
  arena.place(search.costs, layout.per_sample());
  arena.place(search.left_at, layout.per_step());
  arena.place(search.mean_to_go, search.causal ? layout.nodes : 0);
  arena.place(search.elite_items, kEliteSize * layout.nodes);
  arena.place(search.elite_variables, kEliteSize * layout.nodes);
  search.found = {.items = search.items,
                  .variables = search.variables,
                  .lengths = search.lengths,
                  .costs = search.costs,
                  .integers = nullptr,
                  .flags = nullptr,
                  .reals = nullptr};
}

void place_found(Arena& arena, const BatchLayout& layout, const SearchShape& shape, DeviceBatch& batch) {
  FoundData& found = batch.search.found;
  arena.place(found.items, layout.per_step());
  arena.place(found.variables, layout.per_step());
  arena.place(found.lengths, layout.per_sample());
  arena.place(found.costs, layout.per_sample());
  arena.place(found.integers, static_cast<std::size_t>(shape.integers_per_node) * layout.per_step());
  arena.place(found.flags, static_cast<std::size_t>(shape.flags_per_node) * layout.per_step());
  arena.place(found.reals, static_cast<std::size_t>(shape.reals_per_node) * layout.per_step());
}

}  // namespace moco::cuda
