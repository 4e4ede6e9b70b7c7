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
#include "moco/io.h"
#include "moco/models.h"
#include "moco/problem.h"
#include "moco/search/effort.h"
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

/// Where the references of a generated data set are kept among the results.
fs::path references_file(const DataSpec& spec, const fs::path& results) {
  return results / (spec.id + "-references.jsonl");
}

DataSet generate_spec(const DataSpec& spec, std::size_t count, const fs::path& results) {
  DataSet data;
  const GeneratorOptions& options = spec.generator;
  data.distribution = options.kind;
  for (std::size_t i = 0; i < count; ++i) {
    data.instances.push_back(generate(options, i));
  }
  data.references.resize(count);
  data.description = fmt::format("generated, {} seed {}", options.kind, options.seed);
  const fs::path references = references_file(spec, results);
  if (!results.empty() && fs::exists(references)) {
    data.references = read_references(references, data.instances);
    data.reference_source = references.filename().string() + ", a long local search";
  }
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
                           : generate_spec(spec, std::min(wanted, static_cast<std::size_t>(spec.generated_count)),
                                           options.results);
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

/// The search of a way by a model, but for the setting.
EvaluationOptions search_of(const Row& row, Way way, const DataSpec& spec, const DataSet& data, const Model& model) {
  EvaluationOptions how;
  LoopOptions& loop = how.search.loop;
  loop.problem = spec.options;
  follow_training(model, traits_of(data.instances).nodes, loop);
  loop.local_search.name = way == Way::hybrid && row.local_search.empty() ? spec.local_search : row.local_search;
  if (way != Way::episodes && way != Way::hybrid) {
    loop.episode_steps = 0;
  }
  if (row.naive) {
    loop.budget_steps = row.trained_steps;
  }
  how.curve = row.curve;
  return how;
}

/// Seconds of an instance that has the engine to itself, over the first few.
std::pair<double, std::size_t> seconds_alone(DataSet data, Solver& solver, const Setting& setting,
                                             EvaluationOptions how, std::size_t count) {
  keep_first(data, count);
  how.search.batch = 1;
  const Evaluation evaluation = evaluate(data, solver, setting, how);
  return {summarise(evaluation).search_seconds, evaluation.scores.size()};
}

/// Whether a search of so many steps is too short to be cut into episodes.
bool is_one_piece(LoopOptions loop, const Setting& setting) {
  loop.restarts = setting.restarts;
  loop.steps = setting.steps;
  return episode_loop(loop).restarts == setting.restarts;
}

/// `in_one_piece` is the same row as measured in one piece by the same model, or null.
Json measure(const Row& row, Way way, const DataSpec& spec, const DataSet& data, const std::string& model_name,
             const Json& in_one_piece, const RunOptions& options) {
  Solver solver(ModelStore().load_or_baseline(model_name, find_problem(spec.problem).family()),
                {is_cpu_only(way) ? EngineKind::cpu : options.engine, options.threads});
  EvaluationOptions how = search_of(row, way, spec, data, solver.model());
  if (way == Way::episodes && !in_one_piece.is_null() && is_one_piece(how.search.loop, row.setting)) {
    Json same = in_one_piece;
    same["way"] = word_of(way);
    return same;
  }
  how.search.batch = options.batch;
  Evaluation evaluation = evaluate(data, solver, row.setting, how);
  evaluation.curve = thinned(evaluation.curve);
  EvaluationLabels labels;
  labels.problem = spec.problem;
  labels.objective = find_problem(spec.problem).objective();
  labels.data_set = data.description;
  labels.reference = data.reference_source;
  labels.model = model_name;
  labels.local_search = how.search.loop.local_search.name;
  labels.options = how.search.loop.problem;
  labels.seed = how.search.seed;
  Json result;
  result["row"] = row.id;
  result["way"] = word_of(way);
  result["commit"] = options.commit.empty() ? source_commit() : options.commit;
  result["hardware"] = options.hardware.empty() ? hardware_of(evaluation.engine, options.threads) : options.hardware;
  result.update(evaluation_json(evaluation, labels, false));
  if (evaluation.batch == 1) {
    result["seconds"]["alone"] = result["seconds"]["search"];
    result["seconds"]["alone_instances"] = evaluation.scores.size();
  } else if (options.alone > 0) {
    const auto [seconds, count] = seconds_alone(data, solver, row.setting, how, options.alone);
    result["seconds"]["alone"] = seconds;
    result["seconds"]["alone_instances"] = count;
  }
  return result;
}

/// Whether a model may stand for a way in a row.
bool fits(const ModelEntry& entry, const Row& row, Way way) {
  const DataSpec& spec = data_spec(row.data);
  const bool exact = entry.config.starts_with("paper-") && !entry.automatic;
  const bool searches_locally = way == Way::hybrid || !row.local_search.empty();
  return (way == Way::exact ? exact : entry.automatic) && !entry.weighted && entry.problem == spec.problem &&
         entry.distribution == spec.generator.kind && entry.least_nodes <= spec.most_trained &&
         entry.most_nodes >= spec.least_trained && (entry.local_search.empty() || searches_locally) &&
         (row.trained_steps == 0 || entry.steps == row.trained_steps);
}

}  // namespace

