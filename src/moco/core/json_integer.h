// Whole numbers from JSON that anybody may have written. The library's own conversion turns 1e30 into whatever the
// processor makes of it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace moco {

/// Whether a value (of any flavour of the library's json) is a whole number that T holds.
template <typename T, typename Json>
bool holds_integer(const Json& value) {
  if (value.is_number_unsigned()) {
    return std::in_range<T>(value.template get<std::uint64_t>());
  }
  return value.is_number_integer() && std::in_range<T>(value.template get<std::int64_t>());
}

/// The whole number of a value. Throws a json::exception where there is none, as for any other wrong type.
template <typename T, typename Json>
T integer_of(const Json& value) {
  if (!holds_integer<T>(value)) {
    throw Json::type_error::create(302, value.dump() + " is no whole number or too large a one", &value);
  }
  return value.template get<T>();
}

/// Likewise for a list of them.
template <typename T, typename Json>
std::vector<T> integers_of(const Json& list) {
  std::vector<T> values;
  for (const Json& value : list.template get_ref<const typename Json::array_t&>()) {
    values.push_back(integer_of<T>(value));
  }
  return values;
}

}  // namespace moco
