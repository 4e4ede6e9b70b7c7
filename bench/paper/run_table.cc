// From a row to its measured figures.
#include "run_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "moco/data_set.h"
#include "moco/evaluation/evaluation_json.h"
#include "moco/models.h"
#include "moco/problem.h"
#include "results.h"
#include "row_text.h"

namespace moco::paper {

namespace {

namespace fs = std::filesystem;

DataSet read_spec(const DataSpec& spec, const fs::path& folder) {
  DataSet data;
  data.instances = read_data_set({(folder / spec.file).string()}, {.format = {}, .problem = spec.problem});
  data.description = fs::path(spec.file).filename().string();
  if (spec.references.empty()) {
    data.references = own_references(data.instances);
    data.reference_source = "solutions of the file";
  } else {
    data.references = read_references(folder / spec.references, data.instances);
    data.reference_source = fs::path(spec.references).filename().string();
  }
  return data;
}

DataSet generate_spec(const DataSpec& spec, std::size_t count) {
  DataSet data;
  const GeneratorOptions& options = spec.generator;
  data.distribution = options.kind;
  for (std::size_t i = 0; i < count; ++i) {
    data.instances.push_back(generate(options, i));
  }
  data.references.resize(count);
  data.description = fmt::format("generated, {} seed {}", options.kind, options.seed);
  return data;
}

/// Leaves so many instances, spread evenly: files may be sorted by difficulty.
void keep_spread(DataSet& data, std::size_t count) {
  const std::size_t total = data.instances.size();
  if (count >= total) {
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    data.instances[i] = data.instances[i * total / count];
    data.references[i] = data.references[i * total / count];
  }
  keep_first(data, count);
}

/// The data set of a row: the file where it is there, or seeded instances.
DataSet load_spec(const DataSpec& spec, const RunOptions& options) {
  const bool from_file = !spec.file.empty() && !options.data.empty() && fs::exists(options.data / spec.file);
  const std::size_t wanted = options.instances.value_or(static_cast<std::size_t>(spec.generated_count));
  DataSet data = from_file ? read_spec(spec, options.data)
                           : generate_spec(spec, std::min(wanted, static_cast<std::size_t>(spec.generated_count)));
  if (options.instances) {
    keep_spread(data, *options.instances);
  }
  return data;
}

/// At most about a hundred points of a curve, the last one among them.
std::vector<StepMean> thinned(const std::vector<StepMean>& curve) {
  const std::size_t stride = std::max<std::size_t>(1, curve.size() / 100);
  std::vector<StepMean> kept;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (i % stride == 0 || i + 1 == curve.size()) {
      kept.push_back(curve[i]);
    }
  }
  return kept;
}

Json measure(const Row& row, const DataSpec& spec, const DataSet& data, const std::string& model_name,
             const RunOptions& options) {
  Solver solver(ModelStore().load_or_adam(model_name, find_problem(spec.problem).family()),
                {options.engine, options.threads});
  EvaluationOptions how;
  how.search.batch = options.batch;
  how.search.loop.problem = spec.options;
  follow_training(solver.model(), traits_of(data.instances).nodes, how.search.loop);
  how.search.loop.local_search.name = row.local_search;
  how.curve = row.curve;
  Evaluation evaluation = evaluate(data, solver, row.setting, how);
  evaluation.curve = thinned(evaluation.curve);
  EvaluationLabels labels;
  labels.problem = spec.problem;
  labels.objective = find_problem(spec.problem).objective();
  labels.data_set = data.description;
  labels.reference = data.reference_source;
  labels.model = model_name;
  labels.local_search = row.local_search;
  labels.options = how.search.loop.problem;
  labels.seed = how.search.seed;
  Json result;
  result["row"] = row.id;
  result["commit"] = options.commit.empty() ? source_commit() : options.commit;
  result["hardware"] = options.hardware.empty() ? hardware_of(evaluation.engine, options.threads) : options.hardware;
  result.update(evaluation_json(evaluation, labels, false));
  return result;
}

}  // namespace

RowModel model_of(const Row& row) {
  const DataSpec& spec = data_spec(row.data);
  if (row.method == Method::adam) {
    return {"adam", ""};
  }
  if (row.method == Method::missing) {
    return {"", "no model with these parts has been trained"};
  }
  RowModel best{"", fmt::format("no model trained for {} {} to {} nodes", spec.generator.kind, spec.least_trained,
                                spec.most_trained)};
  std::pair<bool, double> least;  // a model trained with local search comes first, in rows with one
  const ModelStore store;
  for (const ModelEntry& entry : store.entries()) {
    const bool fits = entry.automatic && !entry.weighted && entry.problem == spec.problem &&
                      entry.distribution == spec.generator.kind && entry.least_nodes <= spec.most_trained &&
                      entry.most_nodes >= spec.least_trained &&
                      (entry.local_search.empty() || !row.local_search.empty());
    const std::pair far = {entry.local_search.empty(),
                           std::abs(std::log(static_cast<double>(row.setting.steps) / entry.steps))};
    if (fits && (best.name.empty() || far < least)) {
      best = {entry.name, ""};
      least = far;
    }
  }
  return best;
}

void run_table(const Table& table, const RunOptions& options) {
  std::map<std::string, DataSet> loaded;
  Results results = options.results.empty() ? Results() : Results::load(options.results, table.name);
  fmt::print("{}\n", row_heading(table));
  for (const Row& row : table.rows) {
    if (row.id.find(options.only) == std::string::npos) {
      continue;
    }
    const RowModel model = options.model.empty() ? model_of(row) : RowModel{options.model, ""};
    if (model.name.empty()) {
      fmt::print("{}", row_text(row, nullptr, model.missing));
      continue;
    }
    const DataSpec& spec = data_spec(row.data);
    if (!loaded.contains(row.data)) {
      loaded[row.data] = load_spec(spec, options);
    }
    const Json measured = measure(row, spec, loaded[row.data], model.name, options);
    fmt::print("{}", row_text(row, &measured, ""));
    std::fflush(stdout);
    results.put(measured);
    if (!options.results.empty()) {
      results.save(options.results, table.name);
    }
  }
}

}  // namespace moco::paper
