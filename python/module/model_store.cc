// The store of models, read again only when a manifest has changed: to read them takes longer than a small search.
#include <mutex>

#include "moco/model_folders.h"
#include "moco/models.h"
#include "moco/problem.h"
#include "module.h"

namespace moco::python {

namespace {

namespace fs = std::filesystem;

using Stamp = std::vector<std::pair<fs::path, fs::file_time_type>>;

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

}  // namespace

std::shared_ptr<const ModelStore> model_store() {
  static std::mutex mutex;
  static Stamp stamp;
  static std::shared_ptr<const ModelStore> store;
  const Stamp now = manifests();
  const std::scoped_lock lock(mutex);
  if (!store || now != stamp) {
    store = std::make_shared<const ModelStore>();
    stamp = now;
  }
  return store;
}

NamedModel model_for(const py::object& model, const std::vector<InstancePtr>& instances,
                     const std::string& local_search) {
  if (py::isinstance<NamedModel>(model)) {
    return model.cast<NamedModel>();
  }
  auto name = model.cast<std::string>();
  if (name == "auto") {
    InstanceTraits traits = traits_of(instances);
    traits.local_search = local_search;
    const ModelEntry* nearest = model_store()->nearest(traits);
    name = nearest != nullptr ? nearest->name : "adam";
  }
  return named_model(name, instances.front()->problem().family());
}

}  // namespace moco::python
