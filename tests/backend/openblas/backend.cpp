// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/openblas/backend.hpp>

#include <string>

#include <doctest/doctest.h>

#include <inlay/candidate/enumerate.hpp>
#include <inlay/codegen/list/backend_list.hpp>

#include "take.hpp"

using namespace inlay;
using namespace openblas_test;

static_assert(backend<openblas>);
static_assert(openblas::kind == "openblas" && openblas::refines == "llvm" && openblas::device == device_type::cpu);

TEST_CASE("the version is what the library says of itself") {
    CHECK(openblas::version().find("OpenBLAS") != std::string::npos);
    CHECK(openblas::version().find("  build ") == std::string::npos);
    CHECK(openblas::version().find(" build ") != std::string::npos);
    CHECK(openblas::version() == openblas::version());
}

TEST_CASE("options read and print, and a thread count below one is refused") {
    openblas self;
    REQUIRE(set_option(self, "threads", "2"));
    CHECK(target_text(self) == "openblas -threads=2");
    CHECK(openblas().usable());
    REQUIRE(set_option(self, "threads", "0"));
    const auto answer = self.usable();
    REQUIRE_FALSE(answer.has_value());
    CHECK(answer.failure().message.find("-threads=0") != std::string::npos);
}

TEST_CASE("a node that no operator means is no candidate") {
    small_graph t;
    const ir_module g = t.finish(t.call("onnx.Exp", {t.input({3})}));
    CHECK(enumerate(g, backend_list<openblas>()).candidates.empty());
}
