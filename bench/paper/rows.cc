// Figures of "MOCO: A Learnable Meta Optimizer for Combinatorial Optimization", copied from the labelled tables. Costs
// and gaps are those of its rows "Moco"; gaps are in percent, times in seconds per instance on an RTX 3090.
#include "rows.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "moco/error.h"

namespace moco::paper {

namespace {

GeneratorOptions uniform(Index nodes) {
  return {.problem = "tsp", .kind = "uniform", .nodes = nodes, .seed = 20250};
}

GeneratorOptions er(Index least, Index most, double probability) {
  GeneratorOptions options{.problem = "mis", .kind = "er", .nodes = least, .max_nodes = most, .seed = 20250};
  options.own.set("probability", probability);
  return options;
}

GeneratorOptions sat() {
  return {.problem = "mis", .kind = "sat", .seed = 20250};
}

OptionValues neighbours(int k) {
  return OptionValues().set("neighbours", k);
}

/// The ways of the main tables.
const std::vector<Way> kAllTrained = {Way::exact, Way::one_piece, Way::episodes, Way::hybrid};
/// Those without a local search of their own.
const std::vector<Way> kPlainTrained = {Way::exact, Way::one_piece, Way::episodes};

Row row(std::string_view source, std::string_view data, Setting setting, std::optional<PaperFigures> paper,
        std::vector<Way> ways) {
  Row result;
  result.ways = std::move(ways);
  result.id = fmt::format("{} {}x{}x{}", data, setting.restarts, setting.steps, setting.samples);
  result.source = source;
  result.data = data;
  result.setting = setting;
  result.paper = paper;
  return result;
}

Table tsp_table() {
  const auto tsp = [](std::string_view data, Setting setting, PaperFigures figures) {
    return row("tab:tsp_main", data, setting, figures, kAllTrained);
  };
  return {"tsp",
          "TSP without local search",
          {tsp("tsp100", {1, 200, 32}, {7.8409, 1.030, 1.07}), tsp("tsp100", {1, 200, 128}, {7.8100, 0.632, 1.08}),
           tsp("tsp100", {32, 200, 32}, {7.7667, 0.074, 2.61}), tsp("tsp100", {32, 500, 128}, {7.7622, 0.016, 6.24}),
           tsp("tsp200", {1, 200, 32}, {10.963, 2.27, 2.11}), tsp("tsp200", {1, 200, 128}, {10.879, 1.49, 2.22}),
           tsp("tsp200", {32, 200, 32}, {10.790, 0.66, 5.75}), tsp("tsp200", {32, 500, 128}, {10.745, 0.24, 25.76}),
           tsp("tsp500", {1, 200, 32}, {17.205, 3.93, 6.01}), tsp("tsp500", {1, 200, 128}, {17.052, 3.01, 6.60}),
           tsp("tsp500", {32, 200, 32}, {16.975, 2.54, 21.61}), tsp("tsp500", {32, 500, 128}, {16.845, 1.75, 171.23})}};
}

Table hybrid_table() {
  Table table{"hybrid", "TSP with local search in the loop", {}};
  const auto add_with = [&](std::string_view data, Setting setting, PaperFigures figures, std::string_view local_search,
                            std::string_view remark) {
    Row added = row("tab:hybrid", data, setting, figures, kPlainTrained);
    added.id = fmt::format("{} {}", added.id, local_search);
    added.local_search = local_search;
    added.remark = fmt::format("{}; the paper's row is with 2-opt{}", local_search, remark);
    table.rows.push_back(std::move(added));
  };
  const auto add = [&](std::string_view data, Setting setting, PaperFigures figures) {
    add_with(data, setting, figures, "2opt", "");
    add_with(data, setting, figures, "2opt+oropt", "");
    const Setting shorter{setting.restarts, 70, setting.samples};  // no more time than 2-opt alone, on either engine
    add_with(data, shorter, figures, "2opt+oropt", fmt::format(" and K = {}", setting.steps));
  };
  add("tsp100", {1, 200, 32}, {7.7681, 0.092, 1.28});
  add("tsp100", {32, 200, 32}, {7.7610, 0.000, 13.43});
  add("tsp200", {1, 200, 32}, {10.799, 0.75, 2.70});
  add("tsp200", {32, 200, 32}, {10.724, 0.04, 14.90});
  add("tsp500", {1, 200, 32}, {16.757, 1.22, 16.88});
  add("tsp500", {32, 200, 32}, {16.621, 0.40, 276.40});
  return table;
}

Table mis_table() {
  const auto mis = [](std::string_view data, Setting setting, PaperFigures figures) {
    return row("tab:mis_main", data, setting, figures, kAllTrained);
  };
  return {"mis",
          "MIS without local search or reductions",
          {mis("satlib", {1, 50, 32}, {422.87, 0.73, 5.76}), mis("satlib", {1, 200, 32}, {423.27, 0.63, 14.20}),
           mis("satlib", {32, 50, 32}, {424.75, 0.28, 68.54}), mis("satlib", {32, 200, 32}, {425.02, 0.22, 264.44}),
           mis("satlib", {32, 50, 128}, {425.10, 0.20, 310.97}), mis("er700", {1, 50, 32}, {41.70, 7.86, 4.19}),
           mis("er700", {1, 200, 32}, {42.76, 5.51, 5.43}), mis("er700", {32, 50, 32}, {43.69, 3.45, 7.80}),
           mis("er700", {32, 200, 32}, {44.64, 1.35, 21.52}), mis("er700", {32, 50, 128}, {44.41, 1.85, 17.85}),
           mis("er700", {32, 200, 128}, {44.87, 0.85, 58.50}), mis("er9000", {1, 50, 32}, {342.69, 10.13, 134.0}),
           mis("er9000", {1, 200, 32}, {354.69, 6.98, 526.0}), mis("er9000", {32, 200, 32}, {363.63, 4.64, 18053.0})}};
}

Table heatmap_table() {
  struct Line {
    int steps;
    int samples;
    double aco, aco_gap, deep_aco, deep_aco_gap, dimes, dimes_gap, moco, moco_gap;
  };
  constexpr Line kLines[] = {{200, 32, 23.95, 44.65, 18.71, 13.01, 18.06, 9.09, 17.23, 4.07},
                             {200, 64, 23.64, 42.81, 18.63, 12.56, 17.96, 8.51, 17.10, 3.32},
                             {200, 128, 23.49, 41.87, 18.58, 12.22, 17.89, 8.06, 17.06, 3.03},
                             {200, 256, 23.33, 40.90, 18.52, 11.87, 17.80, 7.55, 17.00, 2.67},
                             {200, 512, 23.16, 39.88, 18.48, 11.65, 17.75, 7.19, 16.96, 2.46},
                             {500, 32, 23.43, 41.51, 18.61, 12.41, 18.02, 8.87, 17.19, 3.83},
                             {500, 64, 23.19, 40.05, 18.55, 12.08, 17.95, 8.45, 17.08, 3.16},
                             {500, 128, 23.02, 39.04, 18.49, 11.69, 17.88, 7.98, 17.03, 2.88},
                             {500, 256, 22.90, 38.31, 18.45, 11.43, 17.79, 7.46, 16.98, 2.55},
                             {500, 512, 22.74, 37.37, 18.39, 11.11, 17.72, 7.07, 16.93, 2.25}};
  Table table{"heatmaps", "Heatmap methods on TSP500 over K and b", {}};
  for (const Line& line : kLines) {
    Row added =
        row("tab:comparison_dimes", "tsp500", {1, line.steps, line.samples},
            PaperFigures{line.moco, line.moco_gap, std::nullopt},
            {Way::ants, Way::max_min, Way::learned_ants, Way::learned_adam, Way::exact, Way::one_piece, Way::episodes});
    added.paper_others = {{Way::ants, {line.aco, line.aco_gap, std::nullopt}},
                          {Way::learned_ants, {line.deep_aco, line.deep_aco_gap, std::nullopt}},
                          {Way::learned_adam, {line.dimes, line.dimes_gap, std::nullopt}}};
    added.remark = fmt::format("ACO {:.2f} ({:.2f} %), DeepACO {:.2f} ({:.2f} %), DIMES {:.2f} ({:.2f} %)", line.aco,
                               line.aco_gap, line.deep_aco, line.deep_aco_gap, line.dimes, line.dimes_gap);
    table.rows.push_back(std::move(added));
  }
  return table;
}

Table behaviour_table() {
  Table table{"behaviour", "Behaviour over K and b on TSP100", {}};
  const auto add = [&](std::string_view figure, Setting setting, std::vector<Way> ways,
                       std::string_view remark) -> Row& {
    Row added = row(figure, "tsp100", setting, std::nullopt, std::move(ways));
    added.curve = true;
    added.remark = remark;
    table.rows.push_back(std::move(added));
    return table.rows.back();
  };
  constexpr std::string_view kExtrapolation = "fig:behaviour_extrapolation";
  for (const int trained : {50, 100, 200, 500}) {
    for (const bool naive : {false, true}) {
      Row& added = add(kExtrapolation, {1, 1000, 32}, {Way::exact}, naive ? "k/K of training (Naive)" : "k/K (Full)");
      added.trained_steps = trained;
      added.naive = naive;
      added.id += fmt::format(" (trained for {}, {})", trained, naive ? "naive" : "full");
    }
  }
  for (const int steps : {50, 100, 200, 500, 1000}) {
    add(kExtrapolation, {1, steps, 32}, {Way::exact, Way::one_piece}, "one model, budgets of its own");
  }
  for (const int samples : {32, 64, 128, 256, 512}) {
    Row& added = add("fig:behaviour_batch_size", {1, 200, samples}, {Way::exact, Way::one_piece},
                     samples == 32 ? "as in training" : "more samples than in training");
    added.id += " (batch size)";
  }
  return table;
}

Table ablation_table() {
  Table table{"ablation", "Ablation on TSP200", {}};
  const auto add = [&](Setting setting, PaperFigures figures, std::vector<Way> ways, std::string_view model,
                       std::string_view remark) {
    Row added = row("tab:ablation", "tsp200", setting, figures, std::move(ways));
    added.id = fmt::format("{} ({})", added.id, remark);
    added.model = model;
    added.remark = remark;
    table.rows.push_back(std::move(added));
  };
  add({1, 200, 32}, {29.13, 174.0, std::nullopt}, {Way::untrained}, "", "heuristic, Adam");
  add({1, 1000, 128}, {19.08, 79.5, std::nullopt}, {Way::untrained}, "", "heuristic, Adam");
  add({1, 200, 32}, {11.90, 11.9, std::nullopt}, {Way::exact}, "ablation-tsp200-mlp", "heuristic, MLP");
  add({1, 200, 32}, {10.86, 2.22, std::nullopt}, {Way::exact}, "ablation-tsp200-gnn", "heuristic, GNN");
  add({1, 200, 32}, {10.84, 2.05, std::nullopt}, kPlainTrained, "", "GNN, GNN");
  return table;
}

struct WayWords {
  Way way;
  std::string_view word;
  std::string_view title;
  std::string_view baseline = {};   ///< the model, where none is trained
  std::string_view own_model = {};  ///< the model, with the data set behind it
};
constexpr WayWords kWays[] = {{Way::untrained, "untrained", "untrained", "adam"},
                              {Way::ants, "ants", "ant system", "ants"},
                              {Way::max_min, "max-min", "max–min ants", "max-min"},
                              {Way::learned_ants, "learned-ants", "learned, ants", {}, "learned-ants"},
                              {Way::learned_adam, "learned-adam", "learned, Adam", {}, "learned-adam"},
                              {Way::exact, "exact", "the paper's rule"},
                              {Way::one_piece, "one-piece", "ours, one piece"},
                              {Way::episodes, "episodes", "ours, episodes"},
                              {Way::hybrid, "hybrid", "ours, local search"}};

const WayWords& words_of(Way way) {
  return *std::ranges::find(kWays, way, &WayWords::way);
}

}  // namespace

std::string_view word_of(Way way) {
  return words_of(way).word;
}

std::string_view title_of(Way way) {
  return words_of(way).title;
}

Way way_named(std::string_view word) {
  const auto* found = std::ranges::find(kWays, word, &WayWords::word);
  if (found == std::end(kWays)) {
    throw OptionError(fmt::format("way '{}' is not one of {}", word, way_words()));
  }
  return found->way;
}

std::string way_words() {
  std::string words;
  for (const WayWords& way : kWays) {
    words += fmt::format("{}{}", words.empty() ? "" : ", ", way.word);
  }
  return words;
}

std::string_view baseline_of(Way way) {
  return words_of(way).baseline;
}

std::string own_model_of(Way way, std::string_view data) {
  const std::string_view model = words_of(way).own_model;
  return model.empty() ? "" : fmt::format("{}-{}", model, data);
}

bool is_cpu_only(Way way) {
  return way == Way::ants || way == Way::max_min || way == Way::learned_ants || way == Way::learned_adam;
}

std::optional<PaperFigures> paper_figures(const Row& row, Way way) {
  if (const auto other = row.paper_others.find(way); other != row.paper_others.end()) {
    return other->second;
  }
  return way == Way::max_min ? std::nullopt : row.paper;  // which the paper does not have
}

const std::vector<DataSpec>& data_specs() {
  constexpr std::string_view kTours = "2opt+oropt";
  constexpr std::string_view kSets = "swap12";
  static const std::vector<DataSpec> specs = {
      {"tsp100", "TSP100", "tsp", "tsp/tsp100_1280.txt.gz", "", uniform(100), 128, neighbours(20), 7.7609, "LKH3", 100,
       100, std::string(kTours)},
      {"tsp200", "TSP200", "tsp", "tsp/tsp200_128.txt.gz", "", uniform(200), 128, neighbours(20), 10.719, "LKH3", 200,
       200, std::string(kTours)},
      {"tsp500", "TSP500", "tsp", "tsp/tsp500_128.txt.gz", "", uniform(500), 128, neighbours(50), 16.555, "LKH3", 500,
       500, std::string(kTours)},
      {"satlib", "SATLIB", "mis", "mis/satlib_cbs_500.tar.gz", "mis/satlib_cbs_500.tsv", sat(), 128, OptionValues(),
       425.96, "KaMIS", 606, 1347, std::string(kSets)},
      {"er700", "ER-[700-800]", "mis", "mis/er_700_800_128.tar.gz", "mis/er_700_800_128.tsv", er(700, 800, 0.15), 128,
       OptionValues(), 45.25, "KaMIS", 700, 800, std::string(kSets)},
      {"er9000", "ER-[9000-11000]", "mis", "", "", er(9000, 11000, 0.02), 16, OptionValues(), 381.31, "KaMIS", 700, 800,
       std::string(kSets)}};
  return specs;
}

const DataSpec& data_spec(std::string_view id) {
  const auto found = std::ranges::find(data_specs(), id, &DataSpec::id);
  if (found == data_specs().end()) {
    throw std::logic_error(fmt::format("no data set '{}'", id));
  }
  return *found;
}

const std::vector<Table>& tables() {
  static const std::vector<Table> all = {tsp_table(),     hybrid_table(),    mis_table(),
                                         heatmap_table(), behaviour_table(), ablation_table()};
  return all;
}

}  // namespace moco::paper
