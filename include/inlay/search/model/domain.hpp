// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_MODEL_DOMAIN_HPP
#define INLAY_SEARCH_MODEL_DOMAIN_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <inlay/search/cover.hpp>
#include <inlay/search/model/cost_network.hpp>
#include <inlay/search/model/cover_network.hpp>
#include <inlay/search/model/rows.hpp>
#include <inlay/search/problem_index.hpp>

namespace inlay {

/// Which values of a model's variables may be chosen: one flag for each price in `model::unary.items`.
using domain = std::vector<std::uint8_t>;

/// The domains of a cover model, told by candidates. Refers to both, which must outlive it.
class cover_domains {
public:
    cover_domains(const problem_index& index, const cover_network& covers) : index_(&index), covers_(&covers) {}

    /// Every value.
    [[nodiscard]] domain whole() const { return domain(covers_->m.unary.items.size(), 1); }

    /// Takes the values that mean candidate c away.
    void forbid(domain& alive, candidate_index c) const {
        for (const node_id v : index_->members(c)) {
            const auto [first, last] = covers_->values_of(v, c);
            for (std::uint32_t x = first; x < last; ++x) alive[covers_->m.unary.begin[v] + x] = 0;
        }
    }
    /// Takes the values that mean a candidate that overlaps c away.
    void require(domain& alive, candidate_index c) const {
        for (const node_id v : index_->members(c)) {
            candidate_index before = no_candidate;
            for (const candidate_index other : covers_->meaning[v]) {
                if (other != c && other != before) forbid(alive, other);
                before = other;
            }
        }
    }

    /// Whether a candidate may be chosen.
    [[nodiscard]] bool has(const domain& alive, candidate_index c) const {
        const node_id v = index_->members(c)[0];
        const auto [first, last] = covers_->values_of(v, c);
        const auto begin = alive.begin() + static_cast<std::ptrdiff_t>(covers_->m.unary.begin[v]);
        return std::any_of(begin + first, begin + last, [](std::uint8_t flag) { return flag != 0; });
    }

    /// A domain of values without those of candidates that miss at one of their nodes: what is dropped there is dropped at all.
    [[nodiscard]] domain consistent(std::span<const std::uint8_t> values) const {
        domain alive(values.begin(), values.end());
        // Many are dead already, at every node that they cover.
        std::vector<std::uint8_t> forbidden(index_->candidates(), 0);
        for (std::size_t v = 0; v < covers_->nodes; ++v) {
            const auto meaning = covers_->meaning[v];
            const std::uint8_t* const flags = alive.data() + covers_->m.unary.begin[v];
            for (std::size_t k = 0; k < meaning.size();) {
                const candidate_index c = meaning[k];
                bool open = false;
                for (; k < meaning.size() && meaning[k] == c; ++k) open = open || flags[k] != 0;
                if (open || forbidden[c] != 0) continue;
                forbidden[c] = 1;
                if (index_->members(c).size() > 1) forbid(alive, c);
            }
        }
        return alive;
    }

    /// The values that leave a cover as it is but within some nodes (`within[v]` is not 0), where the parts that lie within may be chosen
    /// anew; empty where the cover has a candidate that the model does not have. O(values).
    [[nodiscard]] domain window(std::span<const candidate_index> cover, std::span<const std::uint8_t> within) const {
        domain alive(covers_->m.unary.items.size(), 0);
        std::fill(alive.begin() + static_cast<std::ptrdiff_t>(covers_->m.unary.begin[covers_->nodes]), alive.end(), std::uint8_t{1});
        std::vector<std::uint8_t> free(covers_->nodes, 0);
        const auto all = [](std::span<const node_id> members, std::span<const std::uint8_t> flags) {
            return std::all_of(members.begin(), members.end(), [&](node_id v) { return flags[v] != 0; });
        };
        for (const candidate_index c : cover) {
            const auto members = index_->members(c);
            const bool inside = all(members, within);
            const candidate_index stands = covers_->representative[c];
            if (stands == no_candidate) return {};
            for (const node_id v : members) {
                free[v] = inside ? 1 : 0;
                const auto [from, to] = covers_->values_of(v, stands);
                for (std::uint32_t x = from; x < to; ++x) alive[covers_->m.unary.begin[v] + x] = 1;
            }
        }
        for (std::size_t v = 0; v < covers_->nodes; ++v) {
            if (free[v] == 0) continue;
            for (std::size_t k = 0; k < covers_->meaning[v].size(); ++k)
                if (all(index_->members(covers_->meaning[v][k]), free)) alive[covers_->m.unary.begin[v] + k] = 1;
        }
        return alive;
    }

    /// The candidates that an assignment of the model, or of what a domain left of it (`left`, null for all), means.
    [[nodiscard]] std::vector<candidate_index> cover_of(const rows<std::uint32_t>* left, const std::vector<std::uint32_t>& values) const {
        std::vector<candidate_index> chosen;
        for (std::size_t v = 0; v < covers_->nodes; ++v) {
            const candidate_index c = covers_->meaning[v][left == nullptr ? values[v] : (*left)[v][values[v]]];
            if (index_->members(c)[0] == v) chosen.push_back(c);
        }
        return chosen;
    }

private:
    const problem_index* index_;
    const cover_network* covers_;
};

}  // namespace inlay

#endif
