#include "Report/JobText.h"
#include "Eval/Support.h"
#include "Plan/Options.h"
#include "Syntax/Tokens.h"
#include "Units/Format.h"
#include "std/Std.h"
#include <algorithm>
#include <cctype>
#include <set>

namespace parlance {

std::string identifierFrom(std::string_view Name, const Library &Lib) {
  std::string Result;
  for (char C : Name) {
    bool Allowed = std::isalnum(static_cast<unsigned char>(C)) && static_cast<unsigned char>(C) < 128;
    Result += Allowed ? C : '_';
  }
  if (Result.empty() || std::isdigit(static_cast<unsigned char>(Result[0])))
    Result.insert(0, "job_");
  // Words of the language and units cannot be declared.
  if (syntax::reservedWord(Result) != syntax::Tok::Name || Lib.Units.find(Result) || Lib.schema(Result))
    Result += "_";
  return Result;
}

namespace {

class JobPrinter {
public:
  JobPrinter(const Record &Job, Evaluator &E) : Job(Job), E(E) {}
  std::string print(std::string_view Header);

private:
  std::string reference(const Record &R, std::string_view Schema, std::string_view Name);
  void block(std::string &Out, const Record &R, std::string_view Indent, const std::set<std::string> &Leave,
             const std::string &Prefix);
  void field(std::string &Out, const Record &R, unsigned I, std::string_view Indent) const;
  std::string cluster();
  std::string options();
  std::set<std::string> translated(std::string_view Framework) const;

