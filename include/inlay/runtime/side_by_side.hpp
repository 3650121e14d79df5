// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_SIDE_BY_SIDE_HPP
#define INLAY_RUNTIME_SIDE_BY_SIDE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <inlay/runtime/step_schedule.hpp>

namespace inlay {

/// What a step takes, in seconds: with all threads of an executor, and on one.
struct step_cost {
    double all_threads = 0;
    double one_thread = 0;
    bool runs_alone = false;  // keeps threads busy that are not the executor's: nothing may run beside it
};

/// Where lanes run: on so many threads; and the seconds that a group of lanes takes beyond its longest lane.
struct lane_costs {
    std::size_t threads = 1;
    double barrier = 0;
};

/// What a run by a schedule takes in seconds, as far as costs tell: steps of single lanes with all threads, groups of lanes as long as
/// their longest, on one thread each. Precondition: no group has more lanes than there are threads.
[[nodiscard]] inline double predicted_seconds(const step_schedule& s, std::span<const step_cost> costs, const lane_costs& where) {
    double all = 0;
    for (const step_group& g : s.groups) {
        double longest = 0;
        for (const std::vector<std::uint32_t>& lane : g.lanes) {
            double here = 0;
            for (const std::uint32_t i : lane) here += g.lanes.size() == 1 ? costs[i].all_threads : costs[i].one_thread;
            longest = std::max(longest, here);
        }
        all += longest + (g.lanes.size() > 1 ? where.barrier : 0);
    }
    return all;
}

/// A schedule, and what it and the serial one are predicted to take.
struct decided_schedule {
    step_schedule schedule;
    double seconds = 0;
    double serial_seconds = 0;
};

namespace detail {

/// Steps and who reads them, and the search for a schedule over one order of them.
class lane_search {
public:
    lane_search(std::span<const std::vector<std::uint32_t>> reads, std::span<const step_cost> costs, const lane_costs& where)
        : reads_(reads.begin(), reads.end()), costs_(costs), where_(where), readers_(reads.size()) {
        std::vector<std::size_t> level(reads.size()), at_level(reads.size() + 1);
        for (std::uint32_t i = 0; i < reads.size(); ++i) {
            for (const std::uint32_t r : reads[i]) {
                readers_[r].push_back(i);
                level[i] = std::max(level[i], level[r] + 1);
            }
            ++at_level[level[i]];
        }
        window_ = 8 + 8 * *std::max_element(at_level.begin(), at_level.end());
    }

    enum class rank : std::uint8_t { number, level, seconds, depth };

    /// An order in which steps whose time on one thread is at most `most` times that on all stand together, as far as reads allow: of what
    /// may come next first all of one kind, then all of the other, and of a kind what is least by rank. Made from the first step on, or
    /// from the last one back, which brings forward and puts off.
    [[nodiscard]] std::vector<std::uint32_t> order(rank by, double most, bool from_the_end) const {
        const std::size_t n = reads_.size();
        const auto &before = from_the_end ? readers_ : reads_, &after = from_the_end ? reads_ : readers_;
        std::vector<double> key(n);
        for (std::size_t k = 0; k < n; ++k) {
            const std::size_t i = from_the_end ? n - 1 - k : k;
            if (by == rank::number) key[i] = static_cast<double>(k);
            for (const std::uint32_t r : before[i]) {
                if (by == rank::level) key[i] = std::max(key[i], key[r] + 1);
                if (by == rank::seconds) key[i] = std::max(key[i], key[r] + costs_[r].one_thread);
            }
        }
        std::vector<std::size_t> waits(n);
        for (std::size_t i = 0; i < n; ++i) waits[i] = before[i].size();
        std::vector<std::pair<double, std::uint32_t>> ready[2];  // heaps, of those that stand apart and of the others
        const auto put = [&](std::uint32_t i) {
            auto& heap = ready[!costs_[i].runs_alone && costs_[i].one_thread <= most * costs_[i].all_threads];
            heap.emplace_back(-key[i], from_the_end ? i : ~i);
            std::push_heap(heap.begin(), heap.end());
        };
        for (std::uint32_t i = 0; i < n; ++i)
            if (waits[i] == 0) put(i);
        std::vector<std::uint32_t> made;
        for (bool together = false; made.size() < n;) {
            auto& heap = ready[together];
            if (heap.empty()) {
                together = !together;
                continue;
            }
            std::pop_heap(heap.begin(), heap.end());
            const std::uint32_t i = from_the_end ? heap.back().second : ~heap.back().second;
            heap.pop_back();
            made.push_back(i);
            for (const std::uint32_t r : after[i]) {
                if (by == rank::depth) key[r] = -static_cast<double>(made.size());
                if (--waits[r] == 0) put(r);
            }
        }
        if (from_the_end) std::reverse(made.begin(), made.end());
        return made;
    }

