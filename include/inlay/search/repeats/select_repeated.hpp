// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_REPEATS_SELECT_REPEATED_HPP
#define INLAY_SEARCH_REPEATS_SELECT_REPEATED_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <inlay/search/exact/elimination.hpp>
#include <inlay/search/model/acyclicity.hpp>
#include <inlay/search/model/cover_network.hpp>
#include <inlay/search/model/domain.hpp>
#include <inlay/search/model/dominated.hpp>
#include <inlay/search/model/fixed_cost.hpp>
#include <inlay/search/model/make_cover_network.hpp>
#include <inlay/search/repeats/repeats.hpp>

namespace inlay {

/// A cover of a problem with equal stretches, told by the problem that shows `shown_stretches` of them.
struct repeated_cover {
    fixed_cost cost = infinite_cost;
    scaling unit;
    /// Chosen candidates of the shown problem whose last node is not in the third stretch, ascending.
    std::vector<candidate_index> around;
    /// The different ways in which a stretch between the second and the last is covered: candidates whose last node is in the third one.
    std::vector<std::vector<candidate_index>> ways;
    /// For each of those stretches, in their order, which way.
    std::vector<std::uint32_t> way_of;
    /// Entries of all tables that were filled.
    double entries = 0;
};

namespace detail {

/// Covers many equal stretches by solving one: what a stretch costs at best is a matrix over the choices at the tensor that it reads and
/// the one that it leaves, and the matrix of n stretches is its n-th power in the min-plus semiring, O(log n) products. Nodes outside that
/// all stretches read from make a matrix for each way in which the stretches see them.
class repeated_search {
public:
    /// `shown` shows `shown_stretches` of them; there are `of.count`.
    repeated_search(const problem_index& shown, const repeat& of, const scaling& unit, const elimination_limit& limit)
        : index_(&shown), of_(of), unit_(unit), limit_(limit) {}

    /// The cheapest cover, cycles not looked at; none where the stretches hang together by more than one node each, or are too wide.
    [[nodiscard]] std::optional<repeated_cover> operator()(const std::vector<bool>& admitted) {
        covers_ = make_cover_network(*index_, unit_, admitted, limit_.kept);
        made_.unit = unit_;
        if (covers_.too_large || !find_border() || !find_views()) return std::nullopt;
        std::size_t best_view = 0;
        std::vector<std::uint32_t> best;
        for (std::size_t view = 0; view < views_; ++view) {
            if (!make_powers(view) || !solve_around(view, best, best_view)) return std::nullopt;
        }
        if (made_.cost >= infinite_cost) return std::nullopt;
        if (best_view + 1 != views_ && !make_powers(best_view)) return std::nullopt;
        note_around(best);
        note_stretches(best[before_], best[after_]);
        return std::move(made_);
    }

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;

    using matrix = std::vector<fixed_cost>;

    [[nodiscard]] node_id node_of(std::uint32_t variable) const {
        return variable < covers_.nodes ? variable : covers_.auxiliary_of[variable - covers_.nodes];
    }
    /// The stretch that a variable is in; `none` outside.
    [[nodiscard]] std::uint32_t stretch_of(std::uint32_t variable) const {
        const node_id v = node_of(variable);
        const node_id end = of_.first + of_.period * shown_stretches;
        return v < of_.first || v >= end ? none : (v - of_.first) / of_.period;
    }
    /// Whether it is in the third stretch, but not its border.
    [[nodiscard]] bool is_inside(std::uint32_t variable) const { return variable != after_ && stretch_of(variable) == 2; }

    /// Finds the variable of the second stretch that the third one hangs on, and its counterpart there, on which the last one hangs.
    [[nodiscard]] bool find_border() {
        before_ = after_ = none;
        for (const pair_table& p : covers_.m.pairs) {
            const std::uint32_t a = stretch_of(p.a), b = stretch_of(p.b);
            if (a == b || a == none || b == none) continue;
            if (b != a + 1) return false;
            std::uint32_t& border = a == 1 ? before_ : after_;
            if (a == 0) continue;
            if (border != none && border != p.a) return false;
            border = p.a;
        }
        if (before_ == none || after_ == none || before_ >= covers_.nodes || after_ != before_ + of_.period) return false;
        // The same choices stand there in the same order.
        const auto same = [&](candidate_index c, candidate_index d) {
            return std::ranges::equal(index_->members(c), index_->members(d), [&](node_id v, node_id w) { return w == v + of_.period; });
        };
        return std::ranges::equal(covers_.ready[before_], covers_.ready[after_]) &&
               std::ranges::equal(covers_.meaning[before_], covers_.meaning[after_], same) &&
               std::ranges::equal(covers_.m.unary[before_], covers_.m.unary[after_]);
    }

