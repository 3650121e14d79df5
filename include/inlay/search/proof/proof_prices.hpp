// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROOF_PROOF_PRICES_HPP
#define INLAY_SEARCH_PROOF_PROOF_PRICES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <inlay/search/proof/certificate.hpp>
#include <inlay/search/proof/proof_tables.hpp>
#include <inlay/search/proof/rounded_costs.hpp>

namespace inlay {

/// Adds the prices of a certificate up: what they prove about covers of the candidates that are left. Shares nothing with the search.
///
/// For every cover, cost = sum over nodes of their price + sum over its candidates of their slack + sum over tensors of what their
/// conversions cost above the least that the giver was charged; the last two sums have no negative term but for what `apply` takes off.
class proof_prices {
public:
    using price = rounded_costs::price;
    static constexpr price infinite_cost = rounded_costs::infinite_cost;
    static constexpr price largest = rounded_costs::largest;

    /// Where conversions are shared, a tensor's sets of formats times its readers may be `most_of_sets`, and 32 times that where
    /// the sets are few; what has more is told roughly.
    proof_prices(const proof_tables& tables, int exponent, double bound, std::size_t most_of_sets = std::size_t{1} << 13)
        : tables_(&tables),
          most_of_sets_(most_of_sets),
          in_units_(tables, exponent, bound),
          target_(in_units_.target()),
          slack_(tables.of().candidates.size()),
          least_(tables.of().nodes) {
        local_.assign(tables.of().formats, 0);
        // Room that is not used is not touched.
        tails_.reserve(std::min(most_tails, 8 * (tables.given_count() + tables.of().edges.size())));
    }

    /// Whether the bound can be told in these units at all.
    [[nodiscard]] static bool fits(int exponent, double bound) { return rounded_costs::fits(exponent, bound); }
    /// Whether a sheet has a price for everything, none too large to be added up.
    [[nodiscard]] bool reads(const certificate_prices& sheet) const {
        // Without leaving off at the first one, so that many are looked at together.
        const auto are_small = [](const std::vector<price>& prices) {
            bool all = true;
            for (const price p : prices) all &= (p > -largest) & (p < largest);
            return all;
        };
        return sheet.of_node.size() == tables_->of().nodes && sheet.of_reader.size() == tables_->slots() && are_small(sheet.of_node) &&
               are_small(sheet.of_reader);
    }

    /// What no cover of the candidates that are alive costs less than; `infinite_cost` if there is none. Those are dropped that no cover
    /// below the target has. O(size of the problem + its borders), but for tensors with several readers and formats. The sheet must outlive
    /// what is asked after it.
    price apply(const certificate_prices& sheet, std::vector<std::uint8_t>& alive) {
        sheet_ = &sheet;
        const std::size_t count = slack_.size();
        // Every price is for something that some candidate wants.
        const bool are_all = std::find(alive.begin(), alive.end(), std::uint8_t{0}) == alive.end();
        wanted_.assign(tables_->slots(), are_all ? 1 : 0);
        for (std::size_t i = 0; !are_all && i < count; ++i)
            if (alive[i] != 0)
                for (const std::uint32_t slot : tables_->reads(static_cast<candidate_index>(i))) wanted_[slot] = 1;
        least_given_.assign(tables_->given_count(), unknown);
        number_.resize(tables_->given_count());
        tensors_.clear();
        tails_.clear();
        made_.clear();
        told_roughly_ = false;
        std::fill(least_.begin(), least_.end(), infinite_cost);
        for (std::size_t i = 0; i < count; ++i) {
            if (alive[i] == 0) continue;
            const auto c = static_cast<candidate_index>(i);
            slack_[i] = charged(c);
            if (slack_[i] >= infinite_cost) {
                alive[i] = 0;
                continue;
            }
            const auto members = tables_->members(c);
            least_[members[0]] = std::min(least_[members[0]], slack_[i]);
            for (std::size_t m = 1; m < members.size(); ++m) least_[members[m]] = std::min(least_[members[m]], price{0});
        }
        bound_ = 0;
        for (std::size_t v = 0; v < least_.size(); ++v) {
            if (least_[v] >= infinite_cost) return bound_ = infinite_cost;
            bound_ = plus(bound_, plus(sheet.of_node[v], least_[v]));
        }
        if (bound_ >= target_) {
            // No slack is below zero.
            std::fill(alive.begin(), alive.end(), std::uint8_t{0});
            return bound_;
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (alive[i] == 0) continue;
            for (const node_id v : tables_->members(static_cast<candidate_index>(i))) slack_[i] = plus(slack_[i], -least_[v]);
            if (plus(bound_, slack_[i]) >= target_) alive[i] = 0;
        }
        return bound_;
    }

