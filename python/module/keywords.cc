// The order in which defaults, a model's training and keywords have their say.
#include "keywords.h"

#include "moco/models.h"

namespace moco::python {

void set_loop(LoopOptions& loop, const Keywords& keywords, const Model& model,
              const std::vector<InstancePtr>& instances, const char* local_search) {
  follow_training(model, traits_of(instances).nodes, loop);
  if (keywords.given("local_search") || loop.local_search.name.empty()) {
    loop.local_search.name =
        local_search_named(keywords.get<std::string>("local_search", local_search), *instances.front());
  }
  loop.local_search.move_limit = keywords.get("move_limit", loop.local_search.move_limit);
  loop.problem.merge(option_values(keywords.get("options", py::dict())));
  loop.samples = keywords.get("samples", loop.samples);
  loop.restarts = keywords.get("restarts", loop.restarts);
  loop.episode_steps = keywords.get("episode_steps", keywords.given("time_limit") ? 0 : loop.episode_steps);
  loop.budget_steps = keywords.get("budget_steps", loop.budget_steps);
  loop.rebuild = keywords.get("rebuild", loop.rebuild);
  if (keywords.given("gradient")) {
    loop.gradient = choice_named<GradientKind>("gradient", keywords.get<std::string>("gradient", ""));
  }
  if (keywords.given("advantage")) {
    loop.advantage = choice_named<AdvantageKind>("advantage", keywords.get<std::string>("advantage", ""));
  }
  if (keywords.given("elite")) {
    loop.elite = choice_named<EliteRule>("elite", keywords.get<std::string>("elite", ""));
  }
}

}  // namespace moco::python
