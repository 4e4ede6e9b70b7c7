// Only what the CUDA engine calls; a call that is not here does not link.
#include "launches/fake_runtime.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include <cuda_runtime_api.h>
#include <cxxabi.h>

namespace moco::fake {

namespace {

std::map<const void*, std::string>& kernel_names() {  // filled before main() begins
  static std::map<const void*, std::string> names;
  return names;
}

std::map<const std::byte*, std::size_t> allocations;
std::map<cudaStream_t, int> streams;
int graphs_made = 0;
int capturing = 0;  ///< the graph

/// "void moco::cuda::(anonymous namespace)::edge_kernel<int>(DeviceBatch)" → "edge_kernel".
std::string short_name(const char* mangled) {
  int status = 0;
  char* text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = status == 0 ? text : mangled;
  std::free(text);
  for (std::size_t at = name.find("(anonymous namespace)::"); at != std::string::npos;
       at = name.find("(anonymous namespace)::")) {
    name.erase(at, 23);
  }
  name.erase(std::min(name.find_first_of("<("), name.size()));
  const std::size_t last = name.find_last_of(": ");
  return last == std::string::npos ? name : name.substr(last + 1);
}

bool inside(const void* address, std::size_t bytes) {
  const auto* at = static_cast<const std::byte*>(address);
  auto next = allocations.upper_bound(at);
  if (next == allocations.begin()) {
    return false;
  }
  --next;
  return at + bytes <= next->first + next->second;
}

void note_touch(const void* address, std::size_t bytes) {
  record().outside += inside(address, bytes) ? 0 : 1;
}

int number_of(cudaStream_t stream) {
  const auto found = streams.find(stream);
  return found == streams.end() ? -1 : found->second;
}

template <typename Handle>
void make_handle(Handle* handle) {
  *handle = reinterpret_cast<Handle>(std::malloc(1));
}

void note_launch(const void* kernel, dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream,
                 const cudaLaunchAttribute* attributes, unsigned count) {
  Launch launch;
  launch.kernel = kernel_names()[kernel];
  launch.stream = number_of(stream);
  launch.blocks = grid.x * grid.y * grid.z;
  launch.threads = block.x;
  launch.shared_bytes = shared;
  launch.graph = capturing;
  for (unsigned i = 0; i < count; ++i) {
    const cudaLaunchAttribute& own = attributes[i];
    if (own.id == cudaLaunchAttributeClusterDimension) {
      launch.cluster = own.val.clusterDim.x;
    } else if (own.id == cudaLaunchAttributeProgrammaticStreamSerialization) {
      launch.early = own.val.programmaticStreamSerializationAllowed != 0;
    } else if (own.id == cudaLaunchAttributeCooperative) {
      launch.cooperative = own.val.cooperative != 0;
    }
  }
  record().launches.push_back(launch);
}

struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};
thread_local Configuration pushed;

}  // namespace

Record& record() {
  static Record seen;
  return seen;
}

}  // namespace moco::fake

using namespace moco::fake;

extern "C" {

void** __cudaRegisterFatBinary(void*) {
  static void* handle = nullptr;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  kernel_names()[host] = short_name(name);
}

// kernel<<<grid, block, shared, stream>>>(…)
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
  pushed = {grid, block, shared, stream};
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  *grid = pushed.grid;
  *block = pushed.block;
  *shared = pushed.shared;
  *static_cast<cudaStream_t*>(stream) = pushed.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(host));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void**, std::size_t shared,
                               cudaStream_t stream) {
  note_launch(kernel, grid, block, shared, stream, nullptr, 0);
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void**, std::size_t shared,
                             cudaStream_t stream) {
  note_launch(kernel, grid, block, shared, stream, nullptr, 0);
  return cudaSuccess;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void**) {
  note_launch(kernel, config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream, config->attrs,
              config->numAttrs);
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveClusters(int* count, const void* kernel, const cudaLaunchConfig_t* config) {
  const auto cluster = static_cast<int>(config->attrs[0].val.clusterDim.x);
  *count = kernel_names()[kernel] == "fused_gcn_kernel" ? kGcnClusters : moco::fake::kMultiprocessors / cluster;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* count, const void*, int, std::size_t,
                                                                   unsigned) {
  *count = 2;
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, enum cudaFuncAttribute, int) {
  return cudaSuccess;
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t) {
  const std::size_t room = (bytes + 255) / 256 * 256;
  *pointer = std::aligned_alloc(256, room);
  std::memset(*pointer, 0, room);
  allocations[static_cast<std::byte*>(*pointer)] = bytes;
  record().bytes += bytes;
  record().most_bytes = std::max(record().most_bytes, record().bytes);
  return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) {
  const auto found = allocations.find(static_cast<std::byte*>(pointer));
  record().bytes -= found->second;
  allocations.erase(found);
  std::free(pointer);
  return cudaSuccess;
}
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  *pointer = std::malloc(bytes);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* pointer) {
  std::free(pointer);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, enum cudaMemcpyKind kind) {
  note_touch(kind == cudaMemcpyDeviceToHost ? from : to, bytes);
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (kind == cudaMemcpyDeviceToDevice) {
    note_touch(from, bytes);
    record().copies.push_back({to, from, bytes, number_of(stream)});
  }
  return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t) {
  note_touch(to, bytes);
  std::memset(to, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = std::size_t{100} << 30;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t*, int) {
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, enum cudaMemPoolAttr, void*) {
  return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, enum cudaMemPoolAttr, void* value) {
  std::memset(value, 0, 8);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  make_handle(stream);
  streams.insert_or_assign(*stream, static_cast<int>(streams.size()));
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;  // the next one has another address, and so another number
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  record().waits.push_back(number_of(stream));
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  make_handle(event);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  std::free(event);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 1.0f;
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t, enum cudaStreamCaptureMode) {
  capturing = ++graphs_made;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
  *graph = reinterpret_cast<cudaGraph_t>(static_cast<std::size_t>(capturing));
  capturing = 0;
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long) {
  *made = reinterpret_cast<cudaGraphExec_t>(graph);
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t) {
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) {
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t) {
  record().graphs.push_back(static_cast<int>(reinterpret_cast<std::size_t>(graph)));
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) {
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr, int) {
  *value = 9;  // compute capability 9.9
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int) {
  return cudaSuccess;
}
cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
const char* cudaGetErrorName(cudaError_t) {
  return "none";
}
const char* cudaGetErrorString(cudaError_t) {
  return "none";
}

}  // extern "C"
