// Everything that is sent lies in one piece of device memory, in front of the tours, and is kept for the next windows.
#include "moco/engine/cuda/host/window_kicks.h"

#include <algorithm>

#include "moco/problems/tsp/plane_kicks.h"

namespace moco::cuda {

namespace {

constexpr std::size_t kAlignment = 256;

/// Arrays one behind the other.
class Places {
 public:
  std::size_t next(std::size_t bytes) {
    const std::size_t place = bytes_;
    bytes_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    return place;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

}  // namespace

std::size_t DeviceWindowKicks::most_cities() const {
  return kMostPlaneCities;
}

std::size_t DeviceWindowKicks::at_once(std::size_t cities) const {
  const DeviceScope scope(context_->device());
  return static_cast<std::size_t>(std::max(1, plane_windows_at_once(static_cast<int>(cities))));
}

void DeviceWindowKicks::begin(const PlaneWindows& windows) {
  const DeviceScope scope(context_->device());
  wait();
  slices_ = 0;
  cities_ = windows.points.size();
  const std::span<const std::uint32_t> first = windows.first;
  const std::span<const PlanePoint> points = windows.points;
  const std::span<const unsigned char> fixed = windows.fixed;
  const std::span<const StreamKey> keys = windows.keys;
  Places places;
  const HostPiece pieces[] = {{first.data(), first.size_bytes(), places.next(first.size_bytes())},
                              {points.data(), points.size_bytes(), places.next(points.size_bytes())},
                              {fixed.data(), fixed.size_bytes(), places.next(fixed.size_bytes())},
                              {keys.data(), keys.size_bytes(), places.next(keys.size_bytes())}};
  const std::size_t sent = places.bytes();
  const std::size_t orders = places.next(cities_ * sizeof(std::uint16_t));
  if (places.bytes() > room_) {
    memory_.reset();
    memory_.emplace(places.bytes(), context_->stream());
    room_ = places.bytes();
  }
  std::byte* memory = memory_->data();
  context_->upload(memory, sent, pieces);
  DeviceWindows all;
  all.count = static_cast<int>(windows.count());
  for (std::size_t window = 0; window < windows.count(); ++window) {
    all.most_cities = std::max(all.most_cities, static_cast<int>(windows.size(window)));
  }
  all.rounding = windows.rounding;
  all.first = reinterpret_cast<const std::uint32_t*>(memory + pieces[0].offset);
  all.points = reinterpret_cast<const PlanePoint*>(memory + pieces[1].offset);
  all.fixed = reinterpret_cast<const unsigned char*>(memory + pieces[2].offset);
  all.keys = reinterpret_cast<const StreamKey*>(memory + pieces[3].offset);
  all.orders = reinterpret_cast<std::uint16_t*>(memory + orders);
  used_ = all.count > plane_windows_at_once(all.most_cities) ? 2 : 1;
  for (int part = 0, begin = 0; part < static_cast<int>(used_); ++part) {
    const int end = all.count * (part + 1) / static_cast<int>(used_);
    DeviceWindows& own = parts_[static_cast<std::size_t>(part)] = all;
    own.count = end - begin;
    own.first += begin;
    own.keys += begin;
    begin = end;
  }
  MOCO_CUDA_CHECK(cudaEventRecord(sent_.get(), context_->stream()));
  MOCO_CUDA_CHECK(cudaStreamWaitEvent(second_.get(), sent_.get()));
}

void DeviceWindowKicks::kick(const KickSlice& slice) {
  const DeviceScope scope(context_->device());
  const std::size_t turn = slices_++ % 2;
  for (std::size_t part = 0; part < used_; ++part) {
    kick_plane_windows(parts_[part], slice, stream(part));
    MOCO_CUDA_CHECK(cudaEventRecord(ended_[part][turn].get(), stream(part)));
  }
  for (std::size_t part = 0; part < used_ && slices_ > 1; ++part) {
    MOCO_CUDA_CHECK(cudaEventSynchronize(ended_[part][1 - turn].get()));
  }
}

void DeviceWindowKicks::wait() {
  second_.wait();
  context_->wait();
}

std::span<const std::uint16_t> DeviceWindowKicks::orders() {
  const DeviceScope scope(context_->device());
  wait();
  const std::size_t bytes = cities_ * sizeof(std::uint16_t);
  std::byte* staged = context_->staging(bytes);
  MOCO_CUDA_CHECK(cudaMemcpyAsync(staged, parts_[0].orders, bytes, cudaMemcpyDeviceToHost, context_->stream()));
  context_->wait();
  return {reinterpret_cast<const std::uint16_t*>(staged), cities_};
}

}  // namespace moco::cuda
