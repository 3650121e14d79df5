// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver_files.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <set>
#include <span>
#include <sstream>
#include <utility>

#include "instance.hpp"

namespace bench {

namespace {

using inlay::candidate_index;
using inlay::node_id;
using inlay::problem_index;

[[nodiscard]] std::int64_t grains(double price) { return std::llround(price / price_grain); }

[[nodiscard]] bool covers(const problem_index& index, candidate_index c, node_id v) { return problem_index::has(index.members(c), v); }

/// Whether candidate d, which covers v, pays at v for reading u: it does not cover u, and v is the first of its nodes that reads u.
[[nodiscard]] bool pays_at(const problem_index& index, candidate_index d, node_id u, node_id v) {
    if (covers(index, d, u)) return false;
    const auto users = index.users(u);
    const auto first = std::find_if(users.begin(), users.end(), [&](node_id w) { return covers(index, d, w); });
    return *first == v;
}

[[nodiscard]] bool has_hub(const problem_index& index, node_id u) { return index.of().share_conversions && index.users(u).size() > 1; }

[[nodiscard]] bool gives(const problem_index& index, candidate_index c, node_id u) {
    const auto users = index.users(u);
    return std::any_of(users.begin(), users.end(), [&](node_id v) { return !covers(index, c, v); });
}

/// The text of a network, function by function.
class wcsp_writer {
public:
    wcsp_writer(const problem_index& index, double top) : index_(&index), top_(grains(top)) {
        for (std::size_t v = 0; v < index.nodes(); ++v) sizes_.push_back(index.covering(static_cast<node_id>(v)).size());
        for (std::size_t u = 0; u < index.nodes(); ++u) {
            hub_.push_back(sizes_.size());
            if (has_hub(index, static_cast<node_id>(u))) sizes_.push_back(std::size_t{1} << index.of().formats);
        }
    }

    [[nodiscard]] std::string write(const std::vector<no_good>& forbidden) {
        for (std::size_t v = 0; v < index_->nodes(); ++v) add_costs(static_cast<node_id>(v));
        for (std::size_t u = 0; u < index_->nodes(); ++u) add_tensor(static_cast<node_id>(u));
        for (const auto& [a, b] : pairs_apart()) {
            add_pair(a, b, [&](std::size_t x, std::size_t y) {
                const candidate_index c = index_->covering(a)[x];
                const candidate_index d = index_->covering(b)[y];
                return c != d && (covers(*index_, c, b) || covers(*index_, d, a)) ? top_ : 0;
            });
        }
        for (const no_good& f : forbidden) add_no_good(f);
        std::string text = "search " + std::to_string(sizes_.size()) + " " +
                           std::to_string(*std::max_element(sizes_.begin(), sizes_.end())) + " " + std::to_string(functions_) + " " +
                           std::to_string(top_) + "\n";
        for (const std::size_t size : sizes_) text += std::to_string(size) + " ";
        return text + "\n" + body_;
    }

private:
    void add_costs(node_id v) {
        const auto covering = index_->covering(v);
        body_ += "1 " + std::to_string(v) + " 0 " + std::to_string(covering.size()) + "\n";
        ++functions_;
        for (std::size_t x = 0; x < covering.size(); ++x) {
            const auto members = index_->members(covering[x]);
            const auto count = static_cast<std::int64_t>(members.size());
            const std::int64_t cost = grains(index_->of().candidates[covering[x]].cost);
            body_ += std::to_string(x) + " " + std::to_string(cost / count + (members[0] == v ? cost % count : 0)) + "\n";
        }
    }

    /// Pairs of nodes that make up a candidate though no edge joins them: nothing else makes both agree on it.
    [[nodiscard]] std::set<std::pair<node_id, node_id>> pairs_apart() const {
        std::set<std::pair<node_id, node_id>> apart;
        for (std::size_t c = 0; c < index_->candidates(); ++c) {
            const auto members = index_->members(static_cast<candidate_index>(c));
            if (members.size() == 2 && !problem_index::has(index_->users(members[0]), members[1])) apart.emplace(members[0], members[1]);
        }
        return apart;
    }

    template <class Price>
    void add_pair(std::size_t a, std::size_t b, const Price& price) {
        std::string rows;
        std::size_t count = 0;
        for (std::size_t x = 0; x < sizes_[a]; ++x) {
            for (std::size_t y = 0; y < sizes_[b]; ++y) {
                const std::int64_t cost = std::min(price(x, y), top_);
                if (cost == 0) continue;
                rows += std::to_string(x) + " " + std::to_string(y) + std::string(" ") + std::to_string(cost) + "\n";
                ++count;
            }
        }
        if (count == 0) return;
        body_ += "2 " + std::to_string(a) + std::string(" ") + std::to_string(b) + " 0 " + std::to_string(count) + "\n" + rows;
        ++functions_;
    }