    /// Groups the values of the variables outside that the third stretch hangs on by how it sees them.
    [[nodiscard]] bool find_views() {
        class_mapper mapper;
        views_ = 1;
        for (const pair_table& p : covers_.m.pairs) {
            const bool a_inside = stretch_of(p.a) == 2, b_inside = stretch_of(p.b) == 2;
            if (a_inside == b_inside) continue;
            const std::uint32_t other = a_inside ? p.b : p.a;
            // The border's own tables outside belong to what is around, but for those of the stretch that it ends.
            if (other == before_ || stretch_of(other) == 3) continue;
            if (stretch_of(other) != none || (a_inside ? p.a : p.b) >= covers_.nodes || !has_all_sets(node_of(other))) return false;
            const class_map& seen = a_inside ? p.b_map : p.a_map;
            const std::size_t at = outside_place(other);
            if (at == outside_.size())
                outside_.emplace_back(other, seen);
            else
                outside_[at].second = mapper.refine(outside_[at].second, seen, covers_.m.memory);
        }
        constexpr std::size_t most_views = 64;
        for (const auto& [variable, map] : outside_) {
            views_ *= map.count;
            if (views_ > most_views) return false;
        }
        return true;
    }
    /// Whether a tensor can be made ready in as many formats as if all stretches were shown: a model has no set of more formats than there
    /// are readers.
    [[nodiscard]] bool has_all_sets(node_id u) const {
        if (!index_->of().share_conversions) return true;
        const auto readers = static_cast<std::ptrdiff_t>(std::min<std::size_t>(index_->of().formats, shown_stretches));
        const auto users = index_->users(u);
        return std::ranges::all_of(covers_.meaning[u], [&](candidate_index c) {
            return std::ranges::count_if(users, [&](node_id v) { return !problem_index::has(index_->members(c), v); }) >= readers;
        });
    }
    /// The place of a variable among those outside that the stretches hang on; their number where it is none.
    [[nodiscard]] std::size_t outside_place(std::uint32_t variable) const {
        std::size_t at = 0;
        while (at < outside_.size() && outside_[at].first != variable) ++at;
        return at;
    }
    /// The class of an outside variable in a view.
    [[nodiscard]] std::uint32_t class_in(std::size_t view, std::size_t which) const {
        for (std::size_t i = 0; i < which; ++i) view /= outside_[i].second.count;
        return static_cast<std::uint32_t>(view % outside_[which].second.count);
    }

    /// The model of one stretch and the border before it, as it stands in a view; the border's own prices are left out.
    void make_stretch(std::size_t view) {
        stretch_ = {};
        variables_.assign(1, before_);
        for (std::uint32_t v = 0; v < covers_.m.variables(); ++v)
            if (stretch_of(v) == 2) variables_.push_back(v);
        const auto place = [&](std::uint32_t variable) {
            return static_cast<std::uint32_t>(
                variable == before_ ? 0 : std::lower_bound(variables_.begin() + 1, variables_.end(), variable) - variables_.begin());
        };
        after_place_ = place(after_);
        for (const std::uint32_t v : variables_) {
            for (const fixed_cost price : covers_.m.unary[v]) stretch_.unary.items.push_back(v == before_ ? 0 : price);
            stretch_.unary.close();
        }
        for (const pair_table& p : covers_.m.pairs) {
            const bool a_inside = stretch_of(p.a) == 2, b_inside = stretch_of(p.b) == 2;
            if ((a_inside || p.a == before_) && b_inside) {
                stretch_.pairs.push_back({place(p.a), place(p.b), p.a_map, p.b_map, p.cost});
                continue;
            }
            if (a_inside == b_inside) continue;
            const std::uint32_t other = a_inside ? p.b : p.a, inner = a_inside ? p.a : p.b;
            const std::size_t at = outside_place(other);
            if (at == outside_.size()) continue;
            // Any value of its class will do.
            const auto classes = outside_[at].second.of;
            const auto value = static_cast<std::size_t>(std::find(classes.begin(), classes.end(), class_in(view, at)) - classes.begin());
            fixed_cost* const price = stretch_.unary.items.data() + stretch_.unary.begin[place(inner)];
            for (std::size_t x = 0; x < covers_.m.unary[inner].size(); ++x)
                price[x] = add(price[x], a_inside ? p.at(x, value) : p.at(value, x));
        }
        stretch_.sort_pairs();
    }

