// How work that runs without the interpreter's lock hears of Ctrl-C, of a caller who has had enough, and of exceptions
// in the caller's own functions.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include <pybind11/pybind11.h>

namespace moco::python {

namespace py = pybind11;

/// A wish to stop that another thread may set.
using Cancel = std::shared_ptr<std::atomic<bool>>;

/// To be made on the thread that calls into the library, with the interpreter's lock.
class Interrupt {
 public:
  explicit Interrupt(Cancel cancel = {}) : cancel_(std::move(cancel)) {}

  /// From any thread, without the lock. On the caller's thread it looks for signals now and then.
  bool wanted() {
    if (!stopped_ && cancel_ && *cancel_) {
      stopped_ = true;
    }
    if (!stopped_ && std::this_thread::get_id() == caller_) {
      look_for_signals();
    }
    return stopped_;
  }

  void stop() { stopped_ = true; }

  /// Calls the user's function with the lock; what it throws ends the work.
  template <typename Function>
  void call(const Function& function) {
    const py::gil_scoped_acquire lock;
    if (error_) {
      return;
    }
    try {
      function();
    } catch (py::error_already_set& error) {
      keep(std::move(error));
    }
  }

  /// With the lock, after the work. Ctrl-C has done its part by then and is no error.
  void rethrow() {
    if (error_ && !error_->matches(PyExc_KeyboardInterrupt)) {
      throw py::error_already_set(std::move(*error_));
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kLookEvery = std::chrono::milliseconds(30);

  void look_for_signals() {
    const Clock::time_point now = Clock::now();
    if (now < next_look_) {
      return;
    }
    next_look_ = now + kLookEvery;
    call([] {
      if (PyErr_CheckSignals() != 0) {
        throw py::error_already_set();
      }
    });
  }

  void keep(py::error_already_set error) {
    error_.emplace(std::move(error));
    stopped_ = true;
  }

  Cancel cancel_;
  std::thread::id caller_ = std::this_thread::get_id();
  Clock::time_point next_look_ = Clock::now() + kLookEvery;
  std::atomic<bool> stopped_ = false;
  std::optional<py::error_already_set> error_;
};

}  // namespace moco::python