    [[nodiscard]] std::int64_t conversion(node_id u, std::uint32_t f, std::uint32_t g) const {
        const double price = index_->conversion(u, f, g);
        return std::isfinite(price) ? grains(price) : top_;
    }

    void add_tensor(node_id u) {
        const auto& candidates = index_->of().candidates;
        const bool by_hub = has_hub(*index_, u);
        const auto makers = index_->covering(u);
        for (const node_id v : index_->users(u)) {
            const auto readers = index_->covering(v);
            add_pair(u, v, [&](std::size_t x, std::size_t y) -> std::int64_t {
                const candidate_index a = makers[x];
                const candidate_index b = readers[y];
                if (a == b) return 0;
                if (covers(*index_, a, v) || covers(*index_, b, u)) return top_;
                return by_hub || !pays_at(*index_, b, u, v) ? 0 : conversion(u, candidates[a].out, candidates[b].in);
            });
            if (!by_hub) continue;
            add_pair(v, hub_[u], [&](std::size_t y, std::size_t set) -> std::int64_t {
                const candidate_index b = readers[y];
                return covers(*index_, b, u) || ((set >> candidates[b].in) & 1u) != 0 ? 0 : top_;
            });
        }
        if (!by_hub) return;
        add_pair(u, hub_[u], [&](std::size_t x, std::size_t set) {
            std::int64_t cost = 0;
            for (std::uint32_t g = 0; g < index_->of().formats; ++g) {
                if (((set >> g) & 1u) != 0) cost = std::min(top_, cost + conversion(u, candidates[makers[x]].out, g));
            }
            return cost;
        });
    }

    void add_no_good(const no_good& f) {
        std::string variables;
        std::string values;
        for (const candidate_index c : f) {
            const node_id v = index_->members(c)[0];
            const auto covering = index_->covering(v);
            variables += " " + std::to_string(v);
            values += std::to_string(std::lower_bound(covering.begin(), covering.end(), c) - covering.begin()) + " ";
        }
        body_ += std::to_string(f.size()) + variables + " 0 1\n" + values + std::to_string(top_) + "\n";
        ++functions_;
    }

    const problem_index* index_;
    std::int64_t top_;
    std::vector<std::size_t> sizes_;
    std::vector<std::size_t> hub_;
    std::string body_;
    std::size_t functions_ = 0;
};

/// The text of a program, row by row; lines stay short, as readers of the format have limits.
class lp_writer {
public:
    explicit lp_writer(const problem_index& index) : index_(&index) {}

    [[nodiscard]] std::string write(const std::vector<no_good>& forbidden) {
        for (std::size_t c = 0; c < index_->candidates(); ++c) pay(name('x', {c}), index_->of().candidates[c].cost);
        for (std::size_t v = 0; v < index_->nodes(); ++v) {
            for (const candidate_index c : index_->covering(static_cast<node_id>(v))) term("+", name('x', {c}));
            close("= 1");
        }
        for (std::size_t u = 0; u < index_->nodes(); ++u) add_tensor(static_cast<node_id>(u));
        for (const no_good& f : forbidden) {
            for (const candidate_index c : f) term("+", name('x', {c}));
            close("<= " + std::to_string(f.size() - 1));
        }
        std::string text = "Minimize\n obj:" + objective_ + "\nSubject To\n" + rows_ + "Binaries\n";
        for (std::size_t c = 0; c < index_->candidates(); ++c) text += " " + name('x', {c}) + "\n";
        return text + "End\n";
    }

private:
    [[nodiscard]] static std::string name(char kind, std::initializer_list<std::size_t> numbers) {
        std::string made(1, kind);
        for (const std::size_t n : numbers) {
            if (made.size() > 1) made += '_';
            made += std::to_string(n);
        }
        return made;
    }
    void pay(const std::string& variable, double price) {
        char number[40];
        std::snprintf(number, sizeof number, "%.10g", price);
        objective_ += "\n + " + std::string(number) + " " + variable;
    }
    void term(const char* sign, const std::string& variable) { row_ += "\n " + std::string(sign) + " " + variable; }
    void close(const std::string& rest) {
        rows_ += " r" + std::to_string(count_++) + ":" + row_ + "\n " + rest + "\n";
        row_.clear();
    }

