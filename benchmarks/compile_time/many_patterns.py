# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""A source file with a list of several back ends and many patterns, which is checked by the linter and asked for its candidates."""

# Patterns of the shapes that back ends have, each with two operators to fill in.
SHAPES = [
    "op<\"{a}\">(op<\"onnx.Conv\">)",
    "op<\"{a}\">(commutative<\"onnx.Add\">(op<\"onnx.Conv\">(any, constant), any))",
    "optional<\"onnx.Relu\">(commutative<\"onnx.Add\">(op<\"{a}\">(any, constant), constant))",
    "op<\"{a}\">(as<\"left\">, op<\"{b}\">)",
    "op<\"{a}\">(op<\"{b}\">(as<\"x\">), as<\"x\">)",
    "op<\"onnx.Mul\">(op<\"{a}\">(as<\"x\">), op<\"{b}\">(as<\"x\">))",
    "op<\"{a}\">(op<\"onnx.MatMul\">(any, constant) | op<\"onnx.Gemm\">)",
    "op<\"{a}\">(op<\"{b}\">(op<\"onnx.Sub\">(as<\"x\">, op<\"onnx.ReduceMean\">(as<\"x\">))))",
    "op<\"{a}\">",
    "op<\"onnx.Concat\">(op<\"{a}\">, op<\"{b}\">, rest)",
]
OPERATORS = ["Relu", "Tanh", "Sigmoid", "Exp", "Log", "Sqrt", "Abs", "Neg", "Erf", "Floor", "Ceil", "Sin", "Cos", "Softplus"]


def source(backends=8, patterns=100):
    """Backends with their share of the patterns, no two of one back end alike, every other pattern with a predicate."""
    text = ["#include <inlay/inlay.hpp>", "#include <inlay/codegen/list/list_lint.hpp>", "#include <inlay/ir/ir_module.hpp>", "using namespace inlay;"]
    number = 0
    for b in range(backends):
        rows = []
        for i in range(patterns // backends + (b < patterns % backends)):
            first, second = OPERATORS[(number // len(SHAPES) + i) % len(OPERATORS)], OPERATORS[(3 * i + b) % len(OPERATORS)]
            shape = SHAPES[i % len(SHAPES)].format(a="onnx." + first, b="onnx." + second)
            when = f', [](const back_end{b}& self, const auto& m) {{ return m.region().input_count < {i + 2} + std::size_t(self.level) ? verdict::yes() : verdict::no("it reads too much"); }}'
            rows.append(f'composite<"c{i}">({shape}{when if i % 2 else ""})')
            number += 1
        text.append(f"""
struct back_end{b} {{
    static constexpr std::string_view kind = "back_end{b}", refines = "llvm";
    static constexpr device_type device = device_type::cpu;
    int level = 1;
    using options = option_list<option<"level", &back_end{b}::level, "how much it reads">>;
    static std::string version() {{ return "1"; }}
    outcome<void> usable() const {{ return {{}}; }}
    static constexpr auto patterns() {{
        using namespace inlay::dsl;
        return pattern_table({(',' + chr(10) + ' ' * 29).join(rows)});
    }}
    std::vector<border_formats> formats(const region_view& r) const {{ return {{plain_borders(r)}}; }}
    std::optional<double> price(const region_view& r) const {{ return 1e-6 * double(r.calls().size()); }}
    outcome<kernel> emit(const region_view&) const {{ return error{{"it emits nothing"}}; }}
}};""")
    names = ", ".join(f"back_end{b}" for b in range(backends))
    text.append(f"""
using every = backend_list<{names}>;
static_assert(fit_for_eager<every>);
candidate_set candidates_of_all(const ir_module& m) {{ return enumerate(m, every()); }}
""")
    return "\n".join(text)


if __name__ == "__main__":
    print(source())
