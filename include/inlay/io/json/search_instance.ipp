// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_JSON_SEARCH_INSTANCE_IPP
#define INLAY_IO_JSON_SEARCH_INSTANCE_IPP

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/io/json/search_instance.hpp>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/io/json/certificate_file.hpp>
#include <inlay/io/json/json.hpp>
#include <inlay/search/check.hpp>
#include <inlay/search/problem.hpp>
#include <inlay/search/problem_path.hpp>
#include <inlay/search/proof/certificate.hpp>
#include <inlay/search/selection.hpp>

namespace inlay {

namespace detail {

/// Reads a JSON value as a problem; the first thing that is wrong stays in `fault`, and nothing is read after it.
class search_instance_reader {
public:
    std::string fault;

    [[nodiscard]] problem read(const json_value& root) {
        problem made;
        if (!root.is_object()) {
            fail("the file", root, "an object with nodes, edges, formats, conversions and candidates");
            return made;
        }
        keys("", root, {"nodes", "edges", "formats", "conversions", "candidates"}, {"share_conversions", "acyclic"});
        if (!fault.empty()) return made;
        made.nodes = number("nodes", root["nodes"], "a number of nodes");
        made.formats = number("formats", root["formats"], "a number of formats");
        if (const auto at = root.find("share_conversions"); at != root.end()) made.share_conversions = boolean("share_conversions", *at);
        if (const auto at = root.find("acyclic"); at != root.end()) made.acyclic = boolean("acyclic", *at);
        read_edges(root["edges"], made);
        read_conversions(root["conversions"], made);
        if (list("candidates", root["candidates"], "a list of candidates")) {
            made.candidates.reserve(root["candidates"].size());
            const problem_path in("candidates");
            for (std::size_t i = 0; i < root["candidates"].size() && fault.empty(); ++i) {
                made.candidates.push_back(candidate({in, i}, root["candidates"][i]));
            }
        }
        return made;
    }

private:
    void fail(const problem_path& where, const json_value& value, const std::string& expected) {
        if (!fault.empty()) return;
        std::string shown = value.is_structured() ? std::string(value.is_array() ? "a list" : "an object")
                                                  : value.dump(-1, ' ', true, json_value::error_handler_t::replace);
        constexpr std::size_t longest = 40;
        if (shown.size() > longest) shown = shown.substr(0, longest) + "...";
        fault = where.text() + " is " + shown + ", but " + expected + " is expected; see the format of search instances.";
    }

    /// Every required key is there, and no key that is neither required nor optional.
    void keys(const problem_path& where, const json_value& object, std::initializer_list<const char*> required,
              std::initializer_list<const char*> optional) {
        if (!fault.empty()) return;
        const std::string path = where.text(), front = path.empty() ? "" : path + ".";
        std::vector<std::string_view> known(required.begin(), required.end());
        known.insert(known.end(), optional.begin(), optional.end());
        for (const auto& [name, value] : object.items()) {
            if (std::find(known.begin(), known.end(), name) != known.end()) continue;
            fault = front + quoted_text(name) + " is no key of a search instance" + name_hint(name, known) + "; leave it out.";
            return;
        }
        for (const char* name : required) {
            if (object.contains(name)) continue;
            fault = front + name + " is missing, but it has no default; give it.";
            return;
        }
    }

    /// A whole number that fits an index.
    std::uint32_t number(const problem_path& where, const json_value& value, const char* what) {
        if (!fault.empty()) return 0;
        constexpr std::uint64_t most = 0xFFFF'FFFEu;
        std::optional<std::uint64_t> read;
        if (value.is_number_unsigned()) {
            read = value.get<std::uint64_t>();
        } else if (value.is_number_float()) {
            const double real = value.get<double>();
            if (real >= 0 && real <= 1e18 && std::floor(real) == real) read = static_cast<std::uint64_t>(real);
        }
        if (!read) {
            fail(where, value, std::string(what) + " (whole, at least 0)");
        } else if (*read > most) {
            fault = where.text() + " is " + std::to_string(*read) + ", but at most " + std::to_string(most) +
                    " are supported; split the problem.";
        } else {
            return static_cast<std::uint32_t>(*read);
        }
        return 0;
    }

