// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLAN_PRICE_CACHE_HPP
#define INLAY_PLAN_PRICE_CACHE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <inlay/candidate/candidate.hpp>
#include <inlay/codegen/kernel/conversion_route.hpp>
#include <inlay/codegen/list/backends_ref.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/cost/lower_bound_ref.hpp>
#include <inlay/cost/measurement.hpp>
#include <inlay/cost/meter.hpp>
#include <inlay/graph/graph_ref.hpp>
#include <inlay/graph/tensor_type.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/plan/plan.hpp>
#include <inlay/plan/plan_jobs.hpp>
#include <inlay/plan/program_meter.hpp>
#include <inlay/plan/selection_problem.hpp>
#include <inlay/search/problem.hpp>

namespace inlay {

/// What is known of the prices of a graph's pieces, and which of them are wanted. A piece has a lower bound from the beginning; a price
/// alone, stated by its back end or asked of a meter; and a price in place where it has been in a program that was run whole. Candidates
/// of equal content share one price, conversions those of equal shape and formats. A price that is no number of seconds is none: the piece
/// has failed, with the reason. A conversion between memories costs what the back ends that copy say of that, and the change of its layout
/// like any other; what it took in a program is not asked, as little as of pieces of back ends that only play a device. Refers to all that
/// it is made from.
class price_cache {
public:
    /// `launch_seconds` come on top of every price. `failures`: why what has that content does not run, whatever price it has.
    price_cache(graph_ref g, backends_ref backends, const candidate_set& set, lower_bound_ref bound, double launch_seconds,
                const std::map<digest, std::string>& failures = {})
        : g_(g), backends_(backends), set_(&set), bound_(bound), launch_seconds_(launch_seconds), growth_(backends.size(), 1.0) {
        std::map<digest, std::size_t> known;
        for (std::size_t c = 0; c < set.candidates.size(); ++c) {
            const pricing_job job = pricing_job::of(set.candidates[c]);
            const auto [at, is_new] = known.try_emplace(backends.content(job), classes_.size());
            if (is_new) {
                classes_.push_back(first_of(c, job));
                if (const auto failed = failures.find(at->first); failed != failures.end()) strike(classes_.back(), failed->second);
            }
            class_of_.push_back(at->second);
        }
        std::map<std::vector<node_id>, std::uint32_t> contests;
        for (content_class& each : classes_)
            each.contest =
                contests.try_emplace(set.candidates[each.first].nodes, static_cast<std::uint32_t>(contests.size() + 1)).first->second;
        std::map<std::tuple<std::vector<node_id>, std::vector<format>, std::vector<format>>, std::size_t> equal;
        for (std::size_t c = 0; c < set.candidates.size(); ++c) {
            const candidate& its = set.candidates[c];
            const auto [at, is_new] = equal.try_emplace({its.nodes, its.formats.inputs, its.formats.results}, equals_.size());
            if (is_new) equals_.emplace_back();
            equals_[at->second].push_back(c);
            equals_of_.push_back(at->second);
        }
    }

    /// Whether something has a price, or is known to fail.
    [[nodiscard]] static bool is_known(const measurement& m) { return m.samples != 0 || !m.failure.empty(); }

    /// What a candidate costs by itself, if that is known.
    [[nodiscard]] const measurement& alone(std::size_t candidate_number) const { return classes_[class_of_[candidate_number]].alone; }
    /// No price of a candidate is lower.
    [[nodiscard]] double bound(std::size_t candidate_number) const { return classes_[class_of_[candidate_number]].bound; }
    /// What is known of a candidate's price: seen in a program, else alone and grown.
    [[nodiscard]] measurement price(std::size_t candidate_number) const {
        const content_class& its = classes_[class_of_[candidate_number]];
        return is_known(its.in_place) ? its.in_place : grown(its.alone, growth_[set_->candidates[candidate_number].backend]);
    }
    /// Likewise of a conversion; nothing where there is none.
    [[nodiscard]] std::optional<measurement> alone(const conversion& c) const {
        if (is_pure_copy(c)) return price(c);
        const auto at = conversion_alone_.find(key_of(c));
        return at == conversion_alone_.end() ? std::nullopt : std::optional(behind_copies(c, at->second));
    }
    [[nodiscard]] measurement price(const conversion& c) const {
        return behind_copies(c, is_pure_copy(c) ? free_of_cost() : price(key_of(c)));
    }
    /// The bytes that a conversion takes from one memory into another; 0 within the CPU's main memory.
    [[nodiscard]] std::uint64_t copied_bytes(const conversion& c) const {
        const auto route = route_of(c);
        return route ? route->copied_bytes() : 0;
    }
    /// All conversions that were priced.
    [[nodiscard]] std::vector<priced_conversion> conversions() const {
        std::vector<priced_conversion> all;
        for (const auto& [key, alone] : conversion_alone_)
            all.push_back({tensor_type(key.from.element, shape(key.extents.begin(), key.extents.end())), key.from, key.to, price(key)});
        return all;
    }

