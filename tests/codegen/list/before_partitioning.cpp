// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/list/before_partitioning.hpp>

#include <doctest/doctest.h>

#include "../../candidate/toy_backends.hpp"
#include "../../cost/no_meter.hpp"

#include <inlay/partition/verify.hpp>
#include <inlay/passes/rebuild.hpp>
#include <inlay/pipeline.hpp>

using namespace inlay;

namespace {

/// The module with a rectifier behind each operator of that name, which is no change where there is one already.
ir_module rectified(const ir_module& m, std::string_view op) {
    return rebuild(m, [&](module_rebuilder& r, node_id n) {
        const node_id same = r.copy(n);
        if (m.kind(n) == node_kind::call && m.op(n) == op) r.set_made(n, r.builder().call("onnx.Relu", {same}, {}, m.type(n), m.name(n)));
    });
}
std::string operators_of(const ir_module& m) {
    std::string all;
    for (node_id n = 0; n < m.size(); ++n)
        if (m.kind(n) == node_kind::call) all += std::string(m.op(n).substr(5)) + " ";
    return all;
}
ir_module of_a_row(const ir_module&) {
    const tensor_type row(element_type::float32, {4});
    return toys::program_of(row, [&](ir_builder& b, node_id x) { return b.call("onnx.Relu", {x}, {}, row); });
}

/// Rectifies sums for everyone, as often as its option says; products for itself.
struct rectifier : toys::rows {
    static constexpr std::string_view kind = "rectifier";
    int times = 1;
    using options = option_list<option<"times", &rectifier::times, "how often; 9 fails, 8 changes the input">>;

    static constexpr auto phases() {
        return phase_list(before_partitioning<"products", phase_scope::own>(
                              [](const rectifier&, const ir_module& m) -> outcome<ir_module> { return rectified(m, "onnx.Mul"); }),
                          before_partitioning<"sums">([](const rectifier& self, const ir_module& m) -> outcome<ir_module> {
                              if (self.times == 9) return error{"nine is too many"};
                              if (self.times == 8) return of_a_row(m);
                              ir_module made = m;
                              for (int i = 0; i < self.times; ++i) made = rectified(made, "onnx.Add");
                              return made;
                          }));
    }
};
/// Rectifies rectifiers for everyone, so that order shows.
struct second : toys::rows {
    static constexpr std::string_view kind = "second";
    static constexpr auto phases() {
        return phase_list(before_partitioning<"relus">(
            [](const second&, const ir_module& m) -> outcome<ir_module> { return rectified(m, "onnx.Relu"); }));
    }
};

/// Takes a product and its rectifier at once, for little.
struct pairs : toys::rows {
    static constexpr std::string_view kind = "pairs";
    static constexpr auto patterns() { return pattern_table(composite<"pair">(dsl::op<"onnx.Relu">(dsl::op<"onnx.Mul">))); }
    [[nodiscard]] std::optional<double> price(const region_view&) const { return 0.25; }
};

/// Takes the sum, the product and their rectifiers at once, for less than they cost alone.
struct wholes : toys::rows {
    static constexpr std::string_view kind = "wholes";
    static constexpr auto patterns() {
        using namespace dsl;
        return pattern_table(composite<"whole">(op<"onnx.Relu">(op<"onnx.Mul">(op<"onnx.Relu">(op<"onnx.Add">), any))));
    }
    [[nodiscard]] std::optional<double> price(const region_view&) const { return 2.5; }
};

/// Makes a program of its own that nobody can run.
struct stranger : toys::rows {
    static constexpr std::string_view kind = "stranger";
    static constexpr auto phases() {
        return phase_list(before_partitioning<"strange", phase_scope::own>([](const stranger&, const ir_module& m) -> outcome<ir_module> {
            return rebuild(m, [&](module_rebuilder& r, node_id n) {
                const node_id same = r.copy(n);
                if (m.kind(n) == node_kind::call && m.op(n) == "onnx.Mul")
                    r.set_made(n, r.builder().call("toy.Strange", {same}, {}, m.type(n), m.name(n)));
            });
        }));
    }
};

ir_module product_of_a_sum() {
    return toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        return b.call("onnx.Mul", {b.call("onnx.Add", {x, x}, {}, toys::image()), x}, {}, toys::image());
    });
}

}  // namespace

