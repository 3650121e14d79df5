// expect-error: inlay: two strategies of one back end name the same operator; let one of them have it
#include <inlay/codegen/declare/strategy_table.hpp>

struct lowers {
    inlay::outcome<void> operator()(int, const inlay::region_view&, inlay::value_id, int&) const { return {}; }
};
#ifdef INLAY_COMPILES
inline constexpr auto table =
    inlay::strategy_table(inlay::strategy<"onnx.Add", "onnx.Mul">(lowers{}), inlay::strategy<"onnx.Sub">(lowers{}));
#else
inline constexpr auto table =
    inlay::strategy_table(inlay::strategy<"onnx.Add", "onnx.Mul">(lowers{}), inlay::strategy<"onnx.Mul">(lowers{}));
#endif
