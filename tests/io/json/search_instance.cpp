// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/io/json/search_instance.hpp>

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/search/select.hpp>

#include "search/random_problem.hpp"

namespace {

// The worked example of the format's page.
const std::string worked = R"({
  "nodes": 4,
  "edges": [[0,1],[1,2],[0,2],[2,3]],
  "formats": 2,
  "conversions": { "default": [[0,3],[3,0]], "of_node": { "0": [[0,5],[null,0]] } },
  "share_conversions": true,
  "acyclic": true,
  "candidates": [
    { "nodes": [0],   "cost": 1.5, "backend": 0, "in": 0, "out": 0 },
    { "nodes": [1,2], "cost": 2.0, "backend": 1, "in": 1, "out": 1, "in_of": [[0,0]], "out_of": [[2,1]] },
    { "nodes": [3],   "cost": 1.0, "backend": 0, "in": 0, "out": 0 },
    { "nodes": [2,3], "cost": 4.0, "backend": 1, "in": 1, "out": 1 },
    { "nodes": [1],   "cost": 1.0, "backend": 0, "in": 0, "out": 0 }
  ]
})";

/// The worked example with one piece of text replaced.
std::string with(const std::string& old_text, const std::string& new_text) {
    std::string made = worked;
    const std::size_t at = made.find(old_text);
    REQUIRE(at != std::string::npos);
    return made.replace(at, old_text.size(), new_text);
}

std::string complaint(const std::string& text) {
    const auto read = inlay::read_search_instance(text, "a.json");
    return read ? "none" : read.failure().message;
}

}  // namespace

TEST_CASE("the worked example is read as it stands and solved as worked out") {
    const auto read = inlay::read_search_instance(worked, "worked.json");
    REQUIRE(read.has_value());
    CHECK(read->nodes == 4);
    CHECK(read->edges.size() == 4);
    CHECK(read->conversions_of.size() == 1);
    CHECK(read->conversions_of[0].prices == std::vector<double>{0, 5, inlay::impossible, 0});
    CHECK(read->candidates[1].in_of == std::vector<inlay::tensor_format>{{0, 0}});
    inlay::select_options options;
    options.marginals = true;
    const inlay::selection answer = inlay::select(*read, options);
    CHECK(inlay::write_search_answer(answer, 0.01) ==
          "{\"status\": \"optimal\", \"cost\": 7.5, \"lower_bound\": 7.5, \"chosen\": [0,1,2], \"search_ms\": 0.01, "
          "\"marginals\": [7.5,7.5,7.5,14.5,14.5]}\n");
}

TEST_CASE("left out keys have the defaults of the format") {
    const auto read = inlay::read_search_instance(
        R"({"nodes":1,"edges":[],"formats":1,"conversions":{"default":[[0]]},"candidates":[{"nodes":[0],"cost":1,"in":0,"out":0}]})", "a");
    REQUIRE(read.has_value());
    CHECK(read->share_conversions);
    CHECK(read->acyclic);
    CHECK(read->candidates[0].backend == 0);
    CHECK(read->conversions_of.empty());
}

TEST_CASE("an instance that is written reads back equal") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        const inlay::problem given = inlay::random_small_problem(seed);
        const auto read = inlay::read_search_instance(inlay::write_search_instance(given), "written");
        REQUIRE(read.has_value());
        CHECK(*read == given);
    }
}

TEST_CASE("every number of an answer reads back as the same double, and null stands for what there is not") {
    inlay::selection answer;
    answer.status = inlay::selection_status::gap;
    answer.cost = 0.1 + 0.2;
    answer.lower_bound = 1e-7;
    answer.chosen = {3, 5};
    answer.marginals = {1e22, std::nullopt};
    answer.marginals_exact = {true, false};
    const auto read = inlay::read_json(inlay::write_search_answer(answer, 1.25));
    REQUIRE(read.has_value());
    CHECK((*read)["status"] == "gap");
    CHECK((*read)["cost"].get<double>() == 0.1 + 0.2);
    CHECK((*read)["lower_bound"].get<double>() == 1e-7);
    CHECK((*read)["chosen"] == inlay::json_value({3, 5}));
    CHECK((*read)["marginals"][0].get<double>() == 1e22);
    CHECK((*read)["marginals"][1].is_null());
    CHECK((*read)["marginals_exact"] == inlay::json_value({true, false}));

    inlay::selection nothing;
    CHECK(inlay::write_search_answer(nothing, 0) ==
          "{\"status\": \"infeasible\", \"cost\": null, \"lower_bound\": null, \"chosen\": [], \"search_ms\": 0}\n");
    CHECK(inlay::write_search_answer(nothing, 0, true) ==
          "{\"status\": \"infeasible\", \"cost\": null, \"lower_bound\": null, \"chosen\": [], \"search_ms\": 0, \"marginals\": []}\n");
}

