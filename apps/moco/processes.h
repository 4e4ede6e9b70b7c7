// Commands whose work several processes share when an MPI launcher starts them.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

#include "moco/training/communicator.h"

namespace moco::cli {

/// Runs a command's body with its processes. With several, an error in one ends them all: the others would wait for it
/// for ever. Returns the exit status.
int run_in_processes(const std::function<int(Communicator&)>& body);

/// Throws in every process when there is a fault in any; only the first of these then has something to say.
void raise_together(const std::exception_ptr& fault, Communicator& communicator);

/// What every process makes ready by itself, before the work that they share. What fails here mostly fails in all of
/// them: it is told once, and the exit status is that of a single process.
template <typename Prepare>
auto prepare_together(Communicator& communicator, const Prepare& prepare) {
  std::optional<decltype(prepare())> prepared;
  std::exception_ptr fault;
  try {
    prepared.emplace(prepare());
  } catch (const std::exception&) {
    fault = std::current_exception();
  }
  raise_together(fault, communicator);
  return *std::move(prepared);
}

/// A list of instances dealt out in rounds, in which each process takes the next `chunk` of them; one process takes all
/// in one round.
class Rounds {
 public:
  Rounds(std::size_t count, std::size_t chunk, const Communicator& communicator);

  std::size_t count() const;
  /// This process's part of a round; may be empty.
  Share mine(std::size_t round) const;

 private:
  std::size_t items_;
  std::size_t chunk_;
  std::size_t rank_;
  std::size_t processes_;
};

/// The largest, or the sum, of all processes' values. Collective.
std::size_t most_of_all(std::size_t mine, Communicator& communicator);
double sum_of_all(double mine, Communicator& communicator);
/// Whether a flag is set in any process. Collective.
bool any_of_all(bool mine, Communicator& communicator);

}  // namespace moco::cli