    /// The matrix of one stretch, its powers of two, and the products of those that the number of stretches is made of.
    [[nodiscard]] bool make_powers(std::size_t view) {
        make_stretch(view);
        const std::uint32_t borders[] = {0, after_place_};
        const elimination_plan plan = plan_elimination_of_rest(stretch_, borders, limit_);
        if (plan.too_wide) return false;
        const std::uint32_t stretches = of_.count - 3;
        width_ = covers_.m.unary[before_].size();
        if (!has_room_for(2.0 * std::bit_width(stretches))) return false;
        const elimination rest(stretch_, plan);
        made_.entries += plan.entries;
        matrix one(width_ * width_);
        for (std::size_t x = 0; x < width_; ++x)
            for (std::size_t y = 0; y < width_; ++y) one[x * width_ + y] = rest.cost_with(0, x, after_place_, y);
        powers_.assign(1, std::move(one));
        digits_.clear();
        products_.clear();
        for (std::uint32_t d = 0; (stretches >> d) != 0; ++d) {
            if (d != 0) powers_.push_back(product(powers_[d - 1], powers_[d - 1]));
            if (((stretches >> d) & 1u) == 0) continue;
            digits_.push_back(d);
            products_.push_back(products_.empty() ? powers_[d] : product(products_.back(), powers_[d]));
        }
        return true;
    }
    /// Whether so many matrices, and the products that they are, are within the limit. An entry of an elimination takes some times what one
    /// term of a product does.
    [[nodiscard]] bool has_room_for(double matrices) const {
        constexpr double terms_an_entry = 16;
        const double size = static_cast<double>(width_) * static_cast<double>(width_);
        return matrices * size <= limit_.kept &&
               static_cast<double>(views_) * matrices * size * static_cast<double>(width_) <= limit_.work * terms_an_entry;
    }
    [[nodiscard]] matrix product(const matrix& a, const matrix& b) const {
        matrix made(width_ * width_, infinite_cost);
        for (std::size_t x = 0; x < width_; ++x)
            for (std::size_t z = 0; z < width_; ++z) {
                const fixed_cost first = a[x * width_ + z];
                for (std::size_t y = 0; y < width_; ++y) made[x * width_ + y] = std::min(made[x * width_ + y], first + b[z * width_ + y]);
            }
        return made;
    }

    /// Solves what is around the stretches, the matrix of all of them in their place, and keeps the answer if it is the cheapest so far.
    [[nodiscard]] bool solve_around(std::size_t view, std::vector<std::uint32_t>& best, std::size_t& best_view) {
        cost_network around;
        domain alive;
        for (std::uint32_t v = 0; v < covers_.m.variables(); ++v) {
            const auto values = covers_.m.unary[v];
            const std::size_t at = outside_place(v);
            for (std::size_t x = 0; x < (is_inside(v) ? 1 : values.size()); ++x) {
                around.unary.items.push_back(stretch_of(v) == 2 ? 0 : values[x]);
                alive.push_back(at == outside_.size() || outside_[at].second.of[x] == class_in(view, at) ? 1 : 0);
            }
            around.unary.close();
        }
        const auto is_of_stretch = [&](const pair_table& p) {
            if (is_inside(p.a) || is_inside(p.b)) return true;
            // The border ends the stretch, and its matrix has what it pays there.
            const std::uint32_t other = p.a == after_ ? p.b : p.b == after_ ? p.a : none;
            return other != none && stretch_of(other) != 3;
        };
        for (const pair_table& p : covers_.m.pairs)
            if (!is_of_stretch(p)) around.pairs.push_back(p);
        const std::span<std::uint32_t> each = around.memory.take<std::uint32_t>(width_);
        for (std::size_t x = 0; x < width_; ++x) each[x] = static_cast<std::uint32_t>(x);
        const class_map identity{each, static_cast<std::uint32_t>(width_)};
        around.pairs.push_back({before_, after_, identity, identity, products_.back()});
        around.sort_pairs();
        const restricted_model some = restricted(around, alive);
        const elimination_plan plan = plan_elimination(some.m, limit_);
        if (plan.too_wide) return false;
        made_.entries += plan.entries;
        const elimination solved(some.m, plan);
        if (solved.cost() >= made_.cost) return true;
        made_.cost = solved.cost();
        best = solved.assignment();
        for (std::size_t v = 0; v < best.size(); ++v) best[v] = some.values[v][best[v]];
        best_view = view;
        return true;
    }

    void note_around(const std::vector<std::uint32_t>& value) {
        for (std::uint32_t v = 0; v < covers_.nodes; ++v)
            if (stretch_of(v) != 2) note_if_last(v, value[v], made_.around);
        std::sort(made_.around.begin(), made_.around.end());
    }
    void note_if_last(node_id v, std::uint32_t value, std::vector<candidate_index>& to) const {
        const candidate_index c = covers_.meaning[v][value];
        if (index_->members(c).back() == v) to.push_back(c);
    }

