" Written by tools/editors/generate.py; do not edit.
if exists('b:current_syntax')
  finish
endif
syntax match parlanceNumber /\<\d[0-9_]*\(\.\d[0-9_]*\)\?\([eE][+-]\?\d\+\)\?\([kMGT]i\?\)\?\>\|%/
syntax match parlanceUnit /\C\<\%(microbatches\|microbatch\|sequences\|replicas\|sequence\|minutes\|replica\|samples\|seconds\|GFLOPS\|MFLOPS\|PFLOPS\|TFLOPS\|kFLOPS\|layers\|minute\|params\|sample\|second\|stages\|tokens\|FLOPS\|GFLOP\|MFLOP\|PFLOP\|TFLOP\|hours\|kFLOP\|layer\|nodes\|param\|stage\|token\|FLOP\|Gbit\|Mbit\|Pbit\|Tbit\|days\|elem\|gpus\|hour\|kbit\|node\|seqs\|GiB\|KiB\|MiB\|PiB\|TiB\|USD\|bit\|day\|gpu\|seq\|tok\|GB\|MB\|PB\|TB\|kB\|ms\|ns\|us\|B\|s\)\>/
syntax keyword parlanceKeyword any assume fix fn from import let maximize minimize note require rule use warn
syntax match parlanceBlock /^\s*\%(model\|device\|link\|cluster\|layout\|job\|stack\|test\)\>\ze\s\+\h/
syntax match parlanceBlock /\<\%(fires\|passes\)\>\ze\%(\s\+from\s\+\h\w*\)\?\s*{/
syntax keyword parlanceOperator and else if not or then
syntax keyword parlanceConstant auto false true
syntax match parlanceField /\<\h\w*\ze\s*=\%(=\)\@!/
syntax match parlanceCall /\<\h\w*\ze(/
syntax region parlanceString start=/"/ skip=/\\./ end=/"/ oneline
syntax region parlanceString start=/"""/ end=/"""/
syntax match parlanceComment /#.*$/ contains=parlanceAllow,@Spell
syntax match parlanceAllow /parlance:\s*allow([^)]*)/ contained
highlight default link parlanceNumber Number
highlight default link parlanceUnit Type
highlight default link parlanceKeyword Statement
highlight default link parlanceBlock Structure
highlight default link parlanceOperator Operator
highlight default link parlanceConstant Constant
highlight default link parlanceField Identifier
highlight default link parlanceCall Function
highlight default link parlanceString String
highlight default link parlanceComment Comment
highlight default link parlanceAllow PreProc
let b:current_syntax = 'parlance'