TEST_CASE("shared phases run for everyone in the order of the back ends, and own ones on a program beside [codegen.phases.before]") {
    const ir_module m = product_of_a_sum();
    backend_list<rectifier, second> backends;
    const auto all = prepare(backends, m);
    REQUIRE(all.has_value());
    REQUIRE(all->size() == 2);
    CHECK(operators_of((*all)[0].program) == "Add Relu Relu Mul ");
    CHECK((*all)[0].backend == prepared_program::everybody);
    CHECK((*all)[0].phases == std::vector<std::string>{"rectifier.sums", "second.relus"});
    CHECK(operators_of((*all)[1].program) == "Add Relu Relu Mul Relu ");
    CHECK((*all)[1].backend == 0);
    CHECK((*all)[1].phases == std::vector<std::string>{"rectifier.sums", "second.relus", "rectifier.products"});
    CHECK(operators_of(m) == "Add Mul ");

    backends.choose({1, 0});
    CHECK(operators_of((*prepare(backends, m))[0].program) == "Add Relu Mul ");
    backends.choose({1});
    const auto without = prepare(backends, m);
    REQUIRE(without->size() == 1);
    CHECK(operators_of(without->front().program) == "Add Mul ");
    const auto none = prepare(backend_list<toys::chains, toys::rows>(), m);
    REQUIRE(none->size() == 1);
    CHECK(none->front().phases.empty());
}

TEST_CASE("the configured instance reaches a phase; one that fails, or changes what the program takes, is named with its back end") {
    rectifier self;
    self.times = 3;
    CHECK(operators_of((*prepare(backend_list<rectifier>(self), product_of_a_sum()))[0].program) == "Add Relu Relu Relu Mul ");
    self.times = 9;
    CHECK(prepare(backend_list<rectifier>(self), product_of_a_sum()).failure().message ==
          "phase 'sums' of back end 'rectifier' failed: nine is too many");
    self.times = 8;
    CHECK(prepare(backend_list<rectifier>(self), product_of_a_sum()).failure().message ==
          "phase 'sums' of back end 'rectifier' gives input 0 the type float32[4], where it had float32[1,3,2,2]");
}

TEST_CASE("a phase that loses the names of results is told so") {
    struct forgetful : second {
        static constexpr auto phases() {
            return phase_list(
                before_partitioning<"forget">([](const forgetful&, const ir_module&) -> outcome<ir_module> { return product_of_a_sum(); }));
        }
    };
    ir_builder b;
    b.open_block();
    const node_id x[] = {b.input("x", toys::image())};
    b.declare(b.function(x, b.call("onnx.Relu", x, {}, toys::image()), "main"));
    b.name_results({"y"});
    CHECK(prepare(backend_list<forgetful>(), b.finish()).failure().message ==
          "phase 'forget' of back end 'second' gives the results other names than they had; carry them along by `name_results`");
}

TEST_CASE(
    "one call runs the phases, plans all programs that come of them and takes the cheapest, so that a phase of one's own costs nobody "
    "anything") {
    // Taken alone each call costs a second, so the rectifier that the own phase adds is one too many.
    toys::no_meter pricing;
    const auto bound = [](const auto&...) { return 0.0; };
    plan_options options;
    options.fallback = "rectifier";
    const auto dear = make_plan(product_of_a_sum(), backend_list<rectifier>(), pricing, bound, options);
    REQUIRE_MESSAGE(dear.has_value(), dear.failure().message);
    REQUIRE((dear->program && dear->shared_program));
    CHECK(dear->program->backend == prepared_program::everybody);
    CHECK(operators_of(dear->program->program) == "Add Relu Mul ");
    CHECK(*dear->chosen.seconds == 3);
    // With one that takes a product and its rectifier for less than the product alone, it is worth it.
    const auto cheap = make_plan(product_of_a_sum(), backend_list<rectifier, pairs>(), pricing, bound, options);
    REQUIRE_MESSAGE(cheap.has_value(), cheap.failure().message);
    CHECK(cheap->program->backend == 0);
    CHECK(*cheap->chosen.seconds == 2.25);
    CHECK(operators_of(cheap->program->program) == "Add Relu Mul Relu ");
    CHECK(operators_of(cheap->shared_program->program) == "Add Relu Mul ");
}

TEST_CASE("phases run once, not on other graphs, and not where options name nodes that they would change") {
    toys::no_meter pricing;
    const auto bound = [](const auto&...) { return 0.0; };
    const ir_module m = product_of_a_sum();
    plan_options options;
    options.fallback = "rectifier";
    options.run_phases = false;
    const auto as_given = make_plan(m, backend_list<rectifier>(), pricing, bound, options);
    REQUIRE(as_given.has_value());
    CHECK_FALSE(as_given->program.has_value());
    CHECK(*as_given->chosen.seconds == 2);
    options.run_phases = true;
    options.fallbacks = {{fallback_policy::warn, {1}, "rule"}};
    CHECK(make_plan(m, backend_list<rectifier>(), pricing, bound, options).failure().message.find("the options name nodes") == 0);
    options.fallbacks.clear();
    rectifier nine;
    nine.times = 9;
    CHECK(make_plan(m, backend_list<rectifier>(nine), pricing, bound, options).failure().message ==
          "phase 'sums' of back end 'rectifier' failed: nine is too many");
    // Without phases the plan is for what was given.
    options.fallback = "reference";
    const auto none = make_plan(m, backend_list<toys::rows>(), pricing, bound, options);
    REQUIRE(none.has_value());
    CHECK_FALSE(none->program.has_value());
    static_assert(has_phases_before<backend_list<rectifier, pairs>> && !has_phases_before<backend_list<toys::rows, toys::chains>>);
}

