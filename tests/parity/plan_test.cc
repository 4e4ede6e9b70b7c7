// What is decided about a batch before a device is asked for memory: which kernels run, how rows are cut, what fits.
// Needs no device: how much one runs at the same time is told.
#include <limits>

#include <gmock/gmock.h>

#include "moco/engine/cuda/plan/planned_batch.h"
#include "moco/error.h"
#include "parity/side_by_side.h"

namespace moco::parity {
namespace {

using cuda::BatchPlan;
using cuda::DeviceBatch;
using cuda::PlannedBatch;

/// An H200 runs so many clusters.
class Told final : public cuda::Occupancy {
 public:
  int fused_networks(const cuda::FusedShape& shape) const override { return networks / shape.cluster; }
  int fused_gcns(bool) const override { return gcns; }

  int networks = 132;
  int gcns = 15;
};

LoopOptions loop_of(int samples = 8, int neighbours = 10) {
  LoopOptions loop;
  loop.steps = 10;
  loop.samples = samples;
  loop.problem.set("neighbours", neighbours);
  return loop;
}

InstancePtr instance_of(const std::string& family, Index nodes) {
  return family == "tsp" ? uniform_tsp(nodes) : random_graph(nodes, 0.05);
}

std::string chosen(const ModelConfig& config, Index nodes, int trajectories, const CudaOptions& options = {},
                   const Told& told = {}, int neighbours = 10) {
  TestBatch setup(config, loop_of(2, neighbours));
  setup.add(instance_of(config.family, nodes), trajectories);
  const BatchPlan plan(setup.spec, options, told, true);
  return plan.step().name();
}

TEST(Choice, GraphNetworkByHiddenSizePrecisionAndRoom) {
  const ModelConfig wide = config_of("tsp", 128);
  const ModelConfig narrow = config_of("tsp", 32);
  EXPECT_EQ(chosen(narrow, 20, 1), "narrow graph network in one kernel");
  EXPECT_EQ(chosen(config_of("tsp", 40), 20, 1), "graph network in one kernel");
  EXPECT_EQ(chosen(wide, 20, 1), "graph network in one kernel");
  EXPECT_EQ(chosen(wide, 20, 140), "graph network, pass by pass") << "a round of 132 and one of 8";
  EXPECT_EQ(chosen(wide, 20, 140, {.fused = FusedUse::always}), "graph network in one kernel");
  EXPECT_EQ(chosen(wide, 20, 1, {.fused = FusedUse::never}), "graph network, pass by pass");
  EXPECT_EQ(chosen(narrow, 20, 1, {.fused = FusedUse::never}), "graph network, pass by pass");
  EXPECT_EQ(chosen(narrow, 20, 1, {.fused = FusedUse::always}), "graph network in one kernel");
  EXPECT_EQ(chosen(wide, 20, 1, {.precision = CudaPrecision::float32}), "graph network, pass by pass");
  EXPECT_EQ(chosen(narrow, 20, 1, {.precision = CudaPrecision::float32}), "graph network, pass by pass");
  EXPECT_EQ(chosen(wide, 600, 1, {.fused = FusedUse::always}, {}, 50), "graph network, pass by pass") << "no room";
  Told small;
  small.networks = 0;
  EXPECT_EQ(chosen(wide, 20, 1, {.fused = FusedUse::always}, small), "graph network, pass by pass");
}

TEST(Choice, GcnByWhatTheDeviceRunsAtOnce) {
  const ModelConfig config = config_of("mis", 128);
  EXPECT_EQ(chosen(config, 100, 1), "gcn in one kernel");
  EXPECT_EQ(chosen(config, 100, 1, {.clusters = 2}), "gcn in one kernel") << "64 nodes a cluster";
  EXPECT_EQ(chosen(config, 100, 1, {.clusters = 1}), "gcn, pass by pass");
  EXPECT_EQ(chosen(config, 100, 5), "gcn in one kernel");
  EXPECT_EQ(chosen(config, 100, 9), "gcn, pass by pass");
  EXPECT_EQ(chosen(config, 1100, 1), "gcn, pass by pass");
  EXPECT_EQ(chosen(config, 100, 1, {.precision = CudaPrecision::float32}), "gcn in one kernel");
  EXPECT_EQ(chosen(config, 100, 1, {.fused = FusedUse::never}), "gcn, pass by pass");
  Told small;
  small.gcns = 1;
  EXPECT_EQ(chosen(config, 100, 1, {}, small), "gcn, pass by pass");
}

ModelConfig parts_of_model(const std::string& family, Initialisation init, UpdateRule rule) {
  ModelConfig config = config_of(family, 128);
  config.init = init;
  config.rule = rule;
  return config;
}

TEST(Choice, EveryBeginningGoesWithEveryRule) {
  const std::pair<UpdateRule, std::string> rules[] = {{UpdateRule::mlp, "mlp"},
                                                      {UpdateRule::adam, "adam"},
                                                      {UpdateRule::ant_system, "ant system"},
                                                      {UpdateRule::max_min, "max-min"}};
  for (const std::string family : {"tsp", "mis"}) {
    const std::string network = family == "tsp" ? "graph network in one kernel" : "gcn in one kernel";
    for (const Choice<Initialisation>& init : choices<Initialisation>()) {
      const bool learned = init.value == Initialisation::learned;
      EXPECT_EQ(chosen(parts_of_model(family, init.value, UpdateRule::gnn), 20, 1), network);
      for (const auto& [rule, name] : rules) {
        EXPECT_EQ(chosen(parts_of_model(family, init.value, rule), 20, 1), learned ? name + " after " + network : name);
      }
    }
  }
}

TEST(Choice, NetworksHaveTheWeightsOfTheModelsParts) {
  for (const std::string family : {"tsp", "mis"}) {
    for (const Choice<Initialisation>& init : choices<Initialisation>()) {
      for (const Choice<UpdateRule>& rule : choices<UpdateRule>()) {
        const ModelConfig config = parts_of_model(family, init.value, rule.value);
        const cuda::WeightPlan plan(config);
        EXPECT_EQ(plan.init.blocks, init.value == Initialisation::learned ? 3 : 0);
        EXPECT_EQ(plan.update.blocks, rule.value == UpdateRule::gnn ? 3 : 0);
        EXPECT_EQ(plan.mlp.blocks, rule.value == UpdateRule::mlp ? 3 : 0);
        std::vector<bool> packed(ParameterLayout(config).size(), false);
        for (const cuda::PackEntry& entry : plan.entries) {
          const auto size = static_cast<std::size_t>(entry.rows) * static_cast<std::size_t>(entry.columns);
          for (std::size_t i = 0; i < size; ++i) {
            packed.at(static_cast<std::size_t>(entry.source) + i) = true;
          }
        }
        EXPECT_EQ(std::ranges::count(packed, false), 0) << family << ' ' << init.name << ' ' << rule.name;
      }
    }
  }
}

/// What a plan of partial samples is refused with, or nothing.
std::string refusal_of_changes(const InstancePtr& instance, int samples) {
  LoopOptions loop = loop_of(samples);
  loop.rebuild = 5;
  TestBatch setup(adam_model(std::string(instance->problem().family())).config, loop);
  setup.add(instance, 1);
  try {
    const BatchPlan plan(setup.spec, {}, Told(), true);
  } catch (const OptionError& error) {
    return error.what();
  }
  return {};
}

TEST(Choice, PartialSamplesWhereThereAreKernels) {
  EXPECT_EQ(refusal_of_changes(uniform_tsp(20), 8), "");
  EXPECT_EQ(refusal_of_changes(uniform_tsp(20000), 1000), "");
  EXPECT_EQ(refusal_of_changes(random_graph(20), 8), "partial samples (rebuild) of sets run on the CPU engine only");
  const std::vector<double> arcs{0, 1, 2, 3, 0, 4, 5, 6, 0};
  EXPECT_EQ(refusal_of_changes(std::make_shared<TspInstance>("arcs", 3, arcs), 8),
            "the CUDA engine knows no partial samples (rebuild) of asymmetric distances, which 'arcs' has; use "
            "the CPU engine");
  EXPECT_THAT(refusal_of_changes(uniform_tsp(20), 18000),
              ::testing::HasSubstr("18000 samples per step (-b) are too many"));
}

/// Whether every chunk table covers each trajectory's rows once, in order.
void expect_covered(const std::vector<cuda::RowChunk>& chunks, const std::vector<cuda::TrajectoryData>& trajectories) {
  std::vector<int> next(trajectories.size(), 0);
  for (const cuda::RowChunk& chunk : chunks) {
    auto& at = next[static_cast<std::size_t>(chunk.trajectory)];
    EXPECT_EQ(chunk.first, at);
    EXPECT_GT(chunk.rows, 0);
    at += chunk.rows;
  }
  for (std::size_t t = 0; t < trajectories.size(); ++t) {
    EXPECT_EQ(next[t], trajectories[t].variables > 0 ? trajectories[t].nodes : 0);
  }
}

TEST(Plans, ChunksCoverEveryNodeOnce) {
  for (const char* family : {"tsp", "mis"}) {
    TestBatch setup(config_of(family, 128), loop_of());
    for (const Index n : {1, 2, 17, 90, 200}) {
      setup.add(instance_of(family, n), n % 3 + 1);
    }
    const BatchPlan plan(setup.spec, {.fused = FusedUse::never}, Told(), true);
    const cuda::BatchLayout& layout = plan.layout();
    expect_covered(layout.gradient_chunks, layout.trajectories);
    expect_covered(layout.node_chunks, layout.trajectories);
    EXPECT_EQ(layout.edge_chunks.empty(), family == std::string("mis"));
    if (!layout.edge_chunks.empty()) {
      expect_covered(layout.edge_chunks, layout.trajectories);
    }
    for (const cuda::TrajectoryData& t : layout.trajectories) {
      for (int i = 0; i < t.node_chunks.count; ++i) {
        EXPECT_EQ(layout
                      .trajectories[static_cast<std::size_t>(
                          layout.node_chunks[static_cast<std::size_t>(t.node_chunks.first + i)].trajectory)]
                      .node_offset,
                  t.node_offset);
      }
    }
  }
}

/// The arrays of a plan in the host's memory: addresses are taken, nothing is written.
struct PlacedArrays {
  explicit PlacedArrays(const BatchPlan& plan)
      : memory(plan.array_bytes()),
        lasting(memory.data(), plan.lasting()),
        of_update(memory.data() + plan.lasting().bytes(), plan.of_update()),
        batch(plan.place(lasting, of_update)) {}