    double price(const problem_path& where, const json_value& value, const char* what) {
        if (!fault.empty()) return 0;
        if (value.is_number()) return value.get<double>();
        fail(where, value, what);
        return 0;
    }

    bool boolean(const problem_path& where, const json_value& value) {
        if (value.is_boolean()) return value.get<bool>();
        fail(where, value, "true or false");
        return false;
    }

    bool list(const problem_path& where, const json_value& value, const char* what) {
        if (fault.empty() && !value.is_array()) fail(where, value, what);
        return fault.empty();
    }

    /// A list of exactly two numbers.
    std::pair<std::uint32_t, std::uint32_t> two(const problem_path& where, const json_value& value, const char* what) {
        if (!fault.empty()) return {};
        if (!value.is_array()) {
            fail(where, value, what);
            return {};
        }
        if (value.size() != 2) {
            fault = where.text() + " has " + std::to_string(value.size()) + " entries, but " + what + " has two; give both.";
            return {};
        }
        return {number({where, std::size_t{0}}, value[0], "an index"), number({where, std::size_t{1}}, value[1], "an index")};
    }

    void read_edges(const json_value& value, problem& made) {
        if (!list("edges", value, "a list of edges [producer, reader]")) return;
        made.edges.reserve(value.size());
        const problem_path in("edges");
        for (std::size_t i = 0; i < value.size() && fault.empty(); ++i) {
            const auto [from, to] = two({in, i}, value[i], "an edge [producer, reader]");
            made.edges.push_back({from, to});
        }
    }

    std::vector<double> table(const problem_path& where, const json_value& value, std::size_t formats) {
        std::vector<double> made;
        if (!list(where, value, "a table of prices, a list of rows,")) return made;
        if (value.size() != formats) {
            fault = where.text() + " has " + std::to_string(value.size()) + " rows, but there are " + std::to_string(formats) +
                    " formats; give a row for each.";
            return made;
        }
        for (std::size_t f = 0; f < formats && fault.empty(); ++f) {
            const problem_path row(where, f);
            if (!list(row, value[f], "a row of prices")) return made;
            if (value[f].size() != formats) {
                fault = row.text() + " has " + std::to_string(value[f].size()) + " prices, but there are " + std::to_string(formats) +
                        " formats; give a price for each.";
                return made;
            }
            for (std::size_t g = 0; g < formats; ++g) {
                const json_value& entry = value[f][g];
                made.push_back(entry.is_null() ? impossible : price({row, g}, entry, "a price, or null for impossible,"));
            }
        }
        return made;
    }

    void read_conversions(const json_value& value, problem& made) {
        if (!fault.empty()) return;
        if (!value.is_object()) {
            fail("conversions", value, "an object with default and of_node");
            return;
        }
        keys("conversions", value, {"default"}, {"of_node"});
        if (!fault.empty()) return;
        made.conversions = table("conversions.default", value["default"], made.formats);
        const auto own = value.find("of_node");
        if (own == value.end() || !fault.empty()) return;
        if (!own->is_object()) {
            fail("conversions.of_node", *own, "an object from nodes to tables");
            return;
        }
        for (const auto& [name, prices] : own->items()) {
            std::uint32_t node = 0;
            const auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), node);
            if (status != std::errc() || end != name.data() + name.size() || std::to_string(node) != name) {
                fault = "conversions.of_node." + quoted_text(name) + " is no node, but the keys of of_node are node numbers; " +
                        "name nodes by their plain decimal numbers.";
                return;
            }
            made.conversions_of.push_back({node, table(problem_path::numbered("conversions.of_node.", node), prices, made.formats)});
            if (!fault.empty()) return;
        }
        std::sort(made.conversions_of.begin(), made.conversions_of.end(),
                  [](const node_conversions& a, const node_conversions& b) { return a.node < b.node; });
    }

