#include "Config/ConfigWriter.h"
#include "Basic/Utf8.h"
#include "Config/Yaml.h"
#include <algorithm>
#include <set>

namespace parlance {
namespace {

using Kind = ConfigValue::Kind;
constexpr size_t LineWidth = 100;

bool isCollection(const ConfigValue &V) { return V.K == Kind::Array || V.K == Kind::Object; }
std::string spaces(size_t Count) { return std::string(Count, ' '); }

/// The members of an object that count.
std::vector<const ConfigValue *> members(const ConfigValue &Object) {
  std::vector<const ConfigValue *> Result;
  std::set<std::string_view> Seen;
  for (auto It = Object.Items.rbegin(); It != Object.Items.rend(); ++It)
    if (Seen.insert(It->Key).second)
      Result.push_back(&*It);
  std::ranges::reverse(Result);
  return Result;
}

/// A string in double quotes, with escapes that JSON, YAML and TOML share.
std::string quoted(std::string_view Text) {
  std::string Result = "\"";
  for (size_t I = 0; I < Text.size();) {
    const CodePoint P = decodeUtf8(Text, I);
    const uint32_t C = P.Value;
    if (C == '"' || C == '\\')
      Result += {'\\', static_cast<char>(C)};
    else if (C == '\n')
      Result += "\\n";
    else if (C == '\t')
      Result += "\\t";
    else if (C < 0x20 || (C >= 0x7F && C <= 0x9F) || C == 0x2028 || C == 0x2029 || C == 0xFEFF || C == 0xFFFE ||
             C == 0xFFFF) // not printable in YAML
      Result += fmt::format("\\u{:04x}", C);
    else
      Result += Text.substr(I, P.Length);
    I += P.Length;
  }
  return Result + '"';
}

void writeComment(std::string &Out, std::string_view Comment, size_t Indent) {
  while (!Comment.empty()) {
    const size_t End = Comment.find('\n');
    Out += spaces(Indent) + "# " + printable(Comment.substr(0, End)) + "\n";
    Comment.remove_prefix(End == std::string_view::npos ? Comment.size() : End + 1);
  }
}

/// A list on one line when it has only scalars and fits.
template <typename Scalar> std::optional<std::string> shortList(const ConfigValue &List, size_t Room, Scalar Write) {
  std::string Result = "[";
  for (const ConfigValue &Item : List.Items) {
    if (isCollection(Item) || !Item.Comment.empty())
      return std::nullopt;
    Result += (Result.size() > 1 ? ", " : "") + Write(Item);
    if (Result.size() > Room)
      return std::nullopt;
  }
  return Result + "]";
}

// --- JSON --------------------------------------------------------------------------------------

std::string jsonScalar(const ConfigValue &V) {
  return V.K == Kind::String ? quoted(V.Text) : V.K == Kind::Null ? "null" : V.Text;
}

void writeJson(std::string &Out, const ConfigValue &V, size_t Indent) {
  if (!isCollection(V)) {
    Out += jsonScalar(V);
    return;
  }
  if (V.K == Kind::Array)
    if (auto Short = shortList(V, LineWidth - std::min(Indent, LineWidth), jsonScalar)) {
      Out += *Short;
      return;
    }
  const bool Object = V.isObject();
  std::vector<const ConfigValue *> Items;
  if (Object)
    Items = members(V);
  else
    for (const ConfigValue &Item : V.Items)
      Items.push_back(&Item);
  Out += Object ? '{' : '[';
  for (const ConfigValue *Item : Items) {
    Out += Item == Items.front() ? "\n" : ",\n";
    Out += spaces(Indent + 2);
    if (Object)
      Out += quoted(Item->Key) + ": ";
    writeJson(Out, *Item, Indent + 2);
  }
  if (!Items.empty())
    Out += "\n" + spaces(Indent);
  Out += Object ? '}' : ']';
}

// --- YAML --------------------------------------------------------------------------------------

std::string yamlString(const std::string &Text) {
  const auto Plain = [](char C) {
    return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || (C >= '0' && C <= '9') || C == '_' || C == '.' ||
           C == '/' || C == '-' || C == ' ';
  };
  // Digits, signs and dots may begin a number, a date or a marker.
  const char First = Text.empty() ? ' ' : Text[0];
  const bool Letter = (First >= 'a' && First <= 'z') || (First >= 'A' && First <= 'Z') || First == '/';
  if (Letter && Text.back() != ' ' && std::ranges::all_of(Text, Plain) && resolveYamlScalar(Text).first == Kind::String)
    return Text;
  return quoted(Text);
}

/// PyYAML needs a point before and a sign in the exponent.
std::string yamlNumber(std::string Text) {
  if (Text == "NaN")
    return ".nan";
  if (Text.ends_with("Infinity"))
    return Text.starts_with('-') ? "-.inf" : ".inf";
  const size_t Exponent = Text.find_first_of("eE");
  if (Exponent == std::string::npos)
    return Text;
  if (Text[Exponent + 1] != '+' && Text[Exponent + 1] != '-')
    Text.insert(Exponent + 1, "+");
  if (Text.find('.') == std::string::npos)
    Text.insert(Exponent, ".0");
  return Text;
}

std::string yamlScalar(const ConfigValue &V) {
  return V.K == Kind::String   ? yamlString(V.Text)
         : V.K == Kind::Number ? yamlNumber(V.Text)
         : V.K == Kind::Null   ? "null"
                               : V.Text;
}

/// The value behind a key or a dash, when it fits on that line.
std::optional<std::string> yamlOnLine(const ConfigValue &V, size_t Column) {
  if (!isCollection(V))
    return yamlScalar(V);
  if (V.Items.empty())
    return V.isObject() ? "{}" : "[]";
  // A placeholder's braces would end a list in brackets.
  if (V.isObject() || std::ranges::any_of(V.Items, &ConfigValue::isSymbolic))
    return std::nullopt;
  return shortList(V, LineWidth - std::min(Column, LineWidth), yamlScalar);
}

void writeYamlBlock(std::string &Out, const ConfigValue &V, size_t Indent);

void writeYamlItem(std::string &Out, const ConfigValue &Item, size_t Indent) {
  writeComment(Out, Item.Comment, Indent);
  Out += spaces(Indent) + "-";
  if (auto Line = yamlOnLine(Item, Indent + 2)) {
    Out += " " + *Line + "\n";
    return;
  }
  const size_t From = Out.size();
  writeYamlBlock(Out, Item, Indent + 2);
  // The first line of the block goes behind the dash, unless it is a comment.
  if (Out[From + Indent + 2] == '#')
    Out.insert(From, "\n");
  else
    Out.erase(From, Indent + 1);
}

void writeYamlMember(std::string &Out, const ConfigValue &Member, size_t Indent) {
  constexpr size_t LongestKey = 200; // libyaml looks for the colon of longer ones in vain
  writeComment(Out, Member.Comment, Indent);
  const std::string Key = yamlString(Member.Key);
  if (Key.size() > LongestKey)
    Out += spaces(Indent) + "? " + Key + "\n" + spaces(Indent) + ":";
  else
    Out += spaces(Indent) + Key + ":";
  if (auto Line = yamlOnLine(Member, Indent + Key.size() + 2)) {
    Out += " " + *Line + "\n";
    return;
  }
  Out += "\n";
  writeYamlBlock(Out, Member, Indent + 2);
}

void writeYamlBlock(std::string &Out, const ConfigValue &V, size_t Indent) {
  if (V.isObject())
    for (const ConfigValue *Member : members(V))
      writeYamlMember(Out, *Member, Indent);
  else
    for (const ConfigValue &Item : V.Items)
      writeYamlItem(Out, Item, Indent);
}

// --- TOML --------------------------------------------------------------------------------------

std::string tomlKey(std::string_view Key) {
  const auto Bare = [](char C) {
    return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || (C >= '0' && C <= '9') || C == '_' || C == '-';
  };
  return !Key.empty() && std::ranges::all_of(Key, Bare) ? std::string(Key) : quoted(Key);
}

std::string tomlNumber(const ConfigValue &V) {
  if (V.Text == "NaN")
    return "nan";
  if (V.Text.ends_with("Infinity"))
    return V.Text.starts_with('-') ? "-inf" : "inf";
  const bool Whole = V.Text.find_first_of(".eE") == std::string::npos;
  return Whole && !V.integer() ? V.Text + ".0" : V.Text; // TOML's integers have 64 bits
}

/// A value on one line; lists that are too long or hold others take one line for each item.
std::string tomlValue(const ConfigValue &V, size_t Indent);

std::string tomlInline(const ConfigValue &V) {
  std::string Result;
  for (const ConfigValue *Member : members(V))
    if (!Member->isNull())
      Result += (Result.empty() ? " " : ", ") + tomlKey(Member->Key) + " = " + tomlValue(*Member, LineWidth);
  return "{" + Result + (Result.empty() ? "}" : " }");
}

std::string tomlValue(const ConfigValue &V, size_t Indent) {
  if (V.K == Kind::String)
    return quoted(V.Text);
  if (V.K == Kind::Number)
    return tomlNumber(V);
  if (V.isObject())
    return tomlInline(V);
  if (V.K != Kind::Array)
    return V.Text;
  std::vector<std::string> Items;
  size_t Width = Indent;
  bool Nested = false;
  for (const ConfigValue &Item : V.Items)
    if (!Item.isNull()) {
      Items.push_back(tomlValue(Item, Indent + 2));
      Width += Items.back().size() + 2;
      Nested |= isCollection(Item);
    }
  // Inside an inline table (which says it has no room) everything stays on its line.
  const bool Lines = Indent < LineWidth && (Width > LineWidth || (Nested && Items.size() > 1));
  std::string Result = "[";
  for (const std::string &Item : Items)
    Result += Lines ? "\n" + spaces(Indent + 2) + Item + "," : (Result.size() > 1 ? ", " : "") + Item;
  return Result + (Lines ? "\n" + spaces(Indent) : "") + "]";
}

bool isSection(const ConfigValue &V) { return V.isObject(); }
bool isSectionList(const ConfigValue &V) {
  return V.K == Kind::Array && !V.Items.empty() && std::ranges::all_of(V.Items, isSection);
}

void writeTomlTable(std::string &Out, const ConfigValue &Table, const std::string &Path);

void writeTomlHeader(std::string &Out, std::string_view Comment, const std::string &Header) {
  if (!Out.empty())
    Out += "\n";
  writeComment(Out, Comment, 0);
  Out += Header + "\n";
}

void writeTomlTable(std::string &Out, const ConfigValue &Table, const std::string &Path) {
  const auto Members = members(Table);
  for (const ConfigValue *M : Members)
    if (!M->isNull() && !isSection(*M) && !isSectionList(*M)) {
      writeComment(Out, M->Comment, 0);
      Out += tomlKey(M->Key) + " = " + tomlValue(*M, 0) + "\n";
    }
  for (const ConfigValue *M : Members) {
    const std::string Inner = (Path.empty() ? "" : Path + ".") + tomlKey(M->Key);
    if (isSection(*M)) {
      // A table that holds nothing but sections needs no header of its own.
      const bool Own = M->Items.empty() || !M->Comment.empty() || !std::ranges::all_of(M->Items, isSection);
      if (Own)
        writeTomlHeader(Out, M->Comment, "[" + Inner + "]");
      writeTomlTable(Out, *M, Inner);
    } else if (isSectionList(*M)) {
      for (const ConfigValue &Item : M->Items) {
        writeTomlHeader(Out, &Item == &M->Items.front() ? M->Comment : Item.Comment, "[[" + Inner + "]]");
        writeTomlTable(Out, Item, Inner);
      }
    }
  }
}

} // namespace

std::string writeJson(const ConfigValue &Root) {
  std::string Out;
  writeJson(Out, Root, 0);
  return Out + "\n";
}

std::string writeYaml(const ConfigValue &Root, std::string_view Header) {
  std::string Out;
  writeComment(Out, Header, 0);
  if (auto Line = yamlOnLine(Root, 0))
    Out += *Line + "\n";
  else
    writeYamlBlock(Out, Root, 0);
  return Out;
}

std::string writeToml(const ConfigValue &Root, std::string_view Header) {
  std::string Out;
  writeComment(Out, Header, 0);
  writeTomlTable(Out, Root, "");
  return Out;
}

} // namespace parlance