    /// The bound that is to be proved, and the one that the last sheet gave.
    [[nodiscard]] price target() const { return target_; }
    [[nodiscard]] price bound() const { return bound_; }
    /// How much a cover with a candidate that is alive costs above the last bound, at least.
    [[nodiscard]] price slack(candidate_index c) const { return slack_[c]; }
    /// Whether some tensor's sets were too many: then one `reading` may be less than nothing, though all of the tensor's together are not.
    [[nodiscard]] bool told_roughly() const { return told_roughly_; }
    /// Whether a sum has left the range in which sums are exact, or there was too much to be added up: then nothing is proved.
    [[nodiscard]] bool too_large() const { return too_large_; }
    [[nodiscard]] bool too_much() const { return too_much_; }

    /// What a cover costs more, above the least that was charged, because a reader wants what `slot` says of a tensor in the format in
    /// which it is given. Readers are asked in order; those in `inner` never are. `made` are the formats of the tensor that earlier ones
    /// wanted, if conversions are shared: a bit for each of those that cost something. `infinite_cost` if it cannot be had.
    [[nodiscard]] price reading(std::uint32_t given, std::uint32_t slot, std::span<const std::uint32_t> inner, std::uint64_t& made) {
        const price least = least_of(given);
        const std::uint32_t place = tables_->wish_of(slot).place, format = tables_->wish_of(slot).format;
        const price takes = in_units_.takes(in_units_.row_of(tables_->given_at(given)), format);
        if (takes >= infinite_cost) return infinite_cost;
        const price charge = sheet_->of_reader[slot];
        // The only reader.
        if (number_[given] == no_tensor) return least >= infinite_cost ? infinite_cost : takes - charge - least;
        const tensor& t = tensors_[number_[given]];
        if (t.paid == sharing::untold) return infinite_cost;
        if (t.paid == sharing::alone) {
            return takes - charge + (tail_of(t, 0, place).charged - tail_of(t, 0, place + 1).charged);
        }
        const price before = rest_of(t, place, inner, made);
        if (takes > 0) {
            std::uint32_t at = 0;
            while (made_[t.first_made + at].format != format) ++at;
            made |= std::uint64_t{1} << at;
        }
        const price after = rest_of(t, place + 1, inner, made);
        return before >= infinite_cost || after >= infinite_cost ? infinite_cost : after - before - charge;
    }

    /// The sum, `infinite_cost` if either is.
    [[nodiscard]] price plus(price a, price b) {
        if (a >= infinite_cost || b >= infinite_cost) return infinite_cost;
        const price sum = a + b;
        if (sum > -infinite_cost && sum < infinite_cost) return sum;
        too_large_ = true;
        return sum > 0 ? infinite_cost - 1 : 1 - infinite_cost;
    }

private:
    static constexpr std::size_t most_tails = std::size_t{1} << 25;
    static constexpr std::uint32_t no_tensor = 0xFFFF'FFFFu;
    /// What stands for a least that has not been told yet.
    static constexpr price unknown = std::numeric_limits<price>::min();

    /// How the readers of a tensor pay for the formats that they want.
    enum class sharing : std::uint8_t {
        /// Each by itself.
        alone,
        /// Each format once: told for every set of formats that may be made.
        sets,
        /// There are too many sets: each pays its share of what its format takes, which is no more than what is paid; and nothing more once
        /// some format has been made.
        shares,
        /// There is too much to tell.
        untold,
    };
    /// A tensor with several readers in a format in which it is given: for each reader a tail for each set of formats, `made` of which cost
    /// something.
    struct tensor {
        /// See `rounded_costs::row_of`.
        std::size_t row = 0;
        std::uint32_t first_tail = 0;
        std::uint32_t first_made = 0;
        std::uint32_t made = 0;
        std::uint32_t readers = 0;
        std::uint32_t rows = 1;  // sets, or what stands for them
        sharing paid = sharing::alone;
    };
    /// What the readers from one on are charged at most, less what they pay themselves and what the set of formats takes; and how many of
    /// them cannot be served.
    struct tail {
        price charged;
        std::uint32_t unserved;
    };
    /// A format that some reader may want and that costs something.
    struct made_format {
        std::uint32_t format;
        price takes;
    };
    struct asked {
        std::size_t place;
        std::uint32_t made;
        price charge;
    };
    /// More than some seconds' worth is not gone through.
    void work(std::size_t steps) {
        constexpr std::size_t most_work = 4'000'000'000;
        work_ += steps;
        if (work_ > most_work) too_large_ = too_much_ = true;
    }

