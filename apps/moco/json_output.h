// Results as JSON Lines.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "moco/solve.h"

namespace moco::cli {

using Json = nlohmann::ordered_json;

/// A number that reads back exactly; whole numbers are written without a fraction.
Json json_number(double value);

/// The object of one instance.
Json result_json(const Instance& instance, const SolveResult& result, const SolveOptions& options,
                 std::string_view model_name);

/// One object, one line, with the line's end.
std::string json_line(const Json& object);

}  // namespace moco::cli