RowModel model_of(const Row& row, Way way) {
  const ModelStore store;
  if (const std::string_view baseline = baseline_of(way); !baseline.empty()) {
    return {std::string(baseline), ""};
  }
  if (const std::string only = row.model.empty() ? own_model_of(way, row.data) : row.model; !only.empty()) {
    return store.find(only) ? RowModel{only, ""} : RowModel{"", fmt::format("model {} has not been trained", only)};
  }
  const DataSpec& spec = data_spec(row.data);
  const std::string budget = row.trained_steps > 0 ? fmt::format(" for K = {}", row.trained_steps) : "";
  RowModel best{
      "", fmt::format("no model {}trained for {} {} to {} nodes{}", way == Way::exact ? "of the paper's rule " : "",
                      spec.generator.kind, spec.least_trained, spec.most_trained, budget)};
  std::pair<bool, double> least;  // a model trained with local search comes first, in rows with one
  for (const ModelEntry& entry : store.entries()) {
    const std::pair far = {entry.local_search.empty(),
                           std::abs(std::log(static_cast<double>(row.setting.steps) / entry.steps))};
    if (fits(entry, row, way) && (best.name.empty() || far < least)) {
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
    fmt::print("{}", paper_text(row));
    Json in_one_piece;
    for (const Way way : row.ways) {
      if (!options.ways.empty() && std::ranges::find(options.ways, way) == options.ways.end()) {
        continue;
      }
      const RowModel model = options.model.empty() ? model_of(row, way) : RowModel{options.model, ""};
      const bool no_kernels = is_cpu_only(way) && options.engine == EngineKind::cuda;
      if (model.name.empty() || no_kernels) {
        fmt::print("{}", missing_text(way, no_kernels ? "it runs on the CPU engine only" : model.missing));
        continue;
      }
      const DataSpec& spec = data_spec(row.data);
      if (!loaded.contains(row.data)) {
        loaded[row.data] = load_spec(spec, options);
      }
      const Json measured = measure(row, way, spec, loaded[row.data], model.name, in_one_piece, options);
      if (way == Way::one_piece) {
        in_one_piece = measured;
      }
      fmt::print("{}", measured_text(row, measured));
      std::fflush(stdout);
      results.put(measured);
      if (!options.results.empty()) {
        results.save(options.results, table.name);
      }
    }
  }
}

void find_references(const fs::path& folder, double seconds, int threads) {
  for (const DataSpec& spec : data_specs()) {
    if (!spec.file.empty()) {
      continue;
    }
    const DataSet data = generate_spec(spec, static_cast<std::size_t>(spec.generated_count), {});
    SolveOptions options;
    set_effort(options, {.timed = true, .wants_steps = false}, *data.instances.front());
    options.time_limit = seconds;
    options.batch = 1;
    std::vector<SolvedInstance> solved;
    options.finished = [&](std::size_t index, const SolveResult& result) {
      fmt::print("{} {}\n", data.instances[index]->name(), find_problem(spec.problem).objective().value(result.cost));
      std::fflush(stdout);
      solved.push_back({data.instances[index], result.solution});
    };
    Solver solver(adam_model(find_problem(spec.problem).family()), {EngineKind::cpu, threads});
    solver.solve(data.instances, options);
    fs::create_directories(folder);
    write_solutions(references_file(spec, folder), solved);
  }
}

}  // namespace moco::paper
