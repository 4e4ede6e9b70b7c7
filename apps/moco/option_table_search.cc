// Options that the commands which search have in common.
#include <limits>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "declared_options.h"
#include "moco/choices.h"
#include "moco/model.h"
#include "option_table_parts.h"

namespace moco::cli {

using enum OptionType;

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

}  // namespace

std::vector<OptionSpec> setting_options(OptionType type, std::string_view value) {
  const bool lists = type == integers;
  return {{.name = "steps",
           .short_name = "K",
           .type = type,
           .value = value,
           .low = 1,
           .high = 1'000'000'000,
           .fallback = "200",
           .help = lists ? "steps of the search, K; of lists for K, b and M all combinations are run"
                         : "steps of the search, K"},
          {.name = "samples",
           .short_name = "b",
           .type = type,
           .value = value,
           .low = 1,
           .high = 1'000'000,
           .fallback = "32",
           .help = "solutions sampled per step, b"},
          {.name = "restarts",
           .short_name = "M",
           .type = type,
           .value = value,
           .low = 1,
           .high = 1'000'000,
           .fallback = "1",
           .help = "independent searches per instance, M; the best one counts"}};
}

std::vector<OptionSpec> search_variant_options() {
  std::vector<OptionSpec> options = problem_option_specs({OptionUse::graph, OptionUse::construction});
  append(
      options,
      {{.name = "episode-steps",
        .type = integer,
        .value = "N",
        .low = 0,
        .high = 1'000'000'000,
        .help = "cut the K steps of each search into up to 16 episodes of N steps or more, each with its own start "
                "and random numbers, all side by side; 0: one piece. The default is what suits the model, longer "
                "for larger instances than it was trained for; under a time limit, one piece"},
       {.name = "budget-steps",
        .type = integer,
        .value = "N",
        .low = 1,
        .high = 1'000'000'000,
        .help = "steps that the networks are told the budget is, of each episode: after k of them they see k/N of it "
                "spent; the default is K"},
       {.name = "rebuild",
        .type = integer,
        .value = "N",
        .low = 0,
        .high = 1'000'000'000,
        .help = "after the first samples, change one good solution only: each sample chooses N cities or nodes of it "
                "anew, followed by a local search around what changed; 0: whole solutions. The default is what the "
                "model was trained with, or 0; sets, asymmetric distances: CPU engine"},
       {.name = "gradient",
        .type = choice,
        .choices = choice_names<GradientKind>(),
        .help = "policy gradient: advantage of the whole solution, or reward-to-go; the default is what the model "
                "was trained with, or total"},
       {.name = "elite",
        .type = choice,
        .choices = choice_names<EliteRule>(),
        .help = "best solutions that guide the search: all that were sampled, distinct ones, or distinct ones with "
                "the newest first of equally good ones; the default is what the model was trained with"}});
  return options;
}

OptionSpec search_seed_option() {
  return {.name = "seed",
          .type = integer,
          .value = "N",
          .low = 0,
          .high = kUnbounded,
          .fallback = "1",
          .help = "seed of the random numbers; the same seed gives the same result whatever the number of threads"};
}

std::vector<OptionSpec> local_search_options(std::string_view fallback) {
  static const std::string help = fmt::format(
      "improve every sampled solution: {}; the improved solutions are reported and kept. auto: what suits the "
      "instances; none: the paper's plain method. A model that was trained with one brings it along",
      local_search_names_text());
  std::vector<OptionSpec> options = {
      {.name = "local-search",
       .type = text,
       .value = "auto|none|NAME",
       .names = NameKind::local_searches,
       .fallback = fallback,
       .group = "Local search",
       .help = help},
      {.name = "polish",
       .type = text,
       .value = "NAME",
       .names = NameKind::local_searches,
       .help = "improve the result of the search by the local search of that name"},
      move_limit_option(),
      {.name = "advantage",
       .type = choice,
       .choices = choice_names<AdvantageKind>(),
       .help = "costs that the policy gradient sees: of what was sampled or of what it was improved to; the default is "
               "what the model was trained with, or sampled"}};
  append(options, problem_option_specs({OptionUse::local_search}));
  return options;
}

