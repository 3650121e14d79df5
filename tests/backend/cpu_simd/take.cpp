// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "take.hpp"

#include <cstdlib>
#include <utility>

namespace cpu_simd_test {

using namespace inlay;

std::vector<std::string> instruction_sets() {
    std::vector<std::string> list;
    for (std::size_t i = instruction_set_names.size(); i-- > 0;) {
        const auto set = static_cast<instruction_set>(i);
        if (processor_has(set) && simd::kernels_for(set) != nullptr) list.emplace_back(name_of(set));
    }
    return list;
}

std::vector<std::string> tested_sets() {
    std::vector<std::string> list = instruction_sets();
    if (const char* only = std::getenv("INLAY_INSTRUCTION_SET")) std::erase_if(list, [&](const std::string& isa) { return isa != only; });
    return list;
}

taken expect_taken(const ir_module& g, std::size_t nodes, double tolerance, float low, float high) {
    taken widest;
    for (const std::string& isa : tested_sets()) {
        CAPTURE(isa);
        cpu_simd self;
        self.isa = isa;
        self.threads = 3;
        backwards_executor shared;
        const taken t = take_by(self, g, tolerance, low, high, executor_ref(shared));
        check_taken(t, nodes);
        check_taken(take_by(self, g, tolerance, low, high), nodes);
        if (widest.ways.empty()) widest = t;
    }
    CHECK_FALSE(widest.ways.empty());
    return widest;
}

node_id input_with(small_graph& t, extents shape, float special, std::size_t at) {
    tensor added(element_type::float32, shape);
    added.as<float>()[at] = special;
    return t.call("onnx.Add", {t.input(std::move(shape)), t.constant(added)});
}

std::string why_not(const ir_module& g) { return largest_match(cpu_simd(), g).refusal; }

}  // namespace cpu_simd_test
