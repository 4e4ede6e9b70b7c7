// A single process, and the processes of an MPI job where the build has MPI.
#include "moco/training/communicator.h"

#include <cstdlib>

#if defined(MOCO_HAVE_MPI)
#include <algorithm>
#include <array>
#include <numeric>

#include <mpi.h>
#endif

namespace moco {

namespace {

class SingleProcess final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  int local_rank() const override { return 0; }
  int local_size() const override { return 1; }
  std::vector<double> gather(std::span<const double> mine) override { return {mine.begin(), mine.end()}; }
  std::vector<std::string> gather(std::span<const std::string> mine) override { return {mine.begin(), mine.end()}; }
  void abort(int status) override { std::_Exit(status); }
  std::uint64_t bytes_sent() const override { return 0; }
};

#if defined(MOCO_HAVE_MPI)

class MpiProcesses final : public Communicator {
 public:
  MpiProcesses() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &local_rank_);
    MPI_Comm_size(machine, &local_size_);
    MPI_Comm_free(&machine);
  }
  ~MpiProcesses() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }

  std::vector<double> gather(std::span<const double> mine) override { return gather_as(mine, MPI_DOUBLE); }

  std::vector<std::string> gather(std::span<const std::string> mine) override {
    std::vector<double> lengths;
    std::string joined;
    for (const std::string& text : mine) {
      lengths.push_back(static_cast<double>(text.size()));
      joined += text;
    }
    const std::vector<char> all = gather_as(std::span<const char>(joined), MPI_CHAR);
    std::vector<std::string> texts;
    auto next = all.begin();
    for (const double length : gather(lengths)) {
      texts.emplace_back(next, next + static_cast<std::ptrdiff_t>(length));
      next += static_cast<std::ptrdiff_t>(length);
    }
    return texts;
  }

  void abort(int status) override {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::_Exit(status);
  }
  std::uint64_t bytes_sent() const override { return bytes_sent_; }

 private:
  template <typename Value>
  std::vector<Value> gather_as(std::span<const Value> mine, MPI_Datatype type) {
    const int count = static_cast<int>(mine.size());
    std::vector<int> counts(static_cast<std::size_t>(size_));
    MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::vector<int> offsets(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), 0);
    std::vector<Value> all(static_cast<std::size_t>(offsets.back() + counts.back()));
    MPI_Allgatherv(mine.data(), count, type, all.data(), counts.data(), offsets.data(), type, MPI_COMM_WORLD);
    const auto others = static_cast<std::uint64_t>(size_ - 1);
    bytes_sent_ += others * (sizeof(int) + mine.size_bytes());
    return all;
  }

  int rank_ = 0;
  int size_ = 1;
  int local_rank_ = 0;
  int local_size_ = 1;
  std::uint64_t bytes_sent_ = 0;
};

/// Whether an MPI launcher (Open MPI, MPICH and its kin, PMIx) started this program.
bool launched_by_mpi() {
  constexpr std::array variables = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"};
  return std::ranges::any_of(variables, [](const char* name) { return std::getenv(name) != nullptr; });
}

#endif

}  // namespace

std::unique_ptr<Communicator> single_process() {
  return std::make_unique<SingleProcess>();
}

std::unique_ptr<Communicator> make_communicator() {
#if defined(MOCO_HAVE_MPI)
  if (launched_by_mpi()) {
    return std::make_unique<MpiProcesses>();
  }
#endif
  return single_process();
}

}  // namespace moco
