// One function per kernel. Left out everywhere, being far below a hundredth: vectors of D floats per weight set or
// trajectory (biases, normalisation, h_g), partial sums per thread block, chunk tables, status.
#include "kernel_work.h"

#include <algorithm>
#include <array>
#include <utility>

#include "moco/engine/cuda/kit/sizes.h"
#include "moco/model/parameters.h"

namespace moco {

namespace {

constexpr double kD = cuda::kHidden;
constexpr double kInputs = cuda::kFeatureRows;  // of the embedding: 41 features, filled up for the tensor cores
constexpr double kSquare = kD * kD;
constexpr double kFloat = 4.0;
constexpr double kInteger = 4.0;
constexpr double kDouble = 8.0;
constexpr double kKeyFlops = 3.0;       // Gumbel key: two logarithms, one addition; the random bits are integers
constexpr double kMomentumFlops = 3.0;  // m ← βm + (1 − β)g

KernelWork& operator+=(KernelWork& a, const KernelWork& b) {
  a.bytes += b.bytes;
  a.gathered += b.gathered;
  a.products += b.products;
  a.others += b.others;
  return a;
}

/// Multiply-adds of rows with `squares` matrices [D × D], as operations.
double product_flops(double rows, double squares) {
  return 2.0 * rows * squares * kSquare;
}

/// `squares` matrices [D × D] of every weight set.
double weight_bytes(const WorkSizes& n, double squares) {
  return n.weight_sets * squares * kSquare * n.element_bytes;
}

/// The embedding of the features, [48 × D] of every weight set; the global one has about the same size.
double embedding_bytes(const WorkSizes& n) {
  return n.weight_sets * kInputs * kD * n.element_bytes;
}

/// Multiply-adds of the features with such a matrix.
double embedding_flops(const WorkSizes& n) {
  return 2.0 * n.variables * kInputs * kD;
}

/// What the feature rows are made of: membership bits, momenta, gradient and θ of every variable; TSP: lengths of the
/// instances' edges.
double feature_bytes(const WorkSizes& n) {
  return n.variables * (kInteger + (kMomenta + 2) * kFloat) + (n.tsp ? n.graph_edges * kFloat : 0.0);
}

/// h_e or u [V × D].
double edge_rows(const WorkSizes& n) {
  return n.variables * kD * n.element_bytes;
}

/// h_v, u_v or Σ_out [S × D] in float32.
double node_rows(const WorkSizes& n) {
  return n.nodes * kD * kFloat;
}

/// sent or received, or messages of the MIS [S × D].
double message_rows(const WorkSizes& n) {
  return n.nodes * kD * n.element_bytes;
}

/// Those after which somebody needs h_v and h_e.
double inner_blocks(const WorkSizes& n) {
  return n.blocks - 1.0;
}

/// u of all blocks. The first reads the features, the targets and the embedding times W_e; its sender's and receiver's
/// parts are one of two rows each and stay in the first-level cache. The others read h_e, sent, received, targets and
/// W_e; the row of `received` belongs to another node for every edge: gathered beyond the first time. Others: three
/// additions and the ReLU.
KernelWork edge_messages(const WorkSizes& n) {
  const double others = n.blocks - 1.0;
  KernelWork work;
  work.bytes = feature_bytes(n) + embedding_bytes(n) + n.blocks * n.graph_edges * kInteger +
               others * (edge_rows(n) + 2.0 * message_rows(n) + weight_bytes(n, 1.0));
  work.gathered = others * std::max(0.0, edge_rows(n) - message_rows(n));
  work.products = embedding_flops(n) + others * product_flops(n.variables, 1.0);
  work.others = n.blocks * 5.0 * n.variables * kD;
  return work;
}

/// Forms u and keeps sum and square for the moments.
KernelWork edge_moments(const WorkSizes& n) {
  KernelWork work = edge_messages(n);
  work.others += n.blocks * 3.0 * n.variables * kD;
  return work;
}

/// Forms u again and writes h_e and Σ_out; the first block embeds the features for that, the last writes θ instead.
/// Others: u·factor + shift, the addition to h_e and to Σ_out; the bias of the embedding; the decoder's product with
/// one column.
KernelWork edge_advance(const WorkSizes& n) {
  KernelWork work = edge_messages(n);
  work.bytes += embedding_bytes(n) + inner_blocks(n) * (edge_rows(n) + node_rows(n)) + n.variables * kFloat;
  work.products += embedding_flops(n);
  work.others += (n.blocks * 4.0 + 2.0) * n.variables * kD;
  return work;
}

/// Gathers h_e over the incoming edges, every row exactly once; reads Σ_out and h_v (the first block writes h_v
/// instead), the indices of the incoming edges and three matrices; writes u_v. Not after the last block. Products:
/// three per node. Others: Σ_in, then the constant, the ReLU and the moments.
KernelWork node_update(const WorkSizes& n) {
  const double indices = (n.graph_edges + n.graph_nodes) * kInteger;
  KernelWork work;
  work.bytes = inner_blocks(n) * (edge_rows(n) + 3.0 * node_rows(n) + indices + weight_bytes(n, 3.0));
  work.products = inner_blocks(n) * product_flops(n.nodes, 3.0);
  work.others = inner_blocks(n) * (n.variables * kD + 5.0 * n.nodes * kD);
  return work;
}

/// Reads u_v and h_v, writes h_v; multiplies by two matrices for the next block's sent and received and writes these.
/// Not after the last block. Once per trajectory the global updates of all blocks: three matrices, and two for the next
/// block's constants. These are products with a single row on the ordinary units.
KernelWork node_normalise(const WorkSizes& n) {
  KernelWork work;
  work.bytes = n.blocks * weight_bytes(n, 3.0) +
               inner_blocks(n) * (3.0 * node_rows(n) + 2.0 * message_rows(n) + weight_bytes(n, 4.0));
  work.products = inner_blocks(n) * product_flops(n.nodes, 2.0);
  work.others = n.blocks * product_flops(n.trajectories, 3.0) +
                inner_blocks(n) * (4.0 * n.nodes * kD + product_flops(n.trajectories, 2.0));
  return work;
}

/// Both passes over the nodes in one kernel: u_v stays in registers, and h_v is read once. Not after the last block,
/// but for the global updates, which are beside it as in node_normalise.
KernelWork node_cluster(const WorkSizes& n) {
  KernelWork work = node_update(n);
  work += node_normalise(n);
  work.bytes -= inner_blocks(n) * 3.0 * node_rows(n);
  return work;
}

/// The whole network in one kernel. Products: the embedding, then per block one per edge and those of the nodes.
/// Others: of the passes above, with u formed once. Of their bytes only the features, the indices, the weights and θ:
/// what the blocks of a cluster exchange stays on the chip.
KernelWork fused_network(const WorkSizes& n) {
  KernelWork work;
  work += node_update(n);
  work += node_normalise(n);
  work.products += embedding_flops(n) + n.blocks * product_flops(n.variables, 1.0);
  work.others += edge_moments(n).others + edge_advance(n).others - edge_messages(n).others;
  const double matrices = 4.0 * n.blocks + 7.0 * inner_blocks(n);
  const double indices = (2.0 * n.graph_edges + n.graph_nodes) * kInteger;  // targets; incoming edges
  work.bytes = feature_bytes(n) + indices + embedding_bytes(n) + weight_bytes(n, matrices) + n.variables * kFloat;
  work.gathered = 0.0;
  return work;
}

/// Every tour draws V/T keys from θ and looks at the targets: read once, then again for each of the b samples. Per tour
/// and city four integers are written and a length is looked up; causal gradients write the cost to go and read it for
/// the mean. Others: the keys; lengths added up, causal: scaled and added up from the end, then averaged.
KernelWork tsp_sample(const WorkSizes& n) {
  const double steps = n.samples * n.nodes;
  const double tables = n.variables * kFloat + n.graph_edges * kInteger;  // θ and targets
  const double to_go = n.causal ? steps * kDouble : 0.0;
  KernelWork work;
  work.bytes = tables + steps * 4.0 * kInteger + 2.0 * to_go;
  work.gathered = n.samples * n.variables * (kFloat + kInteger) - tables + steps * kDouble;
  work.others = kKeyFlops * n.samples * n.variables + steps * (n.causal ? 4.0 : 1.0);
  return work;
}

/// What every gradient kernel does beside the gradient itself: stores it, reads and writes six momenta, sets the
/// membership bits, and embeds the global features (D per weight set; then `constants` matrices). Copies of samples
/// that enter the elite depend on the search and are not counted.
KernelWork gradient_stored(const WorkSizes& n, double constants) {
  KernelWork work;
  work.bytes =
      n.variables * (kFloat + 2.0 * kMomenta * kFloat + kInteger) + embedding_bytes(n) + weight_bytes(n, constants);
  work.others = n.variables * kMomenta * kMomentumFlops + n.trajectories * 2.0 * kGlobalFeatures * kD +
                product_flops(n.trajectories, constants);
  return work;
}

/// Per city and sample: the step at which it was left, the neighbour taken and, causal, the cost to go (and its mean).
/// Per edge and sample: the step at which the neighbour was left, gathered. Others: per edge and sample the mass of the
/// unvisited, and two sums over the samples; per edge the exponential.
KernelWork tsp_gradient(const WorkSizes& n) {
  const double entries = n.samples * n.nodes;
  KernelWork work = gradient_stored(n, 2.0);
  work.bytes += n.variables * kFloat + n.graph_edges * kInteger + entries * 2.0 * kInteger;
  work.bytes += n.causal ? entries * kDouble : 0.0;
  work.gathered = n.samples * n.variables * kInteger;
  work.others += 3.0 * n.samples * n.variables + n.variables;
  return work;
}

/// Reads the features, the embedding and the first neighbour matrix; writes h_v and the first messages. Others: two
/// biases.
KernelWork gcn_embed(const WorkSizes& n) {
  KernelWork work;
  work.bytes = feature_bytes(n) + embedding_bytes(n) + weight_bytes(n, 1.0) + node_rows(n) + message_rows(n);
  work.products = 2.0 * n.nodes * kInputs * kD + product_flops(n.nodes, 1.0);
  work.others = 2.0 * n.nodes * kD;
  return work;
}

/// Reads the messages into shared memory, targets and offsets; writes the maxima. Others: E maxima of D columns.
KernelWork neighbour_max(const WorkSizes& n) {
  KernelWork work;
  work.bytes = n.blocks * (2.0 * message_rows(n) + n.graph_edges * kInteger + n.graph_nodes * kDouble);
  work.others = n.blocks * n.edges * kD;
  return work;
}

/// Reads h_v and the messages (every row once; then again, E rows in all, as neighbours gather them), targets and
/// offsets; or, staged, the maxima instead of all these. The matrices: itself, the mix, and, but in the last block, the
/// next block's neighbour matrix; with one row per trajectory the global update and the next block's constants. All
/// blocks but the last write h_v and messages, the last writes θ̃ and divides it. Others: E maxima of D columns; biases,
/// ReLUs and additions; elite; decoder.
KernelWork gcn_block(const WorkSizes& n) {
  const double indices = (n.staged ? 0.0 : n.graph_edges * kInteger) + n.graph_nodes * kDouble;
  const double gathered = n.staged ? 0.0 : n.edges;
  KernelWork work;
  work.bytes = n.blocks * (node_rows(n) + message_rows(n) + indices + weight_bytes(n, 3.0)) +
               inner_blocks(n) * (node_rows(n) + message_rows(n) + weight_bytes(n, 2.0)) + 3.0 * n.variables * kFloat;
  work.gathered = n.blocks * std::max(0.0, gathered - n.nodes) * kD * n.element_bytes;
  work.products = n.blocks * product_flops(n.nodes, 2.0) + inner_blocks(n) * product_flops(n.nodes, 1.0);
  work.others = n.blocks * (gathered * kD + 8.0 * n.nodes * kD + product_flops(n.trajectories, 1.0)) +
                inner_blocks(n) * (n.nodes * kD + product_flops(n.trajectories, 1.0)) + 2.0 * n.nodes * kD +
                n.variables;
  return work;
}

/// Reads θ, writes e^(θ − max). Others: the maximum, the difference, the exponential.
KernelWork mis_mass(const WorkSizes& n) {
  KernelWork work;
  work.bytes = n.variables * (kFloat + kDouble);
  work.others = 3.0 * n.variables;
  return work;
}

/// Every set draws a key per node from θ and later adds up the masses: both are read again for each of the b samples.
/// The neighbours of every chosen node are looked at; their number is taken as the mean degree, which is a little more
/// than chosen nodes have. Writes when each node left (b per node), items and variables, and three times (write, read,
/// write) the prefix sums per chosen node. Others: keys, masses, and three per prefix.
KernelWork mis_sample(const WorkSizes& n) {
  const double sets = n.samples * n.chosen;
  const double touched = sets * n.edges / std::max(n.nodes, 1.0);
  const double lists = std::min(touched, n.graph_edges) * kInteger;
  const double tables = n.variables * (kFloat + kDouble);
  KernelWork work;
  work.bytes = tables + lists + n.samples * n.nodes * kInteger + sets * (2.0 * kInteger + 3.0 * kDouble);
  work.gathered = (n.samples - 1.0) * tables + touched * kInteger - lists;
  work.others = (kKeyFlops + 1.0) * n.samples * n.nodes + 3.0 * sets;
  return work;
}

/// Per node and sample: when it left, and, gathered by that, the item chosen then and the prefix sum. Others: per node
/// and sample a product, a difference, a division and a sum.
KernelWork mis_gradient(const WorkSizes& n) {
  const double entries = n.samples * n.nodes;
  const double sets = n.samples * n.chosen * (kInteger + kDouble);
  KernelWork work = gradient_stored(n, 1.0);
  work.bytes += n.variables * kDouble + entries * kInteger + sets;
  work.gathered = entries * (kInteger + kDouble) - sets;
  work.others += 4.0 * entries;
  return work;
}

/// The GCN in one kernel: the work of the kernels above. Of their bytes the features, the weights, the messages
/// (written once, read once), the lists of neighbours and θ: h stays on the chip.
KernelWork fused_gcn(const WorkSizes& n) {
  KernelWork work;
  work += gcn_embed(n);
  work += gcn_block(n);
  const double matrices = 1.0 + 4.0 * n.blocks + inner_blocks(n);  // messages; self, mix and global; messages
  const double lists = n.graph_edges * kInteger / 2.0 + n.graph_nodes * kDouble;
  work.bytes = feature_bytes(n) + embedding_bytes(n) + weight_bytes(n, matrices) + lists +
               n.blocks * 2.0 * message_rows(n) + 2.0 * n.variables * kFloat;
  work.gathered = 0.0;
  return work;
}

KernelWork network(const WorkSizes& n) {
  return n.tsp ? fused_network(n) : fused_gcn(n);
}

using Count = KernelWork (*)(const WorkSizes&);

constexpr std::array kCounts{
    std::pair<std::string_view, Count>{"edge_moments", edge_moments},
    std::pair<std::string_view, Count>{"edge_advance", edge_advance},
    std::pair<std::string_view, Count>{"node_update", node_update},
    std::pair<std::string_view, Count>{"node_normalise", node_normalise},
    std::pair<std::string_view, Count>{"node_cluster", node_cluster},
    std::pair<std::string_view, Count>{"network", network},
    std::pair<std::string_view, Count>{"tsp_sample", tsp_sample},
    std::pair<std::string_view, Count>{"tsp_gradient", tsp_gradient},
    std::pair<std::string_view, Count>{"gcn_embed", gcn_embed},
    std::pair<std::string_view, Count>{"neighbour_max", neighbour_max},
    std::pair<std::string_view, Count>{"gcn_block", gcn_block},
    std::pair<std::string_view, Count>{"mis_mass", mis_mass},
    std::pair<std::string_view, Count>{"mis_sample", mis_sample},
    std::pair<std::string_view, Count>{"mis_gradient", mis_gradient},
};

}  // namespace

WorkSizes work_sizes(const BatchSpec& spec, double element_bytes) {
  WorkSizes n;
  n.tsp = spec.config.family == "tsp";
  n.causal = spec.loop.gradient == GradientKind::causal;
  n.element_bytes = element_bytes;
  n.blocks = spec.config.blocks;
  n.samples = spec.loop.samples;
  n.trajectories = static_cast<double>(spec.trajectories.size());
  n.weight_sets = static_cast<double>(spec.weights.size());
  for (const Trajectory& trajectory : spec.trajectories) {
    const DecisionGraph& graph = *spec.graphs[trajectory.graph];
    n.nodes += graph.nodes;
    n.variables += graph.variables;
    n.edges += static_cast<double>(graph.targets.size());
  }
  for (const DecisionGraph* graph : spec.graphs) {
    n.graph_nodes += graph->nodes;
    n.graph_edges += static_cast<double>(graph->targets.size());
  }
  return n;
}

std::optional<KernelWork> kernel_work(std::string_view kernel, const WorkSizes& sizes) {
  const auto* const found = std::ranges::find(kCounts, kernel, &std::pair<std::string_view, Count>::first);
  return found != kCounts.end() ? std::optional(found->second(sizes)) : std::nullopt;
}

}  // namespace moco
