#include "Report/Pages.h"
#include "Sema/Types.h"
#include "Units/Format.h"
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace parlance {

namespace {

using llvm::json::OStream;

llvm::StringRef ref(std::string_view S) { return {S.data(), S.size()}; }

void writeField(OStream &J, const FieldDecl &F) {
  J.object([&] {
    J.attribute("name", ref(F.Name));
    J.attributeArray("types", [&] {
      J.value(typeName(F.Ty));
      for (const Type &T : F.Alternatives)
        J.value(typeName(T));
    });
    if (F.Ty.K == Type::Kind::Enum)
      J.attributeArray("values", [&] {
        for (std::string_view V : F.Ty.Enum->Values)
          J.value(ref(V));
      });
    J.attribute("doc", ref(F.Doc));
    J.attribute("required", F.Required);
    J.attribute("computed", F.Computed);
    if (!F.DefaultText.empty())
      J.attribute("default", ref(F.DefaultText));
    if (F.Minimum)
      J.attribute("minimum", *F.Minimum);
    if (F.Maximum)
      J.attribute("maximum", *F.Maximum);
  });
}

template <typename Decl> void writeFormula(OStream &J, const Decl &D) {
  J.object([&] {
    J.attribute("name", ref(D.Name));
    J.attributeArray("parameters", [&] {
      for (const ParamDecl &P : D.Params)
        J.object([&] {
          J.attribute("name", ref(P.Name));
          J.attribute("type", typeName(P.Ty));
        });
    });
    J.attribute("type", typeName(D.Result));
    J.attribute("doc", ref(D.Doc));
  });
}

} // namespace

/// The framework whose options a block holds; empty for blocks of Parlance's own.
static std::string_view optionsOf(const Library &Lib, const SchemaDecl &S) {
  for (const FieldDecl &F : Lib.schema("job")->Fields)
    if (F.Optional && (S.Name == F.Name || S.Name.starts_with(std::string(F.Name) + "_")))
      return F.Name;
  return {};
}

static void writeBlock(OStream &J, const Library &Lib, const SchemaDecl &S) {
  J.object([&] {
    J.attribute("name", ref(S.Name));
    J.attribute("doc", ref(S.Doc));
    J.attribute("declarable", S.TopLevel);
    if (std::string_view Framework = optionsOf(Lib, S); !Framework.empty())
      J.attribute("options_of", ref(Framework));
    J.attributeArray("fields", [&] {
      for (const FieldDecl &F : S.Fields)
        writeField(J, F);
    });
  });
}

static void writeUnit(OStream &J, const UnitName &U) {
  J.object([&] {
    J.attribute("name", ref(U.Name));
    J.attribute("dimension", U.Dimension.str());
    J.attribute("doc", ref(U.Doc));
  });
}

static void writeRecord(OStream &J, const LibraryRecord &R) {
  J.object([&] {
    J.attribute("name", ref(R.Name));
    J.attribute("block", ref(R.Schema->Name));
    J.attribute("module", ref(R.Module));
    J.attribute("doc", ref(R.Doc));
  });
}

static void writeRule(OStream &J, const RuleDecl &R) {
  J.object([&] {
    J.attribute("code", ref(R.Code));
    J.attribute("name", ref(R.Name));
    J.attribute("severity", ref(severityName(R.Level)));
    J.attribute("field", ref(R.Field));
    J.attribute("message", ref(R.Message));
    if (!R.Raises.empty())
      J.attribute("raises", ref(R.Raises));
    J.attributeArray("targets", [&] {
      for (std::string_view F : R.Frameworks)
        J.value(ref(F));
    });
  });
}

std::string schemaJson(const Library &Lib) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  OStream J(Out, 1);
  J.object([&] {
    J.attribute("version", 1);
    J.attributeArray("blocks", [&] {
      for (const SchemaDecl *S : Lib.Schemas)
        writeBlock(J, Lib, *S);
    });
    J.attributeArray("units", [&] {
      for (const UnitName &U : Lib.Units.names())
        writeUnit(J, U);
    });
    J.attributeArray("records", [&] {
      for (const LibraryRecord &R : Lib.Records)
        writeRecord(J, R);
    });
    J.attributeArray("quantities", [&] {
      for (const DeriveDecl &D : Lib.Derives)
        if (!isTranslation(D))
          writeFormula(J, D);
    });
    J.attributeArray("functions", [&] {
      for (const FunctionDecl &F : Lib.Functions)
        writeFormula(J, F);
    });
    J.attributeArray("rules", [&] {
      for (const RuleDecl &R : Lib.Rules)
        writeRule(J, R);
    });
  });
  Out << '\n';
  return Text;
}

} // namespace parlance
