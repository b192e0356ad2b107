#include "Frameworks/Shell/Launch.h"
#include <chrono>
#include <gtest/gtest.h>

using namespace parlance;
using namespace parlance::shell;

namespace {

class ShellTest : public testing::Test {
protected:
  const ShellScript &read(std::string Text, const Overrides &Given = {}) {
    uint32_t File = Sources.add("run.sh", std::move(Text));
    Script = readShell(File, Sources.file(File).text(), Given, Diags);
    Messages.clear();
    for (const Diagnostic &D : Diags.take())
      Messages.push_back(place(D.Range) + ' ' + D.Message);
    return Script;
  }
  std::string place(SourceRange R) const {
    if (!R)
      return "nowhere";
    LineColumn At = Sources.begin(R);
    return std::to_string(At.Line) + ':' + std::to_string(At.Column) + '+' + std::to_string(R.End - R.Begin);
  }
  /// The words of a command, symbols as the script writes them.
  static std::string words(const std::vector<ShellWord> &Words) {
    std::string Result;
    for (const ShellWord &W : Words)
      Result += (Result.empty() ? "" : "|") + W.Text.shown();
    return Result;
  }
  std::string command(size_t I = 0) const {
    return I < Script.Commands.size() ? words(Script.Commands[I].Words) : "no command";
  }
  /// Why the first symbol of a name is one.
  std::string reason(std::string_view Name) const {
    for (const ShellSymbol &S : Script.Symbols)
      if (S.Name == Name)
        return S.Reason;
    return "no symbol";
  }
  std::string variable(std::string_view Name) const {
    auto Found = Script.Variables.find(Name);
    return Found == Script.Variables.end() ? "unset" : words(Found->second);
  }

