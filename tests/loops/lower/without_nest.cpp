// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/lower/without_nest.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <inlay/io/read_file.hpp>
#include <inlay/loops/lower/lower.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

using namespace inlay;

namespace {

/// Whether a line names an operator as a word of its own.
bool names(std::string_view line, std::string_view op) {
    const auto is_letter = [&](std::size_t at) {
        return at < line.size() && std::string_view(" ,|(").find(line[at]) == std::string_view::npos;
    };
    for (std::size_t at = line.find(op); at != std::string_view::npos; at = line.find(op, at + 1))
        if (at != 0 && !is_letter(at - 1) && !is_letter(at + op.size())) return true;
    return false;
}

}  // namespace

TEST_CASE("each operator of the table has a loop nest, or a reason for none that the page gives too [loops.lower.refused]") {
    const auto page = read_file(INLAY_SOURCE_ROOT "/docs/loops.md");
    REQUIRE(page);
    const std::size_t begin = page->find("| family | operators with a nest |"), middle = page->find("What has no nest, and why:");
    REQUIRE(begin < middle);
    REQUIRE(middle != std::string::npos);
    for (const op_definition& each : onnx_ops::all()) {
        const std::string_view why = reason_without_nest(each.name);
        CAPTURE(each.name);
        CHECK((lowering_of(each.name) != nullptr) == why.empty());
        bool is_told = false;
        for (std::size_t at = why.empty() ? begin : middle; at < page->size();) {
            const std::size_t end = page->find('\n', at);
            const std::string_view line = std::string_view(*page).substr(at, end - at);
            if (line.substr(0, 2) == "##" || (why.empty() && at >= middle)) break;
            is_told |= names(line, each.name.substr(5)) && (why.empty() || line.find("| " + std::string(why) + " |") != std::string::npos);
            at = end + 1;
        }
        CHECK(is_told);
    }
    CHECK(reason_without_nest("onnx.Relu").empty());
    CHECK(reason_without_nest("no.such").empty());
}
