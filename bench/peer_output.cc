// Numbers are looked for behind the words in front of them.
#include "peer_output.h"

#include <charconv>
#include <optional>

namespace moco {

namespace {

std::optional<double> number_after(std::string_view line, std::string_view words) {
  const std::size_t found = line.rfind(words);
  if (found == std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view text = line.substr(found + words.size());
  while (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  double value = 0.0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) {
    return std::nullopt;
  }
  return value;
}

/// `moment_of` gives the moment that a line tells, or nothing.
template <typename MomentOf>
std::vector<TourMoment> moments(std::string_view output, const MomentOf& moment_of) {
  std::vector<TourMoment> found;
  while (!output.empty()) {
    const std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(output.size(), line.size() + 1));
    if (const std::optional<TourMoment> moment = moment_of(line)) {
      found.push_back(*moment);
    }
  }
  return found;
}

}  // namespace

std::vector<TourMoment> moments_of_moco(std::string_view output) {
  return moments(output, [](std::string_view line) -> std::optional<TourMoment> {
    const std::size_t last = line.rfind(',');
    if (last == std::string_view::npos || last == 0) {
      return std::nullopt;
    }
    const std::size_t before = line.rfind(',', last - 1);
    if (before == std::string_view::npos) {
      return std::nullopt;
    }
    const auto seconds = number_after(line.substr(before, last - before), ",");
    const auto length = number_after(line.substr(last), ",");
    return seconds && length ? std::optional(TourMoment{*seconds, *length}) : std::nullopt;
  });
}

std::vector<TourMoment> moments_of_gaps(std::string_view output, double reference) {
  return moments(output, [reference](std::string_view line) -> std::optional<TourMoment> {
    auto seconds = number_after(line, "t=");
    if (!seconds) {
      seconds = number_after(line, "total ");
    }
    const std::size_t percent = line.find('%');
    const auto gap = number_after(line.substr(0, percent), "gap ");
    return seconds && gap ? std::optional(TourMoment{*seconds, reference * (1.0 + *gap / 100.0)}) : std::nullopt;
  });
}

std::vector<TourMoment> moments_of_lkh(std::string_view output) {
  return moments(output, [](std::string_view line) -> std::optional<TourMoment> {
    const auto length = number_after(line, "Cost =");
    const auto seconds = number_after(line, "Time =");
    return seconds && length ? std::optional(TourMoment{*seconds, *length}) : std::nullopt;
  });
}

}  // namespace moco
