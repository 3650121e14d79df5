// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/placement/place_question.hpp>

#include <optional>

#include "planned.hpp"

namespace {

using namespace inlay;
using question = place_question<placement>;

const char* const open_border = R"(
    def @main(%x: int64) -> int64 {
      %0 = negative(negative(%x));
      %1 = on_device(%0, virtual_device=[nowhere], constrain_body=False);
      negative(%1) })";
/// Plans a program with an answer to what is asked.
template <class Choose>
ir_module chosen(const std::string& text, Choose&& choose) {
    const ir_module m = planned::program(text);
    const auto made = plan_devices(
        m, planned::two_devices(), {}, [](node_id, const target_instance&) { return true; }, choose);
    REQUIRE_MESSAGE(made.has_value(), (made ? std::string() : made.failure().message));
    const auto again = plan_devices(*made, planned::two_devices());
    REQUIRE(again);
    CHECK(compare_programs(capture_places(*again), capture_places(*made)).value_or("") == "");
    return *made;
}

}  // namespace

TEST_CASE("what is open is asked in classes, with a border where a copy may stand, and the answer is kept") {
    question seen;
    const ir_module made = chosen(open_border, [&](const question& q) {
        seen = q;
        std::vector<std::size_t> answer;
        for (const auto& c : q.classes) {
            const bool is_single = c.calls.size() == 1;
            std::size_t at = 0;
            while (at + 1 < c.places.size() && (c.places[at].device == device_type::cpu) != is_single) ++at;
            answer.push_back(at);
        }
        return std::optional(answer);
    });
    REQUIRE(seen.classes.size() == 3);  // one for each side, and one for the annotation between
    std::size_t calls = 0;
    for (const auto& c : seen.classes) {
        calls += c.calls.size();
        CHECK(c.places.size() == 2);
    }
    CHECK(calls == 3);
    REQUIRE(seen.borders.size() == 2);
    for (const auto& b : seen.borders) CHECK(b.from != b.to);
    std::size_t copies = 0;
    for (node_id n = 0; n < made.size(); ++n) copies += made.op(n) == "device_copy" ? 1 : 0;
    CHECK(copies == 1);
    CHECK(made.where(made.inputs()[0]).device == device_type::cuda);
    CHECK(made.where(made.main()).device == device_type::cpu);
}

TEST_CASE("no answer leaves the places that are planned without one, and what is said is not asked") {
    const ir_module made = chosen(open_border, [](const question&) { return std::optional<std::vector<std::size_t>>(); });
    const auto plain = plan_devices(planned::program(open_border), planned::two_devices());
    REQUIRE(plain);
    CHECK(compare_programs(made, *plain).value_or("") == "");
    std::size_t asked = 0;
    chosen(R"(
        def @main(%x {virtual_device=[gpu]}: int64) -> int64 { negative(negative(%x)) })",
           [&](const question&) {
               ++asked;
               return std::optional<std::vector<std::size_t>>();
           });
    CHECK(asked == 0);
}
