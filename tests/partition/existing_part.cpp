// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/partition/existing_part.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"
#include "plan/planned.hpp"

using namespace inlay;

namespace {

/// Takes sums and what is rectified, dearly.
struct dear : toys::rows {
    static constexpr std::string_view kind = "dear";
    [[nodiscard]] std::optional<double> price(const region_view&) const { return 100.0; }
};

/// The same, deep in nothing but chains of two.
struct pairs : toys::rows {
    static constexpr std::string_view kind = "pairs";
    static constexpr auto patterns() {
        using namespace inlay::dsl;
        return pattern_table(composite<"two">(op<"onnx.Relu">(op<"onnx.Relu">)));
    }
};

using three = backend_list<toys::rows, dear, pairs>;

/// Five rectifications, one after the other.
struct chain {
    std::vector<node_id> calls;
    ir_module m = toys::program_of(toys::image(), [this](ir_builder& b, node_id x) {
        for (int i = 0; i < 5; ++i) calls.push_back(x = b.call("onnx.Relu", {x}, {}, toys::image()));
        return x;
    });
};

outcome<plan> planned(const ir_module& m, const plan_options& options, const three& backends = {}) {
    return toys::planned(m, backends, options);
}

}  // namespace

TEST_CASE("under every partitioner an existing part stays one part of its owner, with nothing else in it [partition.existing.kept]") {
    const chain c;
    for (const partitioner& way : {partitioner::exact(), partitioner::exhaustive(), partitioner::eager(), partitioner::single("reference"),
                                   partitioner::single("pairs")}) {
        CAPTURE(to_string(way));
        plan_options options;
        options.partitioner = way;
        options.existing = {{"old", "dear", {c.calls[1], c.calls[2]}}};
        const auto made = planned(c.m, options);
        REQUIRE_MESSAGE(made.has_value(), made.failure().message);
        std::size_t kept = 0;
        for (const part& p : made->cut.parts) {
            kept += p.nodes == options.existing[0].nodes ? 1 : 0;
            if (p.nodes == options.existing[0].nodes) CHECK(three().kind(p.owner) == options.existing[0].owner);
        }
        CHECK(kept == 1);
        CHECK(made->cut.parts.size() == 3);
    }
    // Neighbours of the same owner do not join the part.
    plan_options options;
    options.partitioner = partitioner::single("reference");
    options.existing = {{"old", "reference", {c.calls[1], c.calls[2]}}};
    CHECK(planned(c.m, options)->cut.parts.size() == 3);
}

TEST_CASE("without merging each composite is a part by itself, and what is kept is one all the same [partition.merge.off]") {
    const chain c;
    // The cheapest takes two pairs and a node; the eager one, which asks the first back end first, five nodes of that.
    struct expected {
        partitioner way;
        std::size_t merged, apart, with_kept;
    };
    for (const expected& each : {expected{partitioner::exact(), 2, 3, 3}, expected{partitioner::eager(), 1, 5, 4}}) {
        plan_options options;
        options.partitioner = each.way;
        CHECK(planned(c.m, options)->cut.parts.size() == each.merged);
        options.merge_parts = false;
        const auto apart = planned(c.m, options);
        CHECK(apart->cut.parts.size() == each.apart);
        options.existing = {{"old", "dear", {c.calls[1], c.calls[2]}}};
        CHECK(planned(c.m, options)->cut.parts.size() == each.with_kept);
        options.existing.clear();
        options.merge_parts = true;
        CHECK(*planned(c.m, options)->chosen.seconds == *apart->chosen.seconds);
    }
}

TEST_CASE("no composite reaches over the border of an existing part, from inside or outside [partition.existing.borders]") {
    const chain c;
    plan_options options;
    options.existing = {{"", "pairs", {c.calls[1], c.calls[2]}}};
    const auto made = planned(c.m, options);
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    for (const std::size_t k : made->chosen.chosen) {
        const candidate& one = made->set.candidates[k];
        if (three().kind(one.backend) == std::string_view("pairs") && one.nodes.front() == c.calls[1])
            CHECK(one.nodes == options.existing[0].nodes);
        else
            for (const node_id n : one.nodes) CHECK((n != c.calls[1] && n != c.calls[2]));
    }
    // With the borders alone: a candidate in a part of another owner is none.
    const auto kept = keep_parts(std::span<const existing_part>(options.existing), three());
    REQUIRE(kept.has_value());
    const existing_borders borders(*kept, c.m.size());
    candidate one;
    one.backend = 0;
    one.nodes = {c.calls[1]};
    CHECK_FALSE(borders.admit(one));
    one.backend = 2;
    CHECK(borders.admit(one));
    one.nodes = {c.calls[0], c.calls[1]};
    CHECK_FALSE(borders.admit(one));
    one.nodes = {c.calls[0]};
    CHECK(borders.admit(one));
    CHECK(existing_borders().admit(one));
}

TEST_CASE("an existing part that cannot stay is named, with what to do [partition.existing.refused]") {
    const chain c;
    plan_options options;
    options.existing = {{"old", "cutlass", {c.calls[1]}}};
    CHECK(planned(c.m, options).failure().message ==
          "the existing part 'old' of 'cutlass' belongs to a back end that takes no part in this plan; name it among the targets");
    // Its owner takes pairs alone.
    options.existing = {{"old", "pairs", {c.calls[1]}}};
    CHECK(planned(c.m, options).failure().message.find("stands in or beside an existing part, and nobody takes it there by itself") !=
          std::string::npos);
    options.existing = {{"", "dear", {c.calls[1], c.calls[3]}}};
    CHECK(planned(c.m, options).failure().message.find("the existing part of 'dear' has nodes before and behind node ") == 0);
}