    /// What the search goes by: launch and price, or bound where there is no price; infinite where it is known to fail.
    [[nodiscard]] double seconds(std::size_t candidate_number) const {
        const measurement known = price(candidate_number);
        return launch_seconds_ + (is_known(known) ? known.median : bound(candidate_number));
    }
    [[nodiscard]] double seconds(const tensor_type& type, const format& from, const format& to) const {
        if (!type.is_static() || from.element != to.element) return impossible;
        const conversion_key key(static_shape(type), from, to);
        double copying = 0;
        if (from.scope != to.scope || from.scope != memory_scope()) {
            const auto route = backends_.route(key.extents, from, to);
            if (!route) return impossible;
            copying = launch_seconds_ + route->copy_seconds();
            if (from.order == to.order) return copying;
        } else {
            copying = launch_seconds_;
        }
        const measurement known = price(key);
        return copying + (is_known(known) ? known.median : bound_(type, key.from, key.to));
    }
    /// The seconds of all candidates.
    [[nodiscard]] std::vector<double> seconds() const {
        std::vector<double> all(set_->candidates.size());
        for (std::size_t c = 0; c < all.size(); ++c) all[c] = seconds(c);
        return all;
    }
    /// The problem under these seconds of candidates, and today's of conversions.
    [[nodiscard]] selection_problem state(std::span<const double> seconds_of) const {
        return state_problem(g_, *set_, seconds_of,
                             [&](const tensor_type& type, const format& from, const format& to) { return seconds(type, from, to); });
    }

    /// Begins to note anew what is wanted.
    void want_nothing() {
        for (content_class& each : classes_) each.is_wanted = false;
        wanted_conversions_.clear();
    }
    /// Notes that candidates that cover a graph are wanted, and the conversions between them.
    void want(std::span<const std::size_t> chosen) {
        for (const std::size_t c : chosen) classes_[class_of_[c]].is_wanted = true;
        for (const conversion& c : partition(g_, *set_, chosen).conversions) wanted_conversions_.push_back(c);
    }

    /// Notes that with each of these also those are wanted that do the same in the same formats and may cost less than what is known of all
    /// of them: where the candidate stays in the optimum, they would be wanted one after another. Only those of which `seconds_of` is
    /// finite.
    void want_rivals(std::span<const std::size_t> chosen, std::span<const double> seconds_of) {
        for (const std::size_t c : chosen) {
            const std::vector<std::size_t>& equal = equals_[equals_of_[c]];
            double least = impossible;
            for (const std::size_t other : equal)
                if (is_known(alone(other))) least = std::min(least, alone(other).median);
            for (const std::size_t other : equal)
                if (bound(other) < least && seconds_of[other] < impossible) classes_[class_of_[other]].is_wanted = true;
        }
    }

    /// Asks a meter for every price that is wanted and still a bound. False when there was nothing to ask, or no answer.
    bool ask(meter_ref pricing) {
        std::vector<pricing_job> jobs;
        std::vector<std::size_t> job_class;
        std::vector<double> quickest(classes_.size() + 1, impossible);  // by contest
        for (const content_class& each : classes_)
            if (is_known(each.alone)) quickest[each.contest] = std::min(quickest[each.contest], each.alone.median);
        for (std::size_t k = 0; k < classes_.size(); ++k) {
            if (!classes_[k].is_wanted || is_known(classes_[k].alone)) continue;
            job_class.push_back(k);
            jobs.push_back(pricing_job::of(set_->candidates[classes_[k].first]));
            jobs.back().again = classes_[k].is_doubted;
            jobs.back().rival = quickest[classes_[k].contest];
            jobs.back().contest = classes_[k].contest;
        }
        std::map<conversion_key, std::size_t> conversion_job;
        for (const conversion& c : wanted_conversions_) {
            conversion_key key = key_of(c);
            if (is_pure_copy(c) || conversion_alone_.contains(key) || !conversion_job.try_emplace(key, jobs.size()).second) continue;
            jobs.push_back(pricing_job::of(static_cast<const node_type&>(g_.type(c.tensor)).of_tensor, key.from, key.to));
        }
        if (jobs.empty()) return false;
        const std::vector<measurement> found = pricing.price(jobs);
        bool has_learned = false;
        const auto take = [&](measurement& to, std::size_t job, std::string_view who) {
            to = sound(found[job], who);
            has_learned = true;
        };
        for (std::size_t i = 0; i < job_class.size(); ++i)
            if (is_known(found[i])) take(classes_[job_class[i]].alone, i, backends_.kind(jobs[i].backend));
        for (const auto& [key, i] : conversion_job)
            if (is_known(found[i])) take(conversion_alone_[key], i, {});
        return has_learned;
    }

