" How the picture of docs/editors.md is taken.
let &runtimepath .= ',' . $EDITORS . '/nvim'
set termguicolors background=light number signcolumn=yes noswapfile noshowcmd noruler laststatus=0
filetype plugin on
syntax on
lua << EOF
vim.diagnostic.config({ severity_sort = true })
require('parlance').setup({ cmd = { vim.env.PARLANCE, 'lsp' } })
EOF
highlight NormalFloat guibg=#eef1f7 guifg=#24273a
highlight Pmenu guibg=#eef1f7 guifg=#24273a
highlight PmenuSel guibg=#c9d4ea guifg=#24273a
highlight SignColumn guibg=NONE
set completeopt=menu
highlight! link markdownError NormalFloat
