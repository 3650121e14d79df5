// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "instance.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <span>
#include <string_view>

#include "random.hpp"

namespace bench {

namespace {

using inlay::node_id;

constexpr std::uint32_t formats = 3;
constexpr std::uint32_t backends = 4;

/// A number made of numbers and words, one after the other; where it differs, what is drawn differs.
class key {
public:
    explicit key(std::uint64_t seed) : value_(random_stream::mixed(seed + 1)) {}

    key& with(std::uint64_t more) {
        value_ = random_stream::mixed(value_ * 0x9e37'79b9'7f4a'7c15u + more + 1);
        return *this;
    }
    key& with(std::string_view word) {
        with(word.size());
        for (const char letter : word) with(static_cast<unsigned char>(letter));
        return *this;
    }
    [[nodiscard]] random_stream stream() const { return random_stream(value_); }

private:
    std::uint64_t value_;
};

/// What kind of draw a key is for, so that no two share one.
enum class draw_for : std::uint64_t { node, candidate, conversion };

[[nodiscard]] double on_grid(double price) { return std::max(1.0, std::round(price / price_grain)) * price_grain; }

[[nodiscard]] std::vector<double> conversion_table(random_stream draw) {
    std::vector<double> table = inlay::uniform_conversions(formats, 0);
    for (std::uint32_t f = 0; f < formats; ++f) {
        for (std::uint32_t g = 0; g < formats; ++g) {
            if (f != g) table[f * formats + g] = on_grid(2 + 18 * draw.unit());
        }
    }
    return table;
}

class maker {
public:
    maker(const topology& of, const instance_options& options) : of_(&of), options_(&options), users_(of.nodes.size()) {
        for (const inlay::problem_edge& e : of.edges) users_[e.from].push_back(e.to);
        for (std::size_t v = 0; v < of.nodes.size(); ++v) {
            key k = start(draw_for::node);
            if (by_layer()) {
                k.with(of.nodes[v].op).with(of.nodes[v].shape);
            } else {
                k.with(v);
            }
            base_.push_back(10 + 40 * k.stream().unit());
        }
    }

    [[nodiscard]] inlay::problem make(const std::vector<std::vector<node_id>>& sets) const {
        inlay::problem made;
        made.nodes = static_cast<std::uint32_t>(of_->nodes.size());
        made.edges = of_->edges;
        made.formats = formats;
        made.conversions = conversion_table(start(draw_for::conversion).stream());
        made.share_conversions = options_->share_conversions;
        made.acyclic = true;
        if (by_layer()) {
            std::map<std::uint32_t, std::vector<double>> table_of;
            for (std::size_t v = 0; v < of_->nodes.size(); ++v) {
                const std::uint32_t shape = of_->nodes[v].shape;
                auto& table = table_of[shape];
                if (table.empty()) table = conversion_table(start(draw_for::conversion).with(shape).stream());
                made.conversions_of.push_back({static_cast<node_id>(v), table});
            }
        }
        for (const auto& set : sets) add_candidates(made, set);
        return made;
    }

private:
    [[nodiscard]] bool by_layer() const { return options_->model == cost_model::layers; }
    [[nodiscard]] key start(draw_for what) const { return key(options_->seed).with(static_cast<std::uint64_t>(what)); }

    /// A set by its nodes; or, where equal layers draw the same, by what they do and who of them reads whom.
    [[nodiscard]] key name(std::span<const node_id> set) const {
        key k = start(draw_for::candidate).with(set.size());
        for (std::size_t i = 0; i < set.size(); ++i) {
            if (!by_layer()) {
                k.with(set[i]);
                continue;
            }
            k.with(of_->nodes[set[i]].op).with(of_->nodes[set[i]].shape);
            for (const node_id user : users_[set[i]]) {
                const auto at = std::find(set.begin(), set.end(), user);
                if (at != set.end()) k.with(static_cast<std::uint64_t>(at - set.begin()));
            }
        }
        return k;
    }

    void add_candidates(inlay::problem& made, const std::vector<node_id>& set) const {
        constexpr double less_a_node = 0.08;
        const key named = name(set);
        double sum = 0;
        for (const node_id v : set) sum += base_[v];
        for (std::uint32_t backend = 0; backend < backends; ++backend) {
            random_stream draw = key(named).with(backend).stream();
            const double share = draw.unit();
            const bool runs = set.size() == 1 ? backend == 0 || share < 2.0 / 3 : share < 0.25;
            if (!runs) continue;
            inlay::problem_candidate c;
            c.nodes = set;
            c.backend = backend;
            c.cost = on_grid(sum * (0.6 + 0.8 * draw.unit()) * (1 - less_a_node * static_cast<double>(set.size() - 1)));
            const bool drawn = options_->rule == format_rule::drawn;
            c.in = drawn ? draw.below(formats) : backend % formats;
            c.out = drawn ? draw.below(formats) : backend % formats;
            made.candidates.push_back(std::move(c));
        }
    }

    const topology* of_;
    const instance_options* options_;
    std::vector<std::vector<node_id>> users_;
    std::vector<double> base_;
};

}  // namespace

inlay::problem make_instance(const topology& of, const std::vector<std::vector<node_id>>& sets, const instance_options& options) {
    return maker(of, options).make(sets);
}

}  // namespace bench
