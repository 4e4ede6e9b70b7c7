// Rounds, and errors among processes.
#include "processes.h"

#include <algorithm>
#include <array>
#include <exception>
#include <numeric>

#include <fmt/format.h>

#include "commands.h"
#include "exit_status.h"
#include "messages.h"

namespace moco::cli {

namespace {

/// The end of all processes after a fault that each of them knows of.
struct EndOfAll : std::exception {
  explicit EndOfAll(int exit_status) : status(exit_status) {}
  int status;
};

}  // namespace

void raise_together(const std::exception_ptr& fault, Communicator& communicator) {
  if (communicator.size() == 1) {
    if (fault) {
      std::rethrow_exception(fault);
    }
    return;
  }
  std::string message;
  int status = kExitSuccess;
  try {
    if (fault) {
      std::rethrow_exception(fault);
    }
  } catch (const std::exception& error) {
    message = error.what();
    status = exit_status_of(error);
  }
  const std::array mine = {static_cast<double>(status)};
  const std::vector<double> all = communicator.gather(std::span<const double>(mine));
  const auto first = std::ranges::find_if(all, [](double value) { return value != kExitSuccess; });
  if (first == all.end()) {
    return;
  }
  if (first - all.begin() == communicator.rank()) {
    say(message);
  }
  throw EndOfAll(static_cast<int>(*first));
}

int run_in_processes(const std::function<int(Communicator&)>& body) {
  const std::unique_ptr<Communicator> communicator = make_communicator();
  if (communicator->size() == 1) {
    return body(*communicator);
  }
  if (communicator->rank() > 0) {
    leave_warnings_to_others();
  }
  try {
    return body(*communicator);
  } catch (const EndOfAll& end) {
    return end.status;
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
