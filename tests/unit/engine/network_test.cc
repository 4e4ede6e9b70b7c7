// Every configuration of both networks against a literal evaluation in double precision.
#include "moco/engine/cpu/network.h"

#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "moco/core/random.h"
#include "moco/engine/cpu/gemm.h"
#include "moco/engine/cpu/neighbour_max.h"
#include "moco/generate.h"
#include "options.h"
#include "reference_network.h"

namespace moco::cpu {
namespace {

float random_value(RandomSequence& random) {
  return static_cast<float>(2.0 * random.next_double() - 1.0);
}

struct Setting {
  const char* problem;
  Index nodes;
  Index degree;        // TSP
  double probability;  // MIS
  GcnVariant gcn;
  GlobalPooling pooling;
  int hidden;
  int blocks;
  bool node_weights = false;  // MIS
};

std::string name_of(const ::testing::TestParamInfo<Setting>& info) {
  const Setting& s = info.param;
  return fmt::format("{}_{}_{}_{}_{}_d{}_b{}{}", s.problem, s.nodes, s.degree, name_of(s.gcn), name_of(s.pooling),
                     s.hidden, s.blocks, s.node_weights ? "_weights" : "");
}

class NetworkTest : public ::testing::TestWithParam<Setting> {};

TEST_P(NetworkTest, MatchesTheFormulas) {
  const Setting s = GetParam();
  GeneratorOptions generator = test_generator(std::string(s.problem) == "tsp" ? "uniform" : "er");
  generator.nodes = s.nodes;
  set_where_declared(generator, "probability", s.probability);
  const DecisionGraph graph = decision_graph(generate(generator), test_neighbours(s.degree));
  ModelConfig config;
  config.family = s.problem;
  config.gcn = s.gcn;
  config.global_pooling = s.pooling;
  config.hidden = s.hidden;
  config.blocks = s.blocks;
  config.node_weights = s.node_weights;
  Model model = random_model(config, 3);
  RandomSequence random(stream_key(4, 0, 0), Purpose::generator);
  for (float& w : model.weights) {
    w += 0.05f * random_value(random);  // biases, scales and offsets away from their neutral start
  }
  const ParameterLayout layout(config);
  for (const char* net : {"init", "update"}) {
    const bool update = std::string(net) == "update";
    const int columns = variable_features(config, update);
    std::vector<float> features(static_cast<std::size_t>(graph.variables) * static_cast<std::size_t>(columns));
    std::vector<float> global(kGlobalFeatures);
    for (float& v : features) {
      v = random_value(random);
    }
    for (float& v : global) {
      v = random_value(random);
    }
    test::Matrix rows;
    for (std::size_t v = 0; v < static_cast<std::size_t>(graph.variables); ++v) {
      const auto first = features.begin() + static_cast<std::ptrdiff_t>(v) * columns;
      rows.emplace_back(first, first + columns);
    }
    const auto expected = test::ReferenceNetwork(model, net).forward(graph, rows, {global.begin(), global.end()}, 1);

    const auto network = make_network(config, net, layout, model.weights.data());
    NetworkInput input;
    input.features = [&](Index begin, Index end, float* out) {
      std::copy(features.begin() + static_cast<std::ptrdiff_t>(begin) * columns,
                features.begin() + static_cast<std::ptrdiff_t>(end) * columns, out);
    };
    input.global = update ? global.data() : nullptr;
    input.start = 1;
    double scale = 0.0;
    for (const double t : expected.theta) {
      scale = std::max(scale, std::abs(t));
    }
    std::vector<float> first_theta;
    for (const int threads : {1, 2, 3}) {
      ThreadPool pool(threads);
      NetworkWorkspace workspace;
      std::vector<float> theta(static_cast<std::size_t>(graph.variables), NAN);
      const float out = network->forward(graph, input, Executor(pool), workspace, theta.data());
      for (std::size_t v = 0; v < theta.size(); ++v) {
        ASSERT_NEAR(static_cast<double>(theta[v]), expected.theta[v], 1e-4 * scale) << net << " variable " << v;
      }
      EXPECT_NEAR(static_cast<double>(out), expected.global, 1e-4 * std::max(1.0, std::abs(expected.global))) << net;
      if (first_theta.empty()) {
        first_theta = theta;
      }
      EXPECT_EQ(theta, first_theta) << "the number of threads changed the result";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Settings, NetworkTest,
    ::testing::Values(Setting{"tsp", 30, 7, 0, GcnVariant::paper, GlobalPooling::sum, 16, 3},
                      Setting{"tsp", 90, 20, 0, GcnVariant::paper, GlobalPooling::mean, 24, 2},
                      Setting{"tsp", 33, 5, 0, GcnVariant::paper, GlobalPooling::max, 16, 3},
                      Setting{"tsp", 3, 2, 0, GcnVariant::paper, GlobalPooling::sum, 8, 1},
                      Setting{"tsp", 2, 1, 0, GcnVariant::paper, GlobalPooling::sum, 8, 1},
                      Setting{"mis", 70, 0, 0.1, GcnVariant::paper, GlobalPooling::sum, 16, 3},
                      Setting{"mis", 70, 0, 0.02, GcnVariant::paper, GlobalPooling::mean, 72, 3},
                      Setting{"mis", 40, 0, 0.1, GcnVariant::paper, GlobalPooling::max, 128, 2},
                      Setting{"mis", 70, 0, 0.02, GcnVariant::authors, GlobalPooling::sum, 16, 3},
                      Setting{"mis", 70, 0, 0.1, GcnVariant::paper, GlobalPooling::mean, 8, 3, true},
                      Setting{"mis", 40, 0, 0.1, GcnVariant::authors, GlobalPooling::sum, 64, 2, true},
                      Setting{"mis", 33, 0, 0.0, GcnVariant::authors, GlobalPooling::sum, 16, 1},
                      Setting{"mis", 33, 0, 0.0, GcnVariant::paper, GlobalPooling::sum, 16, 1}),
    name_of);

TEST(Gemm, MatchesPlainLoops) {
  RandomSequence random(stream_key(6, 0, 0), Purpose::generator);
  for (const Index rows : {1, 3, 20, 60, 64}) {
    for (const Index in : {1, 8, 41, 128}) {
      for (const Index out : {8, 16, 128}) {
        std::vector<float> x(static_cast<std::size_t>(rows * in));
        std::vector<float> w(static_cast<std::size_t>(in * out));
        std::vector<float> y(static_cast<std::size_t>(rows * out));
        for (auto* values : {&x, &w, &y}) {
          for (float& v : *values) {
            v = random_value(random);
          }
        }
        for (const bool accumulate : {false, true}) {
          std::vector<float> fast = y;
          std::vector<float> plain = y;
          multiply(rows, in, out, x.data(), w.data(), fast.data(), accumulate);
          multiply_plain(rows, in, out, x.data(), w.data(), plain.data(), accumulate);
          for (std::size_t i = 0; i < fast.size(); ++i) {
            ASSERT_NEAR(fast[i], plain[i], 1e-4f) << rows << "×" << in << "×" << out;
          }
        }
      }
    }
  }
}

TEST(NeighbourMax, TakesTheLargestOfEachColumn) {
  for (const std::size_t width : {8u, 64u, 72u, 128u}) {
    RandomSequence random(stream_key(7, 0, 0), Purpose::generator);
    std::vector<float> rows(20 * width);
    for (float& v : rows) {
      v = random_value(random) - 3.0f;
    }
    for (const std::vector<Index>& neighbours : {std::vector<Index>{4}, {0, 19}, {3, 7, 8, 11, 12, 15}}) {
      std::vector<float> out(width);
      neighbour_max(rows.data(), width, neighbours, out.data());
      for (std::size_t c = 0; c < width; ++c) {
        float expected = -INFINITY;
        for (const Index j : neighbours) {
          expected = std::max(expected, rows[static_cast<std::size_t>(j) * width + c]);
        }
        EXPECT_EQ(out[c], expected);
      }
    }
  }
}

}  // namespace
}  // namespace moco::cpu
