// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_EMIT_COPY_HPP
#define INLAY_RUNTIME_EMIT_COPY_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inlay/codegen/kernel/conversion_route.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/runtime/convert.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// A kernel of one input and one result that takes a tensor from one memory to another, and the bytes that cross from memory to memory.
struct emitted_copy {
    kernel code;
    std::uint64_t bytes = 0;
};

namespace detail {

/// Kernels of one input and one result each, one behind the other. What stands between them stands in the workspace.
class kernel_chain {
public:
    /// `bytes`: of the kernel's result.
    void add(kernel stage, std::size_t bytes) {
        shared_ = std::max(shared_, stage.workspace_bytes);
        stages_.push_back(std::move(stage));
        ends_.push_back((ends_.empty() ? 0 : ends_.back()) + (bytes + buffer::alignment - 1) / buffer::alignment * buffer::alignment);
    }
    [[nodiscard]] static kernel make(kernel_chain chain) {
        if (chain.stages_.size() == 1) return std::move(chain.stages_.front());
        const std::size_t bytes = chain.between() + chain.shared_;
        return kernel(std::move(chain), bytes);
    }

    bool run(const run_arguments& a) const {
        const void* from = a.inputs[0];
        run_arguments own = a;
        own.workspace = a.workspace + between();
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            void* to = i + 1 == stages_.size() ? a.results[0] : a.workspace + (i == 0 ? 0 : ends_[i - 1]);
            own.inputs = &from;
            own.results = &to;
            if (!stages_[i](own)) return false;
            from = to;
        }
        return true;
    }

private:
    [[nodiscard]] std::size_t between() const { return stages_.size() < 2 ? 0 : ends_[stages_.size() - 2]; }

    std::vector<kernel> stages_;
    std::vector<std::size_t> ends_;  // of results in the workspace; the last one's is not there
    std::size_t shared_ = 0;         // workspace of the stages themselves
};

}  // namespace detail

/// The kernel of a conversion between two memories, by the copies that back ends of the list offer; see `route_between`. Its workspace
/// stands in the CPU's main memory. The error says that nobody copies so, or what a back end says.
template <class List>
[[nodiscard]] outcome<emitted_copy> emit_copy(const List& backends, const std::vector<std::int64_t>& extents, const format& from,
                                              const format& to) {
    const auto route =
        route_between(extents, from, to, [&](memory_scope a, memory_scope b, std::size_t bytes) { return copy_by(backends, a, b, bytes); });
    if (!route)
        return error{"no back end that takes part copies a tensor from " + to_string(from) + " to " + to_string(to) +
                     "; name the one whose device has that memory"};
    detail::kernel_chain chain;
    bool is_laid_out = !route->changes_layout();
    // In the CPU's main memory, as soon as it is there.
    const auto lay_out = [&]() -> outcome<void> {
        is_laid_out = true;
        format before = from, after = to;
        before.scope = after.scope = {};
        auto how = layout_conversion::make(extents, before, after);
        if (!how) return how.failure();
        chain.add(conversion_kernel(*how), stored_bytes(extents, after));
        return {};
    };
    memory_scope here = from.scope;
    for (const memory_copy& one : route->copies) {
        if (!is_laid_out && here == memory_scope{})
            if (auto done = lay_out(); !done) return done.failure();
        auto made = backends.visit(one.backend, [&]<class B>(const B& b) -> outcome<kernel> {
            if constexpr (owns_memory<B>)
                return b.emit_copy(one.from, one.to, one.bytes);
            else
                return error{"a back end without memory of its own copies nothing"};
        });
        if (!made) return made.failure();
        chain.add(*std::move(made), one.bytes);
        here = one.to;
    }
    if (!is_laid_out)
        if (auto done = lay_out(); !done) return done.failure();
    return emitted_copy{detail::kernel_chain::make(std::move(chain)), route->copied_bytes()};
}

}  // namespace inlay

#endif
