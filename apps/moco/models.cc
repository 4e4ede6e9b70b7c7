// `moco models`: the entries of the manifests.
#include "moco/models.h"

#include <fmt/format.h>

#include "commands.h"
#include "json_output.h"
#include "moco/core/printable.h"
#include "moco/problem.h"
#include "output_files.h"

namespace moco::cli {

namespace {

std::string sizes_text(const ModelEntry& entry) {
  return entry.least_nodes == entry.most_nodes ? fmt::format("n {}", entry.least_nodes)
                                               : fmt::format("n {} to {}", entry.least_nodes, entry.most_nodes);
}

std::string with(const std::string& local_search) {
  return local_search.empty() ? "" : ", with " + local_search;
}

std::string entry_text(const ModelEntry& entry) {
  std::string text = fmt::format("{}: {} {}, {}, K {}, b {}", printable(entry.name), entry.problem,
                                 printable(entry.distribution), sizes_text(entry), entry.steps, entry.samples);
  text += with(entry.local_search);
  text += fmt::format("\n  trained in {:.0f} s on {}\n", entry.training_seconds, printable(entry.training_hardware));
  for (const ModelScore& score : entry.scores) {
    text += fmt::format("  {} {}{} at M {}, K {}, b {}{}: {}\n", find_problem(entry.problem).objective().word,
                        score.value, score.gap ? fmt::format(" (gap {:.3f} %)", 100.0 * *score.gap) : "",
                        score.restarts, score.steps, score.samples, with(score.local_search), printable(score.data));
  }
  return text;
}

Json score_json(const ModelScore& score) {
  Json object;
  object["data"] = score.data;
  object["restarts"] = score.restarts;
  object["steps"] = score.steps;
  object["samples"] = score.samples;
  object["local_search"] = score.local_search;
  object["value"] = score.value;
  object["gap"] = score.gap ? Json(*score.gap) : Json(nullptr);
  return object;
}

Json entry_json(const ModelEntry& entry) {
  Json object;
  object["name"] = entry.name;
  object["file"] = entry.file.string();
  object["problem"] = entry.problem;
  object["distribution"] = entry.distribution;
  Json nodes = Json::array();
  nodes.push_back(entry.least_nodes);
  nodes.push_back(entry.most_nodes);
  object["nodes"] = std::move(nodes);
  object["mean_degree"] = entry.mean_degree ? Json(*entry.mean_degree) : Json(nullptr);
  object["weighted"] = entry.weighted;
  object["only_for"] = entry.only_for;
  object["steps"] = entry.steps;
  object["samples"] = entry.samples;
  object["local_search"] = entry.local_search;
  object["config"] = entry.config;
  object["sha256"] = entry.sha256;
  object["training"] = entry.training;
  object["training_seconds"] = entry.training_seconds;
  object["training_hardware"] = entry.training_hardware;
  object["licence"] = entry.licence;
  Json scores = Json::array();
  for (const ModelScore& score : entry.scores) {
    scores.push_back(score_json(score));
  }
  object["scores"] = std::move(scores);
  return object;
}

}  // namespace

int run_models(const Arguments& arguments) {
  const ModelStore store;
  const std::string json = arguments.text("json");
  const bool names = arguments.flag("names");
  if (names && !json.empty()) {
    throw UsageError("models: --names and --json exclude each other");
  }
  std::string text;
  for (const ModelEntry& entry : store.entries()) {
    text += names          ? fmt::format("{}\n", printable(entry.name))
            : json.empty() ? entry_text(entry)
                           : json_line(entry_json(entry));
  }
  if (json.empty() && store.entries().empty() && !names) {
    text = fmt::format("no trained model was found in {}; searches use --model adam\n", store.folders_text());
  }
  for (const Baseline& baseline : baselines()) {
    if (json.empty() && !names) {
      text += fmt::format("{}: untrained, for every problem: {}\n", baseline.name, baseline.summary);
    }
  }
  write_text(json.empty() ? "-" : json, text);
  return kExitSuccess;
}

}  // namespace moco::cli