TEST_CASE("a list has the plans of all programs that come of the phases, of which none is beaten, and says which each is for") {
    toys::no_meter pricing;
    const auto bound = [](const auto&...) { return 0.0; };
    // Whole in its own program it is cheapest; the shared one, a call less, can be shared out between two.
    const backend_list<rectifier, wholes, toys::rows> backends;
    const auto made = list_plans(product_of_a_sum(), backends, pricing, bound, plan_objective::load);
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    CHECK(made->is_complete);
    REQUIRE(made->programs.size() == 2);
    CHECK(operators_of(made->programs[0].prepared->program) == "Add Relu Mul ");
    CHECK(made->programs[1].prepared->phases == std::vector<std::string>{"rectifier.sums", "rectifier.products"});
    REQUIRE(made->points.size() == 2);
    CHECK(made->points[0].program == 1);
    CHECK(made->points[0].seconds == 2.5);
    CHECK(made->points[0].second == 2.5);
    CHECK(made->points[1].program == 0);
    CHECK(made->points[1].seconds == 3);
    CHECK(made->points[1].second == 2);
    for (const plan_point& point : made->points) {
        CHECK(point.is_proved);
        const listed_program& of = made->programs[point.program];
        for (const law_check& l : verify(of.prepared->program, of.set, point.cut)) CHECK_MESSAGE(l.holds, l.law, ": ", l.witness);
    }
    plan_options options;
    const auto cheapest = make_plan(product_of_a_sum(), backends, pricing, bound, options);
    REQUIRE(cheapest.has_value());
    CHECK(*cheapest->chosen.seconds == made->points.front().seconds);
    // In no time there is no list, or one that says that others may be missing.
    options.search.budget_ms = 0;
    const auto hasty = list_plans(product_of_a_sum(), backends, pricing, bound, plan_objective::load, options);
    if (hasty)
        for (const plan_point& point : hasty->points) CHECK(point.seconds_bound <= 2.5);
}

TEST_CASE("a program of a back end's own that has no plan adds none to a list, and phases are never passed over") {
    toys::no_meter pricing;
    const auto bound = [](const auto&...) { return 0.0; };
    plan_options options;
    options.fallback = "stranger";
    const auto made = list_plans(product_of_a_sum(), backend_list<stranger>(), pricing, bound, plan_objective::load, options);
    REQUIRE_MESSAGE(made.has_value(), made.failure().message);
    CHECK(made->is_complete);
    CHECK(made->programs.size() == 2);
    REQUIRE(made->points.size() == 1);
    CHECK(made->points[0].program == 0);
    CHECK(made->points[0].seconds == 2);
    options.run_phases = false;
    const auto as_given = list_plans(product_of_a_sum(), backend_list<stranger>(), pricing, bound, plan_objective::load, options);
    REQUIRE(as_given.has_value());
    CHECK(as_given->programs.size() == 1);
    CHECK_FALSE(as_given->programs[0].prepared.has_value());
    options.run_phases = true;
    options.limits = {{plan_amount::seconds, 1, {}, "a second"}};
    const auto tight = list_plans(product_of_a_sum(), backend_list<stranger>(), pricing, bound, plan_objective::load, options);
    REQUIRE_FALSE(tight.has_value());
    CHECK(tight.failure().message == "no plan keeps to these constraints together: a second");
    options.limits.clear();
    options.constraints = {{constraint_rule::pin, {1}, 0, 0, "a pin", {}}};
    CHECK(list_plans(product_of_a_sum(), backend_list<stranger>(), pricing, bound, plan_objective::load, options)
              .failure()
              .message.find("the options name nodes") == 0);
    rectifier nine;
    nine.times = 9;
    options.constraints.clear();
    options.fallback = "rectifier";
    CHECK(list_plans(product_of_a_sum(), backend_list<rectifier>(nine), pricing, bound, plan_objective::load, options).failure().message ==
          "phase 'sums' of back end 'rectifier' failed: nine is too many");
}