    /// Takes over what pieces took in programs; false where none ran. The latest programs' word replaces what earlier ones said: what was
    /// chosen because it once was lucky would otherwise keep some of that luck.
    bool learn(std::span<const program_timing> told) {
        std::map<std::size_t, std::vector<measurement>> by_class;
        std::map<conversion_key, std::vector<measurement>> by_conversion;
        for (const program_timing& r : told) {
            for (const auto& [number, m] : r.candidates)
                if (!backends_.simulates(set_->candidates[number].backend)) by_class[class_of_[number]].push_back(m);
            for (const auto& [c, m] : r.conversions)
                if (c.from.scope == c.to.scope) by_conversion[key_of(c)].push_back(m);
        }
        for (const auto& [k, seen] : by_class) {
            classes_[k].in_place = mean_of(seen);
            doubt(classes_[k]);
        }
        for (const auto& [key, seen] : by_conversion) conversion_in_place_[key] = mean_of(seen);
        return !by_class.empty();
    }

    /// Takes out what programs showed to have no code; false where there is none.
    bool learn_failures(std::span<const program_timing> told) {
        bool has_learned = false;
        for (const program_timing& r : told)
            for (const auto& [number, why] : r.not_emitted) {
                strike(classes_[class_of_[number]], why);
                has_learned = true;
            }
        return has_learned;
    }

    /// From now on, what has not been in a program is taken to grow in one as the rest of its back end did.
    void note_growth() {
        std::vector<double> alone_of(backends_.size(), 0), together_of(backends_.size(), 0);
        for (const content_class& each : classes_) {
            if (!is_known(each.in_place) || !is_known(each.alone)) continue;
            const backend_id b = set_->candidates[each.first].backend;
            alone_of[b] += each.alone.median;
            together_of[b] += each.in_place.median;
        }
        for (std::size_t b = 0; b < growth_.size(); ++b)
            if (alone_of[b] > 0) growth_[b] = std::max(1.0, together_of[b] / alone_of[b]);
        double converting_alone = 0, converting = 0;
        for (const auto& [key, m] : conversion_in_place_) {
            converting_alone += conversion_alone_[key].median;
            converting += m.median;
        }
        if (converting_alone > 0) conversion_growth_ = std::max(1.0, converting / converting_alone);
    }

private:
    /// Candidates of equal content.
    struct content_class {
        std::size_t first = 0;  // of the candidates
        double bound = 0;
        measurement alone{}, in_place{};
        bool is_wanted = false, is_doubted = false;
        std::uint32_t contest = 0;  // the number of the nodes that its first covers, from 1 on
    };

    /// It has no code, and so no price.
    static void strike(content_class& its, const std::string& why) {
        its.alone = measurement::failed(why);
        its.in_place = {};
        its.bound = its.alone.median;
    }
    /// A piece that is far quicker in a program than by itself, beyond what both spread, was disturbed when it was measured by itself:
    /// where that price is wanted, it is asked for again, once. What was measured since then has been asked for again already, by an
    /// earlier plan: plans of the same program come to rest.
    static void doubt(content_class& its) {
        constexpr double margin = 1.3;  // warm weights make up for less
        const bool is_off = margin * (its.in_place.median + its.in_place.spread) < its.alone.median - its.alone.spread;
        const bool is_later = its.alone.when > its.in_place.when;
        if (its.is_doubted || is_later || its.alone.samples <= 1 || !its.in_place.is_measured() || !is_off) return;
        its.alone = {};
        its.is_doubted = true;
    }
    /// The change of a layout, in the CPU's main memory.
    struct conversion_key {
        std::vector<std::int64_t> extents;
        format from, to;

