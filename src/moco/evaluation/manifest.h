// The manifest of a folder of models (manifest.toml): what each was trained for, what it cost and how well it scored.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moco/instance.h"
#include "moco/options.h"

namespace moco {

/// A measured result of a model.
struct ModelScore {
  std::string data;           ///< the instances in words
  int restarts = 1;           ///< M
  int steps = 0;              ///< K
  int samples = 0;            ///< b
  std::string local_search;   ///< on every sample; empty for none
  double value = 0.0;         ///< mean value of the objective
  std::optional<double> gap;  ///< mean gap to the references, as a share
};

struct ModelEntry {
  std::string name;  ///< its checkpoint is NAME.safetensors beside the manifest
  std::string problem;
  std::string distribution;  ///< a kind of the generators
  Index least_nodes = 0;     ///< sizes it was trained for
  Index most_nodes = 0;
  std::optional<double> mean_degree;  ///< of the graphs it was trained for
  bool weighted = false;              ///< whether its instances had weights
  std::vector<std::string> only_for;  ///< distributions and families of graphs it is for; empty: any
  bool automatic = true;              ///< whether `auto` and the tables may take it, or only who names it
  int steps = 0;                      ///< K it was trained for
  int episode_steps = 0;              ///< longer searches run in episodes of so many steps, at sizes trained for
  int samples = 0;                    ///< b it was trained for
  OptionValues options;               ///< of the problem, as it was trained with
  std::string local_search;           ///< it was trained with; empty for none
  std::string config;                 ///< preset of its training
  std::string sha256;                 ///< of the checkpoint, 64 hexadecimal digits
  std::string training;               ///< how it was trained, in words
  double training_seconds = 0.0;      ///< what that cost, on
  std::string training_hardware;
  std::string licence;
  std::vector<ModelScore> scores;
};

/// Reads a manifest. Throws InputError ("file:line: …") on anything malformed, missing or unknown.
std::vector<ModelEntry> parse_manifest(std::string_view text, const std::string& file);

/// What the choice of a model looks at. Sizes and degrees are geometric means over the instances.
struct InstanceTraits {
  std::string family;        ///< of the problem
  std::string distribution;  ///< kind of the generator or family of the graphs; empty when not known
  double nodes = 1.0;
  std::optional<double> degree;  ///< mean number of neighbours
  bool weighted = false;         ///< whether most have weights
  std::string local_search;      ///< of the search; empty for none
};
/// Without a `distribution` it is the one that most of the graphs are recognised as, if any (Problem::traits).
InstanceTraits traits_of(std::span<const InstancePtr> instances, std::string distribution = "");

/// The entry for such instances: among those of the family, with weights or without as the instances if there are any,
/// that were trained on the distribution or are meant for it; where that has none or is not known, among those for any;
/// or else among all of the family, the one whose sizes and degrees are nearest, as ratios. Models trained with a local
/// search are for searches with one, and among equally near ones come first there. Null when there is none for the
/// family.
const ModelEntry* nearest_model(std::span<const ModelEntry> entries, const InstanceTraits& traits);

}  // namespace moco
