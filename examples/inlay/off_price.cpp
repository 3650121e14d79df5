// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "off_price.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iostream>

#include <inlay/plan/plan_jobs.hpp>

#include "model.hpp"
#include "plan_text.hpp"

namespace tool {

using namespace inlay;

namespace {

std::string piece_text(const ir_module& m, const plan& p, const engine& back_ends, std::size_t piece) {
    if (piece < p.chosen.chosen.size()) {
        const candidate& c = p.set.candidates[p.chosen.chosen[piece]];
        return back_ends.kind(c.backend) + "." + std::string(c.name) + " at " + shown_name(m, c.root);
    }
    const conversion& c = p.cut.conversions[piece - p.chosen.chosen.size()];
    return "the conversion of " + shown_name(m, c.tensor) + " from " + to_string(c.from) + " to " + to_string(c.to);
}

/// By piece, in the order of `jobs_of`: the price, and what it took; neither measured where there is none.
struct held_against {
    measurement price, seen;
};

/// Pieces of a back end that only plays a device, and copies, have prices that no clock here can be held against: none is measured.
std::vector<held_against> pairs_of(const plan& p, const engine& back_ends, const program_timing& seen) {
    std::vector<held_against> all;
    for (const std::size_t number : p.chosen.chosen) {
        held_against& one = all.emplace_back();
        if (back_ends.simulates(p.set.candidates[number].backend)) continue;
        one.price = p.prices[number];
        for (const auto& [of, took] : seen.candidates)
            if (of == number) one.seen = took;
    }
    for (const conversion& c : p.cut.conversions) {
        held_against& one = all.emplace_back();
        if (c.from.scope != c.to.scope) continue;
        if (const auto price = p.conversions.find(c); price != p.conversions.end()) one.price = price->second;
        for (const auto& [of, took] : seen.conversions)
            if (of == c) one.seen = took;
    }
    return all;
}

}  // namespace

std::vector<off_piece> off_pieces(const ir_module& m, const plan& p, const engine& back_ends, const program_timing& seen, bool is_stated) {
    const std::vector<pricing_job> jobs = jobs_of(m, p);
    const std::vector<std::size_t> first_equal = back_ends.first_equals(jobs);
    const std::vector<held_against> pairs = pairs_of(p, back_ends, seen);
    struct sum {
        std::size_t places = 0;
        double median = 0, least = 0, spread = 0;
        bool disturbed = false;
    };
    std::vector<sum> sums(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const measurement &price = pairs[i].price, &took = pairs[i].seen;
        if (!price.is_measured() || !took.is_measured() || (!is_stated && price.samples <= 1)) continue;
        sum& s = sums[first_equal[i]];
        ++s.places;
        s.median += took.median;
        s.least += took.minimum;
        s.spread += took.spread;
        s.disturbed = s.disturbed || took.disturbed;
    }
    const double matters = 0.01 * p.chosen.seconds.value_or(0);
    constexpr double shortest = 1e-6;  // what a clock tells well
    std::vector<off_piece> off;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const sum& s = sums[i];
        if (s.places == 0) continue;
        const auto places = static_cast<double>(s.places);
        const measurement& price = pairs[i].price;
        const double median = s.median / places;
        const double margin = std::max({0.1 * price.median, price.spread + s.spread / places, shortest});
        const bool slower = !s.disturbed && s.least / places > price.median + margin;
        const bool quicker = median < price.median - margin;
        if ((slower || quicker) && std::abs(median - price.median) * places > matters)
            off.push_back({piece_text(m, p, back_ends, i), s.places, median, price.median});
    }
    const auto difference = [](const off_piece& one) { return std::abs(one.seconds - one.price) * static_cast<double>(one.places); };
    std::stable_sort(off.begin(), off.end(), [&](const off_piece& a, const off_piece& b) { return difference(a) > difference(b); });
    return off;
}

void tell_off_pieces(const ir_module& m, const plan& p, const engine& back_ends, bool is_stated) {
    constexpr std::size_t most = 8;
    const std::vector<off_piece> off = off_pieces(m, p, back_ends, back_ends.rehearse(m, p), is_stated);
    if (off.empty()) return;
    for (std::size_t i = 0; i < std::min(most, off.size()); ++i)
        std::cerr << "inlay: " << off[i].what << (off[i].places == 1 ? "" : " and " + std::to_string(off[i].places - 1) + " like it")
                  << " took " << milliseconds(off[i].seconds) << " where the plan has a price of " << milliseconds(off[i].price) << "\n";
    if (off.size() > most) std::cerr << "inlay: so it is with " << off.size() - most << " others\n";
    std::cerr << "inlay: these prices are off here; `inlay tune --refresh=all` prices the pieces of the model again"
              << (is_stated ? ", for a plan that is made anew" : "") << "\n";
}

}  // namespace tool
