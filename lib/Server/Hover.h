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

/// A value as people write it, with its unit.
std::string shownValue(Snapshot &S, const Value &V, const Type &T);
/// Where a value came from: "line 12", "default", "deduced: …".
std::string shownOrigin(Snapshot &S, const Origin &O);

/// "MFU", or "measured MFU" where the measured step time of the job is what it is of: it stands beside a step time that
/// is predicted.
std::string mfuTitle(const JobContext &C);

/// A field of a resolved job that an item of the document sets.
struct FieldInJob {
  const AnalyzedJob *Job = nullptr;
  FieldPath At; ///< in the resolved job
};
/// One per job that the item's block is part of.
std::vector<FieldInJob> fieldInJobs(Snapshot &S, std::span<ast::Item *const> Path);

} // namespace parlance::server
