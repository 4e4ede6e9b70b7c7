// What the CUDA engine asks of a device: which kernels in which order, on which streams, in how many graphs, in how
// much memory. The device is a pretended one (fake_runtime.h).
#include <set>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>

#include "launches/fake_runtime.h"
#include "moco/error.h"
#include "parity/side_by_side.h"

namespace moco::parity {
namespace {

using ::testing::ElementsAre;
using Names = std::vector<std::string>;

LoopOptions loop_of(int samples = 8, int neighbours = 10) {
  LoopOptions loop;
  loop.steps = 100;
  loop.samples = samples;
  loop.problem.set("neighbours", neighbours);
  return loop;
}

TestBatch batch_of(const std::string& family, Index nodes, int trajectories, const LoopOptions& loop = loop_of(),
                   int hidden = 128, double probability = 0.05) {
  TestBatch setup(config_of(family, hidden), loop);
  setup.spec.track_entropy = false;
  setup.add(family == "tsp" ? uniform_tsp(nodes) : random_graph(nodes, probability), trajectories);
  return setup;
}

Names names_of(const std::vector<fake::Launch>& launches) {
  Names names;
  for (const fake::Launch& launch : launches) {
    names.push_back(launch.kernel);
  }
  return names;
}

/// The kernels of an update and a sampling.
Names step_of(const TestBatch& setup, const CudaOptions& options = {}) {
  const auto batch = make_cuda_engine(options)->create_cuda(setup.spec);
  batch->begin();
  batch->sample();
  batch->wait();
  fake::record().forget();
  batch->update();
  batch->sample();
  batch->wait();
  return names_of(fake::record().launches);
}

Names repeated(const Names& names, int times) {
  Names all;
  for (int i = 0; i < times; ++i) {
    all.insert(all.end(), names.begin(), names.end());
  }
  return all;
}

const Names kFusedTours = {"fused_network_kernel", "tsp_prepared_kernel", "tsp_gradient_kernel"};

TEST(Launches, KernelsOfAStepForTours) {
  EXPECT_EQ(step_of(batch_of("tsp", 20, 1)), kFusedTours);
  EXPECT_EQ(step_of(batch_of("tsp", 20, 1, loop_of(), 32)),
            (Names{"narrow_network_kernel", "tsp_prepared_kernel", "tsp_gradient_kernel"}));
  EXPECT_EQ(step_of(batch_of("tsp", 20, 1), {.fused = FusedUse::never}),
            (Names{"tile_moments_kernel", "tile_advance_kernel", "node_cluster_kernel", "tile_moments_kernel",
                   "tile_advance_kernel", "node_cluster_kernel", "tile_moments_kernel", "tile_advance_kernel",
                   "tsp_prepared_kernel", "tsp_gradient_kernel"}));
  EXPECT_EQ(step_of(batch_of("tsp", 20, 49), {.fused = FusedUse::never, .parts = 1}).at(2), "node_update_kernel")
      << "clusters are for few trajectories";
  EXPECT_EQ(step_of(batch_of("tsp", 20, 1), {.precision = CudaPrecision::float32}),
            (Names{"edge_moments_kernel", "edge_advance_kernel", "node_update_kernel", "node_normalise_kernel",
                   "edge_moments_kernel", "edge_advance_kernel", "node_update_kernel", "node_normalise_kernel",
                   "edge_moments_kernel", "edge_advance_kernel", "tsp_prepared_kernel", "tsp_gradient_kernel"}));
  LoopOptions searching = loop_of();
  searching.local_search.name = "2opt";
  EXPECT_EQ(step_of(batch_of("tsp", 20, 1, searching)),
            (Names{"fused_network_kernel", "tsp_prepared_kernel", "tsp_local_search_kernel", "tsp_gradient_kernel"}));
  EXPECT_EQ(step_of(batch_of("tsp", 1000, 1, loop_of(2, 100))).at(10), "tsp_drawn_kernel")
      << "keys do not fit, nor the nodes into a cluster";
}

TEST(Launches, PartialSamplesFollowWholeOnes) {
  LoopOptions loop = loop_of();
  loop.rebuild = 5;
  loop.local_search.name = "2opt";
  const TestBatch setup = batch_of("tsp", 20, 1, loop);
  const Names changes = {"tsp_base_kernel", "tsp_change_kernel", "tsp_change_gradient_kernel", "tsp_move_base_kernel"};
  Names first = changes;  // of trajectories with a warm start
  first.insert(first.end(), {"tsp_prepared_kernel", "tsp_local_search_kernel", "tsp_gradient_kernel"});
  const auto batch = make_cuda_engine()->create_cuda(setup.spec);
  batch->begin();
  fake::record().forget();
  batch->sample();
  EXPECT_EQ(names_of(fake::record().launches), first);
  Names later = {"fused_network_kernel"};
  later.insert(later.end(), changes.begin(), changes.end());
  EXPECT_EQ(step_of(setup), later);
}

TEST(Launches, KernelsOfAStepForSets) {
  EXPECT_EQ(step_of(batch_of("mis", 100, 1)),
            (Names{"fused_gcn_kernel", "mis_sample_bits_kernel", "mis_gradient_kernel"}));
  EXPECT_EQ(step_of(batch_of("mis", 100, 1), {.fused = FusedUse::never}),
            (Names{"gcn_embed_kernel", "gcn_block_kernel", "gcn_block_kernel", "gcn_block_kernel",
                   "mis_sample_bits_kernel", "mis_gradient_kernel"}));
  EXPECT_EQ(
      step_of(batch_of("mis", 300, 1, loop_of(), 128, 0.5), {.fused = FusedUse::never}),
      (Names{"gcn_embed_kernel", "neighbour_max_kernel", "gcn_block_kernel", "neighbour_max_kernel", "gcn_block_kernel",
             "neighbour_max_kernel", "gcn_block_kernel", "mis_sample_bits_kernel", "mis_gradient_kernel"}));
  EXPECT_EQ(step_of(batch_of("mis", 1100, 1, loop_of(), 128, 0.005)),
            (Names{"gcn_embed_kernel", "gcn_block_kernel", "gcn_block_kernel", "gcn_block_kernel", "mis_mass_kernel",
                   "mis_sample_kernel", "mis_gradient_kernel"}));
}

TEST(Launches, ASliceOfKicksIsOneKernel) {
  const auto engine = make_cuda_engine();
  WindowKicks& kicks = *engine->window_kicks();
  PlaneWindows windows;
  windows.first = {0, 400, 700};
  windows.points.resize(700);
  windows.fixed.resize(700);
  windows.keys.resize(2);
  kicks.begin(windows);
  fake::record().forget();
  kicks.kick({0, 100, 0.0f, 0.0f});
  kicks.kick({100, 200, 0.0f, 0.0f});
  EXPECT_EQ(names_of(fake::record().launches), (Names{"plane_kicks_kernel", "plane_kicks_kernel"}));
  EXPECT_TRUE(fake::record().waits.empty()) << "but for the slice before";
  EXPECT_EQ(fake::record().launches.front().blocks, 2u);
  EXPECT_EQ(fake::record().launches.front().threads, 32u);
  EXPECT_EQ(kicks.orders().size(), 700u);
  EXPECT_FALSE(fake::record().waits.empty());
  EXPECT_EQ(fake::record().outside, 0);
}

TEST(Launches, AdamAndEntropy) {
  TestBatch setup = batch_of("mis", 50, 1);
  setup.spec.config = adam_model("mis").config;
  setup.spec.track_entropy = true;
  EXPECT_EQ(step_of(setup),
            (Names{"adam_update_kernel", "entropy_kernel", "mis_sample_bits_kernel", "mis_gradient_kernel"}));
}

TEST(Launches, AnotherModelBringsItsKernelsAndForgetsGraphs) {
  const TestBatch setup = batch_of("tsp", 20, 1);
  const auto batch = make_cuda_engine()->create_cuda(setup.spec);
  batch->begin();
  batch->sample();
  batch->advance(12);
  const void* theta = batch->array(SearchArray::theta, 0).data;
  fake::record().forget();
  const Model adam = adam_model("tsp");
  batch->set_model(adam.config, adam.weights);
  EXPECT_EQ(names_of(fake::record().launches), (Names{"tsp_elite_kernel"}));
  EXPECT_EQ(batch->array(SearchArray::theta, 0).data, theta);
  fake::record().forget();
  batch->advance(2);
  EXPECT_EQ(names_of(fake::record().launches),
            repeated({"adam_update_kernel", "tsp_prepared_kernel", "tsp_gradient_kernel"}, 2));
  EXPECT_TRUE(fake::record().graphs.empty()) << "of the first model";
  fake::record().forget();
  const Model ants = baseline_model(*find_baseline("ants"), "tsp");
  batch->set_model(ants.config, ants.weights);
  EXPECT_EQ(names_of(fake::record().launches), (Names{"pheromones_begin_kernel", "tsp_elite_kernel"}));
  batch->set_model(setup.spec.config, setup.model.weights);
  batch->advance(1);
  EXPECT_EQ(names_of(fake::record().launches).back(), "tsp_gradient_kernel");
  EXPECT_THAT(names_of(fake::record().launches), ::testing::Contains("fused_network_kernel"));
}

TestBatch batch_of_parts(const std::string& family, Initialisation init, UpdateRule rule, Index nodes = 40,
                         int trajectories = 1) {
  ModelConfig config = config_of(family, 128);
  config.init = init;
  config.rule = rule;
  TestBatch setup(config, loop_of());
  setup.spec.track_entropy = false;
  setup.add(family == "tsp" ? uniform_tsp(nodes) : random_graph(nodes), trajectories);
  return setup;
}

TEST(Launches, KernelsOfEveryRule) {
  const std::pair<UpdateRule, Names> rules[] = {{UpdateRule::mlp, {"mlp_kernel"}},
                                                {UpdateRule::adam, {"adam_update_kernel"}},
                                                {UpdateRule::ant_system, {"pheromones_update_kernel"}},
                                                {UpdateRule::max_min, {"pheromones_update_kernel"}}};
  for (const auto& [rule, update] : rules) {
    Names tours = update;
    tours.insert(tours.end(), {"tsp_prepared_kernel", "tsp_gradient_kernel"});
    Names sets = update;
    sets.insert(sets.end(), {"mis_sample_bits_kernel", "mis_gradient_kernel"});
    if (has_pheromones(rule)) {
      tours.emplace_back("pheromones_deposit_kernel");
      sets.emplace_back("pheromones_deposit_kernel");
    }
    for (const Initialisation init : {Initialisation::learned, Initialisation::uniform}) {
      EXPECT_EQ(step_of(batch_of_parts("tsp", init, rule)), tours) << name_of(rule);
      EXPECT_EQ(step_of(batch_of_parts("mis", init, rule)), sets) << name_of(rule);
    }
  }
}

TEST(Launches, KernelsOfEveryBeginning) {
  const auto beginning_of = [](const TestBatch& setup) {
    const auto batch = make_cuda_engine()->create_cuda(setup.spec);
    fake::record().forget();
    batch->begin();
    return names_of(fake::record().launches);
  };
  for (const UpdateRule rule : {UpdateRule::gnn, UpdateRule::mlp, UpdateRule::adam, UpdateRule::ant_system}) {
    const Names more = has_pheromones(rule) ? Names{"pheromones_begin_kernel"} : Names{};
    const auto with = [&](Names names) {
      names.insert(names.end(), more.begin(), more.end());
      return names;
    };
    for (const Initialisation init : {Initialisation::heuristic, Initialisation::visibility, Initialisation::uniform}) {
      EXPECT_EQ(beginning_of(batch_of_parts("tsp", init, rule)), with({"tsp_promise_kernel"}));
      EXPECT_EQ(beginning_of(batch_of_parts("mis", init, rule)), with({"mis_promise_kernel"}));
    }
    EXPECT_EQ(beginning_of(batch_of_parts("tsp", Initialisation::learned, rule)), with({"fused_network_kernel"}));
    EXPECT_EQ(beginning_of(batch_of_parts("mis", Initialisation::learned, rule)), with({"fused_gcn_kernel"}));
  }
}

TEST(Launches, RulesShareTheVariablesAmongThreadBlocks) {
  const auto blocks_of = [](UpdateRule rule, Index nodes, int trajectories) {
    const TestBatch setup = batch_of_parts("tsp", Initialisation::heuristic, rule, nodes, trajectories);
    const auto batch = make_cuda_engine({.parts = 1})->create_cuda(setup.spec);
    batch->begin();
    fake::record().forget();
    batch->update();
    batch->wait();
    return fake::record().launches.front().blocks;
  };
  EXPECT_EQ(blocks_of(UpdateRule::adam, 1000, 2), 6u) << "of 4096 variables";
  EXPECT_EQ(blocks_of(UpdateRule::ant_system, 1000, 2), 6u);
  EXPECT_EQ(blocks_of(UpdateRule::mlp, 100, 3), 24u) << "of 128 variables where there are few";
  EXPECT_EQ(blocks_of(UpdateRule::mlp, 1000, 32), 32u * 9u) << "of 1152: twice as many as multiprocessors, or more";
}

TEST(Launches, MatricesOfAnOptimizerStayTogetherWhileTheyFit) {
  const auto launch_of = [](int hidden, int blocks, CudaPrecision precision) {
    TestBatch setup = batch_of_parts("tsp", Initialisation::heuristic, UpdateRule::mlp);
    setup.spec.config.hidden = hidden;
    setup.spec.config.blocks = blocks;
    setup.model = random_model(setup.spec.config, 1);
    setup.spec.weights = {{setup.model.weights, 0.0f, {}}};
    const auto batch = make_cuda_engine({.precision = precision})->create_cuda(setup.spec);
    batch->begin();
    fake::record().forget();
    batch->update();
    batch->wait();
    return fake::record().launches.front().shared_bytes;
  };
  constexpr std::size_t kMatrix = 128 * 128 * 2;
  const std::size_t one = launch_of(128, 1, CudaPrecision::bf16);
  EXPECT_EQ(launch_of(128, 3, CudaPrecision::bf16), one + 2 * kMatrix);
  EXPECT_LE(launch_of(128, 3, CudaPrecision::bf16), 113u * 1024u) << "two thread blocks on a multiprocessor";
  EXPECT_EQ(launch_of(128, 6, CudaPrecision::bf16), one + 5 * kMatrix);
  EXPECT_EQ(launch_of(128, 16, CudaPrecision::bf16), one) << "one after the other";
  EXPECT_EQ(launch_of(32, 16, CudaPrecision::bf16), one - kMatrix + 16 * kMatrix / 4);
  EXPECT_EQ(launch_of(128, 16, CudaPrecision::float32), launch_of(128, 1, CudaPrecision::float32));
}

TEST(Launches, StepsOfFewKernelsRunFourInAGraph) {
  const TestBatch setup = batch_of("tsp", 20, 1);
  const auto batch = make_cuda_engine()->create_cuda(setup.spec);
  batch->begin();
  batch->sample();
  fake::record().forget();
  batch->advance(4);
  EXPECT_EQ(names_of(fake::record().launches), repeated(kFusedTours, 4)) << "one by one at first";
  EXPECT_TRUE(fake::record().graphs.empty());
  fake::record().forget();
  batch->advance(12);
  EXPECT_EQ(names_of(fake::record().launches), repeated(kFusedTours, 4)) << "captured once";
  const int graph = fake::record().launches.front().graph;
  EXPECT_GT(graph, 0);
  EXPECT_THAT(fake::record().graphs, ElementsAre(graph, graph, graph));
  fake::record().forget();
  batch->advance(6);
  EXPECT_THAT(fake::record().graphs, ElementsAre(graph));
  EXPECT_EQ(names_of(fake::record().launches), repeated(kFusedTours, 2)) << "what is left over";
}

TEST(Launches, StepsOfManyKernelsRunOneInAGraph) {
  const TestBatch setup = batch_of("tsp", 20, 1);
  const auto batch = make_cuda_engine({.fused = FusedUse::never})->create_cuda(setup.spec);
  batch->begin();
  batch->sample();
  batch->advance(4);
  fake::record().forget();
  batch->advance(3);
  EXPECT_EQ(fake::record().graphs.size(), 3u);
  EXPECT_EQ(fake::record().launches.size(), 10u);
}

TEST(Launches, OnlyABatchThatIsAloneLetsKernelsStartEarly) {
  for (const int parts : {1, 3}) {
    const TestBatch setup = batch_of("tsp", 20, 6);
    const auto batch = make_cuda_engine({.parts = parts})->create_cuda(setup.spec);
    batch->begin();
    batch->sample();
    fake::record().forget();
    batch->update();
    batch->sample();
    batch->wait();
    std::set<int> streams;
    for (const fake::Launch& launch : fake::record().launches) {
      streams.insert(launch.stream);
      // The tours' sampler never does: its blocks would gather on the multiprocessors that are free first.
      EXPECT_EQ(launch.early, parts == 1 && launch.kernel != "tsp_prepared_kernel") << launch.kernel;
    }
    EXPECT_EQ(streams.size(), static_cast<std::size_t>(parts));
    EXPECT_EQ(fake::record().launches.size(), 3u * static_cast<std::size_t>(parts));
  }
}

TEST(Launches, GcnClustersAreLaunchedTogether) {
  const TestBatch setup = batch_of("mis", 100, 2);
  const auto batch = make_cuda_engine()->create_cuda(setup.spec);
  fake::record().forget();
  batch->begin();
  ASSERT_EQ(fake::record().launches.size(), 1u);
  const fake::Launch& launch = fake::record().launches.front();
  EXPECT_TRUE(launch.cooperative);
  EXPECT_EQ(launch.cluster, 8u);
  EXPECT_LE(launch.blocks, 8u * fake::kGcnClusters);
}

TEST(Launches, MemoryIsWhatWasEstimated) {
  for (const char* family : {"tsp", "mis"}) {
    for (const FusedUse fused : {FusedUse::automatic, FusedUse::never}) {
      for (const int parts : {1, 2}) {
        LoopOptions loop = loop_of(32);
        loop.local_search.name = family == std::string("tsp") ? "2opt" : "swap12";
        const TestBatch setup = batch_of(family, 90, 4, loop);
        const auto engine = make_cuda_engine({.fused = fused, .parts = parts});
        fake::record().forget();
        const std::uint64_t before = fake::record().bytes;
        const std::uint64_t estimate = engine->memory_need(setup.spec).engine;
        EXPECT_EQ(fake::record().most_bytes, before) << "asking takes nothing";
        const auto batch = engine->create_cuda(setup.spec);
        batch->begin();
        batch->advance(3);
        const std::uint64_t taken = fake::record().most_bytes - before;
        EXPECT_LE(taken, estimate) << family;
        EXPECT_GE(taken, estimate - estimate / 8) << family;
        EXPECT_EQ(fake::record().outside, 0);
      }
    }
  }
}

TEST(Launches, MemoryOfEveryRuleIsWhatWasEstimated) {
  for (const Choice<UpdateRule>& rule : choices<UpdateRule>()) {
    for (const Initialisation init : {Initialisation::learned, Initialisation::visibility}) {
      TestBatch setup = batch_of_parts("tsp", init, rule.value, 90, 6);
      perturb_weights(setup);
      const auto engine = make_cuda_engine();
      fake::record().forget();
      const std::uint64_t before = fake::record().bytes;
      const std::uint64_t estimate = engine->memory_need(setup.spec).engine;
      const auto batch = engine->create_cuda(setup.spec);
      batch->begin();
      batch->advance(9);
      const std::uint64_t taken = fake::record().most_bytes - before;
      EXPECT_LE(taken, estimate) << rule.name;
      EXPECT_GE(taken, estimate - estimate / 8) << rule.name;
      EXPECT_EQ(fake::record().outside, 0);
    }
  }
}

/// Trajectories of two sizes in two parts, after a step.
TestBatch two_sizes() {
  TestBatch setup = batch_of("tsp", 20, 2);
  setup.add(uniform_tsp(30), 2);
  return setup;
}

TEST(Launches, ArraysLieBesideEachOtherOnTheDevice) {
  const TestBatch setup = two_sizes();
  const auto batch = make_cuda_engine({.parts = 2})->create_cuda(setup.spec);
  batch->begin();
  batch->sample();
  std::vector<float> theta(300);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    theta[i] = static_cast<float>(i) / 1000.0f;
  }
  batch->set_theta(3, theta);
  const ArrayView shown = batch->array(SearchArray::theta, 3);
  EXPECT_EQ(std::vector<float>(static_cast<const float*>(shown.data), static_cast<const float*>(shown.data) + 300),
            theta);
  EXPECT_EQ(shown.columns, 300u);
  EXPECT_EQ(shown.device, 0);
  EXPECT_NE(shown.stream, 0u);
  std::set<std::uintptr_t> streams;
  for (const std::size_t t : {0u, 1u, 2u, 3u}) {
    const ArrayView gradient = batch->array(SearchArray::gradient, t);
    const ArrayView momenta = batch->array(SearchArray::momenta, t);
    const ArrayView membership = batch->array(SearchArray::membership, t);
    EXPECT_EQ(gradient.columns, t < 2 ? 200u : 300u);
    EXPECT_EQ(momenta.rows, static_cast<std::size_t>(kMomenta));
    EXPECT_GE(momenta.row_stride, momenta.columns) << "other trajectories of the part lie between";
    EXPECT_EQ(membership.columns, gradient.columns);
    streams.insert(gradient.stream);
  }
  EXPECT_EQ(streams.size(), 2u) << "of the parts";
  const auto place = [&](SearchArray which, std::size_t t) {
    return static_cast<const std::byte*>(batch->array(which, t).data);
  };
  for (const SearchArray which : {SearchArray::theta, SearchArray::gradient, SearchArray::momenta}) {
    EXPECT_EQ(place(which, 3) - place(which, 2), 300 * 4);
  }
  EXPECT_EQ(fake::record().outside, 0);
}

TEST(Launches, ArraysAreShownAfterTheStepsThatWait) {
  const TestBatch setup = batch_of("tsp", 20, 1);
  const auto batch = make_cuda_engine()->create_cuda(setup.spec);
  batch->begin();
  batch->sample();
  batch->advance(8);
  fake::record().forget();
  batch->update();
  batch->sample();
  batch->update();
  EXPECT_TRUE(fake::record().launches.empty()) << "they wait for others";
  batch->array(SearchArray::gradient, 0);
  EXPECT_EQ(names_of(fake::record().launches).size(), kFusedTours.size() + 1);
  ASSERT_FALSE(fake::record().waits.empty());
  EXPECT_EQ(fake::record().waits.back(), fake::record().launches.back().stream);
}

TEST(Launches, AThetaOnTheDeviceStaysThere) {
  const TestBatch setup = batch_of("tsp", 20, 2);
  const auto engine = make_cuda_engine();
  const auto batch = engine->create_cuda(setup.spec);
  batch->begin();
  batch->sample();
  batch->advance(8);
  void* own = nullptr;
  cudaMallocAsync(&own, 200 * sizeof(float), nullptr);
  static_cast<float*>(own)[7] = 0.25f;
  batch->update();
  fake::record().forget();
  batch->set_theta_from_device(1, {static_cast<const float*>(own), 200});
  EXPECT_EQ(names_of(fake::record().launches), (Names{"fused_network_kernel", "bound_theta_kernel"}))
      << "the update that waited comes before";
  ASSERT_EQ(fake::record().copies.size(), 1u);
  const fake::DeviceCopy& copy = fake::record().copies.front();
  EXPECT_EQ(copy.from, own);
  EXPECT_EQ(copy.to, batch->array(SearchArray::theta, 1).data);
  EXPECT_EQ(copy.bytes, 200 * sizeof(float));
  EXPECT_EQ(copy.stream, fake::record().launches.back().stream);
  EXPECT_EQ(fake::record().waits.front(), copy.stream) << "what was copied may be freed";
  EXPECT_EQ(batch->theta(1)[7], 0.25f);
  EXPECT_EQ(fake::record().outside, 0);
  cudaFreeAsync(own, nullptr);
}

TEST(Launches, AThetaOfTheWrongSizeIsRefused) {
  const TestBatch setup = batch_of("mis", 40, 2);
  const auto batch = make_cuda_engine()->create_cuda(setup.spec);
  batch->begin();
  batch->sample();
  const std::vector<float> theta(41);
  EXPECT_THROW(batch->set_theta(0, theta), OptionError);
  EXPECT_THROW(batch->set_theta_from_device(0, theta), OptionError);
  EXPECT_THROW(batch->set_theta(0, {}), OptionError);
}

TEST(Launches, WhatDoesNotFitIsRefusedBeforeAnythingIsTaken) {
  const TestBatch setup = batch_of("tsp", 20, 1, loop_of(100'000));
  const auto engine = make_cuda_engine();
  fake::record().forget();
  const std::size_t before = fake::record().bytes;
  EXPECT_THROW(engine->create_cuda(setup.spec), OptionError);
  EXPECT_EQ(fake::record().most_bytes, before);
  EXPECT_TRUE(fake::record().launches.empty());
}

}  // namespace
}  // namespace moco::parity