    /// The cheapest schedule whose groups are intervals of an order: the connected steps of an interval are a lane, or several in one.
    [[nodiscard]] step_schedule best_over(std::span<const std::uint32_t> order) {
        const std::size_t n = order.size();
        std::vector<double> best(n + 1, 0);
        std::vector<std::size_t> from(n + 1, 0);
        for (std::size_t j = 0; j < n; ++j) {
            best[j + 1] = best[j] + costs_[order[j]].all_threads;
            from[j + 1] = j;
        }
        for (std::size_t i = 0; i < n; ++i) {
            if (const double alone = best[i] + costs_[order[i]].all_threads; alone < best[i + 1]) best[i + 1] = alone, from[i + 1] = i;
            begin(order.subspan(i, std::min(window_, n - i)));
            double total = 0, longest = 0;
            for (std::size_t j = i; j < n && j - i < window_ && !costs_[order[j]].runs_alone; ++j) {
                total += costs_[order[j]].one_thread;
                longest = std::max(longest, add(j - i));
                const double least = best[i] + where_.barrier + std::max(longest, total / static_cast<double>(where_.threads));
                if (components_ < 2 || !(least < best[j + 1])) continue;
                const double found = best[i] + where_.barrier + packed(j - i + 1);
                if (found < best[j + 1]) best[j + 1] = found, from[j + 1] = i;
            }
        }
        step_schedule made;
        for (std::size_t j = n; j > 0; j = from[j]) {
            step_group g;
            if (const std::size_t length = j - from[j]; length == 1) {
                g.lanes = {{order[from[j]]}};
            } else {
                begin(order.subspan(from[j], length));
                for (std::size_t k = 0; k < length; ++k) (void)add(k);
                (void)packed(length, &g);
            }
            made.groups.push_back(std::move(g));
        }
        std::reverse(made.groups.begin(), made.groups.end());
        return made;
    }

private:
    void begin(std::span<const std::uint32_t> interval) {
        interval_ = interval;
        components_ = 0;
        ++intervals_;
        position_.resize(reads_.size());
        parent_.resize(interval.size());
        seconds_.resize(interval.size());
    }
    /// Adds the next step of the interval; what its component takes on one thread.
    double add(std::size_t k) {
        const std::uint32_t i = interval_[k];
        position_[i] = {intervals_, k};
        parent_[k] = k;
        seconds_[k] = costs_[i].one_thread;
        ++components_;
        for (const std::uint32_t r : reads_[i]) {
            if (position_[r].first != intervals_) continue;
            const std::size_t root = root_of(position_[r].second);
            if (root == k) continue;
            parent_[root] = k;
            seconds_[k] += seconds_[root];
            --components_;
        }
        return seconds_[k];
    }
    std::size_t root_of(std::size_t k) {
        while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
        return k;
    }
    /// The longest lane where components go, longest first, to the lane that is shortest so far.
    double packed(std::size_t length, step_group* into = nullptr) {
        roots_.clear();
        for (std::size_t k = 0; k < length; ++k)
            if (parent_[k] == k) roots_.push_back(k);
        std::stable_sort(roots_.begin(), roots_.end(), [&](std::size_t a, std::size_t b) { return seconds_[a] > seconds_[b]; });
        lanes_.assign(std::min(where_.threads, roots_.size()), 0);
        std::vector<std::size_t> lane_of(into != nullptr ? length : 0);
        for (const std::size_t r : roots_) {
            const auto lane = std::min_element(lanes_.begin(), lanes_.end());
            *lane += seconds_[r];
            if (into != nullptr) lane_of[r] = static_cast<std::size_t>(lane - lanes_.begin());
        }
        if (into != nullptr) {
            into->lanes.resize(lanes_.size());
            for (const std::size_t r : roots_)
                for (std::size_t k = 0; k < length; ++k)
                    if (root_of(k) == r) into->lanes[lane_of[r]].push_back(interval_[k]);
        }
        return *std::max_element(lanes_.begin(), lanes_.end());
    }