    /// Goes through the stretches from a choice at the first border to one at the last.
    void note_stretches(std::uint32_t first, std::uint32_t last) {
        std::vector<std::uint32_t> borders{last};
        std::uint32_t to = last;
        for (std::size_t i = digits_.size(); i-- > 0;) {
            const std::uint32_t from = i == 0 ? first : middle(products_[i - 1], powers_[digits_[i]], first, to);
            go_back(digits_[i], from, to, borders);
            to = from;
        }
        std::reverse(borders.begin(), borders.end());
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
        for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
            const auto [at, fresh] = known.try_emplace({borders[i], borders[i + 1]}, static_cast<std::uint32_t>(made_.ways.size()));
            if (fresh) made_.ways.push_back(way_between(borders[i], borders[i + 1]));
            made_.way_of.push_back(at->second);
        }
    }
    /// The first choice in between by which two matrices meet at the least cost.
    [[nodiscard]] std::uint32_t middle(const matrix& a, const matrix& b, std::uint32_t from, std::uint32_t to) const {
        std::uint32_t best = 0;
        fixed_cost least = infinite_cost + infinite_cost;
        for (std::uint32_t z = 0; z < width_; ++z) {
            const fixed_cost sum = a[from * width_ + z] + b[z * width_ + to];
            if (sum < least) {
                least = sum;
                best = z;
            }
        }
        return best;
    }
    /// Notes the choices of a power of two of stretches, from the last but one to the first.
    void go_back(std::uint32_t power, std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& borders) const {
        if (power == 0) {
            borders.push_back(from);
            return;
        }
        const std::uint32_t between = middle(powers_[power - 1], powers_[power - 1], from, to);
        go_back(power - 1, between, to, borders);
        go_back(power - 1, from, between, borders);
    }
    [[nodiscard]] std::vector<candidate_index> way_between(std::uint32_t first, std::uint32_t last) const {
        domain alive(stretch_.unary.items.size(), 1);
        const auto only = [&](std::uint32_t variable, std::uint32_t value) {
            for (std::size_t x = 0; x < stretch_.unary[variable].size(); ++x)
                alive[stretch_.unary.begin[variable] + x] = x == value ? 1 : 0;
        };
        only(0, first);
        only(after_place_, last);
        const restricted_model some = restricted(stretch_, alive);
        const elimination_plan plan = plan_elimination(some.m, limit_);
        const elimination solved(some.m, plan);
        const std::vector<std::uint32_t> value = solved.assignment();
        std::vector<candidate_index> made;
        for (std::size_t i = 1; i < variables_.size(); ++i)
            if (variables_[i] < covers_.nodes) note_if_last(variables_[i], some.values[i][value[i]], made);
        return made;
    }

    const problem_index* index_;
    repeat of_;
    scaling unit_;
    elimination_limit limit_;
    cover_network covers_;
    repeated_cover made_;
    /// The nodes' variables on which the third and the last stretch hang.
    std::uint32_t before_ = none, after_ = none;
    /// Variables outside that the stretches hang on, with the classes by which they see them; and how many combinations of those there are.
    std::vector<std::pair<std::uint32_t, class_map>> outside_;
    std::size_t views_ = 1;
    /// One stretch: its model, which variables these are, and the place of the border at its end.
    cost_network stretch_;
    std::vector<std::uint32_t> variables_;
    std::uint32_t after_place_ = 0;
    /// Matrices over the values of the border: powers of two of a stretch; the digits of their number, and the products up to each.
    std::size_t width_ = 0;
    std::vector<matrix> powers_, products_;
    std::vector<std::uint32_t> digits_;
};

}  // namespace detail

/// The cheapest cover of a problem in which the last but one of the `shown_stretches` that `shown` has of a repeat stands for all but three
/// of its `of.count`: at least 4. Cycles between parts are not looked at. None where the stretches hang together by more than one node,
/// where elimination or the matrices would take more than the limit, or where there is no cover. `shown` must repeat as `of` says
/// (`repeat_finder::matches` tells, but for what the last two stretches read from outside). O(a stretch's elimination, and width^3 *
/// log(count)).
[[nodiscard]] inline std::optional<repeated_cover> select_repeated(const problem_index& shown, const repeat& of, const scaling& unit,
                                                                   const elimination_limit& limit) {
    return detail::repeated_search(shown, of, unit, limit)(without_dominated(shown, convex_candidates(shown)));
}

}  // namespace inlay

#endif
