// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/plan/price_cache.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"
#include "../codegen/device_toys.hpp"

#include <inlay/candidate/enumerate.hpp>

using namespace inlay;

namespace {

/// Says nothing of its price.
struct unpriced : toys::rows {
    [[nodiscard]] std::optional<double> price(const region_view&) const { return std::nullopt; }
};
using list = backend_list<toys::chains, unpriced>;

/// Another that says nothing.
struct twin : unpriced {
    static constexpr std::string_view kind = "twin", refines = "llvm";
    using options = option_list<>;
};
using rivals_list = backend_list<unpriced, twin>;

struct half_bound {
    double operator()(const region_view& r) const { return 0.5 * static_cast<double>(r.calls().size()); }
    double operator()(const tensor_type&, const format&, const format&) const { return 0.125; }
};

/// Gives all jobs the same seconds, and counts them; gives none where `is_silent`.
struct even_meter {
    double seconds = 1;
    bool is_silent = false;
    std::size_t asked = 0;

    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) {
        asked += jobs.size();
        measurement m;
        if (!is_silent) {
            m.median = m.minimum = seconds;
            m.samples = 1;
        }
        return std::vector<measurement>(jobs.size(), m);
    }
};

/// Rectifiers one after the other.
ir_module rectifiers(std::size_t count) {
    return toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
        node_id last = x;
        for (std::size_t i = 0; i < count; ++i) last = b.call("onnx.Relu", {last}, {}, toys::image());
        return last;
    });
}

/// The candidate of one node in a layout.
std::size_t candidate_at(const candidate_set& set, node_id n, backend_id backend, const layout& order) {
    for (std::size_t c = 0; c < set.candidates.size(); ++c) {
        const candidate& k = set.candidates[c];
        if (k.nodes == std::vector<node_id>{n} && k.backend == backend && k.formats.results[0].order == order) return c;
    }
    FAIL("there is no such candidate");
    return 0;
}

const format plain = plain_format(element_type::float32), last{{}, layout::channels_last(), element_type::float32};

}  // namespace

TEST_CASE("a price is a bound until it is asked for, equals share it, and what the back end states is never asked for") {
    const ir_module m = rectifiers(3);
    const list backends;
    const candidate_set set = enumerate(m, backends);
    const std::vector<node_id>& n = set.to_cover;
    half_bound bound;
    price_cache prices(m, backends, set, bound, 0.25);
    const std::size_t first = candidate_at(set, n[0], 1, layout::plain()), second = candidate_at(set, n[1], 1, layout::plain());
    const std::size_t stated = candidate_at(set, n[2], 0, layout::channels_last());
    CHECK(prices.seconds(first) == 0.75);
    CHECK(prices.bound(first) == 0.5);
    CHECK_FALSE(prices.is_known(prices.alone(first)));
    CHECK(prices.is_known(prices.alone(stated)));
    CHECK(prices.seconds(stated) == 0.25 + 0.375);
    CHECK(prices.seconds(toys::image(), plain, last) == 0.375);

    even_meter meter;
    CHECK_FALSE(prices.ask(meter));
    const std::size_t chosen[] = {first, second, stated};
    prices.want(chosen);
    CHECK(prices.ask(meter));
    // One rectifier for both, and a conversion each way.
    CHECK(meter.asked == 3);
    CHECK_FALSE(prices.ask(meter));
    CHECK(prices.seconds(first) == 1.25);
    CHECK(prices.seconds(second) == 1.25);
    CHECK(prices.seconds()[second] == 1.25);
    CHECK(prices.seconds(toys::image(), plain, last) == 1.25);
    CHECK(prices.conversions().size() == 2);
    CHECK(prices.alone(conversion{n[1], plain, last})->median == 1);
    CHECK_FALSE(prices.alone(conversion{n[1], plain, plain}).has_value());
    CHECK(prices.state(prices.seconds()).numbers.candidates.size() == set.candidates.size() + 2);
}

