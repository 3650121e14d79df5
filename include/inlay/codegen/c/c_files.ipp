// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_FILES_IPP
#define INLAY_CODEGEN_C_C_FILES_IPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/codegen/c/c_files.hpp>

#include <inlay/codegen/c/c_array.hpp>
#include <inlay/codegen/c/c_check.hpp>
#include <inlay/codegen/c/c_makefile.hpp>
#include <inlay/codegen/c/c_program.hpp>
#include <inlay/codegen/c/c_unit.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/graph/tensor_type.hpp>

namespace inlay {

namespace detail {

[[nodiscard]] inline std::string c_struct(const std::string& name, std::span<const c_tensor> tensors, bool is_input) {
    std::string text = "struct " + name + " {\n";
    for (const c_tensor& t : tensors) {
        shape extents;
        for (const std::int64_t e : t.extents) extents.push_back(e);
        text += "    " + std::string(is_input ? "const " : "") + std::string(stored_c_type(t.element)) + "* " + t.name + "; /* " +
                to_string(tensor_type(t.element, extents)) + (t.known == t.name ? std::string() : ", the model's " + c_comment(t.known)) +
                " */\n";
    }
    return text + (tensors.empty() ? "    char none;\n" : "") + "};\n";
}

/// The declaration of the entry point, without a semicolon.
[[nodiscard]] inline std::string c_entry(const c_program& p) {
    return "int " + p.name + "_run(const struct " + p.name + "_inputs* inputs, const struct " + p.name +
           "_outputs* outputs, unsigned char* arena" + (p.weights == c_weights::in_file ? ", const unsigned char* weights)" : ")");
}

[[nodiscard]] inline std::string header_of(const c_program& p) {
    const std::string big = in_capitals(p.name);
    std::string text = "#ifndef " + big + "_H\n#define " + big + "_H\n\n#include <stdbool.h>\n#include <stdint.h>\n\n";
    text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    text += "/* Bytes that a run works in. */\n#define " + big + "_ARENA_BYTES " + std::to_string(p.arena_bytes) + "\n\n";
    if (p.weights == c_weights::in_file)
        text += "/* Bytes of the file " + p.name + "_weights.bin. */\n#define " + big + "_WEIGHTS_BYTES " + std::to_string(p.weight_bytes) +
                "\n\n";
    text += "/* What the program takes and gives: pointers to row-major tensors, which overlap neither each other nor the arena. */\n";
    text += c_struct(p.name + "_inputs", p.inputs, true) + c_struct(p.name + "_outputs", p.results, false) + "\n";
    text += "/* Computes the outputs and gives 0. `arena` has " + big + "_ARENA_BYTES bytes of any content" +
            (p.weights == c_weights::in_file ? ", `weights` the bytes of the file" : "") +
            "; such memory begins at a\n   multiple of 64. Nothing is kept between runs: threads may run it at one time, each in an arena "
            "of its own. */\n";
    return text + c_entry(p) + ";\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

std::string source_of(const c_program& p) {
    std::string text = "#include \"" + p.name + ".h\"\n\n";
    if (p.weights == c_weights::embedded)
        for (const c_constant& c : p.constants)
            text += "extern const " + std::string(stored_c_type(c.value.element())) + " " + c.name + "[];\n";
    text += (p.constants.empty() || p.weights != c_weights::embedded ? "" : "\n") + p.functions + "\n" + c_entry(p) +
            " {\n    (void)inputs;\n    (void)outputs;\n    (void)arena;\n";
    if (p.weights == c_weights::in_file) text += "    (void)weights;\n";
    for (const std::string& call : p.calls) text += "    " + call + "\n";
    return text + "    return 0;\n}\n";
}

[[nodiscard]] inline outcome<std::string> c_weights_source(const c_program& p) {
    std::string arrays;
    for (const c_constant& c : p.constants) {
        auto array = c_array(c.value, c.name);
        if (!array) return array.failure();
        arrays += "extern const " + std::string(stored_c_type(c.value.element())) + " " + c.name + "[];\n" + *array;
    }
    const bool needs_math = has_c_word(arrays, "NAN") || has_c_word(arrays, "INFINITY");
    // C has no empty files.
    if (arrays.empty()) arrays = "typedef int " + p.name + "_has_no_weights;\n";
    return std::string(needs_math ? "#include <math.h>\n" : "") + "#include <stdbool.h>\n#include <stdint.h>\n\n" + arrays;
}

[[nodiscard]] inline std::string weights_file(const c_program& p) {
    std::string bytes(p.weight_bytes, '\0');
    for (const c_constant& c : p.constants)
        if (c.value.bytes() != 0) std::memcpy(bytes.data() + c.offset, c.value.data(), c.value.bytes());
    return bytes;
}
[[nodiscard]] inline std::string raw_bytes(const tensor& t) {
    return t.bytes() == 0 ? std::string() : std::string(reinterpret_cast<const char*>(t.data()), t.bytes());
}

}  // namespace detail

outcome<std::vector<c_file>> c_files(const c_program& p, const c_check_data* data) {
    std::vector<c_file> files;
    files.push_back({p.name + ".h", detail::header_of(p)});
    files.push_back({p.name + ".c", detail::source_of(p)});
    for (const c_header& h : p.headers) files.push_back({h.name, h.text});
    for (const c_source& s : p.sources) files.push_back({s.name, s.text});
    if (p.weights == c_weights::embedded) {
        auto arrays = detail::c_weights_source(p);
        if (!arrays) return arrays.failure();
        files.push_back({p.name + "_weights.c", *std::move(arrays)});
    } else {
        files.push_back({p.name + "_weights.bin", detail::weights_file(p)});
    }
    if (data != nullptr) {
        files.push_back({p.name + "_check.c", detail::c_check_source(p, data->relative, data->absolute)});
        for (std::size_t i = 0; i < data->inputs.size(); ++i)
            files.push_back({"check/input_" + std::to_string(i) + ".bin", detail::raw_bytes(data->inputs[i])});
        for (std::size_t i = 0; i < data->results.size(); ++i)
            files.push_back({"check/output_" + std::to_string(i) + ".bin", detail::raw_bytes(data->results[i])});
    }
    bool needs_math = detail::has_c_word(p.functions, "math");
    for (const c_source& s : p.sources) needs_math = needs_math || detail::has_c_word(s.text, "math");
    for (const c_file& f : files) needs_math = needs_math || (f.path == p.name + "_weights.c" && f.content.find("<math.h>") < 32);
    files.push_back({"Makefile", detail::c_makefile(p, data != nullptr, needs_math)});
    std::set<std::string_view> paths;
    for (const c_file& f : files)
        if (!paths.insert(f.path).second)
            return error{"two files of program " + quoted_text(p.name) + " are called " + quoted_text(f.path) +
                         "; name the program or the file of the library otherwise"};
    return files;
}

}  // namespace inlay

#endif
