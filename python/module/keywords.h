// Keyword arguments of Python functions that have many, and what they mean for a search.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "moco/error.h"
#include "moco/solve.h"
#include "module.h"

namespace moco::python {

/// A Python value as one of C++; throws OptionError where it is none of that type.
template <typename Value>
Value value_of(const std::string& name, const py::handle& value) {
  try {
    return value.cast<Value>();
  } catch (const py::cast_error&) {
    throw OptionError(name + " cannot be " + py::repr(value).cast<std::string>());
  }
}

/// Keyword arguments by name; what is None was not given.
class Keywords {
 public:
  explicit Keywords(const py::dict& values) : values_(values) {}

  bool given(const char* name) const { return values_.contains(name) && !values_[name].is_none(); }
  template <typename Value>
  Value get(const char* name, Value fallback) const {
    return given(name) ? value_of<Value>(name, values_[name]) : fallback;
  }
  template <typename Value>
  std::optional<Value> optional(const char* name) const {
    return given(name) ? std::optional<Value>(value_of<Value>(name, values_[name])) : std::nullopt;
  }
  py::object object(const char* name) const { return given(name) ? py::object(values_[name]) : py::none(); }

 private:
  py::dict values_;
};

/// Sets the loop of a search: as the model was trained, but for what keywords say: "samples", "restarts",
/// "episode_steps", "budget_steps", "rebuild", "gradient", "advantage", "elite", "local_search", "move_limit",
/// "options".
void set_loop(LoopOptions& loop, const Keywords& keywords, const Model& model,
              const std::vector<InstancePtr>& instances, const char* local_search);

}  // namespace moco::python