  cuda::Region lasting_bytes() { return {memory.data(), lasting.bytes()}; }

  std::vector<std::byte> memory;
  cuda::Arena lasting;
  cuda::Arena of_update;
  DeviceBatch batch;
};

TEST(Plans, ArraysLieSideBySide) {
  for (const char* family : {"tsp", "mis"}) {
    for (const FusedUse fused : {FusedUse::automatic, FusedUse::never}) {
      LoopOptions loop = loop_of();
      loop.gradient = GradientKind::causal;
      loop.local_search.name = family == std::string("tsp") ? "2opt" : "swap12";
      TestBatch setup(config_of(family, 128), loop);
      setup.add(instance_of(family, 40), 2).add(instance_of(family, 25), 1);
      const BatchPlan plan(setup.spec, {.fused = fused}, Told(), true);
      PlacedArrays placed(plan);
      const DeviceBatch& batch = placed.batch;
      const auto inside = [&](const void* array, const cuda::Region& region) {
        const auto* at = static_cast<const std::byte*>(array);
        return at >= region.data && at < region.data + region.bytes;
      };
      const cuda::Region once = placed.lasting.region(cuda::Cleared::once);
      const cuda::Region at_begin = placed.lasting.region(cuda::Cleared::at_begin);
      EXPECT_TRUE(inside(batch.search.arrivals, once));
      EXPECT_TRUE(inside(batch.network.matrices, placed.of_update.region(cuda::Cleared::once)));
      EXPECT_TRUE(inside(batch.search.membership, at_begin));
      EXPECT_FALSE(inside(batch.search.theta, once) || inside(batch.search.theta, at_begin));
      EXPECT_LE(once.data + once.bytes, at_begin.data);
      EXPECT_LE(at_begin.data + at_begin.bytes, placed.lasting_bytes().data + placed.lasting_bytes().bytes);
      for (const void* array : std::initializer_list<const void*>{batch.search.theta, batch.search.found.items,
                                                                  batch.search.to_go, batch.tours.choice}) {
        if (array != nullptr) {
          EXPECT_TRUE(inside(array, placed.lasting_bytes())) << "outlasts the model";
        }
      }
      EXPECT_FALSE(inside(batch.network.h_g, placed.lasting_bytes())) << "goes with the model";
      EXPECT_NE(batch.search.found.items, batch.search.items) << "a local search keeps the samples";
      EXPECT_EQ(batch.search.to_go != nullptr, family == std::string("tsp"));
    }
  }
}

TEST(Plans, WithoutLocalSearchTheSamplesAreWhatIsFound) {
  TestBatch setup(config_of("tsp", 128), loop_of());
  setup.add(uniform_tsp(30), 1);
  const BatchPlan plan(setup.spec, {}, Told(), true);
  PlacedArrays placed(plan);
  const DeviceBatch& batch = placed.batch;
  EXPECT_EQ(batch.search.found.items, batch.search.items);
  EXPECT_EQ(batch.search.found.costs, batch.search.costs);
  EXPECT_EQ(batch.search.to_go, nullptr);
}

TEST(Plans, CountHostAndDeviceApart) {
  TestBatch setup(config_of("tsp", 128), loop_of(32));
  setup.add(uniform_tsp(100), 32);
  const PlannedBatch one(setup.spec, {.parts = 1}, Told());
  ASSERT_EQ(one.parts.size(), 1u);
  const BatchPlan& plan = one.parts.front().plan;
  const std::uint64_t weights = setup.model.weights.size() * sizeof(float);
  EXPECT_GE(one.need.engine, plan.array_bytes() + plan.constant_bytes() + weights);
  EXPECT_LT(one.need.engine, plan.array_bytes() + plan.constant_bytes() + weights + 256);
  EXPECT_GE(one.need.host, plan.constant_bytes());
  EXPECT_LT(one.need.host, one.need.engine / 2) << "samples and network states never come to the host";
  const PlannedBatch two(setup.spec, {.parts = 2}, Told());
  ASSERT_EQ(two.parts.size(), 2u);
  EXPECT_LT(two.need.engine, one.need.engine + one.need.engine / 2) << "base weights are there once";
  for (const PlannedBatch* planned : {&one, &two}) {
    EXPECT_EQ(PlacedArrays(planned->parts.front().plan).batch.alone, planned == &one);
  }
}

// Estimates know sizes alone, as graphs have them that are not built; nothing may take more.
TEST(Plans, ConstantDataTakeNoMoreThanEstimated) {
  for (const char* family : {"tsp", "mis"}) {
    ModelConfig config = config_of(family, 128);
    config.membership = Membership::undirected;
    config.rule = UpdateRule::ant_system;  // whose deposits need the reverse edges, too
    TestBatch setup(config, loop_of());
    setup.add(instance_of(family, 1), 1).add(instance_of(family, 90), 3);
    if (family == std::string("tsp")) {
      std::vector<double> matrix(900);
      for (std::size_t i = 0; i < 900; ++i) {
        matrix[i] = i / 30 == i % 30 ? 0.0 : 1.0 + static_cast<double>((i * 7919) % 97);
      }
      setup.add(std::make_shared<TspInstance>("matrix", 30, matrix), 1);
    }
    const BatchPlan plan(setup.spec, {.fused = FusedUse::never}, Told(), true);
    cuda::ConstantData counted;
    std::vector<cuda::GraphData> graphs(setup.graphs.size());
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      plan.step().problem().add_graph(counted, setup.graphs[i], graphs[i]);
    }
    const cuda::BatchLayout& layout = plan.layout();
    counted.add(graphs);
    counted.add(layout.trajectories);
    counted.add(layout.gradient_chunks);
    counted.add(layout.variable_chunks);
    counted.add(layout.edge_chunks);
    counted.add(layout.node_chunks);
    counted.add(plan.step().weights().entries);
    counted.add(std::vector<cuda::WeightSource>(setup.spec.weights.size()));
    EXPECT_LE(counted.bytes(), plan.constant_bytes()) << family;
    EXPECT_GE(counted.bytes(), plan.constant_bytes() / 4) << family;
  }
}

TEST(Plans, ChunksCoverEveryVariableOnce) {
  for (const UpdateRule rule : {UpdateRule::mlp, UpdateRule::adam, UpdateRule::ant_system}) {
    for (const int count : {1, 60}) {
      TestBatch setup(parts_of_model("tsp", Initialisation::heuristic, rule), loop_of(2, 20));
      setup.add(uniform_tsp(1), 1).add(uniform_tsp(300), count).add(uniform_tsp(17, 1), 2);
      const BatchPlan plan(setup.spec, {}, Told(), true);
      const auto& trajectories = plan.layout().trajectories;
      std::vector<int> next(trajectories.size(), 0);
      for (const cuda::RowChunk& chunk : plan.layout().variable_chunks) {
        int& at = next[static_cast<std::size_t>(chunk.trajectory)];
        EXPECT_EQ(chunk.first, at);
        EXPECT_GT(chunk.rows, 0);
        EXPECT_LE(chunk.rows, 4096);
        at += chunk.rows;
      }
      for (std::size_t t = 0; t < trajectories.size(); ++t) {
        EXPECT_EQ(next[t], trajectories[t].variables);
      }
    }
  }
}

TEST(Plans, OnlyWhatARuleNeedsHasAPlace) {
  const auto placed = [](ModelConfig config) {
    TestBatch setup(config, loop_of());
    setup.add(uniform_tsp(30), 2);
    const BatchPlan plan(setup.spec, {}, Told(), true);
    return PlacedArrays(plan).batch;
  };
  ModelConfig config = parts_of_model("tsp", Initialisation::learned, UpdateRule::adam);
  config.theta_update = ThetaUpdate::anchored;  // which Adam is not
  DeviceBatch batch = placed(config);
  EXPECT_NE(batch.adam.moments, nullptr);
  EXPECT_EQ(batch.network.first_theta, nullptr);
  EXPECT_EQ(batch.pheromones.trails, nullptr);
  EXPECT_FALSE(batch.network.embeds_global);
  config.rule = UpdateRule::mlp;
  config.init = Initialisation::uniform;
  batch = placed(config);
  EXPECT_NE(batch.network.first_theta, nullptr);
  EXPECT_NE(batch.network.matrices, nullptr);
  EXPECT_EQ(batch.network.h_g, nullptr);
  EXPECT_EQ(batch.adam.moments, nullptr);
  config.rule = UpdateRule::max_min;
  batch = placed(config);
  EXPECT_NE(batch.pheromones.trails, nullptr);
  EXPECT_TRUE(batch.pheromones.bounded);
  EXPECT_EQ(batch.network.matrices, nullptr);
  EXPECT_EQ(batch.network.first_theta, nullptr);
}

/// The message of the OptionError with which a plan is refused, or nothing.
std::string refusal(const TestBatch& setup) {
  try {
    const PlannedBatch planned(setup.spec, {}, Told());
  } catch (const OptionError& error) {
    return error.what();
  }
  return "";
}

/// The last number of a text that names a limit, "holds up to N".
int named_limit(const std::string& message) {
  const std::size_t at = message.find("up to ");
  return at == std::string::npos ? -1 : std::stoi(message.substr(at + 6));
}

TEST(Limits, TooManySamplesNameTheNumberThatFits) {
  for (const char* family : {"tsp", "mis"}) {
    const auto with = [&](int samples) {
      TestBatch setup(config_of(family, 128), loop_of(samples));
      setup.add(instance_of(family, 30), 1);
      return refusal(setup);
    };
    EXPECT_EQ(with(4096), "");
    const std::string message = with(100'000);
    EXPECT_THAT(message, ::testing::HasSubstr("100000 samples per step (-b)"));
    EXPECT_EQ(named_limit(message), family == std::string("tsp") ? 18024 : 18452);
    EXPECT_EQ(with(named_limit(message)), "") << message;
    EXPECT_NE(with(named_limit(message) + 1), "") << message;
  }
}

TEST(Limits, TooManyNeighboursNameTheNumberThatFits) {
  TestBatch setup(config_of("tsp", 128), loop_of(2, 20));
  setup.add(uniform_tsp(30), 1);
  setup.graphs.front().degree = 20'000;
  const std::string message = refusal(setup);
  EXPECT_THAT(message, ::testing::HasSubstr("20000 candidate neighbours (-k)"));
  EXPECT_EQ(named_limit(message), 9012);
  setup.graphs.front().degree = named_limit(message);
  EXPECT_EQ(refusal(setup), "");
}

TEST(Limits, TooManyNodesOrTrajectoriesAreRefused) {
  TestBatch setup(config_of("tsp", 128), loop_of(2));
  setup.add(uniform_tsp(30), 3);
  const int limit = std::numeric_limits<int>::max() / 3;
  setup.spec.loop.samples = limit + 1;
  EXPECT_EQ(named_limit(refusal(setup)), limit);
  setup.spec.loop.samples = 2;
  setup.graphs.front().nodes = (1 << 28) + 1;
  EXPECT_EQ(named_limit(refusal(setup)), 1 << 28);
}

TEST(Limits, WhatHasNoKernelsIsRefused) {
  TestBatch spatial(config_of("tsp", 128), loop_of());
  const std::vector<Point> points = {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {1.0, 1.0}};
  spatial.add(std::make_shared<TspInstance>("hills", points, Metric::euc_3d, std::vector<double>{0.0, 1.0, 2.0, 3.0}));
  EXPECT_THAT(refusal(spatial), ::testing::HasSubstr("no distances in three dimensions, which 'hills' has"));
  TestBatch other(config_of("tsp", 128), loop_of());
  other.add(uniform_tsp(20), 1);
  other.spec.config.family = "scheduling";
  EXPECT_EQ(refusal(other), "there are no device kernels for scheduling; use the CPU engine");
  TestBatch wide(config_of("tsp", 136), loop_of());
  wide.add(uniform_tsp(20), 1);
  EXPECT_THAT(refusal(wide), ::testing::HasSubstr("hidden size of up to 128, not 136"));
  ModelConfig optimizer = parts_of_model("mis", Initialisation::uniform, UpdateRule::mlp);
  optimizer.hidden = 136;
  TestBatch wide_optimizer(optimizer, loop_of());
  wide_optimizer.add(random_graph(20), 1);
  EXPECT_THAT(refusal(wide_optimizer), ::testing::HasSubstr("hidden size of up to 128, not 136"));
}

}  // namespace
}  // namespace moco::parity
