// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/cost/cost_table.hpp>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../candidate/toy_backends.hpp"

#include <inlay/partition/verify.hpp>
#include <inlay/pipeline.hpp>

using namespace inlay;

namespace {

/// Prices that depend on what is priced, so that a mix-up shows; the chains' own prices are taken away by `unpriced`.
struct odd_meter {
    std::size_t asked = 0;

    [[nodiscard]] std::vector<measurement> price(std::span<const pricing_job> jobs) {
        std::vector<measurement> found;
        for (const pricing_job& job : jobs) {
            ++asked;
            const digest d =
                job.what == pricing_job::subject::region ? table_key(job.region, "any") : content_key(job.type, job.from, job.to);
            const double sample[] = {0.1 + static_cast<double>(d.low % 1000) / 1000};
            found.push_back(measurement::of(sample));
        }
        return found;
    }
};

struct no_bound {
    double operator()(const region_view&) const { return 0; }
    double operator()(const tensor_type&, const format&, const format&) const { return 0; }
};

/// The toys, priced by a meter.
struct measured_rows : toys::rows {
    [[nodiscard]] static std::optional<double> price(const region_view&) { return std::nullopt; }
};
struct measured_chains : toys::chains {
    using options = option_list<option<"threads", &measured_chains::threads, "how many threads">>;
    [[nodiscard]] static std::optional<double> price(const region_view&) { return std::nullopt; }
};
using measured = backend_list<measured_chains, measured_rows>;

/// One call of Relu as a job.
struct relu_job {
    attribute_map none;
    node_type type = toys::image();
    std::vector<region_value> values{2};
    value_id operand = 0, result = 1;
    format plain = plain_format(element_type::float32);

    [[nodiscard]] pricing_job job(std::uint32_t backend = 0) {
        for (region_value& v : values) {
            v.attributes = &none;
            v.type = &type;
        }
        values[0].kind = region_value::role::input;
        values[1].kind = region_value::role::call;
        values[1].op = "onnx.Relu";
        values[1].operands = {&operand, 1};
        pricing_job j;
        j.backend = backend;
        j.region = {values, 1, 0, {&result, 1}, {&plain, 1}, {&plain, 1}};
        return j;
    }
    [[nodiscard]] pricing_job conversion() const {
        pricing_job j;
        j.what = pricing_job::subject::conversion;
        j.type = toys::image();
        j.from = j.to = plain;
        j.to.order = layout::channels_last();
        return j;
    }
};

measurement only(const std::vector<measurement>& found) {
    REQUIRE(found.size() == 1);
    return found[0];
}

template <class Meter>
measurement ask(Meter& meter, const pricing_job& job) {
    return only(meter.price(std::vector<pricing_job>{job}));
}

region_price entry(double seconds) {
    region_price p;
    p.backend = "chains";
    p.seconds = seconds;
    return p;
}

}  // namespace

TEST_CASE("an entry holds for what is as every stated field says") {
    relu_job one;
    const pricing_job job = one.job();
    const region_price full = full_entry(job.region, "chains", "", measurement());
    CHECK(full.ops == std::vector<std::string>{"Relu"});
    CHECK(full.operands == std::vector<std::string>{"float32[1,3,2,2]"});
    CHECK(full.inputs == std::vector<std::string>{"float32:plain"});
    CHECK(holds_for(full, full));
    CHECK(holds_for(entry(1), full));
    const auto changed = [&](auto change) {
        region_price p = full;
        change(p);
        return holds_for(p, full);
    };
    CHECK_FALSE(changed([](region_price& p) { p.backend = "reference"; }));
    CHECK_FALSE(changed([](region_price& p) { p.ops->push_back("Relu"); }));
    CHECK_FALSE(changed([](region_price& p) { p.operands->front() = "float32[1,3,2,3]"; }));
    CHECK_FALSE(changed([](region_price& p) { p.inputs->front() = "float32:channels_last"; }));
    CHECK_FALSE(changed([](region_price& p) { p.results->clear(); }));
    CHECK_FALSE(changed([](region_price& p) { ++p.key->low; }));
    CHECK(words_of(full) == "Relu by chains on float32[1,3,2,2] (float32:plain -> float32:plain)");
}

