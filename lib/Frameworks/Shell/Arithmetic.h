// The integers of `$(( … ))`.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace parlance::shell {

/// A number, or why there is none.
struct Number {
  std::optional<int64_t> Value;
  std::string Error; ///< "division by zero"; empty while it only depends on a symbol
};

struct ArithmeticContext {
  std::function<Number(const std::string &Name)> Get;
  std::function<void(const std::string &Name, const Number &)> Set;
};

/// NUL bytes in the expression are symbols.
Number evaluateArithmetic(std::string_view Expression, const ArithmeticContext &Context);

} // namespace parlance::shell
