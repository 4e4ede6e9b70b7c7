// Layout of the objects.
#include "moco/evaluation/evaluation_json.h"

#include <cmath>

namespace moco {

namespace {

using Json = nlohmann::ordered_json;

Json estimate_json(const Estimate& estimate, double factor) {
  Json object;
  object["mean"] = factor * estimate.mean;
  object["standard_error"] = estimate.standard_error ? Json(*estimate.standard_error) : Json(nullptr);
  return object;
}

Json scores_json(const Evaluation& evaluation, const EvaluationLabels& labels) {
  Json rows = Json::array();
  for (const InstanceScore& score : evaluation.scores) {
    Json row;
    row["instance"] = score.instance;
    row["n"] = score.nodes;
    row[std::string(labels.objective.word)] = labels.objective.value(score.cost);
    row["reference"] = score.reference ? Json(labels.objective.value(*score.reference)) : Json(nullptr);
    row["gap"] = score.gap ? Json(*score.gap) : Json(nullptr);
    row["seconds"] = score.seconds;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

void add_graph_options(Json& object, const Problem& problem, const OptionValues& values) {
  for (const OptionDeclaration& option : problem.options()) {
    if (option.use != OptionUse::graph) {
      continue;
    }
    const std::string key(option.key);
    if (option.kind == OptionKind::choice) {
      object[key] = values.word(option);
    } else if (option.kind == OptionKind::integer) {
      object[key] = values.integer(option);
    } else {
      object[key] = values.number(option);
    }
  }
}

Json evaluation_json(const Evaluation& evaluation, const EvaluationLabels& labels, bool per_instance) {
  const Summary summary = summarise(evaluation);
  Json object;
  object["dataset"] = labels.data_set;
  object["problem"] = labels.problem;
  object["instances"] = evaluation.scores.size();
  object["asked"] = evaluation.asked;
  object["complete"] = evaluation.complete();
  object["model"] = labels.model;
  object["local_search"] = labels.local_search;
  object["polish"] = labels.polish;
  object["restarts"] = evaluation.setting.restarts;
  object["steps"] = evaluation.setting.steps;
  object["samples"] = evaluation.setting.samples;
  object["time_limit"] = std::isfinite(labels.time_limit) ? Json(labels.time_limit) : Json(nullptr);
  object["episode_steps"] = evaluation.episode_steps;
  add_graph_options(object, find_problem(labels.problem), labels.options);
  object["seed"] = labels.seed;
  object["engine"] = evaluation.engine;
  object["batch"] = evaluation.batch;
  object[std::string(labels.objective.word)] = estimate_json(summary.cost, labels.objective.value(1.0));
  if (summary.gap) {
    Json reference;
    reference["source"] = labels.reference;
    reference["instances"] = summary.gap->count;
    reference["mean"] = labels.objective.value(summary.reference_mean);
    reference["better"] = summary.better;
    object["reference"] = std::move(reference);
    object["gap"] = estimate_json(*summary.gap, 1.0);
  } else {
    object["reference"] = nullptr;
    object["gap"] = nullptr;
  }
  object["seconds"] = {{"search", summary.search_seconds}, {"whole", summary.whole_seconds}};
  if (!evaluation.curve.empty()) {
    Json curve = Json::array();
    for (const StepMean& step : evaluation.curve) {
      Json point = Json::array();
      point.push_back(step.step);
      point.push_back(labels.objective.value(step.best));
      point.push_back(step.seconds);
      curve.push_back(std::move(point));
    }
    object["curve"] = std::move(curve);
  }
  if (per_instance) {
    object["scores"] = scores_json(evaluation, labels);
  }
  return object;
}

}  // namespace moco