  SourceManager Sources;
  DiagnosticEngine Diags;
  ShellScript Script;
  std::vector<std::string> Messages;
};

using Strings = std::vector<std::string>;

// --- where values are written

TEST_F(ShellTest, AValueIsWhereAPersonChangesIt) {
  read("TP=8\npython train.py --tp $TP --pp=\"${TP}\" --dp 2\n");
  ASSERT_EQ(Script.Commands.size(), 1u);
  const std::vector<ShellWord> &W = Script.Commands[0].Words;
  EXPECT_EQ(command(), "python|train.py|--tp|8|--pp=8|--dp|2");
  EXPECT_EQ(place(W[3].value()), "1:4+1");
  EXPECT_EQ(place(W[3].Written), "2:22+3");
  EXPECT_EQ(place(W[4].from(5).value()), "1:4+1");
  EXPECT_EQ(place(W[4].value()), "2:26+12");
  EXPECT_EQ(place(W[6].value()), "2:44+1");
}

TEST_F(ShellTest, SplitTextKeepsThePlaceOfEachWord) {
  read("TP=4\nARGS=\"--tp $TP \\\n   --lr 1e-4\"\nrun $ARGS \"$ARGS\"\n");
  EXPECT_EQ(command(), "run|--tp|4|--lr|1e-4|--tp 4    --lr 1e-4");
  EXPECT_EQ(place(Script.Commands[0].Words[2].value()), "1:4+1");
  EXPECT_EQ(place(Script.Commands[0].Words[4].value()), "3:9+4");
}

TEST_F(ShellTest, ComputedTextIsWhereItsExpressionIs) {
  read("A=2\nB=3\nrun $((A * $B + 1))\n");
  EXPECT_EQ(command(), "run|7");
  EXPECT_EQ(place(Script.Commands[0].Words[1].value()), "3:5+15");
}

TEST_F(ShellTest, EscapesLeaveTheRestExact) {
  read("run a\\ b 'c d'\"e\\\"f\" $'g'\n");
  EXPECT_EQ(command(), "run|a b|c de\"f|g");
  EXPECT_EQ(place(Script.Commands[0].Words[1].Text.range(0, 1)), "1:5+1");
  EXPECT_EQ(place(Script.Commands[0].Words[1].Text.range(2, 3)), "1:8+1");
}

// --- assignments and arrays

TEST_F(ShellTest, ArraysWithCommentsAndAppends) {
  read("ARGS=(\n  --a 1 # no --b\n  # --c\n  \"x y\"\n)\nARGS+=(--d)\nrun \"${ARGS[@]}\" ${ARGS[*]} "
       "\"${ARGS[*]}\" ${#ARGS[@]} ${ARGS[1]} \"p${ARGS[@]:2}s\"\n");
  EXPECT_EQ(command(), "run|--a|1|x y|--d|--a|1|x|y|--d|--a 1 x y --d|4|1|px y|--ds");
}

TEST_F(ShellTest, AppendedStringsAndDeclarations) {
  read("A=x\nA+=\" y\"\nexport B=$A\ndeclare -a C=(1 2)\nreadonly D=\"$B z\"\nrun $A \"$B\" ${C[@]} "
       "\"$D\"\n");
  EXPECT_EQ(command(), "run|x|y|x y|1|2|x y z");
  ASSERT_EQ(Script.Exports.size(), 1u);
  EXPECT_EQ(Script.Exports[0].Name, "B");
  EXPECT_EQ(place(Script.Exports[0].NameRange), "3:8+1");
}

TEST_F(ShellTest, ParameterForms) {
  read("V=a/b.json\nE=\nrun ${V%.json} ${V##*/} ${V#a} ${V%%/*} ${V/b/cc} ${V^^} ${V:2:1} ${#V} "
       "${E:-d} ${E-d}x ${U:-$V} ${U:=e} $U ${V:+y} ${E:+n}\n");
  EXPECT_EQ(command(), "run|a/b|b.json|/b.json|a|a/cc.json|A/B.JSON|b|8|d|x|a/b.json|e|e|y");
  EXPECT_EQ(place(Script.Commands[0].Words[1].value()), "1:3+3");
}

TEST_F(ShellTest, EmptyWordsAndWordsThatVanish) {
  read("run $NO_ARGS_HERE_${X:-} \"\" ${Y:-} ''\"${Z:-}\"\n");
  EXPECT_EQ(command(), "run|$NO_ARGS_HERE_||");
}

// --- symbols

TEST_F(ShellTest, WhatOnlyARunTellsIsASymbol) {
  read("N=$(nproc)\nrun $1 ${21} $HOME_DIR $N `date` $((N*2)) $((1+$2))\n");
  EXPECT_EQ(command(), "run|$1|${21}|$HOME_DIR|$(nproc)|`date`|$((N*2))|$((1+$2))");
  EXPECT_EQ(reason("${21}"), "is an argument of the script");
  EXPECT_EQ(reason("$HOME_DIR"), "is not set in the script");
  EXPECT_EQ(reason("$((N*2))"), "depends on `$(nproc)`, which is the output of a command");
  EXPECT_FALSE(Script.Commands[0].Words[4].text());
  EXPECT_EQ(place(Script.Commands[0].Words[4].value()), "1:3+8");
}

TEST_F(ShellTest, OverridesStandInForSymbols) {
  read("A=$1\nB=$(x)\nC=3\nrun $A $B $C $D ${E:-5} $((D*2))\n",
       {{"1", "a"}, {"B", "b"}, {"C", "4"}, {"D", "8"}, {"E", "6"}});
  EXPECT_EQ(command(), "run|a|b|3|8|6|16");
  EXPECT_EQ(Script.UnusedOverrides, Strings{"C"});
}

TEST_F(ShellTest, SourcedFilesAreNamed) {
  read("source conf.sh\nrun $TP\n");
  ASSERT_EQ(Script.Sources.size(), 1u);
  EXPECT_EQ(reason("$TP"), "is not set in the script; what it sources at line 1 is not read");
}

// --- branches

TEST_F(ShellTest, KnownConditionsAreDecided) {
  read("S=7b\nN=4\nif [ \"$S\" = 13b ]; then H=1\nelif [[ $S == 7* && $N -ge 4 ]]; then H=2\nelse "
       "H=3\nfi\n"
       "[ -z \"$H\" ] && H=4\n[ -n \"$H\" ] || H=5\n((N > 3)) && N=9\ncase $S in 1*) K=1;; 7b|8b) "
       "K=2;; "
       "*) K=3;; esac\nrun $H $N $K\n");
  EXPECT_EQ(command(), "run|2|9|2");
  EXPECT_EQ(Messages, Strings{});
}

TEST_F(ShellTest, UnknownBranchesLeaveASymbolWithItsPlaces) {
  read("if [ $1 = a ]; then\n  H=1\n  K=5\nelif [ $1 = b ]; then\n  H=2\n  K=5\nelse\n  exit 1\nfi\n"
       "run $H $K\n");
  EXPECT_EQ(command(), "run|$H|5");
  EXPECT_EQ(reason("$H"), "is set differently at lines 2 and 5");
  EXPECT_FALSE(Script.Commands[0].Conditional);
}

TEST_F(ShellTest, UnknownBranchesKeepWhatTheyAgreeOn) {
  read("A=(--x 1)\nS=\"--y 2\"\nT=1\nif [ -f file ]; then\n  A+=(--z)\n  S+=\" --w\"\n  T+=6\nfi\n"
       "run \"${A[@]}\" $S $T\n");
  EXPECT_EQ(command(), "run|--x|1|$A|--y|2|$S|$T");
  EXPECT_EQ(reason("$A"), "is set differently at lines 1 and 5");
}

TEST_F(ShellTest, ACaseThatDependsOnASymbol) {
  read("case $1 in\n  7B) H=1 ;;\n  13B)\n    H=2\n    ;;\nesac\nrun $H\n");
  EXPECT_EQ(reason("$H"), "is set at lines 2 and 4 only under a condition that is not known");
  read("case $1 in\n  7B) H=1 ;;\n  *) echo unknown; exit 1 ;;\nesac\nrun $H\n");
  EXPECT_EQ(command(1), "run|1");
}

TEST_F(ShellTest, AnOverrideDecidesABranch) {
  read("SIZE=$1\nif [ $SIZE = 7B ]; then H=1; else H=2; fi\nrun $H\n", {{"SIZE", "7B"}});
  EXPECT_EQ(command(), "run|1");
}

// --- loops and functions

TEST_F(ShellTest, LoopsAreReadOnce) {
  read("for x in 4; do run $x; done\nfor y in 1 2; do run $y; B+=$y; done\ni=0\nwhile [ $i -lt 3 "
       "]; do\n"
       "  run $i\n  ((i++))\ndone\nlast $i\n");
  EXPECT_EQ(command(0), "run|4");
  EXPECT_EQ(command(1), "run|$y");
  EXPECT_EQ(command(2), "run|$i");
  EXPECT_EQ(command(3), "last|$i");
  EXPECT_EQ(reason("$y"), "takes 2 values in the loop at line 2");
  EXPECT_EQ(reason("$i"), "changes in the loop at line 4");
}

TEST_F(ShellTest, ArgumentsAreNotLoopedOver) {
  read("TP=8\nwhile [[ $# -gt 0 ]]; do\n  case $1 in --tp) TP=$2; shift 2 ;; esac\ndone\nrun $TP\n");
  EXPECT_EQ(command(), "run|8");
}

TEST_F(ShellTest, FunctionsSeeTheirArguments) {
  read("A=1\nf() {\n  local A=$1\n  shift\n  run $A \"$@\" $#\n  G=$2\n}\nfunction g { return; no; "
       "}\n"
       "f x \"y z\" w\ng\nlast $A $G\n");
  EXPECT_EQ(command(0), "run|x|y z|w|2");
  EXPECT_EQ(command(1), "last|1|w");
}

TEST_F(ShellTest, SubshellsAndPipelinesKeepTheirChanges) {
  read("A=1\n( A=2; run $A )\necho x | A=3\nrun $A &\n");
  EXPECT_EQ(command(0), "run|2");
  EXPECT_EQ(command(2), "run|1");
}

// --- here-documents, sbatch, strings that are read again

TEST_F(ShellTest, HereDocumentsMapBackToTheScript) {
  read("MBS=4\nF=ds.json\ncat <<EOF > $F\n{\"micro\": $MBS, \"x\": \"\\$y\"}\nEOF\n"
       "cat > raw.json <<'E'\n$MBS\nE\ncat <<-T > t\n\ta $MBS\n\tT\n");
  ASSERT_EQ(Script.Files.size(), 3u);
  EXPECT_EQ(Script.Files[0].Path.text(), "ds.json");
  EXPECT_EQ(Script.Files[0].Body.text(), "{\"micro\": 4, \"x\": \"$y\"}\n");
  EXPECT_EQ(place(Script.Files[0].Body.range(10, 11)), "1:5+1");
  EXPECT_EQ(place(Script.Files[0].Body.range(2, 7)), "4:3+5");
  EXPECT_EQ(Script.Files[1].Body.text(), "$MBS\n");
  EXPECT_EQ(Script.Files[2].Body.text(), "a 4\n");
}

TEST_F(ShellTest, AWrittenFileIsTheOneThatIsPassed) {
  read("C=ds.$JOB.json\necho '{\"a\": 1}' > $C\ndeepspeed t.py --deepspeed_config $C\n");
  ASSERT_EQ(Script.Files.size(), 1u);
  EXPECT_TRUE(Script.Files[0].Path.Text.same(Script.Commands[1].Words[3].Text));
  EXPECT_FALSE(Script.Files[0].Path.Text.same(Script.Commands[1].Words[2].Text));
}

TEST_F(ShellTest, SbatchOptions) {
  read("#!/bin/bash\n#SBATCH --nodes=4 -J job # comment\n#SBATCH --gpus-per-node 8 --exclusive\n"
       "##SBATCH --nodes=5\nN=$SLURM_NNODES\n#SBATCH --nodes=6\nrun $N ${SLURM_PROCID:-0}\n");
  ASSERT_EQ(Script.Sbatch.size(), 4u);
  EXPECT_EQ(Script.Sbatch[0].Name, "nodes");
  EXPECT_EQ(place(Script.Sbatch[0].Value.value()), "2:17+1");
  EXPECT_EQ(place(Script.Sbatch[0].Range), "2:9+9");
  EXPECT_EQ(Script.Sbatch[1].Name, "job-name");
  EXPECT_EQ(Script.Sbatch[2].Value.text(), "8");
  EXPECT_EQ(Script.Sbatch[3].Name, "exclusive");
  EXPECT_EQ(command(), "run|4|$SLURM_PROCID");
  EXPECT_EQ(place(Script.Commands[0].Words[1].value()), "2:17+1");
}

TEST_F(ShellTest, StringsAreReadAgainWithTheirPlaces) {
  read("TP=8\nCMD=\"torchrun train.py --tp $TP --x $1\"\neval $CMD\n"
       "srun -N 2 bash -c \"TP=1; $CMD --rank \\$SLURM_PROCID\"\n");
  EXPECT_EQ(command(0), "torchrun|train.py|--tp|8|--x|$1");
  EXPECT_EQ(place(Script.Commands[0].Words[3].value()), "1:4+1");
  EXPECT_EQ(place(Script.Commands[0].Words[1].value()), "2:15+8");
  EXPECT_EQ(command(1), "torchrun|train.py|--tp|8|--x|$1|--rank|$SLURM_PROCID");
  EXPECT_EQ(words(Script.Commands[1].Outer), "srun|-N|2");
  // A word that is put together of texts far apart stands where its last part does.
  read("DIR=/opt\nTP=8\nCMD=\"python $DIR/t.py --tp $TP\"\nbash -c \"$CMD\"\n");
  EXPECT_EQ(command(), "python|/opt/t.py|--tp|8");
  EXPECT_EQ(place(Script.Commands[0].Words[1].Written), "3:17+5");
}

TEST_F(ShellTest, AScriptFedToSbatch) {
  read("NODES=3\nsbatch <<EOF\n#!/bin/bash\n#SBATCH --nodes=$NODES\nsrun python t.py --n "
       "$NODES\nEOF\n");
  ASSERT_EQ(Script.Sbatch.size(), 1u);
  EXPECT_EQ(place(Script.Sbatch[0].Value.value()), "1:7+1");
  EXPECT_EQ(command(), "srun|python|t.py|--n|3");
}

// --- errors and limits

TEST_F(ShellTest, OneSyntaxErrorAndTheRestIsRead) {
  read("A=1\nif true; then\n  run $A\ndone\nB=2\nlast $B\n");
  EXPECT_EQ(Messages, Strings{"4:1+4 `done` is not expected here; `fi` is missing"});
  EXPECT_EQ(command(), "last|2");
  read("run 'a\n");
  EXPECT_EQ(Messages, Strings{"1:5+1 the quote `'` is not closed"});
  read("cat <<EOF\nx\n");
  EXPECT_EQ(Messages, Strings{"1:5+5 the here-document is not closed by a line `EOF`"});
  read("run ${A\n");
  EXPECT_EQ(Messages, Strings{"1:5+1 the brace of `${` is not closed"});
  read("if a; then b\n");
  EXPECT_EQ(Messages, Strings{"2:1+0 the end of the script is not expected here; `fi` is missing"});
}

TEST_F(ShellTest, TemplatePlaceholders) {
  read("D=<path to data>/x\nrun --data $D --vocab <vocab file>\nsort <in >out\n");
  EXPECT_EQ(Messages, (Strings{"1:3+14 `<path to data>` is a placeholder; nothing that depends on "
                               "it is known",
                               "2:23+12 `<vocab file>` is a placeholder; nothing that depends on "
                               "it is known"}));
  EXPECT_EQ(command(0), "run|--data|<path to data>/x|--vocab|<vocab file>");
  EXPECT_EQ(command(1), "sort");
}

TEST_F(ShellTest, ArithmeticErrors) {
  read("A=$((1/0))\nB=$((2**70))\nC=$((3 4))\nD=$((08))\n");
  EXPECT_EQ(Messages.size(), 4u);
  EXPECT_EQ(Messages[0], "1:3+8 this arithmetic has no value: division by zero");
  read("A=$(( (1+2)*3 % 5 << 2 )) B=$((2**3**2)) C=$((A>3?0x10:7)) D=$((-7/2)) E=$((!0+~1))\n");
  EXPECT_EQ(variable("A") + ' ' + variable("B") + ' ' + variable("C") + ' ' + variable("D") + ' ' + variable("E"),
            "16 512 16 -3 -1");
}

TEST_F(ShellTest, GrowthIsBounded) {
  auto Begin = std::chrono::steady_clock::now();
  std::string Doubling = "A=xxxxxxxx\n", Array = "B=(1 2)\n", Calls = "f0() { x; }\n";
  for (int I = 0; I < 60; ++I) {
    Doubling += "A=$A$A\n";
    Array += "B=(\"${B[@]}\" \"${B[@]}\")\n";
  }
  for (int I = 1; I < 19; ++I)
    Calls += "f" + std::to_string(I) + "() { f" + std::to_string(I - 1) + "; f" + std::to_string(I - 1) + "; f" +
             std::to_string(I - 1) + "; }\n";
  read(Doubling);
  ASSERT_FALSE(Messages.empty());
  EXPECT_EQ(Messages[0], "15:3+4 this text grows past 262,144 bytes; it is not followed further");
  read(Array);
  EXPECT_FALSE(Messages.empty());
  read(Calls + "f18\n");
  EXPECT_EQ(Messages, Strings{"1:1+1 this script takes too many steps to read; what comes late in "
                              "it is not known"});
  read("f() { f; f; }\nf\n");
  read("A=B\nB=A\nrun $((A))\n");
  EXPECT_EQ(command(), "run|$((A))");
  read("x='eval \"$x\"; eval \"$x\"'\neval \"$x\"\n");
  EXPECT_LT(std::chrono::steady_clock::now() - Begin, std::chrono::seconds(20));
}

TEST_F(ShellTest, DeepNestingIsRefused) {
  std::string Ifs, Expansions = "run ";
  for (int I = 0; I < 5000; ++I) {
    Ifs += "if a; then ";
    Expansions += "${a:-";
  }
  read(Ifs);
  ASSERT_EQ(Messages.size(), 1u);
  EXPECT_NE(Messages[0].find("nested too deeply"), std::string::npos);
  read(Expansions);
  ASSERT_EQ(Messages.size(), 1u);
  EXPECT_NE(Messages[0].find("nested too deeply"), std::string::npos);
}

// --- launchers

class LaunchTest : public ShellTest {
protected:
  /// "launchers: name=value … -> program arguments"
  std::string launch(const std::string &Text) {
    read(Text);
    std::string Result;
    for (const TrainingCommand &T : findTraining(Script)) {
      Result += Result.empty() ? "" : "; ";
      for (const std::string &L : T.Launchers)
        Result += L + ' ';
      for (const LauncherOption &O : T.Options)
        Result += O.Name + '=' + (O.Value ? O.Value->Text.shown() : "") + ' ';
      Result += "-> " + T.Program.Text.shown() + ' ' + words(T.Arguments);
    }
    return Result;
  }
};

TEST_F(LaunchTest, Launchers) {
  EXPECT_EQ(launch("torchrun --standalone --nproc_per_node 8 --nnodes=2 t.py --a 1"),
            "torchrun standalone= nproc-per-node=8 nnodes=2 -> t.py --a|1");
  EXPECT_EQ(launch("python3 -u -m torch.distributed.run --nproc-per-node=4 -m pkg.train --a"),
            "torch.distributed.run nproc-per-node=4 m= -> pkg.train --a");
  EXPECT_EQ(launch("srun -N4 --ntasks-per-node=8 -l python -u t.py --a"),
            "srun nodes=4 ntasks-per-node=8 l= -> t.py --a");
  EXPECT_EQ(launch("deepspeed --hostfile h --num_gpus 8 --master_port 1 t.py --deepspeed c.json"),
            "deepspeed hostfile=h nproc-per-node=8 master-port=1 -> t.py --deepspeed|c.json");
  EXPECT_EQ(launch("accelerate launch --config_file c.yaml --multi_gpu --num_machines 2 t.py --a"),
            "accelerate config-file=c.yaml multi-gpu= nnodes=2 -> t.py --a");
  EXPECT_EQ(launch("mpirun -np 16 --hostfile h -x A=1 -x B python t.py a=1"),
            "mpirun np=16 hostfile=h x=A=1 x=B -> t.py a=1");
  EXPECT_EQ(launch("nohup timeout 60 numactl --membind 0 nsys profile -o x torchrun t.py > log 2>&1 &"),
            "nohup timeout numactl nsys torchrun membind=0 o=x -> t.py ");
  EXPECT_EQ(launch("docker run --rm --gpus all -v a:b image torchrun t.py --a"),
            "docker torchrun rm= gpus=all v=a:b -> t.py --a");
  EXPECT_EQ(launch("ray start --head\nray job submit --address=h --no-wait -- python3 t.py --a"),
            "ray address=h no-wait= -> t.py --a");
  EXPECT_EQ(launch("NPROC_PER_NODE=8 megatron sft --tp 2"), "-> megatron sft|--tp|2");
  EXPECT_EQ(launch("srun -n 8 bash -c 'torchrun --node_rank $SLURM_PROCID t.py --a'"),
            "srun torchrun ntasks=8 node-rank=$SLURM_PROCID -> t.py --a");
}

TEST_F(LaunchTest, UnknownLauncherOptionsArePassedOver) {
  EXPECT_EQ(launch("torchrun $DIST_ARGS t.py --a"), "torchrun -> t.py --a");
  EXPECT_EQ(launch("$LAUNCHER t.py --a"), "-> t.py --a");
}

TEST_F(LaunchTest, OnlyTrainingIsFound) {
  EXPECT_EQ(launch("python prepare.py --x\ntorchrun t.py --a\necho torchrun u.py\n"), "torchrun -> t.py --a");
  EXPECT_EQ(launch("python setup.py\npython t.py --a\n"), "-> t.py --a");
  EXPECT_EQ(launch("ls -l\n"), "");
}

TEST_F(LaunchTest, EnvironmentIsCollected) {
  read("export A=1\nB=2\nexport B\nexport C=3\nunset C\nD=4 env E=5 torchrun t.py\n");
  std::vector<TrainingCommand> All = findTraining(Script);
  ASSERT_EQ(All.size(), 1u);
  std::string Text;
  for (const ShellVariable &V : All[0].Environment)
    Text += V.Name + (V.Unset ? "!" : "=") + V.Value.Text.shown() + '@' + place(V.Value.value()) + ' ';
  EXPECT_EQ(Text, "A=1@1:10+1 B=2@2:3+1 C=3@4:10+1 C!@nowhere D=4@6:3+1 E=5@6:11+1 ");
}

} // namespace
