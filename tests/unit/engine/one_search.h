// One search by a model on a small instance, step by step.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "moco/engine/cpu/cpu_engine.h"
#include "moco/generate.h"
#include "moco/problems/decision_graph.h"
#include "options.h"

namespace moco::test {

inline DecisionGraph small_graph(const std::string& family, Index nodes = 14) {
  GeneratorOptions generator = test_generator(family == "tsp" ? "uniform" : "er", nodes);
  set_where_declared(generator, "probability", 0.3);
  return decision_graph(generate(generator), test_neighbours(5));
}

inline Model small_model(const std::string& family, Initialisation init, UpdateRule rule) {
  ModelConfig config;
  config.family = family;
  config.init = init;
  config.rule = rule;
  config.hidden = 16;
  config.blocks = 2;
  return random_model(config, 5);
}

class OneSearch {
 public:
  OneSearch(const DecisionGraph& graph, Model model, Index samples = 6, const std::string& local_search = "")
      : model_(std::move(model)) {
    BatchSpec spec;
    spec.config = model_.config;
    spec.loop.samples = samples;
    spec.loop.steps = 10;
    spec.loop.local_search.name = local_search;
    spec.keep_samples = true;
    spec.graphs = {&graph};
    spec.weights = {{model_.weights, 0.0f, {}}};
    spec.trajectories = {{0, 0, stream_key(4, 0, 0), 1, nullptr}};
    batch_ = engine_->create(spec);
    batch_->begin();
  }

  Batch* operator->() { return batch_.get(); }
  std::vector<float> theta() { return batch_->theta(0); }
  TrajectorySnapshot sampled() {
    batch_->sample();
    return batch_->snapshot(0);
  }
  std::vector<float> updated() {
    batch_->update();
    return batch_->theta(0);
  }

 private:
  Model model_;
  std::unique_ptr<Engine> engine_ = make_cpu_engine(1);
  std::unique_ptr<Batch> batch_;
};

}  // namespace moco::test
