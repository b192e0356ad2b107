-- What a user of Neovim does with a broken file: opens it, reads what is wrong, takes the first fix, formats.
local function fail(what)
  io.stderr:write('FAIL: ' .. what .. '\n')
  vim.cmd('cquit 1')
end

local function wait(what, holds)
  if not vim.wait(20000, holds, 10) then
    fail('waited in vain for ' .. what)
  end
end

local function say(text)
  io.stdout:write(text .. '\n')
end

local function show(heading)
  say(heading .. ':')
  for _, d in ipairs(vim.diagnostic.get(0)) do
    say(('  %d:%d %s %s'):format(d.lnum + 1, d.col + 1, d.code or d.user_data.lsp.code, vim.split(d.message, '\n')[1]))
  end
end

local function client()
  return vim.lsp.get_active_clients()[1]
end

local function request(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  local _, answer = next(answers or {})
  if not answer or answer.error then
    fail(method .. ': ' .. vim.inspect(answer))
  end
  return answer.result
end

require('parlance').setup({ cmd = { vim.env.PARLANCE, 'lsp' } })
vim.cmd('edit ' .. vim.env.FILE)
say('filetype: ' .. vim.bo.filetype)
wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
show('opened')

local first = vim.diagnostic.get(0)[1]
local range = { start = { line = first.lnum, character = first.col }, ['end'] = { line = first.end_lnum, character = first.end_col } }
local actions = request('textDocument/codeAction', {
  textDocument = vim.lsp.util.make_text_document_params(),
  range = range,
  context = { diagnostics = { first.user_data.lsp and vim.tbl_extend('force', { range = range, message = first.message }, first.user_data.lsp) } },
})
for _, action in ipairs(actions) do
  if action.kind == 'quickfix' and action.edit then
    say('action: ' .. action.title)
    vim.lsp.util.apply_workspace_edit(action.edit, client().offset_encoding)
    break
  end
end
wait('the fix to clear the error', function() return #vim.diagnostic.get(0) == 0 end)
show('fixed')

local edits = request('textDocument/formatting', {
  textDocument = vim.lsp.util.make_text_document_params(),
  options = { tabSize = 2, insertSpaces = true },
})
vim.lsp.util.apply_text_edits(edits or {}, 0, client().offset_encoding)
say('formatted:')
for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
  say('  ' .. line)
end
vim.lsp.stop_client(client().id)
vim.cmd('qall!')