  const Record &Job;
  Evaluator &E;
  std::set<std::string_view> Modules;
  std::string Declared; ///< blocks before the job
};

} // namespace

void JobPrinter::field(std::string &Out, const Record &R, unsigned I, std::string_view Indent) const {
  const FieldDecl &F = R.Schema->Fields[I];
  const Value &V = R.at(I);
  if (!rt::knownValue(V) && V.K != Value::Kind::Auto) {
    if (R.Origins[I].K == Origin::Kind::Given && R.Origins[I].Range && !E.Sources.isOutside(R.Origins[I].Range.File)) {
      std::string_view Text = E.Sources.text(R.Origins[I].Range); // a comment is one line
      Out += fmt::format("{}# {} is not known: {}\n", Indent, F.Name, Text.substr(0, Text.find('\n')));
    }
    return;
  }
  if (!rt::hasDefault(R, I))
    Out += fmt::format("{}{} = {}\n", Indent, F.Name, rt::sourceText(V, F));
}

void JobPrinter::block(std::string &Out, const Record &R, std::string_view Indent, const std::set<std::string> &Leave,
                       const std::string &Prefix) {
  for (unsigned I = 0; I < R.Values.size(); ++I) {
    const FieldDecl &F = R.Schema->Fields[I];
    std::string Path = Prefix + std::string(F.Name);
    if (F.Computed || F.Optional || R.at(I).isAbsent() || Leave.contains(Path))
      continue;
    if (F.Ty.K != Type::Kind::Record) {
      field(Out, R, I, Indent);
      continue;
    }
    if (F.Ty.Schema->TopLevel)
      continue;
    std::string Inner;
    block(Inner, *R.rec(I), std::string(Indent) + "  ", Leave, Path + ".");
    if (!Inner.empty())
      Out += fmt::format("{0}{1} {{\n{2}{0}}}\n", Indent, F.Name, Inner);
  }
}

/// The name of a record: the library's, or one that is declared in the file.
std::string JobPrinter::reference(const Record &R, std::string_view Schema, std::string_view Name) {
  if (int Index = E.Lib.record(R.Name); Index >= 0 && E.libraryInstance(static_cast<uint32_t>(Index)) == &R) {
    Modules.insert(E.Lib.Records[Index].Module);
    return std::string(R.Name);
  }
  std::string Body;
  block(Body, R, "  ", {}, {});
  Declared += fmt::format("{} {} {{\n{}}}\n\n", Schema, Name, Body);
  return std::string(Name);
}

std::string JobPrinter::cluster() {
  using namespace fields;
  const Record &C = *Job.rec(job::cluster);
  const Value &Node = C.at(cluster::node);
  std::string Body =
      fmt::format("  node = {} * {}\n", formatExact(Node.Number), reference(*Node.Rec, "device", "gpu_of_cluster"));
  Body += fmt::format("  nodes = {}\n", formatExact(C.num(cluster::nodes)));
  if (const Record *Link = C.rec(cluster::inter))
    Body += fmt::format("  inter = {}\n", reference(*Link, "link", "network"));
  if (!rt::hasDefault(C, cluster::ports))
    Body += fmt::format("  ports = {}\n", formatExact(C.num(cluster::ports)));
  return Body;
}

/// The options that fields of the job mean: named by a translation, in either direction.
std::set<std::string> JobPrinter::translated(std::string_view Framework) const {
  std::set<std::string> Result;
  std::string Own = fmt::format("{}.", Framework);
  for (const DeriveDecl &D : E.Lib.Derives) {
    if (D.Name.starts_with("write." + Own))
      Result.emplace(D.Name.substr(std::string_view("write.").size() + Own.size()));
    if (D.Name.starts_with("read." + Own))
      for (std::string_view Path : D.Reads)
        if (Path.starts_with(Own))
          Result.emplace(Path.substr(Own.size()));
  }
  auto Walk = [&](auto &Self, const SchemaDecl &S, const std::string &Prefix) -> void {
    for (const FieldDecl &F : S.Fields) {
      std::string Path = Prefix + std::string(F.Name);
      if (F.Ty.K == Type::Kind::Record)
        Self(Self, *F.Ty.Schema, Path + ".");
      else if (!F.Counterpart.empty())
        Result.insert(Path);
    }
  };
  Walk(Walk, *optionsBlock(E.Lib, Framework).Schema, {});
  return Result;
}

std::string JobPrinter::options() {
  std::string Out;
  for (const FieldDecl &F : Job.Schema->Fields) {
    if (!F.Optional)
      continue;
    const Record *Block = Job.rec(static_cast<unsigned>(&F - Job.Schema->Fields.data()));
    if (!Block)
      continue;
    std::string Body;
    block(Body, *Block, "    ", translated(F.Name), {});
    if (!Body.empty())
      Out += fmt::format("  {} {{\n{}  }}\n", F.Name, Body);
  }
  return Out;
}

std::string JobPrinter::print(std::string_view Header) {
  using namespace fields;
  std::string Name = identifierFrom(Job.Name, E.Lib);
  std::string Model = reference(*Job.rec(job::model), "model", Name + "_model");
  std::string Cluster = fmt::format("cluster {}_cluster {{\n{}}}\n\n", Name, cluster());
  std::string Layout;
  block(Layout, *Job.rec(job::layout), "  ", {}, {});
  std::string Body = fmt::format("  model = {}\n  cluster = {}_cluster\n  layout = {}_layout\n", Model, Name, Name);
  if (const Record *Stack = Job.rec(job::stack); Stack && !rt::leftToDefault(Job, job::stack))
    Body += fmt::format("  stack = {}\n", reference(*Stack, "stack", Name + "_stack"));
  block(Body, Job, "  ", {}, {});
  Body += options();
  std::string Out = fmt::format("# {}\n", Header);
  for (std::string_view M : Modules)
    Out += fmt::format("use {}\n", M);
  return Out + "\n" + Declared + Cluster +
         fmt::format("layout {}_layout {{\n{}}}\n\njob {} {{\n{}}}\n", Name, Layout, Name, Body);
}

std::string jobText(const Plan &P, std::string_view Header, Evaluator &E) {
  return JobPrinter(*P.Written, E).print(Header);
}

} // namespace parlance
