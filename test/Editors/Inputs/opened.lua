-- What Neovim shows of a file that it opened by itself.
vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 10)
print(('%d client, %d diagnostics, %s'):format(#vim.lsp.get_active_clients(), #vim.diagnostic.get(0), vim.bo.filetype))
vim.cmd('qall!')
