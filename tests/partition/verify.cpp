// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/partition/verify.hpp>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/candidate/enumerate.hpp>
#include <inlay/target/format.hpp>

using namespace inlay;

namespace {

struct sample {
    ir_module program;
    candidate_set set;
    partitioned cut;
};

/// A chain of relu, product, relu: the relus in one back end with the channels last, the product in the other.
sample three_parts() {
    const tensor_type t = toys::image();
    sample s;
    s.program = toys::program_of(t, [&](ir_builder& b, node_id x) {
        const node_id first = b.call("onnx.Relu", {x}, {}, t);
        const node_id second = b.call("onnx.Mul", {first, x}, {}, t);
        return b.call("onnx.Relu", {second}, {}, t);
    });
    s.set = enumerate(s.program, toys::list());
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < s.set.candidates.size(); ++i) {
        const candidate& c = s.set.candidates[i];
        if (c.backend == 0 ? c.formats.results[0].order == layout::channels_last() : c.name == "mul") chosen.push_back(i);
    }
    s.cut = partition(s.program, s.set, chosen);
    return s;
}

std::string broken_laws(const sample& s) {
    std::string names;
    for (const law_check& l : verify(s.program, s.set, s.cut))
        if (!l.holds) {
            CHECK_FALSE(l.witness.empty());
            names += l.law.substr(0, l.law.find(' ', l.law.find(' ') + 1)) + ";";
        }
    return names;
}

}  // namespace

TEST_CASE("a partition keeps all its laws") {
    const sample s = three_parts();
    REQUIRE(s.cut.parts.size() == 3);
    REQUIRE(s.cut.conversions.size() == 4);
    CHECK(verify(s.program, s.set, s.cut).size() == 5);
    CHECK(broken_laws(s) == "");
}

TEST_CASE("a partition that was tampered with is caught by the law that it breaks") {
    sample s = three_parts();
    SUBCASE("a part is missing") {
        s.cut.parts.pop_back();
        CHECK(broken_laws(s).find("every node;") != std::string::npos);
    }
    SUBCASE("a composite is there twice") {
        s.cut.parts[0].composites.push_back(s.cut.parts[0].composites[0]);
        CHECK(broken_laws(s) == "every node;");
    }
    SUBCASE("a part has another owner than its composites") {
        s.cut.parts[0].owner = 1;
        CHECK(broken_laws(s) == "every composite;");
    }
    SUBCASE("a part claims a node that none of its composites has") {
        s.cut.parts[0].nodes.push_back(s.cut.parts[2].nodes[0]);
        CHECK(broken_laws(s).find("every composite;") != std::string::npos);
    }
    SUBCASE("two parts around a third are made one") {
        part& first = s.cut.parts[0];
        const part last = s.cut.parts[2];
        first.composites.insert(first.composites.end(), last.composites.begin(), last.composites.end());
        first.nodes.insert(first.nodes.end(), last.nodes.begin(), last.nodes.end());
        s.cut.parts.pop_back();
        const std::string broken = broken_laws(s);
        CHECK(broken == "every composite's;parts run;");
    }
    SUBCASE("parts run in the wrong order") {
        std::swap(s.cut.parts[0], s.cut.parts[1]);
        CHECK(broken_laws(s) == "parts run;");
    }
    SUBCASE("a conversion is forgotten") {
        s.cut.conversions.pop_back();
        CHECK(broken_laws(s) == "a conversion;");
    }
    SUBCASE("a conversion goes to a format that nobody wants") {
        s.cut.conversions.back().to.order = layout::channels_blocked(8);
        CHECK(broken_laws(s) == "a conversion;");
    }
}
