// Commands whose work several processes share when an MPI launcher starts them.
#pragma once

#include <cstddef>
#include <functional>

#include "moco/training/communicator.h"

namespace moco::cli {

/// Runs a command's body with its processes. With several, an error in one ends them all: the others would wait for it
/// for ever. Returns the exit status.
int run_in_processes(const std::function<int(Communicator&)>& body);

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
