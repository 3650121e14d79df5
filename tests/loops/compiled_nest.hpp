// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_LOOPS_COMPILED_NEST_HPP
#define INLAY_TESTS_LOOPS_COMPILED_NEST_HPP

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/codegen/compile/system_compiler.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/text/c_functions.hpp>
#include <inlay/loops/text/c_text.hpp>
#include <inlay/ops/loops/strides.hpp>

namespace inlay::nests {

/// What the system's compiler, or another one, makes of a nest's text computes, over row-major inputs; nothing where it does not compile.
inline std::vector<tensor> by_compiler(const loop_nest& n, const c_function& made, std::vector<tensor> inputs,
                                       source_language language = source_language::c99, std::vector<std::string> flags = {},
                                       std::string compiler = {}) {
    std::string call;
    std::vector<void*> places;
    std::vector<tensor> results;
    std::vector<buffer> memory;
    for (tensor& t : inputs) places.push_back(t.data());
    for (const nest_buffer& b : n.buffers)
        if (b.scope == buffer_scope::output) {
            REQUIRE(b.strides == row_major_strides(b.extents));
            places.push_back(results.emplace_back(b.element, b.extents).data());
        }
    if (made.workspace_bytes != 0) places.push_back(memory.emplace_back(made.workspace_bytes).data());
    std::size_t count = 0;
    const auto pass = [&](const std::string& type) {
        call += (count == 0 ? "(" : ", (") + type + "*)p[" + std::to_string(count) + "]";
        ++count;
    };
    for (const buffer_scope scope : {buffer_scope::input, buffer_scope::output})
        for (const nest_buffer& b : n.buffers)
            if (b.scope == scope) pass(std::string(detail::c_storage_of(b.element)));
    if (made.workspace_bytes != 0) pass("unsigned char");
    const bool is_c = language == source_language::c99;
    compiler_request r{language,
                       made.text + (is_c ? "" : "extern \"C\" ") + "void inlay_entry(void** p);\n" + "void inlay_entry(void** p) { " +
                           detail::c_name(n.name) + "(" + call + "); }\n",
                       {},
                       {},
                       std::move(compiler),
                       60};
    for (const char* flag : {"-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"}) r.flags.emplace_back(flag);
    r.flags.insert(r.flags.end(), flags.begin(), flags.end());
    const auto code = compile(r);
    if (!code) {
        FAIL_CHECK(code.failure().message << "\n" << made.text);
        return {};
    }
    code->function<void(void**)>("inlay_entry")(places.data());
    return results;
}

}  // namespace inlay::nests

#endif
