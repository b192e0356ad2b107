// Edits of a document by the bytes of the input, and every kind of message: nothing may crash or hang, and what the
// server finds is what a check of the same text finds.
#include "Server/Completion.h"
#include "Server/Hints.h"
#include "Server/Hover.h"
#include "Server/Navigation.h"
#include "Server/Outline.h"
#include "Server/SemanticTokens.h"
#include <cstdlib>
#include <fuzzer/FuzzedDataProvider.h>

using namespace parlance;
using namespace parlance::server;

static std::string found(const Snapshot &S) {
  std::string Out;
  for (const Diagnostic &D : S.found())
    Out += fmt::format("{} {} {} {}\n", D.Code, D.Range.Begin, D.Range.End, D.Message);
  return Out;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  FuzzedDataProvider Bytes(Data, Size);
  Workspace W;
  lsp::TextDocumentItem Item;
  Item.uri = llvm::cantFail(lsp::URIForFile::fromFile("/nowhere/job.parl"));
  Item.languageId = "parlance";
  Item.text = Bytes.ConsumeRandomLengthString();
  W.open(Item);
  LibraryFolder Library("fuzz");
  while (Bytes.remaining_bytes()) {
    auto Place = [&] {
      return lsp::Position(Bytes.ConsumeIntegralInRange(-1, 80), Bytes.ConsumeIntegralInRange(-1, 80));
    };
    lsp::TextDocumentContentChangeEvent Change;
    Change.range = lsp::Range(Place(), Place());
    Change.text = Bytes.ConsumeRandomLengthString(64);
    W.change(Item.uri, 2, {&Change, 1});
    Document &D = *W.find(Item.uri);
    Snapshot &S = W.snapshot(D);
    std::string Text = D.Text;
    const std::string Real = SourceManager::realPath(D.Path);
    Snapshot Fresh(CheckUnit{{D.Path}}, [&](const std::string &Path) { return Path == Real ? &Text : nullptr; }, {});
    if (found(S) != found(Fresh))
      std::abort();
    lsp::Position At = Place();
    hover(S, At);
    completion(S, At, true);
    signatureHelp(S, At);
    definition(D, At, W, Library);
    references(D, At, true, W);
    documentSymbols(S);
    foldingRanges(S);
    selectionRanges(S, {&At, 1});
    semanticTokens(S, std::nullopt);
    inlayHints(S, {{0, 0}, {1 << 20, 0}});
    codeLenses(D, S);
  }
  return 0;
}
