// Counts of the device's kernels against numbers worked out by hand.
#include "kernel_work.h"

#include <gtest/gtest.h>

#include "moco/generate.h"
#include "options.h"

namespace moco {
namespace {

/// One trajectory of TSP100 with 20 neighbours, bf16: 2000 rows of h_e of 256 bytes, matrices of 32 768 bytes.
class Tsp100 : public ::testing::Test {
 protected:
  Tsp100() {
    GeneratorOptions generator = test_generator("uniform");
    generator.nodes = 100;
    graph_ = decision_graph(generate(generator, 0), test_neighbours(20));
    BatchSpec spec;
    spec.loop.samples = 32;
    spec.loop.gradient = GradientKind::causal;
    spec.graphs = {&graph_};
    spec.weights.resize(1);
    spec.trajectories.resize(1);
    sizes_ = work_sizes(spec, 2.0);
  }

  KernelWork of(const char* kernel) const { return kernel_work(kernel, sizes_).value(); }

  DecisionGraph graph_;
  WorkSizes sizes_;
};

TEST_F(Tsp100, Passes) {
  const double h_e = 2000 * 256;
  const double messages = 25600;
  // 36 bytes of state per edge and its length; three times the targets; the embedding [48 × 128] times W_e, then twice
  // h_e, sent and received, W_e
  const double read = 2000 * (36 + 4) + 3 * 8000 + 12288 + 2 * (h_e + 2 * messages + 32768);
  EXPECT_EQ(of("edge_moments").bytes, read);
  EXPECT_EQ(of("edge_moments").gathered, 2 * 1900 * 256);
  EXPECT_EQ(of("edge_moments").products, 2.0 * 2000 * (48 + 2 * 128) * 128);
  // the embedding alone; twice h_e and Σ_out; θ once
  EXPECT_EQ(of("edge_advance").bytes, read + 12288 + 2 * (h_e + 51200) + 8000);
  EXPECT_EQ(of("edge_advance").products, 2.0 * 2000 * (2 * 48 + 2 * 128) * 128);
  EXPECT_EQ(of("node_update").products, 2 * 3 * 3276800);
  EXPECT_EQ(of("node_normalise").products, 2 * 2 * 3276800);
  // in one kernel u is neither written nor read, and h_v read once
  EXPECT_EQ(of("node_cluster").bytes, of("node_update").bytes + of("node_normalise").bytes - 2 * 3 * 51200);
  EXPECT_EQ(of("node_cluster").products, 2 * 5 * 3276800);
}

TEST_F(Tsp100, OneKernelMultipliesOnceAndReadsEveryMatrixOnce) {
  EXPECT_EQ(of("network").products,
            2.0 * 2000 * (48 + 3 * 128) * 128 + of("node_update").products + of("node_normalise").products);
  // 26 matrices [128 × 128] and the embedding; state, lengths, two kinds of indices, θ
  EXPECT_EQ(of("network").bytes, 26 * 32768 + 12288 + 2000 * (36 + 4) + (2 * 2000 + 100) * 4 + 8000);
}

TEST_F(Tsp100, Sampling) {
  // θ and targets; per tour and city four integers, the cost to go written and read
  EXPECT_EQ(of("tsp_sample").bytes, 2000 * 8 + 3200 * (16 + 16));
  EXPECT_EQ(of("tsp_sample").others, 3.0 * 32 * 2000 + 4 * 3200);
  EXPECT_EQ(of("tsp_gradient").gathered, 32 * 2000 * 4);
}

TEST(KernelWork, NeighbourRowsOfTheMisAreGathered) {
  WorkSizes sizes;
  sizes.tsp = false;
  sizes.trajectories = sizes.weight_sets = 2;
  sizes.nodes = sizes.variables = 20;
  sizes.edges = 120;
  sizes.graph_nodes = 10;
  sizes.graph_edges = 60;
  const KernelWork block = kernel_work("gcn_block", sizes).value();
  EXPECT_EQ(block.gathered, 3 * (120 - 20) * 256);
  EXPECT_EQ(block.products, (2 + 2 + 2 + 1 + 1) * 2.0 * 20 * 128 * 128);
  sizes.staged = true;
  EXPECT_EQ(kernel_work("gcn_block", sizes).value().gathered, 0.0);
  EXPECT_EQ(kernel_work("neighbour_max", sizes).value().others, 3.0 * 120 * 128);
}

TEST(KernelWork, TheGcnInOneKernelReadsEveryMatrixOnce) {
  WorkSizes sizes;
  sizes.tsp = false;
  sizes.trajectories = sizes.weight_sets = 1;
  sizes.nodes = sizes.variables = sizes.graph_nodes = 10;
  sizes.edges = sizes.graph_edges = 60;
  const KernelWork network = kernel_work("network", sizes).value();
  const KernelWork embed = kernel_work("gcn_embed", sizes).value();
  const KernelWork block = kernel_work("gcn_block", sizes).value();
  EXPECT_EQ(network.products, embed.products + block.products);
  EXPECT_EQ(network.others, embed.others + block.others);
  EXPECT_EQ(network.gathered, 0.0);
  // 15 matrices [128 × 128] and the embedding; state, lists and where they begin, messages twice per block, θ twice
  EXPECT_EQ(network.bytes, 15 * 32768 + 12288 + 10 * 36 + 60 * 2 + 10 * 8 + 3 * 2 * 10 * 256 + 2 * 40);
}

TEST(KernelWork, UnknownKernelsAreNotCounted) {
  EXPECT_FALSE(kernel_work("tsp_local_search", {}).has_value());
}

}  // namespace
}  // namespace moco
