// A model by script, behind every provider: a server on loopback that speaks its protocol, or a program called claude.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, fixedClock } from '../../src/core/clock.ts'
import { parseConfig } from '../../src/core/config/config.ts'
import { layoutOf } from '../../src/core/paths.ts'
import { zoneOf } from '../../src/core/units.ts'
import type { ModelContext, ProviderName } from '../../src/models/context.ts'
import { modelContext } from '../../src/models/context.ts'
import { openLedger } from '../../src/store/ledger.ts'

/** What happens to the next question; the last one is repeated. */
export type Act =
  /** The model writes this. */
  | { kind: 'says'; text: string }
  | { kind: 'status'; status: number }
  /** What comes back is not what the protocol promises. */
  | { kind: 'garbage'; text: string }
  | { kind: 'silence' }
  /** The connection is refused; only the claude program reports it by itself. */
  | { kind: 'no connection' }
  | { kind: 'flood' }
  | { kind: 'cut off' }
  /** Everything is said, and then it breaks, or never ends. */
  | { kind: 'breaks after'; text: string }
  | { kind: 'hangs after'; text: string }

export interface Model {
  script(...acts: Act[]): void
  /** Every question as it arrived. */
  asked: string[]
  /** How many bytes of a flood were taken. */
  taken(): number
  /** How many questions were open at the same time, at most. */
  maxAtOnce(): number
  /** What the machine and the configuration have to say for the provider to be found. */
  env: Record<string, string>
  config: string
  close(): Promise<void>
}

export const says = (text: string): Act => ({ kind: 'says', text })
export const status = (code: number): Act => ({ kind: 'status', status: code })

export async function modelOf(provider: ProviderName): Promise<Model> {
  return provider === 'claude' ? claudeProgram() : server(protocols[provider])
}

export interface Place {
  context: ModelContext
  pausesMs: number[]
  root: string
  remove(): void
}

