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
/// Adds how many nodes a set has and, where nodes have weights, how much it weighs; nothing for other solutions.
void add_set_size(Json& object, const Instance& instance, const Solution& solution, double cost);

/// The object of one instance.
Json result_json(const Instance& instance, const SolveResult& result, const SolveOptions& options,
                 std::string_view model_name);

/// One object, one line, with the line's end.
std::string json_line(const Json& object);

}  // namespace moco::cli
