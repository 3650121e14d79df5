// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/list/table_of.hpp>

#include <doctest/doctest.h>

#include "../../candidate/toy_backends.hpp"

#include <inlay/candidate/region.hpp>
#include <inlay/pattern/match/matcher.hpp>

using namespace inlay;

namespace {

/// Takes rectifiers of as many elements as its option says, or fewer.
struct choosy : toys::rows {
    static constexpr std::string_view kind = "choosy";
    int most = 4;
    using options = option_list<option<"most", &choosy::most, "how many elements it takes">>;

    static constexpr auto patterns() {
        using namespace dsl;
        return pattern_table(
            composite<"sum">(op<"onnx.Add">), composite<"relu">(as<"relu">(op<"onnx.Relu">), [](const choosy& self, const auto& m) {
                const auto count = element_count(static_shape(captured<"relu">(m).type->of_tensor));
                return *count <= self.most ? verdict::yes() : verdict::no("it takes " + std::to_string(self.most) + " elements");
            }));
    }
};

}  // namespace

TEST_CASE(
    "the table of a list has the composites of the chosen back ends in order of priority, each named after its kind "
    "[codegen.table.order]") {
    backend_list<toys::chains, choosy> backends;
    const auto names = [](const std::vector<table_row>& table) {
        std::vector<std::string> all;
        for (const table_row& row : table) {
            CHECK(row.priority == all.size());
            CHECK(row.name() == std::string(row.kind) + "." + std::string(row.composite));
            all.push_back(row.name());
        }
        return all;
    };
    CHECK(names(table_of(backends)) ==
          std::vector<std::string>{"chains.add_relu", "chains.mul_add", "chains.relu", "chains.add", "choosy.sum", "choosy.relu"});
    backends.choose({1, 0});
    CHECK(names(table_of(backends)) ==
          std::vector<std::string>{"choosy.sum", "choosy.relu", "chains.add_relu", "chains.mul_add", "chains.relu", "chains.add"});
    CHECK(table_of(backends)[0].backend == 1);
    backends.choose({0});
    CHECK(names(table_of(backends)).size() == 4);
    CHECK(names(table_of(toys::rows())) == std::vector<std::string>{"reference.add", "reference.mul", "reference.relu"});
}

TEST_CASE("a table is printed a line for each composite, with its pattern") {
    CHECK(to_text(table_of(choosy()), "onnx") == "choosy.sum: Add\nchoosy.relu: ?relu:Relu, if its predicate takes it\n");
    CHECK_FALSE(table_of(choosy())[0].has_predicate);
    CHECK(table_of(choosy())[1].has_predicate);
}

TEST_CASE(
    "a row's pattern can be matched and its predicate asked without partitioning, and the configured instance answers "
    "[codegen.table.without-partitioning]") {
    const ir_module m =
        toys::program_of(toys::image(), [](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, toys::image()); });
    const user_lists users(m);
    const std::vector<node_id> results = m.results();
    choosy many, few;
    many.most = 12;
    for (const choosy* instance : {&few, &many}) {
        const std::vector<table_row> table = table_of(*instance);
        matcher<ir_module> search(m, users);
        std::size_t found = 0;
        search.each(*table[1].pattern, results[0], [&](const found_match& at) {
            const region r(m, users, results, at.covered);
            const verdict v = table[1].ask(r.view(), at.bound);
            CHECK(v.taken == (instance == &many));
            CHECK(v.reason == (instance == &many ? "" : "it takes 4 elements"));
            ++found;
            return false;
        });
        CHECK(found == 1);
        std::size_t sums = 0;
        search.each(*table[0].pattern, results[0], [&](const found_match&) { return ++sums, false; });
        CHECK(sums == 0);
    }
}
