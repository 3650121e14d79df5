// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/io/onnx/onnx_export.hpp>
#include <inlay/io/read_file.hpp>
#include <inlay/ir/relay_text.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/ops/onnx/onnx_text_options.hpp>
#include <inlay/ops/relay/relay_ops.hpp>
#include <inlay/passes/books/onnx_book.hpp>
#include <inlay/passes/infer_call.hpp>
#include <inlay/rewrite/parse_rules.hpp>
#include <inlay/rewrite/rewrite.hpp>
#include <inlay/testing/check_rule.hpp>

#include "plan_text.hpp"
#include "verbs.hpp"
#include "waiting.hpp"

namespace tool {

using namespace inlay;

namespace {

using rule_rows = std::vector<rule_row<working_graph<ir_module>>>;

/// A book of the library's own, in place of a file of rules.
outcome<rule_rows> book_named(const std::string& name) {
    constexpr std::pair<std::string_view, onnx_book> books[] = {
        {"algebra", onnx_book::algebra},      {"batch_norm", onnx_book::batch_norm},     {"forms", onnx_book::forms},
        {"normal", onnx_book::normal},        {"quantization", onnx_book::quantization}, {"reassociation", onnx_book::reassociation},
        {"transposes", onnx_book::transposes}};
    std::vector<std::string> known;
    for (const auto& [word, book] : books) {
        if (name == word) {
            const auto rows = rows_of(book);
            return rule_rows(rows.begin(), rows.end());
        }
        known.emplace_back(word);
    }
    return error{
        "there is no book of rules " + quoted_text(name) + name_hint(name, known) +
        "; write book:algebra, book:batch_norm, book:forms, book:normal, book:quantization, book:reassociation or book:transposes"};
}

/// A rule and what came of running both its sides.
struct checked_rule {
    std::string name;
    rule_check found;

