// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_OPENBLAS_MATMUL_HPP
#define INLAY_BACKEND_OPENBLAS_MATMUL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_product.hpp>
#include <inlay/backend/openblas/program.hpp>
#include <inlay/candidate/border_formats.hpp>
#include <inlay/ops/loops/strides.hpp>

namespace inlay::detail {

/// How many axes a tensor may have.
inline constexpr std::size_t openblas_most_axes = 8;

/// Matrix products: MatMul and Gemm, with what follows: a factor, a bias, an activation, another tensor. Operands that are transposed
/// first are read in place, and a result that is transposed alone is written in place, where rows or columns stay contiguous.
struct openblas_matmul {
    struct plan : anchored_product {
        openblas_matrix a_order, b_order, result_order;
    };

    static constexpr auto pattern_of_matmul() { return anchored_product::pattern_of_matmul(); }
    static constexpr auto pattern_of_gemm() { return anchored_product::pattern_of_gemm(); }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        auto found = anchored_product::read(r, openblas_most_axes);
        if (!found) return found.failure();
        plan p{*std::move(found), {}, {}, {}};
        const auto order = [](const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides, const char* what,
                              openblas_matrix& to) -> outcome<void> {
            const std::size_t n = extents.size();
            const auto known = openblas_matrix::of(extents[n - 2], extents[n - 1], strides[n - 2], strides[n - 1]);
            if (!known)
                return error{std::string(what) + " of " + std::to_string(extents[n - 2]) + " x " + std::to_string(extents[n - 1]) +
                             " has neither its rows nor its columns in one piece, or is larger than the library counts"};
            to = *known;
            return {};
        };
        if (auto fine = order(p.a.extents, p.a.strides, "the first matrix", p.a_order); !fine) return fine.failure();
        if (auto fine = order(p.b.extents, p.b.strides, "the second matrix", p.b_order); !fine) return fine.failure();
        if (auto fine = order(p.extents, p.strides, "the result", p.result_order); !fine) return fine.failure();
        return p;
    }

    /// Matrices stand row-major.
    [[nodiscard]] static std::vector<border_formats> formats(const plan&, const region_view& r) { return {plain_borders(r)}; }

    static void build(const plan& p, const region_view& r, const border_formats&, openblas_program& program) {
        const std::size_t n = p.extents.size();
        openblas_product& whole = program.product;
        whole.rows = static_cast<blasint>(p.extents[n - 2]);
        whole.columns = static_cast<blasint>(p.extents[n - 1]);
        whole.inner = static_cast<blasint>(p.a.extents.back());
        whole.a = p.a_order;
        whole.b = p.b_order;
        whole.step = p.result_order.step;
        whole.factor = static_cast<float>(p.factor);
        program.a = openblas_source::of(r, p.a.value);
        program.b = openblas_source::of(r, p.b.value);
        program.batches = batches(p);
        program.after = after(p, r);
        if (p.result_order.by_column) turn(program);
    }

private:
    [[nodiscard]] static std::vector<openblas_program::batch> batches(const plan& p) {
        std::vector<openblas_program::batch> all(1);
        for (std::size_t axis = 0; axis + 2 < p.extents.size(); ++axis) {
            const auto step = [&](const anchored_product::operand& o) {
                return static_cast<std::size_t>(o.extents[axis] == 1 ? 0 : o.strides[axis]);
            };
            std::vector<openblas_program::batch> next;
            next.reserve(all.size() * static_cast<std::size_t>(p.extents[axis]));
            for (const openblas_program::batch& b : all)
                for (std::size_t i = 0; i < static_cast<std::size_t>(p.extents[axis]); ++i)
                    next.push_back({b.a + i * step(p.a), b.b + i * step(p.b), b.result + i * static_cast<std::size_t>(p.strides[axis])});
            all = std::move(next);
        }
        return all;
    }

    [[nodiscard]] static openblas_epilogue after(const plan& p, const region_view& r) {
        openblas_epilogue made(p.extents);
        if (p.bias) {
            const auto from = r[*p.bias].value->as<float>();
            tensor bias(element_type::float32, {static_cast<std::int64_t>(from.size())});
            for (std::size_t i = 0; i < from.size(); ++i)
                bias.as<float>()[i] = static_cast<float>(static_cast<double>(from[i]) * p.bias_factor);
            auto strides = stretched_strides(bias.extents(), p.extents);
            made.combine(chain_step::combination::add, openblas_source::of(std::move(bias)), std::move(strides));
        }
        for (std::size_t i = 0; i < p.after.size(); ++i) {
            const chain_step& s = p.after[i];
            if (s.kind == chain_step::form::function)
                made.function(s.function);
            else
                made.combine(s.how, openblas_source::of(r, s.other), stretched_strides(p.other_extents[i], p.extents));
        }
        return made;
    }

    /// The same product as its transposed one, whose rows are contiguous. Precondition: nothing follows it.
    static void turn(openblas_program& program) {
        openblas_product& whole = program.product;
        std::swap(whole.rows, whole.columns);
        std::swap(whole.a, whole.b);
        whole.a.by_column = !whole.a.by_column;
        whole.b.by_column = !whole.b.by_column;
        std::swap(program.a, program.b);
        for (openblas_program::batch& b : program.batches) std::swap(b.a, b.b);
    }
};

}  // namespace inlay::detail

#endif
