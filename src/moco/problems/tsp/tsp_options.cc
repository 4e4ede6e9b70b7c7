// Declarations and reading of the TSP's options.
#include "moco/problems/tsp/tsp_options.h"

namespace moco {

std::span<const OptionDeclaration> tsp_option_declarations() {
  static const std::vector<OptionDeclaration> declared = {
      {.key = "neighbours",
       .fallback = 20.0,
       .help = "candidate neighbours per city, k; of a search by a model, what that was trained with",
       .low = 1,
       .high = 10'000,
       .use = OptionUse::graph,
       .short_name = "k"},
      {.key = "candidates",
       .kind = OptionKind::choice,
       .fallback = "nearest",
       .help =
           "which cities are the candidate neighbours of a city: the nearest ones, or of each quadrant around it the "
           "nearest k/5 and then the nearest others, for cities in clusters (coordinates in the plane)",
       .choices = {"nearest", "quadrant"},
       .use = OptionUse::graph},
      {.key = "dead_end",
       .kind = OptionKind::choice,
       .fallback = "nearest",
       .help = "when all candidate neighbours of a city are visited: go to the nearest unvisited city, or end the "
               "sample with a penalty per unvisited city; returned tours are complete either way",
       .choices = {"nearest", "penalty"}},
      {.key = "move_rule",
       .kind = OptionKind::choice,
       .fallback = "first",
       .help = "local search takes the first improving move of a city or the best one",
       .choices = {"first", "best"},
       .use = OptionUse::local_search},
      {.key = "start",
       .kind = OptionKind::choice,
       .fallback = "greedy",
       .help = "tour to begin with: of the shortest edges that fit together, or grown by a city at a time, always the "
               "nearest, the farthest or the one that costs least, each put where it costs least (up to 50000 cities)",
       .choices = {"greedy", "nearest-insertion", "farthest-insertion", "cheapest-insertion"},
       .use = OptionUse::start}};
  return declared;
}

namespace {

TourStart start_named(std::string_view word) {
  return word == "nearest-insertion"    ? TourStart::nearest_insertion
         : word == "farthest-insertion" ? TourStart::farthest_insertion
         : word == "cheapest-insertion" ? TourStart::cheapest_insertion
                                        : TourStart::greedy;
}

}  // namespace

TspOptions tsp_options(const OptionValues& values) {
  const auto declared = tsp_option_declarations();
  TspOptions options;
  options.neighbours = values.integer(*find_option(declared, "neighbours"));
  options.candidates = values.word(*find_option(declared, "candidates")) == "quadrant" ? CandidateRule::quadrant
                                                                                       : CandidateRule::nearest;
  options.dead_end = values.word(*find_option(declared, "dead_end")) == "penalty" ? DeadEnd::penalty : DeadEnd::nearest;
  options.move_rule = values.word(*find_option(declared, "move_rule")) == "best" ? MoveRule::best : MoveRule::first;
  options.start = start_named(values.word(*find_option(declared, "start")));
  return options;
}

}  // namespace moco