    std::vector<tensor_format> exceptions(const problem_path& where, const json_value& value, const char* what) {
        std::vector<tensor_format> made;
        if (!list(where, value, "a list of exceptions")) return made;
        for (std::size_t i = 0; i < value.size() && fault.empty(); ++i) {
            const auto [node, format] = two({where, i}, value[i], what);
            made.push_back({node, format});
        }
        return made;
    }

    problem_candidate candidate(const problem_path& where, const json_value& value) {
        problem_candidate made;
        if (!value.is_object()) {
            fail(where, value, "a candidate, an object with nodes, cost, in and out,");
            return made;
        }
        keys(where, value, {"nodes", "cost", "in", "out"}, {"backend", "in_of", "out_of"});
        if (!fault.empty()) return made;
        const problem_path nodes(where, ".nodes");
        if (list(nodes, value["nodes"], "a list of nodes")) {
            for (std::size_t i = 0; i < value["nodes"].size(); ++i) {
                made.nodes.push_back(number({nodes, i}, value["nodes"][i], "a node"));
            }
        }
        made.cost = price({where, ".cost"}, value["cost"], "a finite cost of at least 0");
        made.in = number({where, ".in"}, value["in"], "a format");
        made.out = number({where, ".out"}, value["out"], "a format");
        if (const auto at = value.find("backend"); at != value.end()) made.backend = number({where, ".backend"}, *at, "a back end");
        if (const auto at = value.find("in_of"); at != value.end()) made.in_of = exceptions({where, ".in_of"}, *at, "[producer, format]");
        if (const auto at = value.find("out_of"); at != value.end()) made.out_of = exceptions({where, ".out_of"}, *at, "[node, format]");
        return made;
    }
};

/// Items between brackets, each written by `write(item)`.
template <class List, class Write>
void append_list(std::string& to, const List& list, const Write& write) {
    to += "[";
    bool first = true;
    for (const auto& item : list) {
        if (!first) to += ",";
        first = false;
        write(item);
    }
    to += "]";
}

inline void append_table(std::string& to, const std::vector<double>& prices, std::size_t formats) {
    to += "[";
    for (std::size_t f = 0; f < formats; ++f) {
        to += f == 0 ? "[" : ",[";
        for (std::size_t g = 0; g < formats; ++g) {
            if (g > 0) to += ",";
            const double price = prices[f * formats + g];
            to += json_number(price);
        }
        to += "]";
    }
    to += "]";
}

inline void append_exceptions(std::string& to, const std::vector<tensor_format>& list) {
    append_list(to, list, [&](const tensor_format& e) { to += "[" + std::to_string(e.node) + "," + std::to_string(e.format) + "]"; });
}

}  // namespace detail

outcome<problem> read_search_instance(std::string_view text, std::string_view name) {
    const std::string front = std::string(name) + ": ";
    const outcome<json_value> root = read_json(text);
    if (!root) return error{front + root.failure().message + "; give one JSON object."};
    detail::search_instance_reader reader;
    problem made = reader.read(*root);
    if (!reader.fault.empty()) return error{front + reader.fault};
    if (const outcome<void> sound = check(made); !sound) return error{front + sound.failure().message};
    return made;
}

