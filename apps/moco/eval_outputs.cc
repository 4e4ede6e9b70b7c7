// Layout of the results of an evaluation.
#include "eval_outputs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "moco/core/printable.h"
#include "text_table.h"

namespace moco::cli {

namespace {

constexpr std::array<std::size_t, 11> kWidths = {4, 5, 4, 10, 8, 8, 7, 6, 8, 8, 9};

/// A number of a CSV field that reads back exactly, or nothing.
std::string optional_number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string error_text(const Estimate& estimate, double factor, int decimals) {
  return estimate.standard_error ? fmt::format("{:.{}f}", factor * *estimate.standard_error, decimals) : "-";
}

/// The columns that tell which evaluation a CSV row belongs to.
std::string csv_labels(const Setting& setting, const EvaluationLabels& labels) {
  return fmt::format("{},{},{},{},{},{},{},{},{}", csv_field(labels.data_set), labels.problem, csv_field(labels.model),
                     labels.local_search, labels.polish, setting.restarts, setting.steps, setting.samples,
                     std::isfinite(labels.time_limit) ? fmt::format("{}", labels.time_limit) : "");
}

}  // namespace

std::string table_heading(const DataSet& data, const EvaluationLabels& labels) {
  const auto known = std::ranges::count_if(data.references, [](const auto& cost) { return cost.has_value(); });
  std::string text = fmt::format("data set   {} ({} {} instances)\nmodel      {}\n", printable(labels.data_set),
                                 data.instances.size(), labels.problem, printable(labels.model));
  if (!labels.local_search.empty()) {
    text += fmt::format("samples    improved by {}\n", labels.local_search);
  }
  if (!labels.polish.empty()) {
    text += fmt::format("results    polished by {}\n", labels.polish);
  }
  if (std::isfinite(labels.time_limit)) {
    text += fmt::format("time limit {} s per instance\n", labels.time_limit);
  }
  if (known == 0) {
    return text + "reference  none\n\n";
  }
  const std::string share = static_cast<std::size_t>(known) == data.instances.size()
                                ? ""
                                : fmt::format(" (for {} of {} instances)", known, data.instances.size());
  return text + fmt::format("reference  {}{}\n\n", printable(labels.reference), share);
}

std::string table_columns(const EvaluationLabels& labels) {
  return table_line({"M", "K", "b", std::string(labels.objective.word), "± s.e.", "gap %", "± s.e.", "better",
                     "s/inst.", "whole s", "instances"},
                    kWidths);
}

std::string table_row(const Evaluation& evaluation, const EvaluationLabels& labels) {
  const Summary summary = summarise(evaluation);
  const auto count = [](std::size_t number) { return fmt::format("{}", number); };
  return table_line(
      {fmt::format("{}", evaluation.setting.restarts), fmt::format("{}", evaluation.setting.steps),
       fmt::format("{}", evaluation.setting.samples), fmt::format("{:.4f}", labels.objective.value(summary.cost.mean)),
       error_text(summary.cost, 1.0, 4), summary.gap ? fmt::format("{:.3f}", 100.0 * summary.gap->mean) : "-",
       summary.gap ? error_text(*summary.gap, 100.0, 3) : "-", summary.gap ? count(summary.better) : "-",
       fmt::format("{:.3f}", summary.search_seconds), fmt::format("{:.3f}", summary.whole_seconds),
       evaluation.complete() ? count(evaluation.asked)
                             : fmt::format("{}/{}", evaluation.scores.size(), evaluation.asked)},
      kWidths);
}

std::string csv_header(const EvaluationLabels& labels, bool per_instance) {
  const std::string objective = std::string(labels.objective.word);
  return "dataset,problem,model,local_search,polish,restarts,steps,samples,time_limit" +
         (per_instance ? fmt::format(",instance,n,{},reference,gap,seconds\n", objective)
                       : fmt::format(",instances,asked,{0},{0}_standard_error,references,reference,better,gap,"
                                     "gap_standard_error,search_seconds,whole_seconds\n",
                                     objective));
}

std::string csv_summary_row(const Evaluation& evaluation, const EvaluationLabels& labels) {
  const Summary summary = summarise(evaluation);
  std::string row = csv_labels(evaluation.setting, labels);
  row += fmt::format(",{},{},{},{}", evaluation.scores.size(), evaluation.asked,
                     labels.objective.value(summary.cost.mean), optional_number(summary.cost.standard_error));
  if (summary.gap) {
    row += fmt::format(",{},{},{},{},{}", summary.gap->count, labels.objective.value(summary.reference_mean),
                       summary.better, summary.gap->mean, optional_number(summary.gap->standard_error));
  } else {
    row += ",0,,,,";
  }
  return row + fmt::format(",{},{}\n", summary.search_seconds, summary.whole_seconds);
}

std::string csv_score_row(const Setting& setting, const InstanceScore& score, const EvaluationLabels& labels) {
  const std::optional<double> reference =
      score.reference ? std::optional(labels.objective.value(*score.reference)) : std::nullopt;
  return fmt::format("{},{},{},{},{},{},{}\n", csv_labels(setting, labels), csv_field(score.instance), score.nodes,
                     labels.objective.value(score.cost), optional_number(reference), optional_number(score.gap),
                     score.seconds);
}

}  // namespace moco::cli
