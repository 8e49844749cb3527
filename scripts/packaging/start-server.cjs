// Starts the MCP server of a plugin or an extension: the launcher in the store, else the `recollect` on the PATH. Never
// fetches a package. Its text is an argument of `node -e`, because Codex does not name the folder of a plugin; agents
// expand what a dollar sign begins, so there is none. Where Recollect is missing, a server without memory says so.
const { existsSync } = require('node:fs')
const { delimiter, isAbsolute, join } = require('node:path')
const { spawn } = require('node:child_process')

const isWindows = process.platform === 'win32'
const names = isWindows ? ['recollect.cmd', 'recollect.exe'] : ['recollect']
const store = process.env.RECOLLECT_HOME || join(require('node:os').homedir(), '.recollect')
// A relative folder of the PATH would be that of the project.
const folders = [join(store, 'bin'), ...(process.env.PATH || '').split(delimiter)].filter((path) => isAbsolute(path))
const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path))
if (found) start(isWindows ? '"' + found + '"' : found, ['mcp', '--plugin'])
else serveNotice('@notice@')

function start(program, args) {
  const child = spawn(program, args, { stdio: 'inherit', shell: isWindows })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  child.on('exit', (code) => process.exit(code === null ? 1 : code))
}

function serveNotice(notice) {
  console.error(notice)
  const tool = { name: 'recollect_is_missing', description: notice, inputSchema: { type: 'object', properties: {} } }
  const answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion: protocolVersion || '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'recollect', version: '0' },
      instructions: notice,
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: [tool] }),
    'tools/call': () => ({ content: [{ type: 'text', text: notice }] }),
  }
  require('node:readline')
    .createInterface({ input: process.stdin })
    .on('line', (line) => {
      let message
      try {
        message = JSON.parse(line)
      } catch {
        return
      }
      if (message.id === undefined || message.method === undefined) return
      const answer = answers[message.method]
      const outcome = answer
        ? { result: answer(message.params || {}) }
        : { error: { code: -32601, message: 'Method not found' } }
      console.log(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...outcome }))
    })
}
