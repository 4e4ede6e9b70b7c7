// Seeded instance generators: the same arguments give the same instances on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "moco/instance.h"

namespace moco {

/// What to generate. Only the fields of the chosen kind are used.
struct GeneratorOptions {
  /// TSP: "uniform", "clustered". MIS: "er" (Erdős–Rényi), "ba" (Barabási–Albert), "rb" (RB model), "sat" (random
  /// 3-SAT).
  std::string kind = "uniform";
  Index nodes = 100;    ///< nodes; ignored by rb and sat
  Index max_nodes = 0;  ///< if > nodes: the size is uniform in nodes … max_nodes
  std::uint64_t seed = 1;
  Index clusters = 8;         ///< clustered: number of centres
  double spread = 0.05;       ///< clustered: standard deviation around a centre
  double probability = 0.15;  ///< er: edge probability
  Index attachment = 4;       ///< ba: edges per new node
  Index cliques = 30;         ///< rb: number of disjoint cliques
  Index clique_size = 10;     ///< rb: nodes per clique
  double tightness = 0.25;    ///< rb: share of conflicting pairs per constraint
  double density = 0.8;       ///< rb: constraints per clique·ln(cliques)
  Index variables = 100;      ///< sat: number of variables
  Index clauses = 403;        ///< sat: number of clauses
  Index max_clauses = 449;    ///< sat: if > clauses, uniform in clauses … max_clauses
  /// Node weights of er, ba, rb and sat: "none", "uniform" (real, in (0, 1]), "integer" (1 … max_weight), "degree"
  /// (degree + 1). The graphs are the same with and without.
  std::string weights = "none";
  Index max_weight = 100;
};

/// Instance `index` of the family that `options` describes; instances of one family are independent of each other.
InstancePtr generate(const GeneratorOptions& options, std::uint64_t index = 0);

/// Throws ResourceError with the figures when `count` instances of the family, all kept, would not fit into the memory
/// available; `written` when their text is to fit as well, all in one piece. `generate` asks this of one instance.
void require_memory(const GeneratorOptions& options, std::uint64_t count, bool written);

/// Problem ("tsp", "mis") of a generator kind. Throws OptionError naming the known kinds.
std::string_view problem_of_generator(std::string_view kind);

/// What GeneratorOptions::weights may be.
const std::vector<std::string_view>& node_weight_kinds();

}  // namespace moco
