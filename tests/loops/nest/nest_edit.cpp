// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/nest/nest_edit.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/loops/nest/check_nest.hpp>
#include <inlay/loops/nest/nest_text.hpp>

#include "../nests.hpp"

using namespace inlay;

TEST_CASE("a nest that is tidied without a change stays as it is [loops.edit.tidy]") {
    for (const std::string& text : {nests::product, nests::blur, nests::by_tiles, nests::by_library}) {
        const loop_nest n = nests::parsed(text);
        detail::nest_edit edit(n);
        edit.tidy();
        CHECK(edit.nest() == n);
    }
}

TEST_CASE("what nothing reaches goes, and so do loops around nothing [loops.edit.tidy]") {
    detail::nest_edit edit(nests::parsed(R"(nest n {
        output y: float32[4]
        scratch s: float32[4] {
            for i < 4 { for j < 4 { s[j] = 1.0 } }
            for k < 4 { y[k] = 2.0 }
        }
    })"));
    edit.replace(*edit.loop("j"), edit.block({}));
    edit.replace(*edit.allocation_of(*edit.buffer("s")), edit.at(*edit.allocation_of(*edit.buffer("s"))).parts.front());
    edit.tidy();
    CHECK(check_nest(edit.nest()));
    CHECK(to_text(edit.nest()) == "nest n {\n    output y: float32[4]\n    for k < 4 {\n        y[k] = 2.0\n    }\n}\n");
    CHECK(edit.nest().variables == std::vector<std::string>{"k"});
    edit.replace(*edit.loop("k"), edit.block({}));
    edit.tidy();
    CHECK(check_nest(edit.nest()));
}

TEST_CASE("loops and buffers are found by name, or said not to be there [loops.edit.named]") {
    detail::nest_edit edit(nests::parsed(nests::product));
    CHECK(edit.loop("k"));
    CHECK(edit.loop("kk").failure().message == "the loop nest 'product' has no loop over 'kk' (did you mean 'k'?)");
    CHECK(edit.buffer("d").failure().message.find("the loop nest 'product' has no buffer 'd'") == 0);
    CHECK_FALSE(edit.allocation_of(*edit.buffer("c")));
    CHECK(edit.path(*edit.loop("m"), *edit.loop("k")).size() == 2);
    CHECK(edit.stands_in(*edit.loop("i"), *edit.loop("k")));
    CHECK_FALSE(edit.stands_in(*edit.loop("j"), *edit.loop("k")));
    CHECK(edit.touches(*edit.loop("m"), *edit.buffer("a")));
    CHECK_FALSE(edit.touches(*edit.loop("m"), *edit.buffer("a"), true));
    CHECK_FALSE(edit.touches(*edit.loop("j"), *edit.buffer("a")));
    CHECK(edit.nest().variables[edit.variable("a")] == "a_1");
}
