// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_EMITTED_KERNELS_HPP
#define INLAY_RUNTIME_EMITTED_KERNELS_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/codegen/emit/emit_external.hpp>
#include <inlay/codegen/emit/emit_failure.hpp>
#include <inlay/codegen/kernel/kernel.hpp>
#include <inlay/target/format.hpp>

namespace inlay {

/// Kernels of candidates, for programs that are linked one after another from the same graph by the same back ends: what the last program
/// ran is not emitted again for the next. Two candidates are the same if one match made them and their composite and formats are equal.
/// Kernels that it gave stay good when it is gone. Not for two threads at once.
class emitted_kernels {
public:
    /// The kernel of a candidate, if it stands here; it then stays for the next program. O(log n).
    [[nodiscard]] std::optional<external_kernel> find(const candidate& c) {
        const auto at = kept_.find(key_of(c));
        if (at == kept_.end()) return std::nullopt;
        at->second.used = true;
        return external_kernel{at->second.made.code.share(), at->second.made.constants};
    }
    [[nodiscard]] bool has(const candidate& c) const { return kept_.contains(key_of(c)); }

    /// Whether a candidate's kernel was compared with the meaning of its region.
    [[nodiscard]] bool is_judged(const candidate& c) const {
        const auto at = kept_.find(key_of(c));
        return at != kept_.end() && at->second.judged;
    }

    /// Notes what was emitted for a candidate, and whether a referee has seen it. O(log n).
    void keep(const candidate& c, const external_kernel& made, bool judged = false) {
        kept_.insert_or_assign(key_of(c), entry{c.match, {made.code.share(), made.constants}, true, judged});
    }

    /// A program has been linked: what was neither found nor kept since the last call goes. Linear.
    void forget_unused() {
        std::erase_if(kept_, [](const auto& one) { return !one.second.used; });
        for (auto& one : kept_) one.second.used = false;
    }

    [[nodiscard]] std::size_t size() const { return kept_.size(); }

    /// For which candidates of the last program there was no code.
    [[nodiscard]] const std::vector<emit_failure>& failures() const { return failures_; }
    void note_failure(emit_failure what) { failures_.push_back(std::move(what)); }
    void forget_failures() { failures_.clear(); }

private:
    using key = std::tuple<const matched_region*, backend_id, std::uint32_t, std::vector<format>, std::vector<format>>;
    struct entry {
        matched_handle match;  // so that no other match gets its address
        external_kernel made;
        bool used = false;
        bool judged = false;
    };

    [[nodiscard]] static key key_of(const candidate& c) {
        return {c.match.get(), c.backend, c.composite, c.formats.inputs, c.formats.results};
    }

    std::map<key, entry> kept_;
    std::vector<emit_failure> failures_;
};

}  // namespace inlay

#endif
