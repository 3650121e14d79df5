// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/isolated_server.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "table_of_test.hpp"

using namespace inlay;
using plugin_test::told;

TEST_CASE("a question of nonsense, or about what there is not, is answered and crashes nothing") {
    told = {};
    const inlay_backend table = plugin_test::doubling();
    detail::isolated_server server(table);
    (void)server.answer("");
    (void)server.answer("\xff");
    for (const isolated_question q :
         {isolated_question::read, isolated_question::release, isolated_question::formats, isolated_question::emit, isolated_question::run,
          isolated_question::release_kernel, isolated_question::emit_c}) {
        wire_writer w;
        w.put(q).put(std::uint64_t{0}).put(std::uint64_t{12345});
        (void)server.answer(w.bytes());
        (void)server.answer(std::string_view(w.bytes()).substr(0, 5));
    }
    CHECK(told.kernels == 0);
    CHECK(told.runs == 0);
    CHECK(told.released == 0);
}

TEST_CASE("an instance is opened with its options, and the table is told") {
    told = {};
    const inlay_backend table = plugin_test::doubling();
    detail::isolated_server server(table);
    wire_writer ask;
    ask.put(isolated_question::open).put_list(std::vector<std::string>{});
    const std::string answer = server.answer(ask.bytes());
    wire_reader r(answer);
    CHECK(r.get<std::uint32_t>() == INLAY_YES);
    CHECK(r.get<std::uint64_t>() != 0);
    CHECK(told.opened == 1);
    wire_writer tell;
    tell.put(isolated_question::tell);
    const std::string all = server.answer(tell.bytes());
    wire_reader t(all);
    CHECK(t.get_text() == "doubling");
    CHECK(t.get_text() == "llvm");
}
