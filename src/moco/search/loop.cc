// What a search takes over from elsewhere: episodes as restarts, and the ways of a model's training.
#include <algorithm>
#include <cmath>

#include "moco/solve.h"

namespace moco {

LoopOptions episode_loop(const LoopOptions& loop) {
  LoopOptions episode = loop;
  episode.episode_steps = 0;
  if (loop.episode_steps > 0 && loop.steps > 0) {
    const double wanted = std::round(static_cast<double>(loop.steps) / loop.episode_steps);
    const auto count = static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(kMostEpisodes)));
    episode.steps = loop.steps / count;
    episode.restarts = loop.restarts * count;
  }
  return episode;
}

void follow_training(const Model& model, double nodes, LoopOptions& loop) {
  if (!model.search) {
    return;
  }
  const TrainedSearch& trained = *model.search;
  loop.problem.merge(trained.problem);
  loop.gradient = trained.gradient;
  loop.advantage = trained.advantage;
  loop.rebuild = trained.rebuild;
  loop.local_search = trained.local_search;
  const double growth = trained.nodes > 0 ? std::max(1.0, nodes / trained.nodes) : 1.0;
  loop.episode_steps = static_cast<int>(std::min(std::round(growth * trained.episode_steps), 1e9));
}

}  // namespace moco