std::string_view local_search_names_text() {
  static const std::string text = [] {
    std::vector<std::pair<std::string, std::string>> by_names;  // names, problems
    for (const Problem* problem : problems()) {
      const std::string names = fmt::format("{}", fmt::join(local_search_names(*problem), ", "));
      if (!names.empty() && !by_names.empty() && by_names.back().first == names) {
        by_names.back().second += fmt::format(", {}", problem->name());
      } else if (!names.empty()) {
        by_names.emplace_back(names, problem->name());
      }
    }
    std::string all;
    for (const auto& [names, owners] : by_names) {
      all += fmt::format("{}{} for {}", all.empty() ? "" : "; ", names, owners);
    }
    return all;
  }();
  return text;
}

std::vector<OptionSpec> model_options() {
  static const std::string names = [] {
    std::string all = "auto|NAME|FILE";
    for (const Baseline& baseline : baselines()) {
      all += fmt::format("|{}", baseline.name);
    }
    return all;
  }();
  static const std::string help = [] {
    std::string all = "trained model by name or checkpoint file; without a network ";
    for (const Baseline& baseline : baselines()) {
      all += fmt::format("{}: {}, ", baseline.name, baseline.summary);
    }
    all.replace(all.size() - 2, 2, "; ");
    return all +
           "auto: the model trained for instances most like these, or adam where there is none for the problem. Names "
           "and manifests are looked up in $MOCO_MODELS, in ../share/moco/models next to the program's folder, in "
           "models/ of a source tree, and where moco is installed";
  }();
  std::vector<OptionSpec> options = {
      {.name = "model",
       .type = text,
       .value = names,
       .names = NameKind::models,
       .fallback = "auto",
       .group = "Model",
       .help = help},
      {.name = "init",
       .type = choice,
       .choices = choice_names<Initialisation>(),
       .help = "where θ begins: at what the model's network makes of the instance, at the problem's heuristic (the "
               "nearer a city, the better; the fewer neighbours a node has, the better), at what ants see (ln 1/d for "
               "tours, the heuristic for sets), or with all choices alike; the default is the model's own"},
      {.name = "rule",
       .type = choice,
       .choices = choice_names<UpdateRule>(),
       .help = "how θ goes on: by the model's network, gnn or mlp, by Adam on the policy gradient, or by pheromones, "
               "those of an ant system or between bounds; the default is the model's own"}};
  static const std::vector<std::pair<std::string, std::string>> texts = [] {  // of rule_parameters(), in their order
    std::vector<std::pair<std::string, std::string>> all;
    for (const RuleParameter& parameter : rule_parameters()) {
      all.emplace_back(parameter.command_line_name(),
                       fmt::format("{}; the default is the model's own", parameter.help));
    }
    return all;
  }();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const RuleParameter& parameter = rule_parameters()[i];
    options.push_back({.name = texts[i].first,
                       .type = real,
                       .value = "X",
                       .low = parameter.low,
                       .high = parameter.high,
                       .help = texts[i].second});
  }
  return options;
}

OptionSpec threads_option(std::string_view help) {
  return {.name = "threads", .type = integer, .value = "N", .low = 0, .high = 4096, .fallback = "0", .help = help};
}

std::vector<OptionSpec> machine_options() {
  return {
      {.name = "engine",
       .type = choice,
       .choices = choice_names<EngineKind>(),
       .fallback = "auto",
       .group = "Machine",
       .help =
           "where to compute; check runs cpu and cuda side by side and fails where they differ by more than rounding"},
      threads_option("threads of the cpu engine; 0 means all cores"),
      {.name = "batch",
       .type = integer,
       .value = "N",
       .low = 0,
       .high = 1'000'000,
       .fallback = "0",
       .help = "most instances solved side by side, as far as memory allows; 0: as many as fill the engine or keep the "
               "threads busy with kicks, one under a time limit"}};
}

void append(std::vector<OptionSpec>& options, std::vector<OptionSpec> more) {
  options.insert(options.end(), more.begin(), more.end());
}

}  // namespace moco::cli
