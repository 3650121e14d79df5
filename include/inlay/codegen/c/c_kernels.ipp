// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_KERNELS_IPP
#define INLAY_CODEGEN_C_C_KERNELS_IPP

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/codegen/c/c_kernels.hpp>

#include <inlay/codegen/c/c_part.hpp>
#include <inlay/codegen/c/c_unit.hpp>
#include <inlay/codegen/compile/system_compiler.hpp>
#include <inlay/codegen/emit/emit_region.hpp>
#include <inlay/codegen/emit/nest_kernel.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay {

namespace detail {

/// A function that takes what kernels are given and calls a part's.
[[nodiscard]] inline std::string entry_of_part(const c_part& p, const std::string& called, const std::string& entry, std::size_t inputs,
                                               std::size_t results) {
    std::string given, copies;
    const auto add = [&](const std::string& one) { given += (given.empty() ? "" : ", ") + one; };
    for (std::size_t i = 0; i < inputs + p.constants.size(); ++i) add("inputs[" + std::to_string(i) + "]");
    for (std::size_t i = 0; i < results; ++i) {
        const std::string to = "results[" + std::to_string(i) + "]";
        const c_view view = i < p.views.size() ? p.views[i] : c_view{};
        if (view.input < 0) {
            add(to);
            continue;
        }
        const std::string from = "inputs[" + std::to_string(view.input) + "]";
        copies += "    if (" + to + " != " + from + ") memcpy(" + to + ", " + from + ", " + std::to_string(view.bytes) + ");\n";
    }
    if (p.workspace_bytes != 0) add("workspace");
    const std::string head = "void " + entry + "(const void* const* inputs, void* const* results, unsigned char* workspace)";
    return head + ";\n" + head + " {\n    (void)inputs;\n    (void)results;\n    (void)workspace;\n" +
           (p.text.empty() ? "" : "    " + called + "(" + given + ");\n") + copies + "}\n";
}

}  // namespace detail

outcome<std::vector<kernel>> c_kernels(std::span<const c_part> parts, std::span<const c_borders> borders, compiler_request how) {
    std::vector<kernel> made;
    if (parts.empty()) return made;
    c_unit unit;
    std::string entries;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string called = parts[i].text.empty() ? std::string() : unit.add(parts[i], "part_" + std::to_string(i));
        entries +=
            "\n" + detail::entry_of_part(parts[i], called, "inlay_entry_" + std::to_string(i), borders[i].inputs, borders[i].results);
    }
    how.language = source_language::c99;
    how.source = "#include <string.h>\n" + unit.text() + entries;
    for (const c_header& h : unit.headers()) how.files.push_back({h.name, h.text, false});
    for (const c_source& s : unit.sources()) how.files.push_back({s.name, s.text, true});
    const auto code = compile(how);
    if (!code) return code.failure();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string name = "inlay_entry_" + std::to_string(i);
        auto* const entry = code->function<detail::compiled_nest::entry>(name.c_str());
        if (entry == nullptr) return error{"the compiled C has lost its function '" + name + "'; do not have flags hide it"};
        kernel one(detail::compiled_nest{*code, entry}, parts[i].workspace_bytes);
        for (const c_view& v : parts[i].views) one.view_of.push_back(v.input);
        made.push_back(detail::bind_constants(std::move(one), parts[i].constants, borders[i].inputs));
    }
    return made;
}

outcome<kernel> c_kernel(const outcome<c_part>& part, const c_borders& borders, compiler_request how) {
    if (!part) return part.failure();
    auto made = c_kernels(std::span(&*part, 1), std::span(&borders, 1), std::move(how));
    if (!made) return made.failure();
    return std::move(made->front());
}

}  // namespace inlay

#endif
