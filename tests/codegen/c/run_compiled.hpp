// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_CODEGEN_C_RUN_COMPILED_HPP
#define INLAY_TESTS_CODEGEN_C_RUN_COMPILED_HPP

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/codegen/c/c_files.hpp>
#include <inlay/codegen/c/c_program.hpp>
#include <inlay/codegen/compile/system_compiler.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/graph/tensor.hpp>

namespace c_programs {

/// The text of a file of a program.
[[nodiscard]] inline std::string file_of(const std::vector<inlay::c_file>& files, std::string_view path) {
    for (const inlay::c_file& f : files)
        if (f.path == path) return f.content;
    FAIL("there is no file " << path);
    return {};
}

/// Compiles all of a program's C into one library and runs it, its arena and results full of garbage beforehand.
[[nodiscard]] inline std::vector<inlay::tensor> run_compiled(const inlay::c_program& p, const std::vector<inlay::tensor>& inputs,
                                                             const std::vector<inlay::tensor>& like) {
    const auto files = inlay::c_files(p);
    REQUIRE(files);
    std::string source = file_of(*files, p.name + ".h");
    if (p.weights == inlay::c_weights::embedded) source += file_of(*files, p.name + "_weights.c");
    std::string own = file_of(*files, p.name + ".c");
    const auto put = [&](const std::string& name, const std::string& text) {
        const std::string include = "#include \"" + name + "\"\n";
        own.replace(own.find(include), include.size(), text);
    };
    put(p.name + ".h", {});
    for (const inlay::c_header& h : p.headers) put(h.name, h.text);
    inlay::compiler_request how;
    how.source = source + own;
    how.flags = {"-O1", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off"};
    const auto code = inlay::compile(how);
    REQUIRE_MESSAGE(code.has_value(), code.failure().message << "\n" << own);
    auto* const run = code->function<int(const void* const*, void* const*, void*, const void*)>((p.name + "_run").c_str());
    REQUIRE((run != nullptr));
    inlay::buffer arena(p.arena_bytes), weights(p.weight_bytes);
    std::fill_n(arena.data(), arena.size(), std::byte{0xa5});
    if (p.weights == inlay::c_weights::in_file) {
        const std::string bytes = file_of(*files, p.name + "_weights.bin");
        REQUIRE(bytes.size() == p.weight_bytes);
        std::memcpy(weights.data(), bytes.data(), bytes.size());
    }
    std::vector<const void*> from;
    std::vector<void*> to;
    std::vector<inlay::tensor> results;
    for (const inlay::tensor& t : inputs) from.push_back(t.data());
    for (const inlay::tensor& t : like) {
        inlay::tensor& r = results.emplace_back(t.element(), t.extents());
        std::fill_n(r.data(), r.bytes(), std::byte{0xa5});
    }
    for (inlay::tensor& t : results) to.push_back(t.data());
    CHECK(run(from.data(), to.data(), arena.data(), weights.data()) == 0);
    return results;
}

}  // namespace c_programs

#endif
