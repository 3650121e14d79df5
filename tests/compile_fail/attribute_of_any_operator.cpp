// expect-error: inlay: the pattern does not say which operator this capture stands at; write as<"name">(op<"onnx.Conv">)
#include "a_match.hpp"

bool takes(const a_match& m);
bool takes(const a_match& m) {
#ifdef INLAY_COMPILES
    return m.attr<"conv", &inlay::conv_attributes::strides>().all(1);
#else
    return m.attr<"x", &inlay::conv_attributes::strides>().all(1);
#endif
}
