// Which model suits some instances, and what it was trained with: answers of the manifests, kept until one of those
// changes. To read them takes longer than a small search.
#include <map>
#include <mutex>
#include <tuple>

#include "moco/evaluation/model_store.h"
#include "moco/model_folders.h"
#include "moco/problem.h"
#include "module.h"

namespace moco::python {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostKept = 256;

using Stamp = std::vector<std::pair<fs::path, fs::file_time_type>>;
using Traits = std::tuple<std::string, std::string, double, std::optional<double>, bool, std::string>;

/// The manifests that there are, with the times of their last changes.
Stamp manifests() {
  Stamp stamp;
  for (const fs::path& folder : model_folders()) {
    std::error_code error;
    const auto changed = fs::last_write_time(folder / "manifest.toml", error);
    if (!error) {
      stamp.emplace_back(folder, changed);
    }
  }
  return stamp;
}

/// Answers by question, all of the same manifests.
template <typename Question, typename Answer>
class Answers {
 public:
  template <typename Ask>
  Answer get(const Question& question, const Ask& ask) {
    const Stamp now = manifests();
    const std::scoped_lock lock(mutex_);
    if (now != stamp_ || kept_.size() >= kMostKept) {
      kept_.clear();
      stamp_ = now;
    }
    const auto known = kept_.find(question);
    return known != kept_.end() ? known->second : kept_.emplace(question, ask()).first->second;
  }

 private:
  std::mutex mutex_;
  Stamp stamp_;
  std::map<Question, Answer> kept_;
};

}  // namespace

std::string suitable_model(const std::vector<InstancePtr>& instances, const std::string& local_search) {
  static Answers<Traits, std::string> answers;
  InstanceTraits traits = traits_of(instances);
  traits.local_search = local_search;
  const Traits key{traits.family, traits.distribution, traits.nodes, traits.degree, traits.weighted, local_search};
  return answers.get(key, [&] { return automatic_model(traits); });
}

void follow_training_of(const NamedModel& model, const std::vector<InstancePtr>& instances, LoopOptions& loop) {
  static Answers<std::pair<std::string, double>, LoopOptions> answers;
  if (model.name.empty() || model.model->config.rule == UpdateRule::adam) {
    return;
  }
  const double nodes = traits_of(instances).nodes;
  const LoopOptions trained = answers.get({model.name, nodes}, [&] {
    LoopOptions own;
    follow_training(model.name, nodes, own);
    return own;
  });
  loop.problem.merge(trained.problem);
  loop.episode_steps = trained.episode_steps;
}

}  // namespace moco::python