        conversion_key(std::vector<std::int64_t> of, const format& before, const format& after)
            : extents(std::move(of)), from(before), to(after) {
            from.scope = to.scope = memory_scope();
        }
        friend auto operator<=>(const conversion_key&, const conversion_key&) = default;
    };

    [[nodiscard]] content_class first_of(std::size_t candidate_number, const pricing_job& job) const {
        const backend_id backend = job.backend;
        content_class made;
        made.first = candidate_number;
        const outcome<std::optional<double>> stated = backends_.price(job);
        if (!stated) {
            made.alone = measurement::failed("back end '" + std::string(backends_.kind(backend)) +
                                             "' has no price for it: " + stated.failure().message);
        } else if (*stated) {
            made.alone.median = made.alone.minimum = **stated;
            made.alone.samples = 1;
            made.alone = sound(std::move(made.alone), backends_.kind(backend));
        }
        const bool is_told = !stated || stated->has_value();
        made.bound = is_told ? made.alone.median : std::max(backends_.lower_bound(job), bound_(job.region));
        return made;
    }

    [[nodiscard]] static measurement sound(measurement price, std::string_view backend) {
        if (price.has_failed() || price.median >= 0) return price;
        const std::string who = backend.empty() ? std::string("the meter") : "back end '" + std::string(backend) + "'";
        return measurement::failed(who + " gave a price that is no number of seconds");
    }
    [[nodiscard]] static measurement mean_of(const std::vector<measurement>& seen) {
        measurement mean;
        const double share = 1.0 / static_cast<double>(seen.size());
        for (const measurement& m : seen) {
            mean.median += m.median * share;
            mean.minimum += m.minimum * share;
            mean.spread += m.spread * share;
            mean.samples += m.samples;
            mean.windows += m.windows;
            mean.disturbed = mean.disturbed || m.disturbed;
            mean.when = mean.when == 0 ? m.when : std::min(mean.when, m.when);
            mean.clock = std::max(mean.clock, m.clock);
        }
        return mean;
    }
    [[nodiscard]] static measurement grown(measurement m, double growth) {
        m.median *= growth;
        m.minimum *= growth;
        m.spread *= growth;
        return m;
    }

    [[nodiscard]] conversion_key key_of(const conversion& c) const {
        return {static_shape(static_cast<const node_type&>(g_.type(c.tensor)).of_tensor), c.from, c.to};
    }
    [[nodiscard]] std::optional<conversion_route> route_of(const conversion& c) const {
        return backends_.route(static_shape(static_cast<const node_type&>(g_.type(c.tensor)).of_tensor), c.from, c.to);
    }
    /// Whether a conversion changes the memory and no layout.
    [[nodiscard]] static bool is_pure_copy(const conversion& c) { return c.from.scope != c.to.scope && c.from.order == c.to.order; }
    [[nodiscard]] static measurement free_of_cost() {
        measurement m;
        m.samples = 1;
        return m;
    }
    /// What a conversion costs whose change of layout costs that.
    [[nodiscard]] measurement behind_copies(const conversion& c, measurement m) const {
        if (c.from.scope == c.to.scope || !m.is_measured()) return m;
        const auto route = route_of(c);
        if (!route) return measurement::failed("no back end that takes part copies from " + to_string(c.from) + " to " + to_string(c.to));
        m.median += route->copy_seconds();
        m.minimum += route->copy_seconds();
        return m;
    }
    [[nodiscard]] measurement price(const conversion_key& key) const {
        if (const auto at = conversion_in_place_.find(key); at != conversion_in_place_.end()) return at->second;
        const auto at = conversion_alone_.find(key);
        return at == conversion_alone_.end() ? measurement{} : grown(at->second, conversion_growth_);
    }

    graph_ref g_;
    backends_ref backends_;
    const candidate_set* set_;
    lower_bound_ref bound_;
    double launch_seconds_;
    std::vector<std::size_t> class_of_;  // by candidate
    std::vector<content_class> classes_;
    std::vector<std::vector<std::size_t>> equals_;  // candidates of the same nodes in the same formats
    std::vector<std::size_t> equals_of_;            // by candidate
    std::map<conversion_key, measurement> conversion_alone_, conversion_in_place_;
    std::vector<conversion> wanted_conversions_;
    std::vector<double> growth_;  // by back end: what prices grew by in programs
    double conversion_growth_ = 1;
};

}  // namespace inlay

#endif
