// Unusual sizes: one to three nodes, isolated nodes, empty graphs, long rows, many samples, small and padded networks,
// batches of very different instances, warm starts, retired trajectories.
#include "options.h"
#include "parity/side_by_side.h"

namespace moco::parity {
namespace {

LoopOptions loop_of(int samples, int neighbours) {
  LoopOptions loop;
  loop.steps = 6;
  loop.samples = samples;
  loop.problem.set("neighbours", neighbours);
  return loop;
}

InstancePtr graph_of(Index nodes, std::vector<Edge> edges) {
  return std::make_shared<GraphInstance>(mis(), "graph", nodes, edges);
}

TEST(Shapes, FewCities) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp"), loop_of(8, 5));
  for (const Index n : {1, 2, 3, 4, 7}) {
    setup.add(uniform_tsp(n, static_cast<std::uint64_t>(n)), 1);
  }
  run_side_by_side(setup.spec, 4);
}

TEST(Shapes, OnlyOneCity) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp"), loop_of(3, 5));
  setup.add(uniform_tsp(1));
  run_side_by_side(setup.spec, 3);
}

TEST(Shapes, FewNodes) {
  MOCO_NEEDS_DEVICE();
  for (const GcnVariant variant : {GcnVariant::paper, GcnVariant::authors}) {
    ModelConfig config = config_of("mis");
    config.gcn = variant;
    TestBatch setup(config, loop_of(8, 5));
    setup.add(graph_of(1, {})).add(graph_of(2, {{0, 1}})).add(graph_of(3, {{0, 1}})).add(graph_of(5, {}));
    run_side_by_side(setup.spec, 4);
  }
}

TEST(Shapes, IsolatedNodesAndEmptyGraphs) {
  MOCO_NEEDS_DEVICE();
  for (const GcnVariant variant : {GcnVariant::paper, GcnVariant::authors}) {
    ModelConfig config = config_of("mis");
    config.gcn = variant;
    TestBatch setup(config, loop_of(16, 5));
    setup.add(random_graph(70, 0.01)).add(graph_of(40, {})).add(graph_of(64, {{0, 63}, {5, 6}}));
    run_side_by_side(setup.spec, 4);
  }
}

// Dense graphs have their neighbours' messages staged in slices, narrow ones for few trajectories.
TEST(Shapes, DenseGraphs) {
  MOCO_NEEDS_DEVICE();
  for (const int trajectories : {1, 2, 3, 5, 9}) {
    ModelConfig config = config_of("mis", 128);
    config.gcn = trajectories == 2 ? GcnVariant::authors : GcnVariant::paper;
    TestBatch setup(config, loop_of(8, 4));
    setup.add(random_graph(70, 0.8), trajectories);
    run_side_by_side(setup.spec, 2);
    std::vector<std::vector<float>> theta;
    for (const CudaPrecision precision : {CudaPrecision::float32, CudaPrecision::bf16}) {
      const auto batch = make_cuda_engine({.precision = precision, .fused = FusedUse::never})->create_cuda(setup.spec);
      batch->begin();
      theta.push_back(batch->theta(0));
    }
    EXPECT_LT(theta_deviation(theta[0], theta[1]).shape, 0.05) << trajectories;
  }
  TestBatch ragged(config_of("mis"), loop_of(8, 4));
  ragged.add(random_graph(90, 0.7), 2).add(graph_of(3, {{0, 1}})).add(graph_of(1, {}));
  run_side_by_side(ragged.spec, 3);
}

TEST(Shapes, RaggedBatches) {
  MOCO_NEEDS_DEVICE();
  TestBatch tsp(config_of("tsp"), loop_of(16, 12));
  tsp.add(uniform_tsp(5), 1).add(uniform_tsp(130, 1), 2).add(uniform_tsp(31, 2), 1).add(uniform_tsp(64, 3), 3);
  run_side_by_side(tsp.spec, 4);
  TestBatch mis(config_of("mis"), loop_of(16, 12));
  mis.add(random_graph(5), 1).add(random_graph(300, 0.1, 1), 2).add(random_graph(31, 0.3, 2), 1);
  run_side_by_side(mis.spec, 4);
}

TEST(Shapes, RowsLongerThanAWarp) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp"), loop_of(32, 50));
  setup.add(uniform_tsp(80), 2);
  run_side_by_side(setup.spec, 4);
  TestBatch complete(config_of("tsp"), loop_of(8, 1000));
  complete.add(uniform_tsp(120), 1);
  run_side_by_side(complete.spec, 3);
}

TEST(Shapes, KeysThatDoNotFitIntoSharedMemory) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp", 8, 1), loop_of(2, 100));
  setup.add(uniform_tsp(700), 1);
  run_side_by_side(setup.spec, 2);
  TestBatch adam(config_of("tsp"), loop_of(1, 4));
  adam.spec.config = adam.model.config = adam_model("tsp").config;
  adam.add(uniform_tsp(14000), 1);
  run_side_by_side(adam.spec, 2);
}

// Sets of up to 1024 nodes are chosen from bits, those of larger graphs from lists.
TEST(Shapes, GraphsAtTheLimitOfBits) {
  MOCO_NEEDS_DEVICE();
  TestBatch bits(config_of("mis", 16), loop_of(9, 4));
  bits.add(random_graph(1024, 0.02), 1).add(random_graph(993, 0.3, 1), 1).add(random_graph(40, 0.1, 2), 1);
  run_side_by_side(bits.spec, 3);
  TestBatch lists(config_of("mis", 16), loop_of(9, 4));
  lists.add(random_graph(1025, 0.02), 1).add(random_graph(40, 0.1, 2), 1);
  run_side_by_side(lists.spec, 3);
}