TEST_CASE("what is not wanted is not asked for, and what is not answered stays a bound") {
    const ir_module m = rectifiers(2);
    const list backends;
    const candidate_set set = enumerate(m, backends);
    half_bound bound;
    price_cache prices(m, backends, set, bound, 0);
    const std::size_t chosen[] = {candidate_at(set, set.to_cover[0], 1, layout::plain()),
                                  candidate_at(set, set.to_cover[1], 1, layout::plain())};
    even_meter meter;
    prices.want(chosen);
    prices.want_nothing();
    CHECK_FALSE(prices.ask(meter));
    CHECK(meter.asked == 0);
    prices.want(chosen);
    meter.is_silent = true;
    CHECK_FALSE(prices.ask(meter));
    CHECK(meter.asked == 1);
    CHECK(prices.seconds(chosen[0]) == 0.5);
}

TEST_CASE("a job tells the least price that is known of what does the same") {
    const ir_module m = rectifiers(1);
    const rivals_list backends;
    const candidate_set set = enumerate(m, backends);
    half_bound bound;
    price_cache prices(m, backends, set, bound, 0);
    std::vector<std::size_t> asked;
    for (std::size_t c = 0; c < set.candidates.size(); ++c) asked.push_back(c);
    REQUIRE(asked.size() >= 2);
    std::vector<double> rivals;
    double seconds = 3;
    const auto answer = [&](std::span<const pricing_job> jobs) {
        std::vector<measurement> all;
        for (const pricing_job& job : jobs) {
            if (job.what == pricing_job::subject::region) rivals.push_back(job.rival);
            measurement& one = all.emplace_back();
            one.median = one.minimum = seconds;
            one.samples = 1;
        }
        --seconds;
        return all;
    };
    struct {
        decltype(answer)* call;
        std::vector<measurement> price(std::span<const pricing_job> jobs) { return (*call)(jobs); }
    } meter{&answer};
    double known = std::numeric_limits<double>::infinity();
    for (const std::size_t c : asked) {
        if (price_cache::is_known(prices.alone(c))) {
            known = std::min(known, prices.alone(c).median);
            continue;
        }
        prices.want_nothing();
        prices.want(std::span(&c, 1));
        rivals.clear();
        CHECK(prices.ask(meter));
        REQUIRE(rivals.size() == 1);
        CHECK(rivals[0] == known);
        known = std::min(known, prices.alone(c).median);
    }
    CHECK(known < 3);
}

TEST_CASE("with what is wanted, its rivals in the same formats can be, unless they cannot cost less or take no part") {
    const ir_module m = rectifiers(1);
    const rivals_list backends;
    const candidate_set set = enumerate(m, backends);
    half_bound bound;
    price_cache prices(m, backends, set, bound, 0);
    const std::size_t chosen = candidate_at(set, set.to_cover[0], 1, layout::plain());
    const auto is_rival = [&](std::size_t c) {
        return set.candidates[c].nodes == set.candidates[chosen].nodes && set.candidates[c].formats == set.candidates[chosen].formats;
    };
    even_meter meter;
    meter.seconds = 0.25;  // below every bound
    std::vector<double> seconds(set.candidates.size(), impossible);
    prices.want_rivals(std::span(&chosen, 1), seconds);
    CHECK_FALSE(prices.ask(meter));
    seconds.assign(set.candidates.size(), 1);
    prices.want_rivals(std::span(&chosen, 1), seconds);
    CHECK(prices.ask(meter));
    CHECK(price_cache::is_known(prices.alone(chosen)));
    for (std::size_t c = 0; c < set.candidates.size(); ++c) CHECK(price_cache::is_known(prices.alone(c)) == is_rival(c));
    prices.want_nothing();
    prices.want_rivals(std::span(&chosen, 1), seconds);
    CHECK_FALSE(prices.ask(meter));
}

TEST_CASE("a price that is no number of seconds is a failure with a reason, and is infinite") {
    const ir_module m = rectifiers(2);
    const list backends;
    const candidate_set set = enumerate(m, backends);
    half_bound bound;
    for (const double odd : {std::numeric_limits<double>::quiet_NaN(), -1.0}) {
        price_cache prices(m, backends, set, bound, 0);
        const std::size_t chosen[] = {candidate_at(set, set.to_cover[0], 1, layout::plain()),
                                      candidate_at(set, set.to_cover[1], 0, layout::channels_last())};
        even_meter meter{odd};
        prices.want(chosen);
        CHECK(prices.ask(meter));
        CHECK(prices.alone(chosen[0]).failure == "back end 'reference' gave a price that is no number of seconds");
        CHECK(std::isinf(prices.seconds(chosen[0])));
        CHECK(prices.price(conversion{set.to_cover[0], plain, last}).failure == "the meter gave a price that is no number of seconds");
        CHECK(prices.seconds(toys::image(), plain, last) == impossible);
    }
}

