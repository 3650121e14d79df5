// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_CHECK_IPP
#define INLAY_CODEGEN_C_C_CHECK_IPP

#include <cstddef>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>

#include <inlay/codegen/c/c_check.hpp>

#include <inlay/codegen/c/c_array.hpp>
#include <inlay/codegen/c/c_program.hpp>
#include <inlay/codegen/c/c_unit.hpp>
#include <inlay/graph/element_type.hpp>
#include <inlay/loops/text/half_functions.hpp>

namespace inlay::detail {

inline constexpr std::string_view c_check_reading = R"(static void* aligned(size_t bytes) {
    unsigned char* const p = malloc(bytes + 64);
    if (p == NULL) {
        fprintf(stderr, "there is no memory for %lu bytes\n", (unsigned long)bytes);
        exit(2);
    }
    return p + (64 - (uintptr_t)p % 64);
}

static void* read_bytes(const char* folder, const char* name, size_t bytes) {
    char path[4096];
    FILE* f;
    unsigned char* data;
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path) {
        fprintf(stderr, "the folder's name is too long\n");
        exit(2);
    }
    f = fopen(path, "rb");
    data = aligned(bytes);
    if (f == NULL || fread(data, 1, bytes, f) != bytes || fgetc(f) != EOF) {
        fprintf(stderr, "%s is no file of %lu bytes\n", path, (unsigned long)bytes);
        exit(2);
    }
    fclose(f);
    return data;
}

)";

/// How many elements of a tensor are off, one function for each element type.
[[nodiscard]] inline std::string c_comparison(element_type e) {
    const std::string t(stored_c_type(e));
    std::string made, read;
    if (is_half(e)) {
        const half_function widening = half_widening(e);
        made = "static " + widening.text + "\n";
        read = widening.name;
    } else {
        read = "(double)";
    }
    return made + "static size_t off_" + std::string(name_of(e)) + "(const " + t + "* got, const " + t +
           "* wanted, size_t count, double* largest) {\n"
           "    size_t off = 0;\n    for (size_t i = 0; i < count; ++i) {\n"
           "        const double g = " +
           read + "(got[i]), w = " + read +
           "(wanted[i]), d = fabs(g - w);\n"
           "        if (g == w || (g != g && w != w)) continue;\n"
           "        if (d > *largest || d != d) *largest = d;\n"
           "        if (!(d <= absolute + relative * fabs(w))) ++off;\n    }\n    return off;\n}\n\n";
}

std::string c_check_source(const c_program& p, double relative, double absolute) {
    char tolerances[128];
    std::snprintf(tolerances, sizeof tolerances, "static const double relative = %.17g, absolute = %.17g;\n\n", relative, absolute);
    std::string text = "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n\n#include \"" +
                       p.name + ".h\"\n\n" + tolerances + std::string(c_check_reading);
    std::set<element_type> types;
    for (const c_tensor& t : p.results) types.insert(t.element);
    for (const element_type e : types) text += c_comparison(e);
    const std::string big = in_capitals(p.name);
    text +=
        "int main(int argc, char** argv) {\n    const char* const folder = argc > 1 ? argv[1] : \"check\";\n"
        "    struct " +
        p.name + "_inputs inputs;\n    struct " + p.name +
        "_outputs outputs;\n"
        "    unsigned char* const arena = aligned(" +
        big + "_ARENA_BYTES);\n";
    if (p.weights == c_weights::in_file)
        text += "    const unsigned char* const weights = read_bytes(\".\", \"" + p.name + "_weights.bin\", " + big + "_WEIGHTS_BYTES);\n";
    text +=
        "    size_t off = 0, all = 0;\n    double largest = 0;\n    clock_t start;\n"
        "    memset(&inputs, 0, sizeof inputs);\n    memset(&outputs, 0, sizeof outputs);\n";
    if (p.arena_bytes != 0) text += "    memset(arena, 0xa5, " + big + "_ARENA_BYTES);\n";
    const auto number = [](std::size_t n) { return std::to_string(n); };
    for (std::size_t i = 0; i < p.inputs.size(); ++i)
        text += "    inputs." + p.inputs[i].name + " = read_bytes(folder, \"input_" + number(i) + ".bin\", " + number(p.inputs[i].bytes) +
                ");\n";
    for (const c_tensor& t : p.results) text += "    outputs." + t.name + " = aligned(" + number(t.bytes) + ");\n";
    text += "    start = clock();\n    if (" + p.name + "_run(&inputs, &outputs, arena" +
            (p.weights == c_weights::in_file ? ", weights" : "") +
            ") != 0) {\n        fprintf(stderr, \"the program failed\\n\");\n        return 1;\n    }\n"
            "    printf(\"" +
            p.name + " ran in %.3f s\\n\", (double)(clock() - start) / CLOCKS_PER_SEC);\n";
    for (std::size_t i = 0; i < p.results.size(); ++i) {
        const c_tensor& t = p.results[i];
        const std::string count = number(t.bytes / size_of(t.element));
        text += "    largest = 0;\n    off = off_" + std::string(name_of(t.element)) + "(outputs." + t.name +
                ", read_bytes(folder, \"output_" + number(i) + ".bin\", " + number(t.bytes) + "), " + count +
                ", &largest);\n    all += off;\n    printf(\"" + t.name + ": %lu of " + count +
                " elements are off, the largest error is %g\\n\", (unsigned long)off, largest);\n";
    }
    return text + "    return all == 0 ? 0 : 1;\n}\n";
}

}  // namespace inlay::detail

#endif
