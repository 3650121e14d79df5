// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/cost/job_content.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "sample_region.hpp"

using namespace inlay;

namespace {

struct one_of_two {
    static constexpr std::string_view kind = "one";
    static std::string version() { return "3"; }
    int level = 0;
    using options = option_list<option<"level", &one_of_two::level, "how hard to try">>;
};
struct pair_of_one {
    one_of_two first, second;
    template <class F>
    auto visit(std::size_t index, F&& f) const {
        return f(index == 0 ? first : second);
    }
};

}  // namespace

TEST_CASE("the content of a region's job is its key on the back end as it is configured") {
    sample::sample_region r;
    r.values.resize(2);
    r.values[0].kind = region_value::role::input;
    r.values[1].kind = region_value::role::call;
    r.values[1].op = "f";
    r.values[1].operands = {0};
    r.inputs = 1;
    r.results = {1};
    pair_of_one list;
    const region_view view = r.view();
    CHECK(job_content(pricing_job::of(0, view), list) == content_key(view, "one", "3", target_text(list.first)));
    CHECK(job_content(pricing_job::of(0, view), list) == job_content(pricing_job::of(1, view), list));
    list.second.level = 2;
    CHECK(job_content(pricing_job::of(0, view), list) != job_content(pricing_job::of(1, view), list));
    r.values[1].op = "g";
    CHECK(job_content(pricing_job::of(0, r.view()), list) != content_key(view, "one", "3", target_text(list.second)));
}

TEST_CASE("the content of a conversion's job is nobody's in particular") {
    const tensor_type type(element_type::float32, {1, 3, 2, 2});
    const format plain = plain_format(element_type::float32), last{{}, layout::channels_last(), element_type::float32};
    pricing_job job = pricing_job::of(type, plain, last);
    const digest key = job_content(job, pair_of_one());
    CHECK(key == content_key(type, plain, last));
    job.backend = 1;
    CHECK(job_content(job, pair_of_one()) == key);
    CHECK(job_content(pricing_job::of(type, last, plain), pair_of_one()) != key);
}
