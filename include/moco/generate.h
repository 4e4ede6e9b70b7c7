// Seeded instance generators: the same arguments give the same instances on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moco/data.h"
#include "moco/instance.h"
#include "moco/options.h"

namespace moco {

class RandomSequence;

/// What to generate.
struct GeneratorOptions {
  std::string problem = "tsp";
  std::string kind = "";  ///< one of the problem's generators; empty: its first
  Index nodes = 100;      ///< ignored by kinds whose size follows from their own options
  Index max_nodes = 0;    ///< if > nodes: the size is uniform in nodes … max_nodes
  std::uint64_t seed = 1;
  OptionValues own = {};  ///< options that the kind declares
};

/// What an instance of a family comes to, as far as that can be told before it is drawn.
struct ExpectedSize {
  double nodes = 0.0;        ///< the most
  double edges = 0.0;        ///< expected, repeated ones included
  double other_bytes = 0.0;  ///< that the generator needs for itself
};

/// A family of instances. Generators draw from `random` alone and use only arithmetic whose result IEEE 754 fixes (and
/// ln once, before rounding to an integer), so that equal seeds give equal instances on every machine.
struct GeneratorKind {
  std::string_view name;
  std::string_view summary;  ///< for help texts
  bool sized = true;         ///< whether `nodes` and `max_nodes` say how large instances are
  std::vector<OptionDeclaration> options;
  InstanceData (*generate)(const GeneratorOptions& options, RandomSequence& random) = nullptr;
  /// Throws OptionError when the options do not fit together; asked before anything is drawn.
  ExpectedSize (*expect)(const GeneratorOptions& options) = nullptr;
};

/// The generator that the options ask for. Throws OptionError naming the known kinds of the problem.
const GeneratorKind& find_generator(const GeneratorOptions& options);

/// Instance `index` of the family that `options` describes; instances of one family are independent of each other.
/// Throws OptionError when an option is out of range or not one of the kind's.
InstancePtr generate(const GeneratorOptions& options, std::uint64_t index = 0);

/// Throws ResourceError with the figures when `count` instances of the family, all kept, would not fit into the memory
/// available; `written` when their text is to fit as well, all in one piece. `generate` asks this of one instance.
void require_memory(const GeneratorOptions& options, std::uint64_t count, bool written);

}  // namespace moco
