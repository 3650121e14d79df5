// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/partition/partition.hpp>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/candidate/enumerate.hpp>

using namespace inlay;

namespace {

/// The first candidate of the set with that root, name and layout of its first result.
std::size_t pick(const candidate_set& set, node_id root, std::string_view name, backend_id backend, const layout& order) {
    for (std::size_t i = 0; i < set.candidates.size(); ++i) {
        const candidate& c = set.candidates[i];
        if (c.root == root && c.name == name && c.backend == backend && c.formats.results[0].order == order) return i;
    }
    FAIL("no such candidate");
    return 0;
}

}  // namespace

TEST_CASE("neighbours of one owner become one part, and a tensor is converted once for each format that is wanted") {
    const tensor_type t = toys::image();
    node_id sum = 0, clipped = 0, product = 0, other = 0;
    const ir_module m = toys::program_of(t, [&](ir_builder& b, node_id x) {
        sum = b.call("onnx.Add", {x, x}, {}, t);
        clipped = b.call("onnx.Relu", {sum}, {}, t);
        product = b.call("onnx.Mul", {clipped, clipped}, {}, t);
        other = b.call("onnx.Mul", {clipped, product}, {}, t);
        return other;
    });
    const candidate_set set = enumerate(m, toys::list());
    const std::size_t chosen[] = {pick(set, sum, "add", 0, layout::channels_last()), pick(set, clipped, "relu", 0, layout::channels_last()),
                                  pick(set, product, "mul", 1, layout::plain()), pick(set, other, "mul", 1, layout::plain())};
    const partitioned cut = partition(m, set, chosen);
    REQUIRE(cut.parts.size() == 2);
    CHECK(cut.parts[0].owner == 0);
    CHECK(cut.parts[0].nodes == std::vector<node_id>{sum, clipped});
    CHECK(cut.parts[1].nodes == std::vector<node_id>{product, other});
    const format plain = plain_format(element_type::float32);
    format last = plain;
    last.order = layout::channels_last();
    CHECK(cut.conversions == std::vector<conversion>{{m.inputs()[0], plain, last}, {clipped, last, plain}});
}

TEST_CASE("pieces of one owner that do not touch are parts of their own, and a detour through another owner splits a part") {
    const tensor_type t = toys::image();
    node_id a = 0, b1 = 0, c = 0;
    const ir_module apart = toys::program_of(t, [&](ir_builder& b, node_id x) {
        a = b.call("onnx.Relu", {x}, {}, t);
        b1 = b.call("onnx.Mul", {x, x}, {}, t);
        const node_id fields[] = {a, b1};
        return b.tuple(fields);
    });
    const candidate_set two = enumerate(apart, toys::list());
    const std::size_t both[] = {pick(two, a, "relu", 1, layout::plain()), pick(two, b1, "mul", 1, layout::plain())};
    CHECK(partition(apart, two, both).parts.size() == 2);

    const ir_module detour = toys::program_of(t, [&](ir_builder& b, node_id x) {
        a = b.call("onnx.Relu", {x}, {}, t);
        b1 = b.call("onnx.Mul", {a, x}, {}, t);
        c = b.call("onnx.Add", {a, b1}, {}, t);
        return c;
    });
    const candidate_set set = enumerate(detour, toys::list());
    const std::size_t chosen[] = {pick(set, a, "relu", 0, layout::plain()), pick(set, b1, "mul", 1, layout::plain()),
                                  pick(set, c, "add", 0, layout::plain())};
    const partitioned cut = partition(detour, set, chosen);
    REQUIRE(cut.parts.size() == 3);
    CHECK(cut.parts[1].owner == 1);
    CHECK(cut.conversions.empty());
}

TEST_CASE("a run of one owner that would be too large is cut where it reads from itself, and a set that is kept is a part of its own") {
    const tensor_type t = toys::image();
    std::vector<node_id> n;
    const ir_module m = toys::program_of(t, [&](ir_builder& b, node_id x) {
        n.push_back(b.call("onnx.Relu", {x}, {}, t));
        n.push_back(b.call("onnx.Relu", {n[0]}, {}, t));
        n.push_back(b.call("onnx.Add", {n[0], n[1]}, {}, t));
        n.push_back(b.call("onnx.Relu", {n[2]}, {}, t));
        return n[3];
    });
    const candidate_set set = enumerate(m, toys::list());
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < 4; ++i) chosen.push_back(pick(set, n[i], i == 2 ? "add" : "relu", 1, layout::plain()));
    const auto nodes_of = [](const partitioned& cut) {
        std::vector<std::vector<node_id>> made;
        for (const part& p : cut.parts) made.push_back(p.nodes);
        return made;
    };
    using lists = std::vector<std::vector<node_id>>;
    CHECK(nodes_of(partition(m, set, chosen, part_rules{})) == lists{n});
    part_cap cap{1, 4, {}, {}};
    CHECK(nodes_of(partition(m, set, chosen, part_rules{{}, {cap}})) == lists{n});
    cap.most_nodes = 2;
    CHECK(nodes_of(partition(m, set, chosen, part_rules{{}, {cap}})) == lists{{n[0], n[1]}, {n[2], n[3]}});
    cap.most_nodes = 0;
    CHECK(nodes_of(partition(m, set, chosen, part_rules{{}, {cap}})) == lists{{n[0]}, {n[1]}, {n[2]}, {n[3]}});
    // A cap of another owner says nothing.
    cap.backend = 0;
    CHECK(nodes_of(partition(m, set, chosen, part_rules{{}, {cap}})) == lists{n});
    CHECK(nodes_of(partition(m, set, chosen, part_rules{{{n[1]}}, {}})) == lists{{n[0]}, {n[1]}, {n[2], n[3]}});
    CHECK(nodes_of(partition(m, set, chosen, part_rules{{{n[1], n[2]}}, {}})) == lists{{n[0]}, {n[1], n[2]}, {n[3]}});
    // A kept set that something else stands in the middle of cannot run as one part.
    CHECK(nodes_of(partition(m, set, chosen, part_rules{{{n[0], n[2]}}, {}})).empty());
}