    /// What a candidate costs and is charged, above the prices of its nodes.
    [[nodiscard]] price charged(candidate_index c) {
        price sum = in_units_.of(tables_->cost(c));
        for (std::uint32_t at = tables_->first_position(c); at < tables_->end_position(c); ++at) {
            const auto reads = tables_->reads_at(at);
            price here = -sheet_->of_node[tables_->member_at(at)];
            if (reads.size() < 4) {
                // Four prices together are in range.
                static_assert(4 * (largest - 1) < infinite_cost);
                for (const std::uint32_t slot : reads) here += sheet_->of_reader[slot];
            } else {
                for (const std::uint32_t slot : reads) here = plus(here, sheet_->of_reader[slot]);
            }
            sum = plus(sum, here);
            const std::uint32_t given = tables_->gives_at(at);
            if (given == proof_tables::not_given) continue;
            const price least = least_of(given);
            const auto inner = tables_->inner_at(at);
            sum = plus(sum, inner.empty() ? least : rest_of(tensors_[number_[given]], 0, inner, 0));
        }
        return sum;
    }

    /// What a tensor's conversions cost when some formats have been made, less what its readers from a place on are charged, at least.
    [[nodiscard]] price rest_of(const tensor& t, std::uint32_t place, std::span<const std::uint32_t> inner, std::uint64_t made) {
        if (too_much_ || t.paid == sharing::untold) return infinite_cost;
        if (t.paid == sharing::alone) return of_row(t, 0, place, inner);
        if (t.paid == sharing::shares) {
            // Of more formats than there are bits nobody has asked for a set yet.
            price taken = 0;
            for (std::uint32_t at = 0; made != 0 && at < t.made; ++at)
                if (((made >> at) & 1u) != 0) taken = plus(taken, made_[t.first_made + at].takes);
            return plus(taken, of_row(t, made == 0 ? 0 : 1, place, inner));
        }
        price least = infinite_cost;
        for (std::size_t set = made; set < std::size_t{1} << t.made; set = (set + 1) | made)
            least = std::min(least, of_row(t, set, place, inner));
        return least;
    }
    [[nodiscard]] price of_row(const tensor& t, std::size_t row, std::uint32_t place, std::span<const std::uint32_t> inner) {
        price sum = -tail_of(t, row, place).charged;
        std::uint32_t unserved = tail_of(t, row, place).unserved;
        work(inner.size() + 1);
        for (const std::uint32_t in : inner) {
            if (in < place) continue;
            const tail &here = tail_of(t, row, in), &next = tail_of(t, row, std::size_t{in} + 1);
            sum = plus(sum, here.charged - next.charged);
            unserved -= here.unserved - next.unserved;
        }
        return unserved == 0 ? sum : infinite_cost;
    }

