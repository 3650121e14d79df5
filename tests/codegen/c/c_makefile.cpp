// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/c/c_makefile.hpp>

#include <string>

#include <doctest/doctest.h>

TEST_CASE("a Makefile checks where there is something to check by, and needs a C library where there is mathematics [c.makefile]") {
    inlay::c_program p;
    p.name = "net";
    const std::string whole = inlay::detail::c_makefile(p, true, true), bare = inlay::detail::c_makefile(p, false, false);
    CHECK(whole.find("check-riscv64:") != std::string::npos);
    CHECK(whole.find("picolibc") != std::string::npos);
    CHECK(whole.find("net_weights.o") != std::string::npos);
    CHECK(bare.find("check") == std::string::npos);
    CHECK(bare.find("picolibc") == std::string::npos);
    p.weights = inlay::c_weights::in_file;
    CHECK(inlay::detail::c_makefile(p, true, true).find("net_weights.o") == std::string::npos);
}

TEST_CASE("a Makefile compiles what a library comes with, anew where a header of it has changed [c.makefile]") {
    inlay::c_program p;
    p.name = "net";
    p.sources = {{"npu.c", ""}};
    p.headers = {{"npu.h", ""}};
    const std::string text = inlay::detail::c_makefile(p, true, false);
    CHECK(text.find("OBJECTS = $(BUILD)/net.o $(BUILD)/net_weights.o $(BUILD)/npu.o\n") != std::string::npos);
    CHECK(text.find("$(BUILD)/%.o: %.c net.h npu.h\n") != std::string::npos);
}
