// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/loaded_backend.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/plugin/checked_table.hpp>
#include <inlay/backend/plugin/export_backend.hpp>
#include <inlay/candidate/enumerate.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/codegen/list/choose_backends.hpp>
#include <inlay/codegen/list/extended_list.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/pipeline.hpp>
#include <inlay/runtime/link.hpp>
#include <inlay/target/read_target.hpp>

#include "table_of_test.hpp"

using namespace inlay;

namespace {

/// y = x * scale, then cut off below 0: its plan keeps what `alpha` was read.
struct scaled_line {
    std::size_t count;
    float scale;
    bool run(const run_arguments& a) const {
        a.executor.run(2, [&](std::size_t half) {
            const std::size_t from = half == 0 ? 0 : count / 2, to = half == 0 ? count / 2 : count;
            for (std::size_t i = from; i < to; ++i) {
                const float x = static_cast<const float*>(a.inputs[0])[i];
                static_cast<float*>(a.results[0])[i] = x < 0 ? scale * x : x;
            }
        });
        return true;
    }
};

struct far_away {
    static constexpr std::string_view kind = "far_away", refines = "llvm";
    static constexpr device_type device = device_type::cpu;
    double times = 1;
    int least = 1;
    std::string mode = "exact";
    std::vector<std::string> names;
    using options =
        option_list<option<"times", &far_away::times, "what slopes are multiplied by">,
                    option<"least", &far_away::least, "fewest elements that it takes">,
                    option<"mode", &far_away::mode, "exact, throw, refuse, lie or broken">, option<"names", &far_away::names, "words">>;
    [[nodiscard]] std::string version() const { return "far " + std::to_string(least); }
    [[nodiscard]] outcome<void> usable() const {
        if (mode == "refuse") return error{"its machine is switched off"};
        return {};
    }
    struct slope {
        struct plan {
            std::size_t count;
            double alpha;
        };
        template <class Match>
        outcome<plan> read(const far_away& self, const Match& m) const {
            if (self.mode == "throw") throw std::runtime_error("no wits");
            const region_view& r = m.region();
            const std::size_t count = *element_count(static_shape(r.type(r.results[0])));
            if (count < static_cast<std::size_t>(self.least)) return error{"it takes " + std::to_string(self.least) + " elements and more"};
            return plan{count, captured<"leaky">(m).attributes->number("alpha", 0.01)};
        }
        std::optional<double> price(const far_away& self, const plan& p, const region_view&) const {
            if (self.mode == "lie") return std::nan("");
            if (self.mode == "broken") throw std::runtime_error("the price list is lost");
            return 1e-6 * static_cast<double>(p.count);
        }
        outcome<kernel> emit(const far_away& self, const plan& p, const region_view&) const {
            return kernel(scaled_line{p.count, static_cast<float>(self.times * p.alpha)}, 128);
        }
    };
    static constexpr auto patterns() { return pattern_table(composite<"slope">(dsl::as<"leaky">(dsl::op<"onnx.LeakyRelu">), slope{})); }
    [[nodiscard]] std::vector<border_formats> formats(const region_view& r) const { return {plain_borders(r)}; }
};

using far_list = extended_list<backend_list<>, loaded_backend>;

[[nodiscard]] far_list list_with(const std::string& options = "") {
    far_list made;
    auto sound = check_table(exported_table<far_away>());
    REQUIRE(sound);
    REQUIRE(made.add(loaded_backend::of(*std::move(sound), "far.so")));
    const target_schemas known = schemas_of(made);
    const auto wanted = read_target_list("far_away " + options, known);
    REQUIRE(wanted);
    made.for_each([&](auto& b, std::size_t) { assign_options(b, wanted->front()); });
    return made;
}

[[nodiscard]] ir_module a_slope(std::int64_t count) {
    const tensor_type row(element_type::float32, {count});
    ir_builder b;
    b.open_block();
    const node_id x = b.input("x", row);
    b.declare(b.function(std::span(&x, 1), b.call("onnx.LeakyRelu", {x}, {{"alpha", 0.5}}, row, "y"), "main"));
    return b.finish();
}

struct no_prices {
    std::vector<measurement> price(std::span<const pricing_job> jobs) { return std::vector<measurement>(jobs.size()); }
};

}  // namespace

