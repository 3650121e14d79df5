// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cpu_loops/backend.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "emitted.hpp"

using namespace inlay;
using namespace cpu_loops_test;
using inlay_test::small_graph;

TEST_CASE("chains, moves and reductions of a region are one compiled nest that agrees with the interpreter") {
    {
        small_graph t;
        const node_id x = t.input({2, 3, 40, 50});
        const node_id turned =
            t.call("onnx.Transpose", {t.call("onnx.Mul", {x, t.random({3, 1, 1})})}, {{"perm", std::vector<std::int64_t>{0, 2, 3, 1}}});
        check_emitted(t.finish(t.call("onnx.Tanh", {t.call("onnx.Add", {turned, t.input({40, 50, 3})})})));
    }
    {
        small_graph t;
        check_emitted(t.finish(t.call("onnx.Softmax", {t.call("onnx.Add", {t.input({2, 40, 33}), t.input({33})})})));
    }
    {
        small_graph t;
        const node_id x = t.input({70, 41});
        check_emitted(t.finish(t.call("onnx.Relu", {t.call("onnx.ReduceMean", {t.call("onnx.Exp", {x}), t.integers({0})})})));
    }
    {
        small_graph t;
        check_emitted(t.finish(t.call("onnx.Transpose", {t.input({90, 130})}, {{"perm", std::vector<std::int64_t>{1, 0}}})));
    }
    {
        small_graph t;
        check_emitted(t.finish(t.call("onnx.Abs", {t.input({200000})})));
    }
    {
        small_graph t;
        const node_id x = t.input({4, 32, 6, 6});
        check_emitted(t.finish(t.call("onnx.GroupNormalization", {x, t.random({32}), t.random({32})}, {{"num_groups", std::int64_t{4}}})));
    }
}

TEST_CASE("whole numbers and truth values go through loops as well") {
    {
        small_graph t;
        const node_id x = t.input({6, 20}), y = t.input({20});
        const node_id larger = t.call("onnx.Where", {t.call("onnx.Less", {x, y}), y, t.call("onnx.Neg", {x})});
        check_emitted(t.finish(t.call("onnx.Cast", {larger}, {{"to", std::int64_t{6}}})));
    }
    {
        small_graph t;
        const node_id whole = t.call("onnx.Cast", {t.call("onnx.Mul", {t.input({5, 3, 4}), t.scalar(9)})}, {{"to", std::int64_t{7}}});
        check_emitted(t.finish(t.call("onnx.ReduceSum", {t.call("onnx.Mul", {whole, whole}), t.integers({1})})));
    }
}

TEST_CASE("what has no nest is refused with a reason, and products are left to others") {
    const auto why = [](const ir_module& m) {
        const inlay_test::whole_region whole(m);
        return detail::refuse_loops(whole.view());
    };
    {
        small_graph t;
        const node_id places = t.call("onnx.Cast", {t.input({2})}, {{"to", std::int64_t{7}}});
        CHECK(why(t.finish(t.call("onnx.Gather", {t.input({6, 20}), places}))).find("onnx.Gather") != std::string::npos);
    }
    {
        small_graph t;
        CHECK(why(t.finish(t.call("onnx.Cast", {t.input({2})}, {{"to", std::int64_t{10}}}))) == "C has no arithmetic on float16");
    }
    CHECK(cpu_loops::op_kind_of("onnx.MatMul") > op_kind::reduction);
    CHECK(cpu_loops::op_kind_of("mine.Unknown") == op_kind::opaque);
}

TEST_CASE("without a compiler the back end is not usable, and says which it lacks") {
    cpu_loops self;
    CHECK(self.usable());
    self.cc = "inlay-no-such-compiler";
    REQUIRE_FALSE(self.usable());
    CHECK(self.usable().failure().message.find("inlay-no-such-compiler") != std::string::npos);
    self = {};
    self.threads = 0;
    REQUIRE_FALSE(self.usable());
    CHECK(self.usable().failure().message == "target 'cpu_loops' has -threads=0; it takes 1 or more");
}
