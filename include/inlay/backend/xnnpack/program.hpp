// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_PROGRAM_HPP
#define INLAY_BACKEND_XNNPACK_PROGRAM_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <xnnpack.h>

#include <inlay/backend/xnnpack/thread_pool.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

static_assert(buffer::slack >= XNN_EXTRA_BYTES, "inlay: XNNPACK reads further past the end of a tensor than a buffer allows");

/// What a status of the library says.
[[nodiscard]] constexpr std::string_view xnnpack_text(xnn_status s) {
    switch (s) {
        case xnn_status_success:
            return "success";
        case xnn_status_uninitialized:
            return "the library is not initialised";
        case xnn_status_invalid_parameter:
            return "a parameter is invalid";
        case xnn_status_invalid_state:
            return "the operator is in an invalid state";
        case xnn_status_unsupported_parameter:
            return "a parameter has a value that it does not support";
        case xnn_status_unsupported_hardware:
            return "this CPU is not supported";
        case xnn_status_out_of_memory:
            return "there is no memory";
    }
    return "an unknown status";
}

/// The number in the type that the library's parameters have. Precondition: it was checked to be in range.
[[nodiscard]] constexpr std::uint32_t xnnpack_number(std::int64_t n) { return static_cast<std::uint32_t>(n); }

/// The numbers that an operator is set up with; which of them are read depends on the operator.
struct xnnpack_sizes {
    std::size_t batch = 1, height = 1, width = 1;  // of the input
    std::size_t more_height = 0, more_width = 0;   // the output's extents of a resize, the adjustment of a transposed convolution
    std::size_t first_rank = 0, second_rank = 0;   // of operators on two tensors
    std::array<std::size_t, XNN_MAX_TENSOR_DIMS> first{}, second{};

    /// Of an image N C H W, or of rows.
    [[nodiscard]] static xnnpack_sizes of_image(const std::vector<std::int64_t>& e) {
        xnnpack_sizes s = of_rows(static_cast<std::size_t>(e[0]));
        s.height = static_cast<std::size_t>(e[2]);
        s.width = static_cast<std::size_t>(e[3]);
        return s;
    }
    [[nodiscard]] static xnnpack_sizes of_rows(std::size_t rows) {
        xnnpack_sizes s;
        s.batch = rows;
        return s;
    }
};

/// Sets an operator up for tensors at these addresses. `in` has as many as the operator reads.
using xnnpack_setup = xnn_status (*)(xnn_operator_t op, const xnnpack_sizes& sizes, const float* const* in, float* out, pthreadpool_t pool);

/// The setup of an operator on one tensor, as the library's function for it wants the sizes: as rows, or as images.
template <auto Setup>
xnn_status xnnpack_rows(xnn_operator_t op, const xnnpack_sizes& z, const float* const* in, float* out, pthreadpool_t pool) {
    return Setup(op, z.batch, in[0], out, pool);
}
template <auto Setup>
xnn_status xnnpack_image(xnn_operator_t op, const xnnpack_sizes& z, const float* const* in, float* out, pthreadpool_t pool) {
    return Setup(op, z.batch, z.height, z.width, in[0], out, pool);
}

/// Where an operator reads a tensor: an input of the kernel, or a constant.
struct xnnpack_source {
    std::size_t input = 0;
    const float* constant = nullptr;  // where not null
    std::size_t offset = 0;           // the element from which on it reads

    [[nodiscard]] const float* at(const run_arguments& a) const {
        return (constant != nullptr ? constant : static_cast<const float*>(a.inputs[input])) + offset;
    }
};

/// An operator to be added: what it is called, how it is set up and on what.
struct xnnpack_step {
    std::string_view name;
    xnnpack_setup setup = nullptr;
    xnnpack_sizes sizes{};
    std::vector<xnnpack_source> sources{{}};  // one or two
    std::size_t offset = 0;                   // the element of result 0 from which on it writes
    std::uint32_t flags = 0;                  // besides those of all
};

/// Operators in order: the state of an emitted kernel. Runs from several threads take turns. An operator is set up again only when a
/// tensor's address has changed since the last run.
class xnnpack_program {
public:
    xnnpack_program(xnnpack_pool pool, bool spin) : pool_(std::move(pool)), flags_(spin ? 0 : XNN_FLAG_YIELD_WORKERS) {}

    /// The flags that every operator is made with.
    [[nodiscard]] std::uint32_t flags() const { return flags_; }

    /// A constant in memory that the library may read beyond. Error: there is no memory.
    [[nodiscard]] outcome<const float*> constant(const std::vector<float>& numbers) {
        buffer b(numbers.size() * sizeof(float));
        if (b.size() != numbers.size() * sizeof(float))
            return error{"there is no memory for a constant of " + std::to_string(numbers.size()) + " numbers"};
        if (b.size() != 0) std::memcpy(b.data(), numbers.data(), b.size());
        constants_.push_back(b);
        return reinterpret_cast<const float*>(constants_.back().data());
    }

    /// Adds the operator that `create(arguments..., flags, &made)` makes.
    template <class... Parameters, class... Arguments>
    [[nodiscard]] outcome<void> step(const xnnpack_step& what, xnn_status (*create)(Parameters...), const Arguments&... arguments) {
        xnn_operator_t made = nullptr;
        const xnn_status answer = create(arguments..., flags_ | what.flags, &made);
        operator_handle handle(made);
        if (answer != xnn_status_success)
            return error{"XNNPACK makes no " + std::string(what.name) + ": " + std::string(xnnpack_text(answer))};
        call c;
        c.op = std::move(handle);
        c.setup = what.setup;
        c.sizes = what.sizes;
        for (const xnnpack_source& s : what.sources) c.sources[c.count++] = s;
        c.offset = what.offset;
        calls_.push_back(std::move(c));
        if (note_.find(what.name) == std::string::npos) note_.append(note_.empty() ? "" : ", ").append(what.name);
        return {};
    }

    [[nodiscard]] static kernel finish(xnnpack_program program) {
        std::string note = program.note_;
        kernel made(std::move(program));
        made.note = std::move(note);
        return made;
    }

    bool run(const run_arguments& a) {
        const std::lock_guard<std::mutex> turn(*turn_);
        for (call& c : calls_) {
            std::array<const float*, 2> in{};
            for (std::size_t i = 0; i < c.count; ++i) in[i] = c.sources[i].at(a);
            float* out = static_cast<float*>(a.results[0]) + c.offset;
            if (in != c.last_in || out != c.last_out) {
                c.last_out = nullptr;
                if (c.setup(c.op.get(), c.sizes, in.data(), out, pool_.get()) != xnn_status_success) return false;
                c.last_in = in;
                c.last_out = out;
            }
            if (xnn_run_operator(c.op.get(), pool_.get()) != xnn_status_success) return false;
        }
        return true;
    }

private:
    struct operator_deleter {
        void operator()(xnn_operator* op) const { (void)xnn_delete_operator(op); }
    };
    using operator_handle = std::unique_ptr<xnn_operator, operator_deleter>;
    struct call {
        operator_handle op;
        xnnpack_setup setup = nullptr;
        xnnpack_sizes sizes;
        std::array<xnnpack_source, 2> sources{};
        std::size_t count = 0, offset = 0;
        std::array<const float*, 2> last_in{};
        float* last_out = nullptr;
    };

    std::unique_ptr<std::mutex> turn_ = std::make_unique<std::mutex>();
    xnnpack_pool pool_;
    std::uint32_t flags_;
    std::vector<buffer> constants_;
    std::vector<call> calls_;  // after the pool, so that they go first
    std::string note_;
};

}  // namespace inlay::detail

#endif