TEST_CASE("tensors of other elements or of unknown extents are not converted") {
    const ir_module m = rectifiers(1);
    const list backends;
    const candidate_set set = enumerate(m, backends);
    half_bound bound;
    const price_cache prices(m, backends, set, bound, 0);
    const format whole = plain_format(element_type::int64);
    CHECK(prices.seconds(toys::image(), plain, whole) == impossible);
    CHECK(prices.seconds(tensor_type(), plain, last) == impossible);
}

TEST_CASE("a price in place replaces the price alone, by its mean, and what was in no program grows as its back end did") {
    const ir_module m = rectifiers(2);
    const list backends;
    const candidate_set set = enumerate(m, backends);
    half_bound bound;
    price_cache prices(m, backends, set, bound, 0);
    const std::size_t row = candidate_at(set, set.to_cover[0], 0, layout::plain());
    const std::size_t seen = candidate_at(set, set.to_cover[1], 0, layout::channels_last());
    const double alone = prices.alone(seen).median, other = prices.alone(row).median;
    const double samples[] = {3 * alone, 5 * alone};
    program_timing told;
    CHECK_FALSE(prices.learn(std::vector<program_timing>(2)));
    told.candidates = {{seen, measurement::of(std::span(samples, 1))}};
    program_timing again;
    again.candidates = {{seen, measurement::of(std::span(samples + 1, 1))}};
    again.conversions = {{conversion{set.to_cover[0], plain, last}, measurement::of(std::span(samples, 1))}};
    CHECK(prices.learn(std::vector<program_timing>{told, again}));
    CHECK(prices.price(seen).median == doctest::Approx(4 * alone));
    CHECK(prices.alone(seen).median == alone);
    CHECK(prices.seconds(toys::image(), plain, last) == doctest::Approx(3 * alone));
    CHECK(prices.price(row).median == other);
    prices.note_growth();
    CHECK(prices.price(row).median == doctest::Approx(4 * other));
    // The latest word replaces the earlier one.
    CHECK(prices.learn(std::vector<program_timing>{told}));
    CHECK(prices.price(seen).median == doctest::Approx(3 * alone));
}

TEST_CASE("a price alone that a program shows to be far too high is asked for again, once") {
    /// Says what is doubted.
    struct doubting_meter {
        double seconds = 8;
        std::size_t asked = 0, again = 0;
        std::vector<measurement> price(std::span<const pricing_job> jobs) {
            asked += jobs.size();
            for (const pricing_job& job : jobs) again += job.again;
            return std::vector<measurement>(jobs.size(), measurement{seconds, seconds, 0, 5, {}});
        }
    };
    const ir_module m = rectifiers(1);
    const list backends;
    const candidate_set set = enumerate(m, backends);
    half_bound bound;
    price_cache prices(m, backends, set, bound, 0);
    const std::size_t chosen[] = {candidate_at(set, set.to_cover[0], 1, layout::plain())};
    doubting_meter meter;
    prices.want(chosen);
    CHECK(prices.ask(meter));
    const auto seen_in_a_program = [&](double seconds) {
        program_timing told;
        told.candidates.emplace_back(chosen[0], measurement{seconds, seconds, 0, 5, {}});
        CHECK(prices.learn(std::span(&told, 1)));
    };
    seen_in_a_program(7.5);
    CHECK_FALSE(prices.ask(meter));
    seen_in_a_program(2);
    meter.seconds = 4;
    CHECK(prices.ask(meter));
    CHECK(meter.again == 1);
    CHECK(prices.alone(chosen[0]).median == 4);
    CHECK(prices.price(chosen[0]).median == 2);
    // Once is enough.
    seen_in_a_program(2);
    CHECK_FALSE(prices.ask(meter));
}

