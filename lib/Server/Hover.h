// What an editor shows beside the mouse: type, unit, value with its origin, documentation; on a violation its
// derivation and fixes.
#pragma once
#include "Server/Index.h"
#include "Server/Protocol.h"

namespace parlance::server {

/// Null where there is nothing to say.
json::Value hover(Snapshot &S, lsp::Position At);

// Pieces that other requests show as well (Markdown.cpp).

/// "```parlance … ```"
std::string codeBlock(std::string_view Code);
/// A derivation as a block of text, its terms some levels deep.
std::string derivationMarkdown(const Derivation &D, const SourceManager &Sources);
/// A documentation string as Markdown: without the indentation of its lines, which would make code of them.
std::string docMarkdown(std::string_view Doc);
/// A finding with numbers, derivations, and the fixes that were tried with their effects.
std::string findingMarkdown(const Diagnostic &D, const SourceManager &Sources);
/// "fn peak_of(d: device, t: dtype) -> FLOP/s/gpu"
std::string signature(std::string_view Word, std::string_view Name, std::span<const ParamDecl> Params,
                      const Type &Result);
std::string signature(const ast::Item &Fn, const SourceManager &Sources);
/// "layout.tp: gpu/stage = 1, at least 1"
std::string fieldHead(const SchemaDecl &Schema, const FieldDecl &F);

} // namespace parlance::server