// Few tours on a multiprocessor have their rows sorted, many have not.
TEST(Shapes, ManyToursAtOnce) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp", 16), loop_of(128, 8));
  setup.add(uniform_tsp(24), 16);
  run_side_by_side(setup.spec, 2);
}

TEST(Shapes, AnyNumberOfSamples) {
  MOCO_NEEDS_DEVICE();
  for (const int samples : {1, 2, 31, 33, 70, 128}) {
    for (const EliteRule rule : {EliteRule::paper, EliteRule::distinct, EliteRule::newest}) {
      LoopOptions loop = loop_of(samples, 6);
      loop.elite = rule;
      TestBatch tsp(config_of("tsp", 16), loop);
      tsp.add(uniform_tsp(20), 2);
      run_side_by_side(tsp.spec, 4);
      TestBatch mis(config_of("mis", 16), loop);
      mis.add(random_graph(40), 2);
      run_side_by_side(mis.spec, 4);
    }
  }
}

TEST(Shapes, AnyHiddenSizeAndDepth) {
  MOCO_NEEDS_DEVICE();
  for (const int hidden : {8, 24, 64, 128}) {
    for (const int blocks : {1, 2, 4}) {
      TestBatch tsp(config_of("tsp", hidden, blocks), loop_of(8, 6));
      tsp.add(uniform_tsp(30), 1);
      run_side_by_side(tsp.spec, 3);
      TestBatch mis(config_of("mis", hidden, blocks), loop_of(8, 6));
      mis.add(random_graph(50), 1);
      run_side_by_side(mis.spec, 3);
    }
  }
}

TEST(Shapes, Metrics) {
  MOCO_NEEDS_DEVICE();
  const auto base = std::dynamic_pointer_cast<const TspInstance>(uniform_tsp(30));
  std::vector<Point> points;
  for (const Point& p : base->points()) {
    points.push_back({p.x * 1000.0, p.y * 1000.0});
  }
  TestBatch setup(config_of("tsp"), loop_of(16, 3));  // few neighbours: many dead ends
  for (const Metric metric :
       {Metric::euclidean, Metric::euc_2d, Metric::ceil_2d, Metric::man_2d, Metric::max_2d, Metric::att}) {
    setup.add(std::make_shared<TspInstance>("metric", points, metric), 1);
  }
  std::vector<double> matrix(900);
  for (std::size_t i = 0; i < 900; ++i) {
    matrix[i] = i / 30 == i % 30 ? 0.0 : 1.0 + static_cast<double>((i * 7919) % 97);
  }
  setup.add(std::make_shared<TspInstance>("matrix", 30, matrix), 1);
  run_side_by_side(setup.spec, 4);
}

TEST(Shapes, WarmStarts) {
  MOCO_NEEDS_DEVICE();
  for (const EliteRule rule : {EliteRule::paper, EliteRule::distinct, EliteRule::newest}) {
    LoopOptions loop = loop_of(8, 6);
    loop.elite = rule;
    TestBatch tsp(config_of("tsp"), loop);
    tsp.add(uniform_tsp(20), 2);
    Solution tour;
    for (Index i = 0; i < 20; ++i) {
      tour.items.push_back((i * 7) % 20);
    }
    tsp.spec.trajectories[1].warm_start = &tour;
    run_side_by_side(tsp.spec, 4);
    TestBatch mis(config_of("mis"), loop);
    mis.add(random_graph(40), 2);
    const Solution set{{3}};
    mis.spec.trajectories[0].warm_start = &set;
    run_side_by_side(mis.spec, 4);
  }
}

// Few cities, so that tours come in both directions and from step to step again.
TEST(Shapes, ReversedTours) {
  MOCO_NEEDS_DEVICE();
  std::vector<double> matrix(36);
  for (std::size_t i = 0; i < 36; ++i) {
    matrix[i] = i / 6 == i % 6 ? 0.0 : 1.0 + static_cast<double>((i * 7919) % 7);
  }
  for (const EliteRule rule : {EliteRule::distinct, EliteRule::newest}) {
    for (const Membership membership : {Membership::directed, Membership::undirected}) {
      LoopOptions loop = loop_of(64, 5);
      loop.elite = rule;
      ModelConfig config = config_of("tsp", 16);
      config.membership = membership;
      TestBatch setup(config, loop);
      setup.add(uniform_tsp(6), 2);
      setup.add(std::make_shared<TspInstance>("both ways differ", 6, matrix), 2);
      run_side_by_side(setup.spec, 6);
    }
  }
}

TEST(Shapes, RetiredTrajectoriesStay) {
  MOCO_NEEDS_DEVICE();
  TestBatch setup(config_of("tsp"), loop_of(8, 6));
  setup.add(uniform_tsp(20), 3);
  const auto engine = make_cuda_engine();
  const auto batch = engine->create_cuda(setup.spec);
  batch->begin();
  batch->sample();
  const std::vector<TrajectoryStatus> before = batch->status();
  const std::vector<float> theta = batch->theta(1);
  batch->retire(1);
  for (int i = 0; i < 3; ++i) {
    batch->update();
    batch->sample();
  }
  const std::vector<TrajectoryStatus> after = batch->status();
  EXPECT_EQ(before[1].best_cost, after[1].best_cost);
  EXPECT_EQ(before[1].mean_cost, after[1].mean_cost);
  EXPECT_EQ(theta, batch->theta(1));
  EXPECT_NE(before[0].mean_cost, after[0].mean_cost);
}

}  // namespace
}  // namespace moco::parity
