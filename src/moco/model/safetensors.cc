// Reading and writing the container.
#include "moco/model/safetensors.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "moco/core/json_integer.h"
#include "moco/error.h"

namespace moco {

namespace {

using nlohmann::json;

constexpr std::size_t kLengthBytes = 8;

static_assert(std::endian::native == std::endian::little, "tensors are stored as they lie in memory");

std::size_t width_of(std::string_view dtype) {
  if (dtype == "F32" || dtype == "I32") {
    return 4;
  }
  return dtype == "BF16" ? 2 : 0;
}

/// Elements of a shape, or an error when it is negative or absurd.
std::uint64_t element_count(const std::vector<std::int64_t>& shape, std::uint64_t most) {
  std::uint64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 0 || (extent > 0 && count > most / static_cast<std::uint64_t>(extent))) {
      return most + 1;
    }
    count *= static_cast<std::uint64_t>(extent);
  }
  return count;
}

StoredTensor read_entry(const std::string& tensor, const json& entry, std::string_view data, const std::string& name) {
  StoredTensor stored;
  stored.dtype = entry.at("dtype").get<std::string>();
  stored.shape = integers_of<std::int64_t>(entry.at("shape"));
  const auto offsets = integers_of<std::uint64_t>(entry.at("data_offsets"));
  const std::size_t width = width_of(stored.dtype);
  if (width == 0) {
    throw InputError(name, fmt::format("tensor '{}' has type '{}', not F32, BF16 or I32", tensor, stored.dtype));
  }
  if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data.size() ||
      element_count(stored.shape, data.size()) * width != offsets[1] - offsets[0]) {
    throw InputError(name, fmt::format("tensor '{}' of shape {} has data_offsets {} in {} bytes of data", tensor,
                                       entry.at("shape").dump(), entry.at("data_offsets").dump(), data.size()));
  }
  stored.data = data.substr(offsets[0], offsets[1] - offsets[0]);
  return stored;
}

}  // namespace

std::vector<float> StoredTensor::floats() const {
  std::vector<float> values;
  if (dtype == "F32") {
    values.resize(data.size() / 4);
    std::memcpy(values.data(), data.data(), data.size());
  } else if (dtype == "BF16") {
    values.resize(data.size() / 2);
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::uint16_t bits = 0;
      std::memcpy(&bits, data.data() + 2 * i, 2);
      values[i] = std::bit_cast<float>(std::uint32_t{bits} << 16);
    }
  } else {
    throw OptionError(fmt::format("type {} where F32 or BF16 is needed", dtype));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw OptionError(fmt::format("element {} is {}", i, values[i]));
    }
  }
  return values;
}

std::vector<Index> StoredTensor::integers() const {
  if (dtype != "I32") {
    throw OptionError(fmt::format("type {} where I32 is needed", dtype));
  }
  std::vector<Index> values(data.size() / 4);
  std::memcpy(values.data(), data.data(), data.size());
  return values;
}

bool begins_like_safetensors(std::string_view start) {
  // The header begins with a brace, and its length is far below 4 GiB: the upper bytes of the number are 0.
  return start.size() >= kSafetensorsStart && start.substr(4, 5) == std::string_view("\0\0\0\0{", 5);
}

SafetensorsFile parse_safetensors(std::string_view content, const std::string& name) {
  std::uint64_t length = 0;
  if (content.size() < kLengthBytes) {
    throw InputError(name, fmt::format("{} bytes are too few for a safetensors file", content.size()));
  }
  std::memcpy(&length, content.data(), kLengthBytes);
  if (length > content.size() - kLengthBytes) {
    throw InputError(name,
                     fmt::format("a header of {} bytes is claimed in a file of {} bytes", length, content.size()));
  }
  const json header = json::parse(content.substr(kLengthBytes, length), nullptr, false);
  if (!header.is_object()) {
    throw InputError(name, "the safetensors header is not a JSON object");
  }
  const std::string_view data = content.substr(kLengthBytes + length);
  SafetensorsFile file;
  try {
    for (const auto& [key, entry] : header.items()) {
      if (key == "__metadata__") {
        file.metadata = entry.get<std::map<std::string, std::string>>();
      } else {
        file.tensors[key] = read_entry(key, entry, data, name);
      }
    }
  } catch (const json::exception& error) {
    throw InputError(name, fmt::format("malformed safetensors header: {}", error.what()));
  }
  return file;
}

std::string format_safetensors(const std::map<std::string, std::string>& metadata,
                               const std::vector<TensorToStore>& tensors) {
  nlohmann::ordered_json header;
  header["__metadata__"] = metadata;
  std::vector<std::size_t> bytes;
  std::size_t offset = 0;
  for (const TensorToStore& tensor : tensors) {
    const std::int64_t count =
        std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1}, std::multiplies<>());
    bytes.push_back(4 * static_cast<std::size_t>(count));
    header[tensor.name] = {
        {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {offset, offset + bytes.back()}}};
    offset += bytes.back();
  }
  const std::string text = [&] {
    try {
      return header.dump();
    } catch (const json::exception&) {
      throw OptionError("metadata must be valid UTF-8");
    }
  }();
  const std::uint64_t length = (text.size() + 7) / 8 * 8;  // tensors start on 8-byte boundaries
  std::string content(kLengthBytes + length + offset, ' ');
  std::memcpy(content.data(), &length, kLengthBytes);
  std::memcpy(content.data() + kLengthBytes, text.data(), text.size());
  char* target = content.data() + kLengthBytes + length;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    std::memcpy(target, tensors[i].values, bytes[i]);
    target += bytes[i];
  }
  return content;
}

}  // namespace moco
