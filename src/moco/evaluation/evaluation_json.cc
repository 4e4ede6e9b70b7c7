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
    row[objective_name(labels.problem)] = objective_of(labels.problem, score.cost);
    row["reference"] = score.reference ? Json(objective_of(labels.problem, *score.reference)) : Json(nullptr);
    row["gap"] = score.gap ? Json(*score.gap) : Json(nullptr);
    row["seconds"] = score.seconds;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::string objective_name(const std::string& problem) {
  return problem == "mis" ? "size" : "cost";
}

double objective_of(const std::string& problem, double cost) {
  return problem == "mis" && cost != 0.0 ? -cost : cost;
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
  if (labels.problem == "tsp") {
    object["neighbours"] = labels.neighbours;
  }
  object["seed"] = labels.seed;
  object["engine"] = evaluation.engine;
  object["batch"] = evaluation.batch;
  object[objective_name(labels.problem)] = estimate_json(summary.cost, objective_of(labels.problem, 1.0));
  if (summary.gap) {
    Json reference;
    reference["source"] = labels.reference;
    reference["instances"] = summary.gap->count;
    reference["mean"] = objective_of(labels.problem, summary.reference_mean);
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
      point.push_back(objective_of(labels.problem, step.best));
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