    /// `twice: 50 trials, the same results`
    [[nodiscard]] std::string text() const {
        const std::string trials = escaped_text(name) + ": " + counted(found.compared, "trial");
        if (found.compared == 0) return trials + ", since no program that it applies to could be made and run; it is not checked";
        return trials + ", the same results";
    }
};

/// Runs both sides of each rule, at programs made for it and at its matches in the model. The error is the first rule that changes results,
/// with the program behind its sentence, or else the first that nothing tried, unless those are wanted.
outcome<std::vector<checked_rule>> check_rules(const rule_rows& rows, const ir_module& model, bool wants_untried) {
    std::vector<checked_rule> all;
    for (const auto& row : rows) {
        waiting::here().now("rewrite: checking rule " + std::to_string(all.size() + 1) + " of " + std::to_string(rows.size()));
        all.push_back({std::string(row.name), check_rule<relay_ops>(row)});
        rule_check& found = all.back().found;
        if (found.wrong == 0) check_rule_in<relay_ops>(model, row, found);
        if (found.wrong != 0)
            return error{"rule " + quoted_text(row.name) + " changes results in " + std::to_string(found.wrong) + " of " +
                         counted(found.compared, "trial") + "; mend it, or leave it out: " + found.counterexample};
    }
    waiting::here().now("rewrite");
    for (const checked_rule& c : all)
        if (c.found.compared == 0 && !wants_untried)
            return error{
                "rule " + quoted_text(c.name) +
                " is not checked: no program that it applies to could be made and run, and it has no match in the model that runs; "
                "leave the rule out, or trust it by '--unchecked'"};
    return all;
}

}  // namespace

answer verb_rewrite(const verb_options& o, const rewrite_verb_options& how) {
    rule_list of_file;  // what the rows of a file show
    rule_rows rows;
    if (how.rules.starts_with("book:")) {
        auto book = book_named(how.rules.substr(5));
        if (!book) return say(answer::wrong, book.failure());
        rows = *std::move(book);
    } else {
        // A rule file is written by hand; what is longer is none.
        const auto text = read_file(how.rules, std::size_t{1} << 22);
        if (!text) return say(answer::wrong, text.failure());
        // An operator without a dot is one of the language that the program is in.
        auto language = onnx_text_options();
        if (is_relay(o.model.path)) language.dialect.clear();
        auto rules = parse_rules(*text, "rule file " + quoted_text(how.rules, 400), language);
        if (!rules) return say(answer::wrong, rules.failure());
        of_file = *std::move(rules);
        rows = of_file.rows<working_graph<ir_module>>();
        if (rows.empty())
            return say(answer::wrong,
                       error{"rule file " + quoted_text(how.rules, 400) + " has no rules; write some: 'relu_twice: Relu(?r:Relu) => ?r;'"});
    }
    const auto model = load_written(o.model);
    if (!model) return say(answer::wrong, model.failure());
    std::vector<checked_rule> checked;
    if (how.check) {
        auto trusted = check_rules(rows, *model, how.unchecked);
        if (!trusted) return say(answer::no, trusted.failure());
        checked = *std::move(trusted);
    }
    rewrite_options options;
    options.infer = &infer_call<relay_ops>;
    options.fuel = how.fuel;
    options.reassociate = o.model.reassociate;
    const auto made = rewrite(*model, std::span<const rule_row<working_graph<ir_module>>>(rows), options);
    const rewrite_report& report = made.report;
    if (!o.out.empty())
        if (auto written = save_onnx(o.out, made.graph); !written) return say(answer::wrong, written.failure());
    if (o.json) {
        json_output whole{{"version", 1}, {"fired", report.fired}, {"visited", report.visited}};
        constexpr const char* ends[] = {"fixpoint", "out_of_fuel", "stopped", "too_large"};
        whole["stopped_by"] = ends[static_cast<std::size_t>(report.why)];
        whole["chasing"] = json_output::array();
        for (const std::size_t r : report.chasing) whole["chasing"].push_back(report.rules[r].name);
        whole["rules"] = json_output::array();
        for (const rewrite_report::line& l : report.rules) {
            json_output one{{"name", l.name}, {"class", std::string(to_text(l.kind))}, {"matches", l.matches}, {"fired", l.fired}};
            one["refused"] = json_output::array();
            for (std::size_t i = 0; i < rule_refusals; ++i)
                if (l.refused[i] != 0)
                    one["refused"].push_back(json_output{{"times", l.refused[i]}, {"why", to_text(static_cast<rule_refusal>(i))}});
            for (const checked_rule& c : checked)
                if (c.name == l.name) one["trials"] = c.found.compared;
            whole["rules"].push_back(std::move(one));
        }
        whole["program"] = relay_text(made.graph);
        std::cout << write_json(whole, 2) << "\n";
    } else {
        // Behind the program, as comments of its text form; metadata goes to the end of the text, so that nothing can stand behind it.
        const std::string program = relay_text(made.graph);
        const std::size_t metadata = program.find("\n#[metadata]\n");
        std::cout << program.substr(0, metadata);
        std::string line;
        for (const char c : to_text(report))
            if (c == '\n') {
                std::cout << "// " << line << "\n";
                line.clear();
            } else {
                line += c;
            }
        for (const checked_rule& c : checked) std::cout << "// checked " << c.text() << "\n";
        if (metadata != std::string::npos) std::cout << program.substr(metadata);
    }
    if (report.why == rewrite_report::stop::too_large)
        return say(answer::no,
                   error{"the rules made a program of " + std::to_string(report.nodes) + " nodes within " + std::to_string(report.fired) +
                         " rewrites, most of them by " + quoted_text(report.rules[report.growing].name) + "; take that rule out"});
    if (report.why == rewrite_report::stop::out_of_fuel) {
        std::string ring;
        for (const std::size_t r : report.chasing) ring += (ring.empty() ? "" : ", ") + report.rules[r].name;
        return say(answer::no,
                   error{"the rules did not come to an end within " + std::to_string(report.fired) + " rewrites" +
                         (ring.empty() ? "" : "; these undo or feed each other: " + ring) + "; take one of them out, or give more --fuel"});
    }
    return answer::done;
}

}  // namespace tool
