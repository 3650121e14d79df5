// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_KERNEL_HOSTED_KERNEL_HPP
#define INLAY_CODEGEN_KERNEL_HOSTED_KERNEL_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// A region's border as it is in the CPU's main memory: the same element types and layouts. Refers to the region.
class hosted_border {
public:
    explicit hosted_border(const region_view& region)
        : inputs_(region.input_formats.begin(), region.input_formats.end()),
          results_(region.result_formats.begin(), region.result_formats.end()),
          region_(region) {
        for (std::vector<format>* all : {&inputs_, &results_})
            for (format& f : *all) f.scope = memory_scope();
        region_.input_formats = inputs_;
        region_.result_formats = results_;
    }
    hosted_border(const hosted_border&) = delete;
    hosted_border& operator=(const hosted_border&) = delete;

    [[nodiscard]] const region_view& region() const { return region_; }

    /// Whether a tensor at a region's border is in a device's memory.
    [[nodiscard]] static bool is_elsewhere(const region_view& region) {
        const auto here = [](const format& f) { return f.scope == memory_scope(); };
        return !std::all_of(region.input_formats.begin(), region.input_formats.end(), here) ||
               !std::all_of(region.result_formats.begin(), region.result_formats.end(), here);
    }

private:
    std::vector<format> inputs_, results_;
    region_view region_;
};

/// A device's kernel for tensors in the CPU's main memory: each run copies its inputs and what its results held to the device, runs the
/// kernel there, and copies all of it back. So a kernel can be compared with its meaning wherever its tensors are.
class hosted_kernel {
public:
    /// Error: what the back end says of memory, or of a copy. Refers to the kernel, which must outlive what is made.
    template <owns_memory B>
    [[nodiscard]] static outcome<kernel> make(const B& b, const region_view& region, const kernel& code) {
        hosted_kernel made;
        made.code_ = &code;
        for (value_id v = 0; v < region.input_count; ++v)
            if (auto there = made.add(b, region.type(v), region.input_formats[v]); !there) return there.failure();
        made.inputs_ = made.places_.size();
        for (std::size_t i = 0; i < region.results.size(); ++i)
            if (auto there = made.add(b, region.type(region.results[i]), region.result_formats[i]); !there) return there.failure();
        // A kernel works in the memory in which its results are.
        const memory_scope scope = region.result_formats.empty() ? memory_scope() : region.result_formats[0].scope;
        made.works_there_ = scope != memory_scope();
        if (made.works_there_ && code.workspace_bytes != 0) {
            auto block = b.allocate(scope, code.workspace_bytes);
            if (!block) return block.failure();
            made.workspace_ = *std::move(block);
        }
        std::size_t workspace = made.works_there_ ? 0 : code.workspace_bytes;
        for (const place& p : made.places_)
            if (p.block) workspace = std::max({workspace, p.in.workspace_bytes, p.out.workspace_bytes});
        return kernel(std::move(made), workspace);
    }

    [[nodiscard]] bool run(const run_arguments& a) const {
        std::vector<const void*> inputs;
        std::vector<void*> results;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const place& p = places_[i];
            const void* const here = i < inputs_ ? a.inputs[i] : a.results[i - inputs_];
            void* const there = p.block ? p.block->address() : const_cast<void*>(here);
            if (p.block && !p.in({&here, &there, a.workspace, a.executor})) return false;
            if (i < inputs_)
                inputs.push_back(there);
            else
                results.push_back(there);
        }
        run_arguments own = a;
        own.inputs = inputs.data();
        own.results = results.data();
        if (works_there_) own.workspace = workspace_.address();
        if (!(*code_)(own)) return false;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const place& p = places_[i];
            if (!p.block || i < inputs_) continue;
            const void* const there = p.block->address();
            if (!p.out({&there, &a.results[i - inputs_], a.workspace, a.executor})) return false;
        }
        return true;
    }

private:
    /// One tensor at the border: where it is on the device, and the copies to and from there; without a block it is in main memory.
    struct place {
        std::optional<device_block> block;
        kernel in, out;
    };

    template <owns_memory B>
    [[nodiscard]] outcome<void> add(const B& b, const tensor_type& type, const format& f) {
        place& made = places_.emplace_back();
        if (f.scope == memory_scope()) return {};
        const std::size_t bytes = stored_bytes(static_shape(type), f);
        if (!b.copy_seconds(memory_scope(), f.scope, bytes) || !b.copy_seconds(f.scope, memory_scope(), bytes))
            return error{"its tensors are in a memory that no copy from main memory leads to"};
        auto block = b.allocate(f.scope, bytes);
        if (!block) return block.failure();
        auto in = b.emit_copy(memory_scope(), f.scope, bytes);
        if (!in) return in.failure();
        auto out = b.emit_copy(f.scope, memory_scope(), bytes);
        if (!out) return out.failure();
        made.block.emplace(*std::move(block));
        made.in = *std::move(in);
        made.out = *std::move(out);
        return {};
    }

    const kernel* code_ = nullptr;
    std::vector<place> places_;  // inputs, then results
    std::size_t inputs_ = 0;
    device_block workspace_;
    bool works_there_ = false;
};

}  // namespace inlay

#endif
