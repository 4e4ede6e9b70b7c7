// Keyword arguments of Python functions that have many, and what they mean for a search.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "moco/error.h"
#include "moco/solve.h"

namespace moco::python {

namespace py = pybind11;

/// Keyword arguments by name; what is None was not given.
class Keywords {
 public:
  explicit Keywords(const py::dict& values) : values_(values) {}

  bool given(const char* name) const { return values_.contains(name) && !values_[name].is_none(); }
  template <typename Value>
  Value get(const char* name, Value fallback) const {
    return given(name) ? values_[name].cast<Value>() : fallback;
  }
  template <typename Value>
  std::optional<Value> optional(const char* name) const {
    return given(name) ? std::optional<Value>(values_[name].cast<Value>()) : std::nullopt;
  }
  py::object object(const char* name) const { return given(name) ? py::object(values_[name]) : py::none(); }

 private:
  py::dict values_;
};

template <typename Choice>
Choice choice_of(const std::string& word, std::initializer_list<std::pair<const char*, Choice>> choices,
                 const char* what) {
  std::string known;
  for (const auto& [name, choice] : choices) {
    if (word == name) {
      return choice;
    }
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw OptionError(fmt::format("{} '{}' is not one of {}", what, word, known));
}

/// Sets what keywords say of the loop: "samples", "restarts", "episode_steps", "gradient", "advantage", "pool".
void set_loop(LoopOptions& loop, const Keywords& keywords);

}  // namespace moco::python
