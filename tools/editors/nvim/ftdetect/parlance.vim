autocmd BufNewFile,BufRead *.parl setfiletype parlance
