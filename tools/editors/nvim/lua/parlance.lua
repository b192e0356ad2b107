-- Starts the language server for Parlance's files and those of the frameworks. Neovim 0.7 and later.
local M = {}

-- The server says nothing about files that are not a framework's.
local foreign = { 'json', 'yaml', 'toml', 'sh' }

--- The folder of the nearest parlance.toml or repository above a file, else its own.
local function root_of(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  local above = folder
  while true do
    for _, marker in ipairs({ 'parlance.toml', '.git' }) do
      if vim.loop.fs_stat(above .. '/' .. marker) then
        return above
      end
    end
    local parent = vim.fn.fnamemodify(above, ':h')
    if parent == above then
      return folder
    end
    above = parent
  end
end

-- One server for a root, as vim.lsp.start of later versions has it.
local clients = {}
local function start(config, buffer)
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = buffer })
  end
  local id = clients[config.root_dir]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client(config)
    clients[config.root_dir] = id
  end
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
  return id
end

-- What later versions set by themselves: completion with CTRL-X CTRL-O, definitions with CTRL-].
local function set_functions(buffer)
  for option, value in pairs({ omnifunc = 'v:lua.vim.lsp.omnifunc', tagfunc = 'v:lua.vim.lsp.tagfunc' }) do
    if vim.bo[buffer][option] == '' then
      vim.bo[buffer][option] = value
    end
  end
end

--- Starts the server for a buffer that shows a file; a second time it changes nothing.
local function attach(buffer, options)
  local file = vim.api.nvim_buf_get_name(buffer)
  if file == '' or vim.bo[buffer].buftype ~= '' then
    return
  end
  start({
    name = 'parlance',
    cmd = options.cmd or { 'parlance', 'lsp' },
    root_dir = root_of(file),
    init_options = { cluster = options.cluster or '', set = options.set },
    on_attach = function(client, attached)
      set_functions(attached)
      if options.on_attach then
        options.on_attach(client, attached)
      end
    end,
    capabilities = options.capabilities,
  }, buffer)
end

--- `options.cmd`: the server's command line. `options.foreign_files = false`: only .parl files.
--- `options.cluster`: what the frameworks' own files run on, as `check --cluster` takes it.
--- `options.set`: values of variables that a script leaves open, as `check --set` takes them.
--- `options.on_attach(client, buffer)`: key maps and the like.
function M.setup(options)
  options = options or {}
  local types = { 'parlance' }
  if options.foreign_files ~= false then
    vim.list_extend(types, foreign)
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('parlance', { clear = true }),
    pattern = types,
    callback = function(event)
      attach(event.buf, options)
    end,
  })
  -- `nvim -c` and plugin managers call this when files are open already, whose event has passed.
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.tbl_contains(types, vim.bo[buffer].filetype) then
      attach(buffer, options)
    end
  end
end

return M
