// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/c/part_of_region.hpp>

#include <doctest/doctest.h>

#include "../looping_backend.hpp"

#include <inlay/candidate/region.hpp>
#include <inlay/codegen/c/part_of_nest.hpp>
#include <inlay/graph/users.hpp>
#include <inlay/ir/ir_builder.hpp>

using namespace inlay;

namespace {

/// Its nests leave, behind its loop phases; `Policy` says where its constants are.
template <constants_policy Policy>
struct leaves_by_loops : toys::rows {
    static constexpr std::string_view kind = "leaves_by_loops", refines = "c";
    static constexpr constants_policy constants = Policy;
    using options = option_list<>;
    using nest = region_nest;
    [[nodiscard]] outcome<nest> lower(const region_view& r) const { return lower_to_loops(*this, r, "region"); }
    static constexpr auto phases() {
        return phase_list(loop_phase<2, "halve">([](const leaves_by_loops&, nest n) -> outcome<nest> {
            auto made = scheduled(n.loops, loop_schedule().split("i", 2, "half", "inside"));
            if (!made) return made.failure();
            return nest{*std::move(made), std::move(n.constants)};
        }));
    }
    [[nodiscard]] outcome<kernel> emit(const nest& n) const { return nest_kernel(n); }
    [[nodiscard]] outcome<c_part> emit_c(const nest& n) const { return part_of_nest(n); }
};
static_assert(leaves_as_c<leaves_by_loops<constants_policy::embed>> && !leaves_as_c<toys::looping>);

template <constants_policy Policy>
void check_part(std::int64_t rows) {
    CAPTURE(rows);
    const tensor_type square(element_type::float32, {rows, 4});
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", square)}, w = b.constant(tensor(element_type::float32, {rows, 4}));
    const node_id sum[] = {b.call("onnx.Add", {x[0], w}, {}, square)};
    b.declare(b.function(x, sum[0], "main"));
    const ir_module m = b.finish();
    const user_lists users(m);
    const region whole(m, users, sum, sum);
    const auto part = part_of_region(leaves_by_loops<Policy>{}, whole.view());
    if (rows % 2 != 0) {
        // Bounds stand where the split does not come out even.
        REQUIRE_MESSAGE(part.has_value(), part.failure().message);
        CHECK(part->text.find("if (") != std::string::npos);
        return;
    }
    REQUIRE_MESSAGE(part.has_value(), part.failure().message);
    CHECK(part->text.find("inside < 2") != std::string::npos);
    REQUIRE(part->constants.size() == 1);
    CHECK(part->constants[0].data() == m.constant(w)->data());
}

}  // namespace

TEST_CASE("a nest leaves behind its loop phases, wherever its constants are [c.part]") {
    for (const std::int64_t rows : {4, 5}) {
        check_part<constants_policy::embed>(rows);
        check_part<constants_policy::lift>(rows);
    }
}

TEST_CASE("a loop phase that fails is named where code leaves [c.part]") {
    const tensor_type row(element_type::float32, {});
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", row)};
    const node_id out[] = {b.call("onnx.Relu", {x[0]}, {}, row)};
    b.declare(b.function(x, out[0], "main"));
    const ir_module m = b.finish();
    const user_lists users(m);
    const region whole(m, users, out, out);
    const auto part = part_of_region(leaves_by_loops<constants_policy::embed>{}, whole.view());
    REQUIRE_FALSE(part);
    CHECK(part.failure().message.find("phase 'halve' of back end 'leaves_by_loops' failed: ") == 0);
}