TEST_CASE("the first entry that holds is the price, with a key or without") {
    relu_job one;
    const pricing_job job = one.job();
    const measured list;
    odd_meter model;
    cost_table table;
    table.regions = {entry(1), entry(2)};
    table_meter both(table, list, model);
    CHECK(ask(both, job).median == 1);
    table.regions[0].key = table_key(job.region, "chains");
    table.regions[0].seconds = 3;
    table_meter keyed(table, list, model);
    CHECK(ask(keyed, job).median == 3);
    std::swap(table.regions[0], table.regions[1]);
    table_meter second(table, list, model);
    CHECK(ask(second, job).median == 2);
    ++table.regions[1].key->low;
    table.regions[0].ops = std::vector<std::string>{"Add"};
    table_meter none(table, list, model);
    CHECK(ask(none, job).has_failed());
    table.regions = {entry(std::numeric_limits<double>::infinity())};
    table.regions[0].reason = "it crashes";
    table_meter crashing(table, list, model);
    CHECK(ask(crashing, job).failure == "it crashes");
    CHECK(std::isinf(ask(crashing, job).median));
    CHECK(crashing.missing() == 0);
    CHECK(model.asked == 0);
}

TEST_CASE("what has no entry is refused, asked of the model, or not offered, as the table says") {
    relu_job one;
    const measured list;
    odd_meter model;
    cost_table table;
    table_meter refusing(table, list, model);
    CHECK(ask(refusing, one.job()).has_failed());
    CHECK(ask(refusing, one.conversion()).has_failed());
    CHECK(ask(refusing, one.job()).has_failed());
    CHECK(refusing.missing() == 2);
    CHECK(refusing.first_missing() == "Relu by chains on float32[1,3,2,2] (float32:plain -> float32:plain)");
    table.missing = cost_table::without::not_offered;
    table_meter silent(table, list, model);
    CHECK(ask(silent, one.job()).has_failed());
    CHECK(silent.missing() == 0);
    CHECK(model.asked == 0);
    table.missing = cost_table::without::modelled;
    table_meter modelled(table, list, model);
    CHECK(ask(modelled, one.job()).is_measured());
    CHECK(model.asked == 1);
    table.conversions.push_back({std::nullopt, "float32:plain", std::nullopt, 4, {}});
    CHECK(ask(modelled, one.conversion()).median == 4);
    CHECK(model.asked == 1);
}

TEST_CASE("the key of a table knows no options and no version") {
    relu_job one;
    const pricing_job job = one.job();
    CHECK(table_key(job.region, "chains") != table_key(job.region, "reference"));
    measured_chains wide;
    wide.threads = 8;
    const measured list(wide, measured_rows());
    odd_meter model;
    cost_table table;
    table.regions = {full_entry(job.region, "chains", "", measurement())};
    table.regions[0].seconds = 0.25;
    table_meter meter(table, list, model);
    CHECK(ask(meter, job).median == 0.25);
}

TEST_CASE("what a plan asked for, written down, gives the same plan without the meter") {
    for (std::uint32_t seed = 0; seed < 25; ++seed) {
        CAPTURE(seed);
        const ir_module m = toys::random_program(seed, 2 + seed % 12);
        const measured list;
        odd_meter meter, unused;
        noting_meter noting(meter, list);
        plan_options options;
        options.others = {partitioner::eager(), partitioner::single("chains"), partitioner::single("reference")};
        const auto made = make_plan(m, list, noting, no_bound(), options);
        REQUIRE_MESSAGE(made.has_value(), made.failure().message);
        cost_table table;
        noting.add_to(table);
        noting.add_to(table);
        std::set<std::string> words;
        for (const region_price& p : table.regions) CHECK(words.insert(words_of(p) + to_string(*p.key)).second);
        table_meter tabled(table, list, unused);
        const auto again = make_plan(m, list, tabled, no_bound(), options);
        REQUIRE_MESSAGE(again.has_value(), again.failure().message);
        CHECK(tabled.missing() == 0);
        CHECK(unused.asked == 0);
        CHECK(again->chosen.chosen == made->chosen.chosen);
        CHECK(again->chosen.seconds == made->chosen.seconds);
        REQUIRE(again->others.size() == made->others.size());
        for (std::size_t i = 0; i < again->others.size(); ++i) CHECK(again->others[i].seconds == made->others[i].seconds);
    }
}
