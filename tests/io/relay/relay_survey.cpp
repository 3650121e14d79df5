// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/relay/relay_survey.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace inlay;

TEST_CASE("a survey finds definitions and metadata, whatever stands between") {
    const std::string text =
        "type A { B(C) }\ndef @main(%x) { \"def @no\" /* def @no */ f(type=1) }\nextern def @\"odd name\"();\nextern type C;\n"
        "#[metadata] {\"def @no\": 1}";
    relay_types types;
    relay_faults faults(text);
    const relay_survey s = survey_relay(text, types, faults);
    CHECK(faults.empty());
    CHECK(s.function_names() == std::vector<std::string>{"@main", "@odd name"});
    CHECK(s.type_ends == std::vector<source_position>{{2, 1}, {4, 14}});
    CHECK(s.program == std::string_view(text).substr(0, text.find('#')));
    CHECK(s.metadata == " {\"def @no\": 1}");
    CHECK(s.metadata_at == source_position{5, 1});
    CHECK(types.used().size() == 2);
    CHECK(types.used()[1].external);
}

TEST_CASE("without metadata all is program, and what is wrong with a type leaves the others") {
    const std::string text = "type A { B( } type C { D }";
    relay_types types;
    relay_faults faults(text);
    const relay_survey s = survey_relay(text, types, faults);
    CHECK(s.program == text);
    CHECK_FALSE(s.metadata_at.is_known());
    CHECK(faults.all().size() == 1);
    CHECK(types.constructor("D"));
    CHECK(s.type_ends.size() == 2);
}
