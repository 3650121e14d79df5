// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/piece_energies.hpp>

#include <cstddef>
#include <string_view>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/candidate/enumerate.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/work_counter.hpp>

using namespace inlay;

namespace {

/// Counts three nanojoules for whatever it is asked for.
struct counting : toys::rows {
    static constexpr std::string_view kind = "counting";
    using options = option_list<>;
    [[nodiscard]] outcome<accelerator_price> price_apart(const region_view&) const {
        accelerator_price made;
        made.energy_pj = 3000;
        return made;
    }
};

/// Runs elsewhere, and says nothing of energy.
struct silent : toys::rows {
    static constexpr std::string_view kind = "silent", refines = "cuda";
    static constexpr device_type device = device_type::cuda;
    using options = option_list<>;
};

}  // namespace

TEST_CASE("what a back end counts is taken as it is, a processor's work is counted at the figures, and of others nothing is known") {
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        return b.call("onnx.Add", {x, x}, {}, toys::image());
    });
    const backend_list<counting, silent, toys::rows> list;
    const modelled_energies stated(list, work_counter<onnx_ops>(), {1e-9, 2e-9});
    const piece_energies energies = stated;
    REQUIRE(energies);
    const candidate_set set = enumerate(m, list);
    std::size_t seen = 0;
    for (const candidate& c : set.candidates) {
        const std::string_view kind = list.kind(c.backend);
        const auto joules = energies(c);
        ++seen;
        CHECK(joules.has_value() == (kind != "silent"));
        if (kind == "counting") CHECK(*joules == doctest::Approx(3e-9));
        // Twelve sums; 48 bytes are read, and as many written.
        if (kind == "reference") CHECK(*joules == doctest::Approx(12 * 1e-9 + 96 * 2e-9));
    }
    CHECK(seen == 3);
    CHECK(energies(toys::image(), {}, {}) == doctest::Approx(96 * 2e-9));
    CHECK_FALSE(piece_energies());
}
