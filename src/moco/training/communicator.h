// What the processes of one run tell each other. In training that is losses and flags, never parameters: each process
// forms the whole update itself from all losses and the regenerated noise, so that the bytes sent do not depend on the
// size of the model and all processes hold the same parameters bit for bit. In searches it is results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace moco {

/// A range of consecutive items.
struct Share {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
};

class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Number of this process among those on the same machine, and how many they are: which device to take.
  virtual int local_rank() const = 0;
  virtual int local_size() const = 0;

  /// All processes' values, in the order of ranks; counts may differ. Collective.
  virtual std::vector<double> gather(std::span<const double> mine) = 0;
  /// Likewise texts.
  virtual std::vector<std::string> gather(std::span<const std::string> mine) = 0;
  /// Ends all processes after an error in this one.
  virtual void abort(int status) = 0;
  /// Bytes this process has handed over for sending so far.
  virtual std::uint64_t bytes_sent() const = 0;

  /// This process's part of `count` items.
  Share share(std::size_t count) const { return share(count, rank()); }
  Share share(std::size_t count, int rank_of) const {
    const auto r = static_cast<std::size_t>(rank_of);
    const auto n = static_cast<std::size_t>(size());
    return {count * r / n, count * (r + 1) / n};
  }
};

/// The communicator of this program: MPI when this build has it and the program was started by an MPI launcher, else
/// a single process. To be made once, and destroyed before the program ends.
std::unique_ptr<Communicator> make_communicator();

/// A single process, whatever launched it.
std::unique_ptr<Communicator> single_process();

}  // namespace moco
