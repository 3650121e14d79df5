// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_OPENBLAS_PROGRAM_HPP
#define INLAY_BACKEND_OPENBLAS_PROGRAM_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/backend/anchored_chain.hpp>
#include <inlay/backend/openblas/product.hpp>
#include <inlay/backend/openblas/rowwise.hpp>
#include <inlay/backend/openblas/threads.hpp>
#include <inlay/backend/thread_limit.hpp>
#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/graph/tensor.hpp>

namespace inlay::detail {

/// Where a kernel reads a tensor: an input, or a constant.
struct openblas_source {
    std::size_t input = 0;
    tensor constant{};
    bool is_constant = false;

    [[nodiscard]] static openblas_source of(const region_view& r, value_id v) {
        if (r[v].kind == region_value::role::constant) return of(*r[v].value);
        return {v, {}, false};
    }
    [[nodiscard]] static openblas_source of(tensor constant) { return {0, std::move(constant), true}; }
    [[nodiscard]] const float* at(const run_arguments& a) const {
        return is_constant ? constant.as<float>().data() : static_cast<const float*>(a.inputs[input]);
    }
};

/// What is done to the rows of a result after the product, in order.
class openblas_epilogue {
public:
    openblas_epilogue() = default;
    /// Of a result with these extents; the last axis is a row.
    explicit openblas_epilogue(std::vector<std::int64_t> extents) : extents_(std::move(extents)) {}

    void function(const elementwise_function& f) {
        step s;
        s.kind = chain_step::form::function;
        s.function = f;
        steps_.push_back(std::move(s));
    }
    /// Combines with a tensor that is read with these strides, which are 0 where it is stretched.
    void combine(chain_step::combination how, openblas_source other, std::vector<std::int64_t> strides) {
        step s;
        s.kind = chain_step::form::combine;
        s.how = how;
        s.other = std::move(other);
        s.strides = std::move(strides);
        steps_.push_back(std::move(s));
    }

    [[nodiscard]] bool empty() const { return steps_.empty(); }

    /// Changes rows `first` to `last` of the result, whose row 0 is at `result`.
    void run(const run_arguments& a, float* result, std::size_t first, std::size_t last) const {
        const auto columns = static_cast<std::size_t>(extents_.back());
        for (std::size_t row = first; row < last; ++row) {
            float* at = result + row * columns;
            for (const step& s : steps_) {
                if (s.kind == chain_step::form::function)
                    rowwise_apply(s.function, at, columns);
                else
                    rowwise_combine(s.how, at, s.other.at(a) + before_row(s, row), static_cast<std::size_t>(s.strides.back()), columns);
            }
        }
    }

private:
    struct step {
        chain_step::form kind = chain_step::form::function;
        elementwise_function function{};
        chain_step::combination how = chain_step::combination::add;
        openblas_source other{};
        std::vector<std::int64_t> strides{};
    };

    /// How many elements of the other tensor lie before what a row is combined with.
    [[nodiscard]] std::size_t before_row(const step& s, std::size_t row) const {
        std::size_t sum = 0;
        for (std::size_t i = extents_.size() - 1; i-- > 0;) {
            const auto extent = static_cast<std::size_t>(extents_[i]);
            sum += row % extent * static_cast<std::size_t>(s.strides[i]);
            row /= extent;
        }
        return sum;
    }

    std::vector<std::int64_t> extents_;
    std::vector<step> steps_;
};

/// Products of matrices of one shape, one after the other, and what follows them: the state of an emitted kernel.
struct openblas_program {
    /// Where the matrices of one product begin, in elements.
    struct batch {
        std::size_t a = 0, b = 0, result = 0;
    };

    int threads = 1;
    bool in_slices = false;  // runs of rows, each on one thread, shared out over the executor of the run
    openblas_product product;
    openblas_source a, b;
    std::vector<batch> batches;
    openblas_epilogue after;  // of the whole result; where there is one, its rows lie one behind the other

    [[nodiscard]] bool run(const run_arguments& arguments) const {
        const openblas_threads scope(in_slices ? 1 : threads);
        const float *from_a = a.at(arguments), *from_b = b.at(arguments);
        auto* result = static_cast<float*>(arguments.results[0]);
        const auto rows = static_cast<std::size_t>(product.rows), slice = rows_at_once(), of_a_batch = (rows + slice - 1) / slice,
                   count = batches.size() * of_a_batch;
        auto one = [&](std::size_t number) {
            const std::size_t i = number / of_a_batch, first = number % of_a_batch * slice, last = std::min(first + slice, rows);
            product.run(from_a + batches[i].a, from_b + batches[i].b, result + batches[i].result, first, last);
            if (!after.empty()) after.run(arguments, result, i * rows + first, i * rows + last);
        };
        if (in_slices)
            arguments.executor.run(count, one);
        else
            for (std::size_t number = 0; number < count; ++number) one(number);
        return true;
    }

    /// How many runs of rows there are.
    [[nodiscard]] std::size_t slices() const {
        const auto rows = static_cast<std::size_t>(product.rows), slice = rows_at_once();
        return batches.size() * ((rows + slice - 1) / slice);
    }

    /// Multiplications and additions of all products.
    [[nodiscard]] double operations() const {
        return 2.0 * static_cast<double>(product.rows) * product.columns * product.inner * static_cast<double>(batches.size());
    }

    [[nodiscard]] static kernel finish(openblas_program program) {
        const bool in_slices = program.in_slices;
        const auto threads = static_cast<std::size_t>(program.threads);
        std::string note = (in_slices ? std::to_string(program.slices()) + " slices of " : std::string()) + program.product.name();
        kernel made(std::move(program));
        made.note = std::move(note);
        return in_slices ? with_thread_limit(std::move(made), threads) : std::move(made);
    }

private:
    /// Rows are finished while a core's cache holds them. The library packs the second matrix anew for every slice, so a slice has many.
    [[nodiscard]] std::size_t rows_at_once() const {
        constexpr std::size_t cache = 1 << 19, least = 192;  // bytes; rows for each thread
        const auto rows = static_cast<std::size_t>(product.rows), row = static_cast<std::size_t>(product.columns) * sizeof(float);
        if (in_slices) {
            // Two for each thread, so that one that is held up leaves some to others.
            constexpr std::size_t fewest = 32;
            const std::size_t wanted = std::max<std::size_t>(2 * static_cast<std::size_t>(threads) / batches.size(), 1);
            return std::max(std::min(fewest, rows), (rows + wanted - 1) / wanted);
        }
        if (after.empty()) return rows;
        return std::min(rows, std::max(cache / row, least * static_cast<std::size_t>(threads)));
    }
};

}  // namespace inlay::detail

#endif