TEST_CASE("a price alone that was measured after the program that it is far above is not asked for again") {
    struct late_meter {
        std::int64_t when = 0;
        std::size_t asked = 0;
        std::vector<measurement> price(std::span<const pricing_job> jobs) {
            asked += jobs.size();
            measurement slow{8, 8, 0, 5, {}};
            slow.when = when;
            return std::vector<measurement>(jobs.size(), slow);
        }
    };
    const ir_module m = rectifiers(1);
    const list backends;
    const candidate_set set = enumerate(m, backends);
    half_bound bound;
    for (const bool later : {false, true}) {
        price_cache prices(m, backends, set, bound, 0);
        const std::size_t chosen[] = {candidate_at(set, set.to_cover[0], 1, layout::plain())};
        late_meter meter{later ? 1001 : 999};
        prices.want(chosen);
        CHECK(prices.ask(meter));
        const std::size_t before = meter.asked;
        program_timing told;
        told.candidates.emplace_back(chosen[0], measurement{2, 2, 0, 5, {}});
        told.candidates.back().second.when = 1000;
        CHECK(prices.learn(std::span(&told, 1)));
        CHECK(prices.ask(meter) == !later);
        CHECK((meter.asked > before) == !later);
    }
}

namespace {

/// The last thing that was asked of it.
struct noting_meter {
    std::vector<std::pair<format, format>> asked{};
    std::vector<measurement> price(std::span<const pricing_job> jobs) {
        const double quarter = 0.25;
        for (const pricing_job& job : jobs) asked.emplace_back(job.from, job.to);
        return std::vector<measurement>(jobs.size(), measurement::of(std::span(&quarter, 1)));
    }
};

}  // namespace

TEST_CASE("a copy has the price that its back end states, and a meter is asked for the change of layout on its way alone") {
    const ir_module m = rectifiers(2);
    const backend_list<toys::chains, device_toys::apart> backends;
    const candidate_set set = enumerate(m, backends);
    half_bound bound;
    price_cache prices(m, backends, set, bound, 0.5);
    const tensor_type image = toys::image();  // 48 bytes
    const format there{device_toys::device_main, layout::plain(), element_type::float32};
    CHECK(prices.seconds(image, plain, there) == doctest::Approx(0.5 + 1.048));
    CHECK(prices.seconds(image, there, last) == doctest::Approx(0.5 + 1.048 + half_bound()(image, plain, last)));
    CHECK(prices.seconds(image, plain, {device_toys::device_near, layout::plain(), element_type::float32}) == impossible);
    CHECK(prices.seconds(image, there, {device_toys::device_main, layout::channels_last(), element_type::float32}) == impossible);

    const std::vector<node_id>& n = set.to_cover;
    const std::size_t chosen[] = {candidate_at(set, n[0], 1, layout::plain()), candidate_at(set, n[1], 0, layout::channels_last())};
    prices.want(chosen);
    noting_meter meter;
    CHECK(prices.ask(meter));
    // From the device to channels last, and from these to the outside.
    REQUIRE(meter.asked.size() == 2);
    for (const auto& [from, to] : meter.asked) CHECK((from.scope == memory_scope() && to.scope == memory_scope()));
    const conversion in{m.inputs()[0], plain, there}, back{n[0], there, last};
    CHECK(prices.alone(in)->median == doctest::Approx(1.048));
    CHECK(prices.price(back).median == doctest::Approx(1.048 + 0.25));
    CHECK(prices.copied_bytes(in) == 48);
    CHECK(prices.copied_bytes(back) == 48);
    CHECK(prices.copied_bytes({n[1], last, plain}) == 0);
    program_timing slow;
    const double hour = 3600;
    slow.conversions = {{in, measurement::of(std::span(&hour, 1))}, {back, measurement::of(std::span(&hour, 1))}};
    slow.candidates = {{chosen[0], measurement::of(std::span(&hour, 1))}};
    CHECK(prices.learn(std::span(&slow, 1)));
    CHECK(prices.price(in).median == doctest::Approx(1.048));
    CHECK(prices.price(back).median == doctest::Approx(1.048 + 0.25));
    CHECK(prices.price(chosen[0]).median == 3600);  // it is a device, and its programs tell
}
