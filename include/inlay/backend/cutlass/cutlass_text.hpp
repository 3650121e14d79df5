// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUTLASS_CUTLASS_TEXT_HPP
#define INLAY_BACKEND_CUTLASS_CUTLASS_TEXT_HPP

#include <string>

#include <inlay/backend/cutlass/cutlass_arguments.hpp>
#include <inlay/backend/cutlass/cutlass_headers.hpp>
#include <inlay/backend/cutlass/cutlass_layout.hpp>
#include <inlay/backend/cutlass/cutlass_tile.hpp>

namespace inlay::detail {

/// The function of the text.
inline constexpr const char* cutlass_kernel_name = "inlay_product";

/// The kernel of a product in CUDA C++ on CUTLASS's headers of that release. Extents and steps are arguments of a launch, so that products
/// of one form have one text. What the launch takes for granted of the kernel is asserted, so that other headers do not compile.
[[nodiscard]] inline std::string cutlass_text(const cutlass_layout& l, bool has_relu, const cutlass_release& release) {
    const cutlass_tile& t = l.tile;
    const auto number = [](int n) { return std::to_string(n); };
    const auto shape = [&](int rows, int columns, int depth) {
        return "cutlass::gemm::GemmShape<" + number(rows) + ", " + number(columns) + ", " + number(depth) + ">";
    };
    const auto operand = [&](const cutlass_matrix& m) {
        return std::string("float, cutlass::layout::") + (m.is_row_major ? "RowMajor" : "ColumnMajor") + ", " + number(m.width);
    };
    const std::string output = has_relu ? "LinearCombinationRelu" : "LinearCombination";
    std::string text = "#include <cutlass/version.h>\n";
    text += "#include <cutlass/epilogue/thread/linear_combination" + std::string(has_relu ? "_relu" : "") + ".h>\n";
    text += "#include <cutlass/gemm/kernel/default_gemm.h>\n#include <cutlass/gemm/kernel/gemm_batched.h>\n\n";
    text += "static_assert(CUTLASS_MAJOR == " + number(release.major) + " && CUTLASS_MINOR == " + number(release.minor) +
            " && CUTLASS_PATCH == " + number(release.patch) + ", \"CUTLASS is another release than its folder says\");\n\n";
    text += "using swizzle = cutlass::gemm::threadblock::GemmBatchedIdentityThreadblockSwizzle;\n";
    text += "using output = cutlass::epilogue::thread::" + output + "<float, " + number(l.d.width) + ", float, float>;\n";
    text += "using parts = cutlass::gemm::kernel::DefaultGemm<\n    " + operand(l.a) + ", " + operand(l.b) +
            ", float, cutlass::layout::RowMajor, float,\n    cutlass::arch::" + (t.by_tf32 ? "OpClassTensorOp" : "OpClassSimt") +
            ", cutlass::arch::Sm80,\n    " + shape(t.rows, t.columns, t.depth) + ", " + shape(t.warp_rows, t.warp_columns, t.depth) + ", " +
            (t.by_tf32 ? shape(16, 8, 8) : shape(1, 1, 1)) + ",\n    output, swizzle, " + number(t.stages) +
            ", false, cutlass::arch::OpMultiplyAdd>::GemmKernel;\n";
    text += "using product = cutlass::gemm::kernel::GemmBatched<typename parts::Mma, typename parts::Epilogue, swizzle>;\n\n";
    text += "static_assert(product::kThreadCount == " + number(t.threads()) +
            ", \"CUTLASS's kernel has another number of threads than its launch\");\n";
    text += "static_assert(sizeof(product::SharedStorage) <= " + number(t.shared_bytes()) +
            ", \"CUTLASS's kernel shares more bytes in a block than its launch has\");\n\n";
    text += "extern \"C\" __global__ void __launch_bounds__(product::kThreadCount)\n" + std::string(cutlass_kernel_name) + "(" +
            cutlass_arguments::parameters() + ") {\n";
    text += "    extern __shared__ __align__(128) unsigned char shared[];\n";
    text += "    const cutlass::gemm::GemmCoord size(rows, columns, inner);\n";
    text += "    const product::Params how(size, swizzle::get_tiled_shape(size, {" + number(t.rows) + ", " + number(t.columns) + ", " +
            number(t.depth) + "}, batches),\n";
    // What CUTLASS reads stands in references that could write, too.
    text +=
        "                              {const_cast<float*>(a), leading_a}, step_a, {const_cast<float*>(b), leading_b}, step_b,\n"
        "                              {const_cast<float*>(c), leading_c}, step_c, {d, leading_d}, step_d, {alpha, beta}, batches);\n";
    text += "    product()(how, *reinterpret_cast<product::SharedStorage*>(shared));\n}\n";
    return text;
}

}  // namespace inlay::detail

#endif
