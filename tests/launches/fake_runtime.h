// A CUDA runtime that runs nothing: device memory is host memory, kernels and graphs are written down. Linked in place
// of the real one, it shows what the CUDA engine asks of a device where there is none.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace moco::fake {

struct Launch {
  std::string kernel;  ///< without namespaces and template arguments
  int stream = 0;      ///< in the order in which streams were made
  unsigned blocks = 0;
  unsigned threads = 0;
  std::size_t shared_bytes = 0;
  unsigned cluster = 1;
  bool early = false;  ///< may start before the kernel in front of it has ended
  bool cooperative = false;
  int graph = 0;  ///< into which it was captured; 0: it ran
};

/// From one place on the device to another.
struct DeviceCopy {
  const void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;
  int stream = 0;
};

struct Record {
  std::vector<Launch> launches;  ///< of kernels, those within graphs when they were captured
  std::vector<DeviceCopy> copies;
  std::vector<int> graphs;  ///< launched
  std::vector<int> waits;   ///< of the host, for streams
  std::size_t bytes = 0;    ///< of device memory, now
  std::size_t most_bytes = 0;
  int outside = 0;  ///< copies and clears that reached beyond what was allocated

  void forget() {
    Record rest;
    rest.bytes = rest.most_bytes = bytes;
    rest.outside = outside;
    *this = rest;
  }
};

Record& record();

/// What the device says it runs at the same time: multiprocessors for clusters of the graph network, clusters of the
/// GCN.
inline constexpr int kMultiprocessors = 132;
inline constexpr int kGcnClusters = 15;

}  // namespace moco::fake