    /// What a tensor's conversions cost, less what all its readers are charged, at least.
    [[nodiscard]] price least_of(std::uint32_t given) {
        if (least_given_[given] == unknown) build(given);
        return least_given_[given];
    }
    void build(std::uint32_t given) {
        const std::size_t row = in_units_.row_of(tables_->given_at(given));
        const auto out = tables_->out_of(tables_->given_at(given).node);
        if (out.size() == 1) {
            number_[given] = no_tensor;
            const price best = most_charged(row, out[0].edge);
            least_given_[given] = too_much_ || best == -infinite_cost ? infinite_cost : -best;
            return;
        }
        number_[given] = static_cast<std::uint32_t>(tensors_.size());
        tensor& t = tensors_.emplace_back();
        t.row = row;
        t.first_tail = static_cast<std::uint32_t>(tails_.size());
        t.first_made = static_cast<std::uint32_t>(made_.size());
        t.readers = static_cast<std::uint32_t>(out.size());
        if (tables_->of().share_conversions) {
            build_shared(t, out);
        } else if (add_rows(t, 1)) {
            for (std::size_t place = out.size(); place-- > 0;) prepend(t, 0, place, most_charged(row, out[place].edge));
        }
        least_given_[given] = rest_of(t, 0, {}, 0);
    }
    /// What the reader on an edge is charged at most, less what it pays itself; `-never` if it cannot be served.
    [[nodiscard]] price most_charged(std::size_t row, std::uint32_t edge) {
        price best = -infinite_cost;
        each_wanted(row, edge, [&](std::uint32_t slot, price takes) { best = std::max(best, sheet_->of_reader[slot] - takes); });
        return best;
    }
    /// What each reader is charged at most in a format that it can have for nothing, and the formats that cost something; then the rows.
    void build_shared(tensor& t, std::span<const proof_tables::arc> out) {
        constexpr std::uint32_t most_in_sets = 12;
        // Many tensors with many sets each would fill the room that there is for all.
        const std::size_t most_of_sets = tails_.size() < most_tails / 4 ? most_of_sets_ : std::min<std::size_t>(most_of_sets_, 64);
        free_.assign(out.size(), -infinite_cost);
        asked_.clear();
        for (std::size_t place = 0; place < out.size(); ++place)
            each_wanted(t.row, out[place].edge, [&](std::uint32_t slot, price takes) {
                if (takes == 0) {
                    free_[place] = std::max(free_[place], sheet_->of_reader[slot]);
                    return;
                }
                std::uint32_t& at = local_[tables_->format_of(slot)];
                if (t.first_made + at >= made_.size() || made_[t.first_made + at].format != tables_->format_of(slot)) {
                    at = t.made++;
                    made_.push_back({tables_->format_of(slot), takes});
                }
                asked_.push_back({place, at, sheet_->of_reader[slot]});
            });
        // Few sets are soon gone through, however many readers there are.
        constexpr std::uint32_t few = 4;
        if (t.made <= most_in_sets && (out.size() + 1) << t.made <= (t.made <= few ? 32 : 1) * most_of_sets) {
            t.paid = sharing::sets;
            if (!add_rows(t, std::uint32_t{1} << t.made)) return;
            for (std::size_t set = 0; set < t.rows; ++set) {
                price taken = 0;
                for (std::uint32_t at = 0; at < t.made; ++at)
                    if (((set >> at) & 1u) != 0) taken = plus(taken, made_[t.first_made + at].takes);
                fill_row(t, set, taken, [&](const asked& a) { return ((set >> a.made) & 1u) != 0 ? a.charge : -infinite_cost; });
            }
            return;
        }
        t.paid = sharing::shares;
        told_roughly_ = true;
        if (!add_rows(t, 2)) return;
        fill_row(t, 0, 0, [&](const asked& a) { return a.charge - made_[t.first_made + a.made].takes / static_cast<price>(out.size()); });
        fill_row(t, 1, 0, [](const asked& a) { return a.charge; });
    }
    template <class Charge>
    void fill_row(const tensor& t, std::size_t row, price taken, const Charge& charge) {
        work(t.readers + asked_.size());
        tail_of(t, row, t.readers) = {taken >= infinite_cost ? 0 : -taken, taken >= infinite_cost ? 1u : 0u};
        std::size_t left = asked_.size();
        for (std::size_t place = t.readers; place-- > 0;) {
            price best = free_[place];
            for (; left > 0 && asked_[left - 1].place == place; --left) best = std::max(best, charge(asked_[left - 1]));
            prepend(t, row, place, best);
        }
    }
    /// Calls `visit(slot, what it takes)` for all that may be wanted on an edge and can be had.
    template <class Visit>
    void each_wanted(std::size_t row, std::uint32_t edge, const Visit& visit) {
        const std::uint32_t first = tables_->first_slot(edge), end = tables_->end_slot(edge);
        work(end - first + 1);
        if (too_much_) return;
        for (std::uint32_t slot = first; slot < end; ++slot) {
            const price takes = in_units_.takes(row, tables_->format_of(slot));
            if (wanted_[slot] != 0 && takes < infinite_cost) visit(slot, takes);
        }
    }
    /// False where there is no more room.
    [[nodiscard]] bool add_rows(tensor& t, std::uint32_t rows) {
        t.rows = rows;
        const std::size_t end = t.first_tail + (std::size_t{t.readers} + 1) * rows;
        if (end > most_tails || too_much_) {
            t.paid = sharing::untold;
            too_large_ = too_much_ = true;
            return false;
        }
        tails_.resize(end);
        return true;
    }
    [[nodiscard]] const tail& tail_of(const tensor& t, std::size_t row, std::size_t place) const {
        return tails_[t.first_tail + place * t.rows + row];
    }
    [[nodiscard]] tail& tail_of(const tensor& t, std::size_t row, std::size_t place) { return tails_[t.first_tail + place * t.rows + row]; }
    /// Adds a reader that is charged `best` less what it pays itself; `-never` if it cannot be served.
    void prepend(const tensor& t, std::size_t row, std::size_t place, price best) {
        const tail& next = tail_of(t, row, place + 1);
        const bool is_served = best > -infinite_cost;
        tail_of(t, row, place) = {is_served ? plus(next.charged, best) : next.charged, next.unserved + (is_served ? 0u : 1u)};
    }

    const proof_tables* tables_;
    std::size_t most_of_sets_;
    rounded_costs in_units_;
    price target_;
    const certificate_prices* sheet_ = nullptr;
    std::vector<price> slack_, least_;
    std::vector<std::uint8_t> wanted_;
    price bound_ = 0;
    bool told_roughly_ = false;
    bool too_large_ = false;
    bool too_much_ = false;
    std::size_t work_ = 0;

    /// By given format: what its conversions cost at least, and where it stands in `tensors_` or `no_tensor`, told when first asked for.
    std::vector<price> least_given_;
    std::vector<std::uint32_t> number_;
    std::vector<tensor> tensors_;
    std::vector<tail> tails_;
    std::vector<made_format> made_;
    /// Of the tensor that is being built; by format where it stands among those that cost something, if it does.
    std::vector<price> free_;
    std::vector<asked> asked_;
    std::vector<std::uint32_t> local_;
};

}  // namespace inlay

#endif
