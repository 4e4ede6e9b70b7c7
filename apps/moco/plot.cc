// Sheets of the drawings, and the choice among them.
#include "plot.h"

#include <algorithm>

#include <fmt/format.h>

#include "moco/drawing/box.h"
#include "numbers.h"
#include "plot_parts.h"

namespace moco::cli {

using namespace drawing;

Sheet sheet_around(std::vector<Place>& places, const Instance& instance, const SolveResult& result) {
  fit_into(places, kInnerWidth);
  const Box box = box_of(places);
  const double height = std::clamp(box.height(), kInnerWidth / 4.0, kInnerWidth);
  const Place corner{kMargin + (kInnerWidth - box.width()) / 2.0, kHeader + (height - box.height()) / 2.0};
  for (Place& place : places) {
    place = {corner.x + place.x, corner.y + place.y};
  }
  return Sheet(kSheetWidth, kHeader + height + kFooter,
               fmt::format("{}: {}", instance.name(), format_objective(instance.problem(), result.cost)));
}

void draw_header(Sheet& sheet, const Instance& instance, const SolveResult& result, std::string_view remark) {
  sheet.text({kMargin, 44.0}, instance.name(), {.size = 26.0, .bold = true});
  std::string work;
  if (result.steps > 0) {
    work += fmt::format(" · {} steps", result.steps);
  }
  if (result.kicks > 0) {
    work += fmt::format(" · {} kicks", result.kicks);
  }
  sheet.text({kMargin, 72.0},
             fmt::format("{} · n {}{} · {:.2f} s{}", format_objective(instance.problem(), result.cost), instance.size(),
                         work, result.seconds, remark),
             {.size = 17.0, .muted = true});
}

void draw_shade(Sheet& sheet, double x, Colour low, Colour high, std::string_view meaning) {
  const double y = sheet.height() - 40.0;
  sheet.gradient({x, y - 11.0}, 110.0, 12.0, low, high);
  sheet.text({x + 120.0, y}, meaning, {.size = 15.0, .muted = true});
}

Sheet draw_solution(const Instance& instance, const SolveResult& result) {
  if (const auto* tsp = dynamic_cast<const TspInstance*>(&instance)) {
    return draw_tour(*tsp, result);
  }
  return draw_set(dynamic_cast<const GraphInstance&>(instance), result);
}

}  // namespace moco::cli
