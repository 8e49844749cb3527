// The API that a client talks to instead of its vendor's: on loopback, answers by a script, keeps every request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the model says next, what it thinks before, which it signs, and whether the conversation now fills its window. */
export type Answer = Said & { thinking?: string; full?: boolean }

type Said =
  | { kind: 'text'; text: string }
  /** The client's own shell tool. `calls` are other tools of the client in its place, several at once. */
  | { kind: 'run'; command: string; calls?: ToolCall[] }
  /** The client's own tool for edits: replaces one line of a file. So far for Claude Code and Codex. */
  | { kind: 'edit'; path: string; from: string; to: string }
  /** The client's own subagent tool. */
  | { kind: 'delegate'; prompt: string }

export interface ToolCall {
  /** Codex has tools of servers in namespaces: `namespace.name`. */
  name: string
  input: object
}

/** Why a client asks: for its conversation, for that of a subagent, for a summary of it, or for something beside it. */
export type Purpose = 'main' | 'subagent' | 'compaction' | 'side'

export interface Protocol {
  /** The paths at which a model is asked. */
  path: RegExp
  purpose(body: Body): Purpose
  /** What goes over the wire; `call` is a number that no other answer has. */
  reply(answer: Answer, body: Body, call: number): Reply
  /** Why the real service would refuse a request: protocols/rules. */
  violations(body: Body): string[]
}

/** A request as the client sent it. Read with care: its shape is the client's. */
export interface Body {
  [field: string]: unknown
}

export interface Reply {
  type: 'text/event-stream' | 'application/json'
  text: string
}

export interface Asked {
  purpose: Purpose
  /** The whole body, as JSON. */
  text: string
}

export interface Api {
  url: string
  /** Every question to the model since the last `says`. */
  asked: Asked[]
  /** When the last answer was given. */
  answeredAtMs: number
  /** The answers to the next questions of the main conversation; the last one is repeated. Forgets what was asked. */
  says(...answers: Answer[]): void
  close(): Promise<void>
}

export async function serve(protocol: Protocol): Promise<Api> {
  let script: Answer[] = [text('ready')]
  let calls = 0
  const api: Api = {
    url: '',
    asked: [],
    answeredAtMs: 0,
    says: (...answers) => {
      script = answers
      api.asked = []
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  const answerTo = (purpose: Purpose): Answer => {
    if (purpose === 'main') return script.length > 1 ? script.shift()! : script[0]!
    return text(purpose === 'compaction' ? `<summary>${summary}</summary>` : 'done')
  }
  const server = createServer(async (request, response) => {
    const sent = await read(request)
    const path = request.url ?? '/'
    // Whether the server is there, what models it has, how the client is doing.
    if (request.method !== 'POST' || !protocol.path.test(path)) return respond(response, json({}))
    const body = JSON.parse(sent) as Body
    const purpose = protocol.purpose(body)
    noteRequest(purpose, protocol.violations(body))
    api.asked.push({ purpose, text: JSON.stringify(body) })
    respond(response, protocol.reply(answerTo(purpose), { ...body, path }, ++calls))
    api.answeredAtMs = Date.now()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  api.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return api
}

/** What every API of this run was asked, and why a real one would have refused it; test/clients/setup.ts fails a test on it. */
const seen = { requests: 0, violations: [] as string[] }

function noteRequest(purpose: Purpose, violations: readonly string[]): void {
  seen.requests++
  seen.violations.push(...violations.map((violation) => `${purpose}: ${violation}`))
}

/** Number of requests since the last call, and what was wrong with them. */
export function takeSeen(): { requests: number; violations: string[] } {
  const taken = { ...seen }
  Object.assign(seen, { requests: 0, violations: [] })
  return taken
}

/** How clients ask for a summary of the conversation: Claude Code, Codex, Gemini CLI and Qwen Code, Pi, Copilot CLI. */
export const summaryRequest =
  /Your task is to create a detailed summary|Respond with TEXT ONLY|CONTEXT CHECKPOINT COMPACTION|state_snapshot|context summarization assistant|Please create a detailed summary of the conversation so far/

/** What a scripted model says then. */
export const summary = 'A made-up conversation.'

export function text(words: string): Answer {
  return { kind: 'text', text: words }
}

export function run(command: string, full = false): Answer {
  return { kind: 'run', command, full }
}

export function edit(path: string, from: string, to: string): Answer {
  return { kind: 'edit', path, from, to }
}

export function delegate(prompt: string): Answer {
  return { kind: 'delegate', prompt }
}

export function call(...calls: ToolCall[]): Answer {
  return { kind: 'run', command: '', calls }
}

/** The answer after this thought. */
export function thinking(thought: string, answer: Answer): Answer {
  return { ...answer, thinking: thought }
}

/** The text of server-sent events, one per value. */
export function events(values: object[], named = true): Reply {
  const lines = values.map((value) => {
    const name = named && 'type' in value ? `event: ${value.type}\n` : ''
    return `${name}data: ${JSON.stringify(value)}\n\n`
  })
  return { type: 'text/event-stream', text: lines.join('') }
}

export function json(value: object): Reply {
  return { type: 'application/json', text: JSON.stringify(value) }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function respond(response: ServerResponse, { type, text }: Reply): void {
  response.writeHead(200, { 'content-type': type })
  response.end(text)
}
