// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/list/backends_ref.hpp>

#include <optional>

#include <doctest/doctest.h>

#include "../../candidate/toy_backends.hpp"

#include <inlay/candidate/enumerate.hpp>
#include <inlay/codegen/list/backend_list.hpp>

using namespace inlay;

namespace {

/// Never says what a region takes, but what it does not take less than.
struct bounded : toys::rows {
    [[nodiscard]] std::optional<double> price(const region_view&) const { return std::nullopt; }
    [[nodiscard]] double lower_bound(const region_view& region) const { return 0.25 * static_cast<double>(region.calls().size()); }
};
using list = backend_list<toys::chains, bounded>;

}  // namespace

TEST_CASE("a list that is referred to answers as itself") {
    list backends;
    backends.choose({1, 0});
    const backends_ref ref = backends;
    CHECK(ref.size() == list::size);
    CHECK(ref.chosen() == backends.chosen());
    for (std::size_t b = 0; b < list::size; ++b) {
        CHECK(ref.kind(b) == backends.kind(b));
        CHECK(ref.index_of(backends.kind(b)) == b);
    }
    CHECK(ref.index_of("absent") == list::size);
}

TEST_CASE("prices, bounds and contents of candidates are those of their composites") {
    const ir_module m = toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
        return b.call("onnx.Relu", {b.call("onnx.Relu", {x}, {}, toys::image())}, {}, toys::image());
    });
    const list backends;
    const backends_ref ref = backends;
    std::size_t stated = 0, open = 0;
    for (const candidate& c : enumerate(m, backends).candidates) {
        const pricing_job job = pricing_job::of(c);
        CHECK(ref.content(job) == job_content(job, backends));
        if (c.backend == 0) {
            ++stated;
            CHECK(*ref.price(job) == toys::chains().price(c.view()));
        } else {
            ++open;
            CHECK_FALSE(ref.price(job)->has_value());
            CHECK(ref.lower_bound(job) == 0.25 * static_cast<double>(c.nodes.size()));
        }
    }
    CHECK(stated > 0);
    CHECK(open > 0);
}
