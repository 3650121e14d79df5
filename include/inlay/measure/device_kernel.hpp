// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_MEASURE_DEVICE_KERNEL_HPP
#define INLAY_MEASURE_DEVICE_KERNEL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/device_memory.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/buffer.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/measure/random_values.hpp>
#include <inlay/runtime/convert.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

namespace detail {

/// A kernel of a device with the tensors at its border in the device's memory, so that it is run without any. Its inputs were written once:
/// who measures it cannot write them freshly.
class device_kernel {
public:
    /// Error: what the back end says of memory or of a copy into it.
    template <owns_memory B>
    [[nodiscard]] static outcome<kernel> make(const B& b, const region_view& region, kernel code) {
        device_kernel made;
        std::string note = code.note;
        for (value_id v = 0; v < region.input_count; ++v)
            if (auto there = made.add(b, region.type(v), region.input_formats[v], true); !there) return there.failure();
        for (std::size_t i = 0; i < region.results.size(); ++i)
            if (auto there = made.add(b, region.type(region.results[i]), region.result_formats[i], false); !there) return there.failure();
        // A kernel works in the memory in which its results stand.
        const memory_scope scope = region.result_formats.empty() ? memory_scope{} : region.result_formats[0].scope;
        if (auto there = made.room(b, scope, code.workspace_bytes); !there) return there.failure();
        made.workspace_ = static_cast<std::byte*>(made.last_);
        made.code_ = std::move(code);
        kernel k(std::move(made));
        k.note = std::move(note);
        return k;
    }

    [[nodiscard]] bool run(const run_arguments& a) const {
        run_arguments own = a;
        own.inputs = inputs_.data();
        own.results = results_.data();
        own.workspace = workspace_;
        return code_(own);
    }

private:
    template <owns_memory B>
    [[nodiscard]] outcome<void> room(const B& b, memory_scope scope, std::size_t bytes) {
        if (scope == memory_scope()) {
            main_.emplace_back(bytes);
            last_ = main_.back().data();
            return {};
        }
        auto block = b.allocate(scope, bytes);
        if (!block) return block.failure();
        last_ = block->address();
        blocks_.push_back(*std::move(block));
        return {};
    }
    template <owns_memory B>
    [[nodiscard]] outcome<void> add(const B& b, const tensor_type& type, const format& f, bool is_input) {
        const std::size_t bytes = stored_bytes(static_shape(type), f);
        if (auto there = room(b, f.scope, bytes); !there) return there;
        if (!is_input) {
            results_.push_back(last_);
            return {};
        }
        inputs_.push_back(last_);
        buffer values(bytes);
        fill_random(values.data(), f.element, bytes / size_of(f.element), 1.0, false, inputs_.size());
        auto copy = f.scope == memory_scope() ? outcome<kernel>(kernel()) : b.emit_copy({}, f.scope, bytes);
        if (!copy) return copy.failure();
        const void* const from = values.data();
        if (!*copy) {
            std::copy_n(values.data(), bytes, static_cast<std::byte*>(last_));
            return {};
        }
        buffer workspace(copy->workspace_bytes);
        if (!(*copy)({&from, &last_, workspace.data(), {}}))
            return error{"its device does not take a tensor of " + std::to_string(bytes) + " bytes"};
        return {};
    }

    kernel code_;
    std::vector<device_block> blocks_;
    std::vector<buffer> main_;
    std::vector<const void*> inputs_;
    std::vector<void*> results_;
    std::byte* workspace_ = nullptr;
    void* last_ = nullptr;  // what was made room for last
};

}  // namespace detail

}  // namespace inlay

#endif