TEST_CASE("a back end that crosses the C interface plans, is configured and runs as one of the list does") {
    const far_list list = list_with("-times=4 -names=a,b");
    CHECK(list.text(0) == "far_away -times=4 -names=a,b");
    CHECK(list.more().front().version() == "far 1");
    CHECK(list.more().front().origin() == "far.so");
    const ir_module m = a_slope(6);
    no_prices meter;
    const auto planned = make_plan(m, list, meter, [](const auto&...) { return 0.0; });
    REQUIRE_MESSAGE(planned, planned.failure().message);
    CHECK(*planned->chosen.seconds == doctest::Approx(6e-6));
    const auto ready = link(m, list, planned->set, planned->cut);
    REQUIRE_MESSAGE(ready, ready.failure().message);
    CHECK(ready->steps()[0].label == "far_away.slope y");
    const tensor x = tensor::of({6}, std::vector<float>{-3, -1, 0, 1, 2, -8});
    const auto y = ready->run(std::span(&x, 1));
    REQUIRE(y);
    const auto found = y->front().as<float>();
    CHECK(std::vector<float>(found.begin(), found.end()) == std::vector<float>{-6, -2, 0, 1, 2, -16});
}

TEST_CASE("a library is asked for its version once, when it is configured") {
    plugin_test::told = {};
    static const inlay_backend table = plugin_test::doubling();
    auto sound = check_table(&table);
    REQUIRE(sound);
    const loaded_backend one = loaded_backend::of(*std::move(sound), "here"), copy = one;
    CHECK(one.version() == "2.1");
    CHECK(copy.version() == "2.1");
    CHECK(plugin_test::told.described == 1);
}

TEST_CASE("what a loaded back end does not take leaves its own sentence") {
    const far_list list = list_with("-least=8");
    const candidate_set set = enumerate(a_slope(6), list);
    REQUIRE(set.candidates.empty());
    REQUIRE(set.refusals.size() == 1);
    CHECK(set.refusals[0].reason == "it takes 8 elements and more");
    CHECK(list.more().front().version() == "far 8");
}

TEST_CASE("what a loaded back end throws costs that candidate and nothing else") {
    const candidate_set set = enumerate(a_slope(6), list_with("-mode=throw"));
    REQUIRE(set.refusals.size() == 1);
    CHECK(set.refusals[0].reason == "back end 'far_away' threw an exception while it read a match: no wits");
    const ir_module m = a_slope(6);
    no_prices meter;
    for (const auto& [mode, reason] : {std::pair("lie", "back end 'far_away' gave a price that is no number of seconds"),
                                       std::pair("broken",
                                                 "back end 'far_away' has no price for it: back end 'far_away' threw an exception "
                                                 "while it priced a region: the price list is lost")}) {
        const far_list list = list_with(std::string("-mode=") + mode);
        const auto planned = make_plan(m, list, meter, [](const auto&...) { return 0.0; });
        REQUIRE(!planned);
        CHECK_MESSAGE(planned.failure().message.find(reason) != std::string::npos, planned.failure().message);
    }
}

TEST_CASE("options of a loaded back end are those of its table, and say what they take") {
    far_list list = list_with();
    const target_schemas known = schemas_of(list);
    const target_schema* schema = known.find("far_away");
    REQUIRE(schema != nullptr);
    REQUIRE(schema->options.size() == 4);
    CHECK(schema->options[1] == option_schema{"least",
                                              "fewest elements that it takes",
                                              std::int64_t{1},
                                              {std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}});
    list.for_each([&](auto& b, std::size_t) {
        const auto set = set_option(b, "least", "many");
        REQUIRE(!set);
        CHECK(set.failure().message == "option '-least' of target 'far_away' takes a value of type int, not 'many'");
        CHECK(!set_option(b, "lest", "1"));
        CHECK(set_option(b, "least", "3"));
        CHECK(target_text(b) == "far_away -least=3");
    });
    const auto refused = choose_backends(list, *read_target_list("far_away -mode=refuse", known), known, "");
    REQUIRE(!refused);
    CHECK(refused.failure().message == "target 'far_away' cannot run here: its machine is switched off");
}

TEST_CASE("a kind is in a list once") {
    far_list list = list_with();
    const auto again = list.add(list.more().front());
    REQUIRE(!again);
    CHECK(again.failure().message == "there is a back end 'far_away' already; give one of them another kind");
    CHECK(list.count() == 1);
}
