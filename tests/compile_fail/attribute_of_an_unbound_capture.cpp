// expect-error: inlay: the pattern of this predicate binds no capture of that name
#include "a_match.hpp"

bool takes(const a_match& m);
bool takes(const a_match& m) {
#ifdef INLAY_COMPILES
    return m.attr<"conv", &inlay::conv_attributes::group>() == 1;
#else
    return m.attr<"convolution", &inlay::conv_attributes::group>() == 1;
#endif
}
