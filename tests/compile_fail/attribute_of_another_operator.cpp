// expect-error: inlay: this attribute belongs to another operator than the capture's pattern names; ask for one of that operator's own
#include "a_match.hpp"

bool takes(const a_match& m);
bool takes(const a_match& m) {
#ifdef INLAY_COMPILES
    return m.attr<"conv", &inlay::conv_attributes::group>() == 1;
#else
    return m.attr<"conv", &inlay::softmax_attributes::axis>() == 1;
#endif
}