TEST_CASE("every wrong instance is refused with one sentence that names the place") {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "JSON"},
        {"[", "JSON"},
        {"not json", "JSON"},
        {worked + "x", "JSON"},
        {"[]", "the file is a list"},
        {"{}", "nodes is missing"},
        {with("\"nodes\": 4,", ""), "nodes is missing"},
        {with("\"edges\"", "\"edgse\""), "'edgse' is no key"},
        {with("\"nodes\": 4,", "\"nodes\": 4, \"nodes\": 4,"), "'nodes' stands twice"},
        {with("\"cost\": 1.5,", "\"cost\": 1.5, \"cost\": 1.5,"), "'cost' stands twice"},
        {with("\"backend\": 0", "\"back_end\": 0"), "candidates[0].'back_end' is no key"},
        {with("\"nodes\": 4", "\"nodes\": 1000000000000"), "nodes is 1000000000000, but at most"},
        {with("\"nodes\": 4", "\"nodes\": -1"), "nodes is -1"},
        {with("\"nodes\": 4", "\"nodes\": 2.5"), "nodes is 2.5"},
        {with("\"nodes\": 4", "\"nodes\": \"4\""), "nodes is \"4\""},
        {with("\"formats\": 2", "\"formats\": 4000000000"), "conversions.default has 2 rows"},
        {with("\"formats\": 2", "\"formats\": 3"), "conversions.default has 2 rows"},
        {with("[[0,3],[3,0]]", "[[0,3],[3]]"), "conversions.default[1] has 1 prices"},
        {with("[[0,3],[3,0]]", "[[0,3],[3,1]]"), "conversions.default[1][1] is not 0"},
        {with("[[0,3],[3,0]]", "[[0,-3],[3,0]]"), "conversions.default[0][1] is negative"},
        {with("[[0,3],[3,0]]", "[[null,3],[3,0]]"), "conversions.default[0][0] is not 0"},
        {with("[[0,3],[3,0]]", "[[0,\"3\"],[3,0]]"), "conversions.default[0][1] is \"3\""},
        {with("[[0,3],[3,0]]", "7"), "conversions.default is 7"},
        {with("{ \"default\": [[0,3],[3,0]], \"of_node\"", "{ \"of_node\""), "conversions.default is missing"},
        {with("\"0\": [[0,5]", "\"00\": [[0,5]"), "'00' is no node"},
        {with("\"0\": [[0,5]", "\"9\": [[0,5]"), "conversions.of_node.9 is 9, but the nodes are numbered 0 to 3"},
        {with("[[0,5],[null,0]]", "[[0,5]]"), "conversions.of_node.0 has 1 rows"},
        {with("[0,2]", "[0,4]"), "edges[2] is 4, but the nodes are numbered 0 to 3"},
        {with("[0,2]", "[2,0]"), "edges[2] goes from node 2 to node 0"},
        {with("[0,2]", "[1,1]"), "edges[2] goes from node 1 to node 1"},
        {with("[0,2]", "[0,1]"), "edges names the edge from node 0 to node 1 more than once"},
        {with("[0,2]", "[0]"), "edges[2] has 1 entries"},
        {with("[0,2]", "[0,null]"), "edges[2][1] is null"},
        {with("\"share_conversions\": true", "\"share_conversions\": 1"), "share_conversions is 1"},
        {with("\"acyclic\": true", "\"acyclic\": null"), "acyclic is null"},
        {with("\"cost\": 1.5", "\"cost\": null"), "candidates[0].cost is null"},
        {with("\"cost\": 1.5", "\"cost\": -1.5"), "candidates[0].cost is negative"},
        {with("\"cost\": 1.5", "\"cost\": 1e999"), "too large for a double"},
        {with("\"cost\": 1.5", "\"cost\": 1e308"), "add up to more than 1e300"},
        {with("[[0,3],[3,0]]", "[[0,1e308],[3,0]]"), "add up to more than 1e300"},
        {with("\"nodes\": [0],", "\"nodes\": [],"), "candidates[0].nodes is empty"},
        {with("\"nodes\": [0],", "\"nodes\": [4],"), "candidates[0].nodes[0] is 4"},
        {with("\"nodes\": [1,2]", "\"nodes\": [1,2,1]"), "candidates[1].nodes names node 1 more than once"},
        {with("\"in\": 0", "\"in\": 2"), "candidates[0].in is 2, but the formats are numbered 0 to 1"},
        {with("\"out\": 0", "\"out\": 2"), "candidates[0].out is 2"},
        {with("\"in\": 0, ", ""), "candidates[0].in is missing"},
        {with("\"backend\": 0", "\"backend\": -1"), "candidates[0].backend is -1"},
        {with("\"in_of\": [[0,0]]", "\"in_of\": [[1,0]]"), "candidates[1].in_of[0] names producer 1"},
        {with("\"in_of\": [[0,0]]", "\"in_of\": [[3,0]]"), "candidates[1].in_of[0] names producer 3"},
        {with("\"in_of\": [[0,0]]", "\"in_of\": [[0,2]]"), "candidates[1].in_of[0] is 2"},
        {with("\"in_of\": [[0,0]]", "\"in_of\": [[0,0],[0,1]]"), "candidates[1].in_of names producer 0 more than once"},
        {with("\"out_of\": [[2,1]]", "\"out_of\": [[3,1]]"), "candidates[1].out_of[0] names node 3"},
        {with("\"out_of\": [[2,1]]", "\"out_of\": [[2,2]]"), "candidates[1].out_of[0] is 2"},
        {with("\"out_of\": [[2,1]]", "\"out_of\": [[2,1],[2,0]]"), "candidates[1].out_of names node 2 more than once"},
        {with("\"out_of\": [[2,1]]", "\"out_of\": 5"), "candidates[1].out_of is 5"},
        {std::string(5000, '['), ""},
    };
    for (const auto& [text, expected] : cases) {
        CAPTURE(text.substr(0, 900));
        const std::string said = complaint(text);
        CAPTURE(said);
        CHECK(said.find("a.json: ") == 0);
        CHECK(said.find(expected) != std::string::npos);
        CHECK(said.find('\n') == std::string::npos);
        CHECK(said.back() == '.');
    }
}

TEST_CASE("a short file that claims very many nodes takes no memory for them") {
    const auto read = inlay::read_search_instance(with("\"nodes\": 4", "\"nodes\": 4294967294"), "a.json");
    REQUIRE(read.has_value());
    const inlay::selection answer = inlay::select(*read);
    CHECK(answer.status == inlay::selection_status::infeasible);
    CHECK(answer.uncoverable == inlay::node_id{4});
}
