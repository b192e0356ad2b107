#include "Syntax/Ast.h"

namespace parlance::ast {

std::string_view opText(Op O) {
  switch (O) {
  case Op::Add:
    return "+";
  case Op::Sub:
  case Op::Neg:
    return "-";
  case Op::Mul:
    return "*";
  case Op::Div:
    return "/";
  case Op::Mod:
    return "%";
  case Op::Pow:
    return "^";
  case Op::Eq:
    return "==";
  case Op::Ne:
    return "!=";
  case Op::Lt:
    return "<";
  case Op::Le:
    return "<=";
  case Op::Gt:
    return ">";
  case Op::Ge:
    return ">=";
  case Op::And:
    return "and";
  case Op::Or:
    return "or";
  case Op::Not:
    return "not";
  }
  return "";
}

} // namespace parlance::ast
