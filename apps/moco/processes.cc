// Rounds, and errors among processes.
#include "processes.h"

#include <algorithm>
#include <array>
#include <exception>
#include <numeric>

#include <fmt/format.h>

#include "commands.h"
#include "messages.h"

namespace moco::cli {

int run_in_processes(const std::function<int(Communicator&)>& body) {
  const std::unique_ptr<Communicator> communicator = make_communicator();
  if (communicator->size() == 1) {
    return body(*communicator);
  }
  try {
    return body(*communicator);
  } catch (const std::exception& error) {
    say(fmt::format("process {}: {}", communicator->rank(), error.what()));
    communicator->abort(kExitFailure);
    return kExitFailure;
  }
}

Rounds::Rounds(std::size_t count, std::size_t chunk, const Communicator& communicator)
    : items_(count),
      chunk_(communicator.size() == 1 ? count : std::max<std::size_t>(chunk, 1)),
      rank_(static_cast<std::size_t>(communicator.rank())),
      processes_(static_cast<std::size_t>(communicator.size())) {}

std::size_t Rounds::count() const {
  return items_ == 0 ? 0 : (items_ - 1) / (chunk_ * processes_) + 1;
}

Share Rounds::mine(std::size_t round) const {
  const std::size_t begin = std::min(items_, (round * processes_ + rank_) * chunk_);
  return {begin, std::min(items_, begin + chunk_)};
}

std::size_t most_of_all(std::size_t mine, Communicator& communicator) {
  const std::array value = {static_cast<double>(mine)};
  return static_cast<std::size_t>(std::ranges::max(communicator.gather(std::span<const double>(value))));
}

double sum_of_all(double mine, Communicator& communicator) {
  const std::array value = {mine};
  const std::vector<double> all = communicator.gather(std::span<const double>(value));
  return std::accumulate(all.begin(), all.end(), 0.0);
}

bool any_of_all(bool mine, Communicator& communicator) {
  return most_of_all(mine ? 1 : 0, communicator) > 0;
}

}  // namespace moco::cli
