// The models that are there: the manifests of folders of models say what each was trained for, what it cost and how
// well it scored; a store finds and loads them.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moco/instance.h"
#include "moco/model.h"
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
  int samples = 0;                    ///< b it was trained for
  std::string local_search;           ///< it was trained with; empty for none
  std::string config;                 ///< preset of its training
  std::string sha256;                 ///< of the checkpoint, 64 hexadecimal digits
  std::string training;               ///< how it was trained, in words
  double training_seconds = 0.0;      ///< what that cost, on
  std::string training_hardware;
  std::string licence;
  std::vector<ModelScore> scores;
  std::filesystem::path file;  ///< its checkpoint
};

/// Reads a manifest; `file` stands for it in messages, and checkpoints are beside it. Throws InputError ("file:line:
/// …") on anything malformed, missing or unknown.
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

/// The models of all folders (moco/model_folders.h), as they are when the store is made.
class ModelStore {
 public:
  /// Throws InputError when a manifest is malformed.
  ModelStore();

  /// The entries whose checkpoints are there; of entries of one name the first folder's.
  std::span<const ModelEntry> entries() const { return entries_; }
  /// The entry for instances when the user names none, or null (nearest_model).
  const ModelEntry* nearest(const InstanceTraits& traits) const { return nearest_model(entries_, traits); }
  /// The checkpoint of a model given by name, listed in a manifest or not, if there is one. A text with a slash is
  /// never a name.
  std::optional<std::filesystem::path> find(const std::string& name) const;
  /// The checkpoint that a text means wherever a model is named: the model of that name in the folders, or else the
  /// file, whatever its extension. A model that its folder's manifest lists must have the manifest's SHA-256. Throws
  /// OptionError when there is neither, InputError when the checkpoint is damaged.
  Model load(const std::string& text) const;
  /// Likewise, or the baseline of that name for problems of the family.
  Model load_or_baseline(const std::string& text, std::string_view family) const;
  /// The folders, for messages: "a, b, c".
  std::string folders_text() const;

 private:
  std::vector<std::filesystem::path> folders_;
  std::vector<ModelEntry> entries_;
};

}  // namespace moco