    void add_tensor(node_id u) {
        const auto& candidates = index_->of().candidates;
        const std::uint32_t formats = index_->of().formats;
        if (index_->users(u).empty()) return;
        // Who gives the tensor in each format.
        std::vector<std::vector<candidate_index>> given(formats);
        for (const candidate_index c : index_->covering(u)) {
            if (gives(*index_, c, u)) given[candidates[c].out].push_back(c);
        }
        const auto possible = [&](std::uint32_t f, std::uint32_t g) {
            return !given[f].empty() && std::isfinite(index_->conversion(u, f, g));
        };
        const bool shared = index_->of().share_conversions;
        if (shared) {
            for (std::uint32_t f = 0; f < formats; ++f) {
                for (std::uint32_t g = 0; g < formats; ++g) {
                    if (f == g || !possible(f, g)) continue;
                    pay(name('h', {u, f, g}), index_->conversion(u, f, g));
                    term("+", name('h', {u, f, g}));
                    for (const candidate_index c : given[f]) term("-", name('x', {c}));
                    close("<= 0");
                }
            }
        }
        for (const node_id v : index_->users(u)) {
            std::vector<std::vector<candidate_index>> wanted(formats);
            for (const candidate_index d : index_->covering(v)) {
                if (shared ? !covers(*index_, d, u) : pays_at(*index_, d, u, v)) wanted[candidates[d].in].push_back(d);
            }
            for (std::uint32_t g = 0; g < formats; ++g) {
                if (wanted[g].empty()) continue;
                for (const candidate_index d : wanted[g]) term("+", name('x', {d}));
                if (shared) {
                    for (const candidate_index c : given[g]) term("-", name('x', {c}));
                }
                for (std::uint32_t f = 0; f < formats; ++f) {
                    if (!possible(f, g) || (shared && f == g)) continue;
                    term("-", shared ? name('h', {u, f, g}) : name('z', {u, v, f, g}));
                    if (!shared && f != g) pay(name('z', {u, v, f, g}), index_->conversion(u, f, g));
                }
                close(shared ? "<= 0" : "= 0");
            }
            if (shared) continue;
            for (std::uint32_t f = 0; f < formats; ++f) {
                bool any = false;
                for (std::uint32_t g = 0; g < formats; ++g) {
                    if (wanted[g].empty() || !possible(f, g)) continue;
                    term("+", name('z', {u, v, f, g}));
                    any = true;
                }
                if (!any) continue;
                for (const candidate_index c : given[f]) term("-", name('x', {c}));
                close("<= 0");
            }
        }
    }

    const problem_index* index_;
    std::string objective_;
    std::string rows_;
    std::string row_;
    std::size_t count_ = 0;
};

}  // namespace

double wcsp_entries(const problem_index& index) {
    double entries = 0;
    for (const inlay::problem_edge& e : index.of().edges) {
        entries += static_cast<double>(index.covering(e.from).size()) * static_cast<double>(index.covering(e.to).size());
    }
    return entries;
}

std::string wcsp_text(const problem_index& index, const std::vector<no_good>& forbidden, double top) {
    return wcsp_writer(index, top).write(forbidden);
}

std::optional<std::vector<candidate_index>> wcsp_choice(const problem_index& index, const std::string& solution) {
    std::istringstream text(solution);
    std::vector<candidate_index> chosen;
    for (std::size_t v = 0; v < index.nodes(); ++v) {
        std::size_t value = 0;
        const auto covering = index.covering(static_cast<node_id>(v));
        if (!(text >> value) || value >= covering.size()) return std::nullopt;
        if (index.members(covering[value])[0] == v) chosen.push_back(covering[value]);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

std::string lp_text(const problem_index& index, const std::vector<no_good>& forbidden) { return lp_writer(index).write(forbidden); }

std::optional<std::vector<candidate_index>> lp_choice(const std::string& solution) {
    std::istringstream text(solution);
    std::string line;
    if (!std::getline(text, line) || line.find("objective value") == std::string::npos) return std::nullopt;
    std::vector<candidate_index> chosen;
    while (std::getline(text, line)) {
        unsigned number = 0;
        double value = 0;
        const std::size_t at = line.find(" x");
        if (at == std::string::npos || std::sscanf(line.c_str() + at, " x%u %lf", &number, &value) != 2) continue;
        if (value > 0.5) chosen.push_back(number);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

}  // namespace bench
