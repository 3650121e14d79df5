// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/plugin/checked_table.hpp>

#include <cstddef>
#include <string>

#include <doctest/doctest.h>

using namespace inlay;

namespace {

#define INLAY_TEXT(literal) \
    { literal, sizeof(literal) - 1 }

/// A sound table, of which a test spoils something.
struct table_of_test {
    inlay_option option{INLAY_TEXT("rows"), INLAY_TEXT("how many"), INLAY_TEXT("8"), INLAY_OPTION_INT, 1, 64};
    inlay_composite composite{INLAY_TEXT("neg"), INLAY_TEXT("my.Neg(?x)"), 0};
    inlay_backend table{};

    table_of_test() {
        table.size = sizeof table;
        table.version = INLAY_BACKEND_ABI_VERSION;
        table.kind = INLAY_TEXT("strange");
        table.refines = INLAY_TEXT("llvm");
        table.options = &option;
        table.option_count = 1;
        table.composites = &composite;
        table.composite_count = 1;
        table.open = [](const inlay_backend*, const inlay_option_value*, std::size_t, void**, inlay_reply) { return INLAY_YES; };
        table.close = [](void*) {};
        table.describe = [](void*, inlay_reply) {};
        table.read = [](void*, std::uint32_t, const inlay_region*, const std::uint32_t*, std::size_t, void**, inlay_reply) {
            return INLAY_YES;
        };
        table.release = [](void*, void*) {};
        table.emit = [](void*, void*, const inlay_borders*, inlay_kernel*, inlay_reply) { return INLAY_NO; };
    }
    [[nodiscard]] std::string fault() const {
        const auto checked = check_table(&table);
        return checked ? std::string() : checked.failure().message;
    }
};

}  // namespace

TEST_CASE("a sound table is read as schema, names and patterns") {
    const table_of_test t;
    const auto checked = check_table(&t.table);
    REQUIRE_MESSAGE(checked, checked.failure().message);
    CHECK(checked->schema.kind == "strange");
    REQUIRE(checked->schema.options.size() == 1);
    CHECK(std::get<std::int64_t>(checked->schema.options[0].otherwise) == 8);
    CHECK(checked->names == std::vector<std::string>{"neg"});
    REQUIRE(checked->patterns.size() == 1);
    CHECK(checked->patterns[0].view().slots.size() == 1);
}

TEST_CASE("a table that is not sound is refused with what is wrong with it") {
    CHECK(check_table(nullptr).failure().message == "it gives no table of a back end");
    const auto spoilt = [](auto spoil) {
        table_of_test t;
        spoil(t);
        return t.fault();
    };
    CHECK(spoilt([](auto& t) { t.table.version = 7; }) ==
          "it was built for version 7 of the interface, and this program has version 1; build it again with this program's headers");
    CHECK(spoilt([](auto& t) { t.table.size = 16; }).starts_with("its table has 16 bytes, and version 1 has "));
    CHECK(spoilt([](auto& t) { t.table.read = nullptr; }) == "its function 'read' is null; each back end has one");
    CHECK(spoilt([](auto& t) { t.table.emit = nullptr; }).starts_with("it has neither 'emit' nor 'emit_c'"));
    CHECK(spoilt([](auto& t) { t.table.device = 9; }) == "its device type is 9; they go from 0 to 2");
    CHECK(spoilt([](auto& t) { t.table.refines = INLAY_TEXT("cuda"); }).starts_with("it refines 'cuda', which is no plain target of"));
    CHECK(spoilt([](auto& t) { t.table.kind = INLAY_TEXT("two words"); }).find("two words") != std::string::npos);
    CHECK(spoilt([](auto& t) { t.table.kind = {nullptr, 5}; }) == "its kind has a size and no bytes");
    CHECK(spoilt([](auto& t) { t.table.kind.size = std::size_t{1} << 40; }).starts_with("its kind has 1099511627776 bytes"));
    CHECK(spoilt([](auto& t) { t.table.option_count = std::size_t{1} << 60; }).find("options; a back end has at most 256") !=
          std::string::npos);
    CHECK(spoilt([](auto& t) { t.table.options = nullptr; }) == "it has 1 options; a back end has at most 256");
    CHECK(spoilt([](auto& t) { t.option.type = 6; }) == "its option 'rows' is of type 6; types go from 0 to 5");
    CHECK(spoilt([](auto& t) { t.option.otherwise = INLAY_TEXT("100"); }) ==
          "its option 'rows' has a default that it does not take itself: it takes a value of type int from 1 to 64, not '100'");
    CHECK(spoilt([](auto& t) { t.option.least = 65; }) == "its option 'rows' takes integers from 65 to 64");
    CHECK(spoilt([](auto& t) { t.option.name = INLAY_TEXT("host"); }).find("means the same for every target") != std::string::npos);
    CHECK(spoilt([](auto& t) { t.table.composite_count = 0; }) == "it has no composite, and so can take nothing; give it at least one");
    CHECK(spoilt([](auto& t) { t.table.composite_count = 5000; }) == "it has 5000 composites; a back end has at most 4096");
    CHECK(spoilt([](auto& t) { t.composite.name = {}; }) == "its composite 0 is called ''; each has a name of its own");
    CHECK(spoilt([](auto& t) {
              t.composite.pattern = INLAY_TEXT("my.Neg((");
          }).starts_with("the pattern of its composite 'neg' does not read: "));
}
