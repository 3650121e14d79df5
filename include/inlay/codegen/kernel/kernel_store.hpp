// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_KERNEL_KERNEL_STORE_HPP
#define INLAY_CODEGEN_KERNEL_KERNEL_STORE_HPP

#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include <inlay/candidate/region_view.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/core/outcome.hpp>

namespace inlay {

/// What code for a region depends on: the same for two regions only if code for one is code for the other, operand by operand and input by
/// input, under the same formats. (In `content_key`, which tells what takes the same time, inputs may change places and weights their
/// values.) `maker`: the back end's target text. Linear in the region.
[[nodiscard]] inline digest code_key(const region_view& r, std::string_view maker) {
    digest_builder b;
    b.add(maker).add(std::uint64_t{r.input_count}).add(std::uint64_t{r.constant_count}).add(std::uint64_t{r.values.size()});
    for (const region_value& v : r.values) {
        b.add(static_cast<std::uint64_t>(v.kind))
            .add(v.op)
            .add(std::uint64_t{v.field})
            .add(std::string_view(to_string(*v.type)))
            .add(content_of(*v.attributes));
        if (v.value != nullptr) b.add(v.value->content());
        b.add(std::uint64_t{v.operands.size()});
        for (const value_id o : v.operands) b.add(std::uint64_t{o});
    }
    for (const value_id v : r.results) b.add(std::uint64_t{v});
    for (const auto& formats : {r.input_formats, r.result_formats}) {
        b.add(std::uint64_t{formats.size()});
        for (const format& f : formats) b.add(std::string_view(to_string(f)));
    }
    return b.finish();
}

/// Code that several places run, kept by what it was made for. Kernels that it gave stay good when it is gone.
class kernel_store {
public:
    /// A kernel that runs the code with this key, which `make() -> outcome<kernel>` makes where there is none yet. O(log n) and the making.
    template <class Make>
    [[nodiscard]] outcome<kernel> get(const digest& key, Make&& make) {
        auto at = kept_.find(key);
        if (at == kept_.end()) {
            outcome<kernel> made = make();
            if (!made) return made;
            at = kept_.emplace(key, *std::move(made)).first;
        }
        return at->second.share();
    }
    /// How many pieces of code were made.
    [[nodiscard]] std::size_t size() const { return kept_.size(); }

private:
    std::map<digest, kernel> kept_;
};

}  // namespace inlay

#endif
