// Bits of the neighbours where graphs are small, lists of them otherwise; the kernels in their order.
#include "moco/engine/cuda/mis/set_program.h"

#include <algorithm>
#include <cstdint>

#include "moco/engine/cuda/step/search_arrays.h"
#include "moco/error.h"
#include "moco/problems/mis/set_problem.h"

namespace moco::cuda {

namespace {

SetSamplerShape sampler_of(const BatchLayout& layout) {
  return layout.largest_graph <= kMostBitNodes ? mis_bits_shape(layout.max_nodes, layout.samples, layout.count())
                                               : mis_sampler_shape(layout.max_nodes);
}

}  // namespace

SetProgram::SetProgram(const BatchSpec& spec, const BatchLayout& layout, bool use_bf16)
    : sampler_(sampler_of(layout)),
      bf16_(use_bf16),
      weighted_(std::ranges::any_of(spec.graphs, &DecisionGraph::weighted)),
      crowding_(spec.config.rule == UpdateRule::gnn && spec.config.crowding),
      improves_(!spec.loop.local_search.name.empty()),
      graphs_(layout.graphs) {
  if (spec.loop.rebuild > 0) {
    throw OptionError("partial samples (rebuild) of sets run on the CPU engine only");
  }
  require_at_most("samples per step (-b)", layout.samples, mis_most_samples());
  search_ = mis_search_shape(layout.max_nodes, weighted_);
  if (improves_) {
    move_limit_ = spec.loop.local_search.move_limit;
    plateau_steps_ = plateau_steps(spec.loop.problem);
  }
  if (sampler_.together > 0) {
    bits_at_.push_back(0);
    for (const DecisionGraph* graph : spec.graphs) {
      bits_at_.push_back(bits_at_.back() + mis_bits_words(graph->nodes));
    }
  }
}

std::size_t SetProgram::graph_bytes(const DecisionGraph& graph) const {
  const auto n = static_cast<std::size_t>(graph.nodes);
  return graph.targets.size() * sizeof(int) + (n + 1) * sizeof(long long) +
         (graph.weighted ? n * (sizeof(double) + sizeof(float)) : 0);
}

void SetProgram::add_graph(ConstantData& data, const DecisionGraph& graph, GraphData& out) const {
  static_assert(sizeof(long long) == sizeof(std::int64_t));
  out.targets = data.add(graph.targets);
  out.offsets = reinterpret_cast<const long long*>(data.add(graph.offsets));
  out.weights = graph.weighted ? data.add(graph.weights) : nullptr;
  out.feature = graph.weighted ? data.add(graph.feature) : nullptr;
}

void SetProgram::add_prepared(const DeviceBatch& batch, std::span<GraphData> graphs) const {
  for (std::size_t i = 0; i < graphs.size() && !bits_at_.empty(); ++i) {
    graphs[i].bits = batch.sets.bits + bits_at_[i];
  }
}

void SetProgram::place(Arena& arena, const BatchLayout& layout, DeviceBatch& batch) const {
  SetData& sets = batch.sets;
  sets.weighted = weighted_;
  arena.place(sets.mass, layout.variables);
  arena.place(sets.bits, bits_at_.empty() ? 0 : bits_at_.back());
  arena.place(sets.keys, sampler_.keys_shared ? 0 : layout.per_step());
  SearchData& search = batch.search;
  arena.place(search.to_go, search.causal && weighted_ ? layout.per_step() : 0);
  arena.place(search.prefix, layout.per_step());
  if (improves_) {
    place_found(arena, layout, search_, batch);
  }
}

void SetProgram::prepare(const DeviceBatch& batch, cudaStream_t stream) const {
  if (batch.sets.bits != nullptr) {
    mis_bits(batch, graphs_, stream);
  }
}

void SetProgram::promise(const DeviceBatch& batch, Initialisation init, KernelQueue& queue) const {
  queue.run("mis_promise", [&](cudaStream_t stream) { mis_promise(batch, init, stream); });
}

void SetProgram::sample(const DeviceBatch& batch, const NetworkOffsets& next, SamplesOf /*which*/,
                        KernelQueue& queue) const {
  if (sampler_.together > 0) {
    queue.run("mis_sample", [&](cudaStream_t stream) { mis_sample_bits(batch, sampler_, stream); });
  } else {
    queue.run("mis_mass", [&](cudaStream_t stream) { mis_mass(batch, stream); });
    queue.run("mis_sample", [&](cudaStream_t stream) { mis_sample(batch, sampler_, stream); });
  }
  if (improves_) {
    queue.run("mis_local_search",
              [&](cudaStream_t stream) { mis_local_search(batch, search_, move_limit_, plateau_steps_, stream); });
  }
  queue.run("mis_gradient", [&](cudaStream_t stream) { mis_gradient(batch, next, bf16_, stream); });
  show_elites(batch, next, queue);
}

void SetProgram::show_elites(const DeviceBatch& batch, const NetworkOffsets& /*next*/, KernelQueue& queue) const {
  if (crowding_) {
    queue.run("mis_crowding", [&](cudaStream_t stream) { mis_crowding(batch, stream); });
  }
}

}  // namespace moco::cuda
