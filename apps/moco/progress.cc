// Drawing of the progress line with a carriage return and the "erase to end of line" sequence.
#include "progress.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "messages.h"
#include "moco/core/printable.h"
#include "numbers.h"
#include "text_table.h"

namespace moco::cli {

namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr std::size_t kLongestName = 24;

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return 80;
  }
  return size.ws_col;
}

std::string duration(double seconds) {
  if (seconds < 60.0) {
    return fmt::format("{:.0f} s", std::ceil(seconds));
  }
  const auto whole = static_cast<long long>(std::min(seconds, 1e15));
  if (whole < 3600) {
    return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  }
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

}  // namespace

ProgressLine::ProgressLine(bool wanted, const Objective& objective, std::vector<std::string> names, double time_limit)
    : active_(wanted && isatty(STDERR_FILENO) == 1),
      objective_(objective),
      names_(std::move(names)),
      time_limit_(time_limit),
      next_(std::chrono::steady_clock::now()) {}

void ProgressLine::update(const Progress& progress) {
  if (active_ && std::chrono::steady_clock::now() >= next_) {
    show(line(progress));
  }
}

void ProgressLine::begin(std::size_t instance, SolvePhase phase) {
  next_ = std::chrono::steady_clock::now();  // it may last long before there is more to tell
  show(fmt::format("{}  {}", shown_name(instance), name_of(phase)));
}

void ProgressLine::show(std::string_view text) {
  const auto now = std::chrono::steady_clock::now();
  if (!active_ || now < next_) {
    return;
  }
  next_ = now + kInterval;
  draw(fmt::format("\r{}\033[K", first_characters(text, terminal_width() - 1)));
  shown_ = true;
}

void ProgressLine::erase() {
  if (shown_) {
    draw("\r\033[K");
    shown_ = false;
  }
}

std::string ProgressLine::shown_name(std::size_t instance) const {
  std::string name = printable(names_.at(instance));
  if (display_width(name) > kLongestName) {
    name = fmt::format("{}...", first_characters(name, kLongestName - 3));
  }
  if (names_.size() > 1) {
    name = fmt::format("[{}/{}] {}", instance + 1, names_.size(), name);
  }
  return name;
}

std::string ProgressLine::line(const Progress& progress) const {
  const std::string name = shown_name(progress.instance);
  if (progress.phase == SolvePhase::kicks || progress.phase == SolvePhase::windows) {
    const double rate = progress.spent > 0.0 ? progress.seconds / progress.spent : 0.0;
    return fmt::format("{}  {} {:.0f} %  best {}  {} left", name, name_of(progress.phase), 100.0 * progress.spent,
                       format_cost(objective_.value(progress.best)),
                       duration(std::max(0.0, std::min(time_limit_, rate) - progress.seconds)));
  }
  const double per_step = progress.seconds / std::max(progress.step, 1);
  const double left = std::min(time_limit_ - progress.seconds, per_step * (progress.steps - progress.step));
  return fmt::format("{}  step {}/{}  best {}  mean {:.6g}  entropy {:.3f}  {} left", name, progress.step,
                     progress.steps, format_cost(objective_.value(progress.best)), objective_.value(progress.mean),
                     progress.entropy, duration(std::max(left, 0.0)));
}

}  // namespace moco::cli
