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
#include <inlay/backend/xnnpack/xnnpack_version.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay::detail {

static_assert(buffer::slack >= XNN_EXTRA_BYTES, "inlay: XNNPACK reads further past the end of a tensor than a buffer allows");

/// The number in the type that the library's parameters have. Precondition: it was checked to be in range.
[[nodiscard]] constexpr std::uint32_t xnnpack_number(std::int64_t n) { return static_cast<std::uint32_t>(n); }

/// Where an operator reads a tensor: an input of the kernel, a constant, or the result, which an operator before has written.
struct xnnpack_source {
    std::size_t input = 0;
    const float* constant = nullptr;  // where not null
    std::size_t offset = 0;           // the element from which on it reads
    bool is_result = false;

    [[nodiscard]] const float* at(const run_arguments& a) const {
        if (is_result) return static_cast<const float*>(a.results[0]) + offset;
        return (constant != nullptr ? constant : static_cast<const float*>(a.inputs[input])) + offset;
    }
};

/// An operator to be added, and on what.
struct xnnpack_step {
    xnnpack_operator what;
    xnnpack_parameters parameters{};
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

    /// Adds an operator. A range that the operator does not apply itself is a second operator, in place on the result.
    [[nodiscard]] outcome<void> step(const xnnpack_step& added) {
        const xnnpack_operator& what = added.what;
        const xnnpack_parameters& p = added.parameters;
        xnn_operator_t made = nullptr;
        xnn_status answer = what.create(p, flags_ | added.flags, &made);
        call c{operator_handle(made), what.setup, p};
        std::size_t workspace = 0;
        if (answer == xnn_status_success && what.reshape != nullptr) answer = what.reshape(made, p, workspace, pool_.get());
        if (answer != xnn_status_success)
            return error{"XNNPACK makes no " + std::string(what.name) + ": " + std::string(xnnpack_text(answer))};
        c.workspace = buffer(workspace);
        if (c.workspace.size() != workspace) return error{"there is no memory for the workspace of " + std::string(what.name)};
        for (const xnnpack_source& s : added.sources) c.sources[c.count++] = s;
        c.offset = added.offset;
        calls_.push_back(std::move(c));
        if (note_.find(what.name) == std::string::npos) note_.append(note_.empty() ? "" : ", ").append(what.name);
        const bool is_cut = p.low > xnnpack_parameters().low || p.high < xnnpack_parameters().high;
        if (what.uncut == nullptr || !is_cut) return {};
        xnnpack_step range{xnnpack_operators::clamp, xnnpack_parameters::of_rows(1, what.uncut(p)), {{}}, added.offset};
        range.parameters.low = p.low;
        range.parameters.high = p.high;
        range.sources[0].offset = added.offset;
        range.sources[0].is_result = true;
        return step(range);
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
                // An operator that asks for no workspace takes null alone.
                void* workspace = c.workspace.size() == 0 ? nullptr : c.workspace.data();
                if (c.setup(c.op.get(), c.parameters, workspace, in.data(), out, pool_.get()) != xnn_status_success) return false;
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
        xnnpack_operator::setting setup = nullptr;
        xnnpack_parameters parameters{};
        buffer workspace{};
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