/** A ledger and a machine on which nothing is installed but what is given. */
export async function place(
  models: Model[],
  options: { config?: string; order?: string; env?: Record<string, string>; clock?: Clock } = {},
): Promise<Place> {
  const root = mkdtempSync(join(tmpdir(), 'recollect-models-'))
  const order = options.order ? `order = ${options.order}\n` : ''
  const config = `[models]\n${order}${models.map((model) => model.config).join('')}${options.config ?? ''}`
  const env = Object.assign({ PATH: '', OLLAMA_HOST: '127.0.0.1:9' }, ...models.map((model) => model.env), options.env)
  const ledger = openLedger(layoutOf(join(root, 'store')))
  const pausesMs: number[] = []
  const context = await modelContext({
    ledger,
    clock: options.clock ?? fixedClock('2026-09-01T12:00:00Z'),
    config: parseConfig(config, 'config.toml'),
    // With the name that programs have elsewhere, one that is installed on this very machine is not found.
    machine: { home: join(root, 'home'), env, platform: env.SCRIPTED ? process.platform : 'win32' },
    zone: zoneOf('UTC'),
  })
  return {
    context: { ...context, sleep: async (ms) => void pausesMs.push(ms) },
    pausesMs,
    root,
    remove() {
      ledger.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

interface Protocol {
  path: string
  /** The body of a good response in which the model writes this text. */
  envelope(text: string): object
  settings(url: string): Pick<Model, 'env' | 'config'>
}

const protocols: Record<Exclude<ProviderName, 'claude'>, Protocol> = {
  anthropic: {
    path: '/v1/messages',
    envelope: (text) => ({
      type: 'message',
      model: 'claude-haiku-4-5',
      content: [isJson(text) ? { type: 'tool_use', name: 'answer', input: JSON.parse(text) } : { type: 'text', text }],
      usage: { input_tokens: 1000, output_tokens: 100 },
    }),
    settings: (url) => ({ env: { ANTHROPIC_BASE_URL: `${url}/`, ANTHROPIC_API_KEY: 'made-up' }, config: '' }),
  },
  openai: {
    path: '/v1/chat/completions',
    envelope: (text) => ({
      model: 'local-model',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1000, completion_tokens: 100 },
    }),
    settings: (url) => ({ env: {}, config: `openai_url = "${url}/v1"\nopenai = "local-model"\n` }),
  },
  ollama: {
    path: '/api/chat',
    envelope: (text) => ({
      model: 'qwen2.5:3b',
      message: { role: 'assistant', content: text },
      done: true,
      prompt_eval_count: 1000,
      eval_count: 100,
    }),
    settings: (url) => ({ env: { OLLAMA_HOST: url }, config: '' }),
  },
}

async function server(protocol: Protocol): Promise<Model> {
  let acts: Act[] = [says('{}')]
  let taken = 0
  let open = 0
  let max = 0
  const asked: string[] = []
  const http = createServer(async (request, response) => {
    const body = await bodyOf(request)
    if (request.url === '/api/tags')
      return json(response, { models: [{ name: 'llama3.2:3b' }, { name: 'qwen2.5:3b' }] })
    if (request.url !== protocol.path) return void response.writeHead(404).end()
    asked.push(body)
    max = Math.max(max, ++open)
    response.on('close', () => open--)
    const act = acts.length > 1 ? acts.shift()! : acts[0]!
    perform(act, protocol, response, (bytes) => {
      taken += bytes
    })
  })
  const url = await listen(http)
  return {
    script: (...next) => {
      acts = next
    },
    asked,
    taken: () => taken,
    maxAtOnce: () => max,
    ...protocol.settings(url),
    close: () => {
      http.closeAllConnections()
      return new Promise((resolve) => http.close(() => resolve()))
    },
  }
}

function perform(act: Act, { envelope }: Protocol, response: ServerResponse, onTaken: (bytes: number) => void): void {
  switch (act.kind) {
    case 'says':
      // Models are slow: calls that do not wait for each other overlap here.
      return void setTimeout(() => json(response, envelope(act.text)), 20)
    case 'status':
      return json(response, { error: { message: 'scripted' } }, act.status)
    case 'garbage':
      return void response.writeHead(200).end(act.text)
    case 'silence':
      return
    case 'no connection':
      return void response.destroy()
    case 'flood':
      return void flood(response, onTaken)
    case 'cut off': {
      const text = JSON.stringify(envelope('{"colour":"blue"}'))
      response.writeHead(200, { 'content-length': text.length })
      return void response.write(text.slice(0, text.length / 2), () => response.destroy())
    }
    case 'breaks after':
      response.writeHead(200)
      return void response.write(JSON.stringify(envelope(act.text)), () => response.destroy())
    case 'hangs after':
      return void response.writeHead(200).write(JSON.stringify(envelope(act.text)))
    default:
      return act satisfies never
  }
}

const floodBytes = 10 * 1024 * 1024

async function flood(response: ServerResponse, onTaken: (bytes: number) => void): Promise<void> {
  const piece = Buffer.alloc(64 * 1024, 'x')
  response.writeHead(200)
  const gone = new Promise<boolean>((resolve) => response.once('close', () => resolve(false)))
  for (let sent = 0; sent < floodBytes; sent += piece.length) {
    const written = new Promise<boolean>((resolve) => response.write(piece, (error) => resolve(!error)))
    if (!(await Promise.race([written, gone]))) return
    onTaken(piece.length)
  }
  response.end()
}

/** A program that does by script what the claude program does, and writes down how it was called. */
function claudeProgram(): Model {
  const root = mkdtempSync(join(tmpdir(), 'recollect-claude-'))
  const folder = join(root, 'bin')
  mkdirSync(folder)
  writeFileSync(join(folder, 'claude'), `#!${process.execPath}\n${source}`)
  chmodSync(join(folder, 'claude'), 0o755)
  const path = (name: string) => join(root, name)
  writeFileSync(path('asked'), '')
  return {
    script: (...acts) => writeFileSync(path('script'), JSON.stringify(acts)),
    get asked() {
      return readFileSync(path('asked'), 'utf8').split('\n').filter(Boolean)
    },
    taken: () => 0,
    maxAtOnce: () => 1,
    env: { PATH: folder, SCRIPTED: root },
    config: '',
    close: async () => rmSync(root, { recursive: true, force: true }),
  }
}

const source = `
const { readFileSync, writeFileSync, appendFileSync } = require('node:fs')
const { spawn } = require('node:child_process')
const root = process.env.SCRIPTED
if (process.argv.includes('--fork-session')) return void fork()
if (process.argv[2] === 'auth') {
  const loggedIn = !require('node:fs').existsSync(root + '/signed-out')
  process.exitCode = loggedIn ? 0 : 1
  return void process.stdout.write(JSON.stringify({ loggedIn, authMethod: loggedIn ? 'claude.ai' : 'none' }))
}
const input = readFileSync(0, 'utf8')
appendFileSync(root + '/asked', JSON.stringify({ args: process.argv.slice(2), input, cwd: process.cwd(), env: process.env }) + '\\n')
const acts = JSON.parse(readFileSync(root + '/script', 'utf8'))
const act = acts[0]
if (acts.length > 1) writeFileSync(root + '/script', JSON.stringify(acts.slice(1)))
const result = (more) => JSON.stringify({
  type: 'result', subtype: 'success', is_error: false, api_error_status: null, total_cost_usd: 0.00125,
  usage: { input_tokens: 1000, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 50 },
  modelUsage: { 'claude-haiku-4-5-20251001': { inputTokens: 1000 } }, ...more,
})
const stay = () => setInterval(() => {}, 1000)
switch (act.kind) {
  case 'says': process.stdout.write(result({ result: act.text })); break
  case 'status':
    process.stdout.write(result({ is_error: true, api_error_status: act.status, total_cost_usd: 0, usage: {}, modelUsage: {}, result: 'API Error: ' + act.status + ' scripted' }))
    process.exitCode = 1
    break
  case 'garbage': process.stdout.write(act.text); break
  case 'no connection':
    process.stdout.write(result({ is_error: true, total_cost_usd: 0, usage: {}, modelUsage: {}, result: 'API Error: Connection error.' }))
    process.exitCode = 1
    break
  case 'silence': {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    writeFileSync(root + '/pids', process.pid + ' ' + child.pid)
    stay()
    break
  }
  case 'flood': process.stdout.write('x'.repeat(10 * 1024 * 1024)); break
  case 'cut off': process.stdout.write(result({ result: '{"colour":"blue"}' }).slice(0, 60), () => process.kill(process.pid, 'SIGKILL')); break
  case 'breaks after':
    process.stdout.write(result({ result: act.text }), () => { process.stderr.write('Error: socket closed'); process.exit(1) })
    break
  case 'hangs after': process.stdout.write(result({ result: act.text })); stay(); break
  case 'dies': process.stderr.write('Segmentation fault'); process.exitCode = 1; break
  case 'old': process.stderr.write("error: unknown option '--tools'\\n"); process.exitCode = 1; break
  case 'result': process.stdout.write(result(act.more)); process.exitCode = 1; break
}

// A forked session: what the model says becomes a file, an error ends it. It first tries a tool that it may not use.
async function fork() {
  const lines = require('node:readline').createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const told = async () => JSON.parse((await lines.next()).value)
  const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
  await told()
  const prompt = (await told()).message.content
  const acts = JSON.parse(readFileSync(root + '/script', 'utf8'))
  const act = acts[0]
  if (acts.length > 1) writeFileSync(root + '/script', JSON.stringify(acts.slice(1)))
  appendFileSync(root + '/asked', JSON.stringify({ args: process.argv.slice(2), input: prompt }) + '\\n')
  const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 80, cache_creation_input_tokens: 10 }
  say({ type: 'assistant', message: { id: 'm1', model: 'claude-opus-4-6', usage } })
  say({ type: 'control_request', request_id: 'r1', request: { subtype: 'can_use_tool', tool_name: 'WebFetch', input: { url: 'https://example.com' } } })
  await told()
  if (act.kind === 'says') writeFileSync(/per memory into ([^,]+),/.exec(prompt)[1] + '/pnpm.md', act.text)
  const isError = act.kind !== 'says'
  say({ type: 'result', subtype: 'success', is_error: isError, num_turns: 2, result: isError ? 'API Error: ' + act.status + ' scripted' : '', usage })
  process.stdin.destroy()
}
`

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function json(response: ServerResponse, value: object, code = 200): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

async function listen(http: Server): Promise<string> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

/** A process that has ended but whose parent has not looked is not alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