std::string write_search_instance(const problem& given) {
    std::string made = "{\n\"nodes\": " + std::to_string(given.nodes) + ",\n\"edges\": ";
    detail::append_list(made, given.edges,
                        [&](const problem_edge& e) { made += "[" + std::to_string(e.from) + "," + std::to_string(e.to) + "]"; });
    made += ",\n\"formats\": " + std::to_string(given.formats) + ",\n\"conversions\": {\"default\": ";
    detail::append_table(made, given.conversions, given.formats);
    made += ", \"of_node\": {";
    for (std::size_t i = 0; i < given.conversions_of.size(); ++i) {
        made += (i == 0 ? "\"" : ", \"") + std::to_string(given.conversions_of[i].node) + "\": ";
        detail::append_table(made, given.conversions_of[i].prices, given.formats);
    }
    made += "}},\n\"share_conversions\": ";
    made += given.share_conversions ? "true" : "false";
    made += ",\n\"acyclic\": ";
    made += given.acyclic ? "true" : "false";
    made += ",\n\"candidates\": [";
    for (std::size_t i = 0; i < given.candidates.size(); ++i) {
        const problem_candidate& c = given.candidates[i];
        made += i == 0 ? "\n{\"nodes\": " : ",\n{\"nodes\": ";
        detail::append_list(made, c.nodes, [&](node_id v) { made += std::to_string(v); });
        made += ", \"cost\": ";
        made += json_number(c.cost);
        made += ", \"backend\": " + std::to_string(c.backend) + ", \"in\": " + std::to_string(c.in) + ", \"out\": " + std::to_string(c.out);
        made += ", \"in_of\": ";
        detail::append_exceptions(made, c.in_of);
        made += ", \"out_of\": ";
        detail::append_exceptions(made, c.out_of);
        made += "}";
    }
    made += "\n]\n}\n";
    return made;
}

std::string write_search_answer(const selection& answer, double search_ms, bool with_marginals, const certificate* proof) {
    const auto number = [](const std::optional<double>& value) { return value ? json_number(*value) : std::string("null"); };
    std::string made = "{\"status\": \"" + std::string(name_of(answer.status)) + "\", \"cost\": ";
    made += number(answer.cost);
    made += ", \"lower_bound\": ";
    made += number(answer.lower_bound);
    made += ", \"chosen\": ";
    detail::append_list(made, answer.chosen, [&](candidate_index c) { made += std::to_string(c); });
    made += ", \"search_ms\": ";
    made += json_number(search_ms);
    if (with_marginals || !answer.marginals.empty()) {
        made += ", \"marginals\": ";
        detail::append_list(made, answer.marginals, [&](const std::optional<double>& m) { made += number(m); });
    }
    if (!answer.marginals_exact.empty()) {
        made += ", \"marginals_exact\": ";
        detail::append_list(made, answer.marginals_exact, [&](bool exact) { made += exact ? "true" : "false"; });
    }
    if (proof != nullptr) made += ", \"certificate\": " + write_json(certificate_json(*proof));
    made += "}\n";
    return made;
}

outcome<search_answer> read_search_answer(const json_place& root) {
    if (auto only = root.only({"status", "cost", "lower_bound", "chosen", "search_ms", "marginals", "marginals_exact", "certificate"});
        !only)
        return only.failure();
    search_answer read;
    const auto status = root.member("status");
    if (!status) return status.failure();
    const auto word = status->text();
    if (!word) return word.failure();
    if (*word != "optimal" && *word != "gap" && *word != "infeasible") return status->wrong("must be optimal, gap or infeasible");
    read.status = *word;
    for (const auto& [key, to] : {std::pair("cost", &read.cost), std::pair("lower_bound", &read.lower_bound)}) {
        const auto at = root.member(key);
        if (!at) return at.failure();
        if (at->is_null()) continue;
        const auto number = at->number();
        if (!number) return number.failure();
        *to = *number;
    }
    const auto chosen = root.member("chosen");
    if (!chosen) return chosen.failure();
    const auto items = chosen->list();
    if (!items) return items.failure();
    for (const json_place& item : *items) {
        const auto number = item.count();
        if (!number) return number.failure();
        if (*number > most_candidates) return item.wrong("must be the number of a candidate");
        read.chosen.push_back(static_cast<candidate_index>(*number));
    }
    if (const auto at = root.find("certificate")) {
        auto proof = read_certificate(*at);
        if (!proof) return proof.failure();
        read.proof = *std::move(proof);
    }
    return read;
}

}  // namespace inlay

#endif
