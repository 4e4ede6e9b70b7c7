// The safetensors container: eight bytes of header length, a JSON header, raw little-endian tensors.
// Nothing in a file is trusted before it has been checked against the file's size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "moco/types.h"

namespace moco {

/// One tensor of a container; `data` points into the file's content.
struct StoredTensor {
  std::string dtype;  ///< "F32", "BF16", "I32", …
  std::vector<std::int64_t> shape;
  std::string_view data;

  /// The values as floats (F32 or BF16). Throws OptionError for another type or a value that is not finite.
  std::vector<float> floats() const;
  /// The values as integers (I32). Throws OptionError for another type.
  std::vector<Index> integers() const;
};

struct SafetensorsFile {
  std::map<std::string, std::string> metadata;
  std::map<std::string, StoredTensor> tensors;
};

/// Bytes that tell whether a file may be a container, and whether they do.
inline constexpr std::size_t kSafetensorsStart = 9;
bool begins_like_safetensors(std::string_view start);

/// Opens a container. `content` must outlive the result. Throws InputError with `name` on anything malformed.
SafetensorsFile parse_safetensors(std::string_view content, const std::string& name);

/// A tensor to be written.
struct TensorToStore {
  std::string name;
  std::vector<std::int64_t> shape;
  const float* values = nullptr;
};

/// The bytes of a container with F32 tensors in the given order.
std::string format_safetensors(const std::map<std::string, std::string>& metadata,
                               const std::vector<TensorToStore>& tensors);

}  // namespace moco