    std::vector<std::vector<std::uint32_t>> reads_;
    std::span<const step_cost> costs_;
    lane_costs where_;
    std::vector<std::vector<std::uint32_t>> readers_;
    std::size_t window_ = 0;

    std::span<const std::uint32_t> interval_;
    std::size_t intervals_ = 0;
    std::vector<std::pair<std::size_t, std::size_t>> position_;  // of a step: the interval that it was added to last, and where
    std::vector<std::size_t> parent_, roots_;
    std::vector<double> seconds_, lanes_;
    std::size_t components_ = 0;
};

}  // namespace detail

/// The schedule of the least predicted time that is found for steps that read these earlier ones; never predicted to take longer than the
/// serial one, which it is where nothing is gained. A dynamic programme over the cuts of an order of the steps: between two cuts stands
/// either one step, with all threads, or a group of lanes, whose connected steps are one lane each and, where these are more than threads,
/// go longest first to the lane that is shortest so far (Graham, SIAM Journal on Applied Mathematics 17, 1969). It is the best for its
/// order but for that last step, which is at most 4/3 off. Several orders are tried: as given, by levels, by the time before each, and
/// depth first, from the first step on and from the last one back, with the steps that share their work well kept apart or not.
/// Deterministic; about the number of steps times the square of the most steps of one level. Precondition: `costs` has an entry for each
/// step.
[[nodiscard]] inline decided_schedule side_by_side(std::span<const std::vector<std::uint32_t>> reads, std::span<const step_cost> costs,
                                                   const lane_costs& where) {
    decided_schedule best{step_schedule::serial(reads.size()), 0, 0};
    best.seconds = best.serial_seconds = predicted_seconds(best.schedule, costs, where);
    if (where.threads < 2 || reads.size() < 2) return best;
    using rank = detail::lane_search::rank;
    detail::lane_search search(reads, costs, where);
    const double share = static_cast<double>(where.threads);
    for (const double most : {share * share, (1 + share) / 2, 1.2})
        for (const rank by : {rank::number, rank::level, rank::seconds, rank::depth})
            for (const bool from_the_end : {false, true}) {
                step_schedule found = search.best_over(search.order(by, most, from_the_end));
                const double seconds = predicted_seconds(found, costs, where);
                if (seconds < best.seconds) best.schedule = std::move(found), best.seconds = seconds;
            }
    // Groups of one lane that follow each other are one.
    std::vector<step_group> joined;
    for (step_group& g : best.schedule.groups) {
        if (g.lanes.size() == 1 && !joined.empty() && joined.back().lanes.size() == 1) {
            std::vector<std::uint32_t>& lane = joined.back().lanes.front();
            lane.insert(lane.end(), g.lanes.front().begin(), g.lanes.front().end());
        } else {
            joined.push_back(std::move(g));
        }
    }
    best.schedule.groups = std::move(joined);
    return best;
}

}  // namespace inlay

#endif
