// Runs the built program as an agent does: a child process with the protocol on stdin and stdout.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claudeSession, lines, type Place, place, recollect, sessionName } from '../../test/program.ts'
import { type SessionScript, sessionIdOf, transcriptOf } from '../../test/transcripts.ts'
import { openDatabase } from '../core/sqlite.ts'

const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')
const short = sessionName(1)
const long = sessionName(2)
const here = sessionName(3)
const gone = sessionName(4)
/** Two sessions of Codex, which says with a call which session it is in. */
const boats = [51, 52].map(
  (number): SessionScript => ({
    agent: 'codex',
    number,
    project: 'boat',
    startedMs: Date.UTC(2026, 8, 1) + number * 3_600_000,
    steps: [
      { do: 'say', text: `paint boat ${number}` },
      { do: 'reply', text: 'Painted.' },
    ],
  }),
)
const files = {
  ...Object.fromEntries(boats.map(transcriptOf).map((file) => [file.path, file.lines])),
  [`.claude/projects/-home-dev-other/${gone}.jsonl`]: claudeSession(gone, 1, { cwd: '/home/dev/other' }),
  [`.claude/projects/-home-dev-app/${short}.jsonl`]: claudeSession(short, 2),
  [`.claude/projects/-home-dev-app/${long}.jsonl`]: claudeSession(long, 300, { padding: 100 }),
}

function environment(at: Place): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: at.home, RECOLLECT_HOME: at.store, TZ: 'UTC' }
}

async function connect(at: Place, mode: 'legacy' | 'auto' = 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp'], env: environment(at) }),
  )
  return client
}

async function call(client: Client, name: string, input: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: input })
  const [block] = content
  return { text: block?.type === 'text' ? block.text : '', isError: isError ?? false }
}

let at: Place
let client: Client
beforeAll(async () => {
  at = place(files)
  const folder = join(at.home, '.claude', 'projects')
  mkdirSync(join(folder, '-home'))
  writeFileSync(join(folder, '-home', `${here}.jsonl`), lines(claudeSession(here, 1, { cwd: at.home })))
  recollect(at, 'sweep')
  rmSync(join(folder, '-home-dev-other'), { recursive: true })
  client = await connect(at)
})
afterAll(async () => {
  await client.close()
  at.remove()
})

describe('a client', () => {
  it.each(['legacy', 'auto'] as const)('of either age of the protocol gets on (%s)', async (mode) => {
    const other = await connect(at, mode)
    expect(other.getServerVersion()).toMatchObject({ name: 'recollect', version: expect.stringMatching(/^\d+\.\d+/) })
    expect((await call(other, 'session_search', { query: 'question' })).isError).toBe(false)
    await other.close()
  })

  it('sends instructions and the schemas of the tools', async () => {
    const { tools } = await client.listTools()
    const taken = Object.fromEntries(
      tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]),
    )
    expect(taken).toMatchObject({
      memory_search: ['query', 'kind', 'tag', 'sort', 'project', 'limit'],
      memory_expand: ['id', 'around'],
      memory_get: ['ids'],
      session_search: ['query', 'limit', 'project'],
      session_get: ['session', 'from', 'limit'],
      resume: ['query', 'session', 'project', 'limit'],
    })
    expect(client.getInstructions()).toContain('evidence')
  })

  it.each([
    ["didn't we fix this before", 'recall'],
    ['what did we decide about', 'recall'],
    ['have we seen this error', 'fix'],
    ['this error again', 'fix'],
    ['where did we leave off', 'resume'],
    ["continue yesterday's session", 'resume'],
    ['remember this', 'memory_store'],
    ['forget that', 'memory_delete'],
    ['in which session', 'session_search'],
  ])('finds one tool for "%s"', async (phrase, tool) => {
    const { tools } = await client.listTools()
    expect(tools.filter(({ description }) => description!.includes(phrase)).map(({ name }) => name)).toEqual([tool])
  })
})

describe('session_search', () => {
  it('gives passages as evidence, by session, with source and date', async () => {
    const { text } = await call(client, 'session_search', {
      query: `"question" "of ${short}"`,
      project: 'app',
      limit: 2,
    })
    expect(text).toContain(
      `<recollect-evidence session="claude-code:${short}" date="2026-09-01T10:00:00.000Z" project="/home/dev/app" title="question 0 of ${short}">
[from 0] user: question 0 of ${short}
[from 4] user: question 1 of ${short}
</recollect-evidence>`,
    )
  })
  it('says so when nothing is found', async () =>
    expect(await call(client, 'session_search', { query: 'zeppelin' })).toEqual({
      text: expect.stringContaining('Nothing found'),
      isError: false,
    }))
})

describe('resume', () => {
  const resumed = (text: string) => [...text.matchAll(/^ {2}continue: (.*)$/gm)].map((match) => match[1])

  it('says where a session was left off, how old it is, and how to continue it', async () => {
    const { text } = await call(client, 'resume', { session: short.slice(0, 8) })
    expect(text).toContain(`- 2026-09-01 10:01, claude-code, branch main: question 0 of ${short} (done: the last test`)
    expect(text).toMatch(/^ {2}\d+ (?:days|months|years) ago, 2 prompts, project \S+, last prompt \S+#4$/m)
    expect(text).toContain(`asked last: question 1 of ${short}`)
    expect(resumed(text)).toEqual([`claude --resume ${short} (its folder /home/dev/app does not exist here)`])
  })
  it('gives the folder of a session that exists, and the last work in a project without words', async () => {
    const { text } = await call(client, 'resume', { project: at.home, limit: 1 })
    expect(resumed(text)).toEqual([`cd ${at.home} && claude --resume ${here}`])
  })
  it('finds sessions by words, each once, and says what matches', async () => {
    const { text } = await call(client, 'resume', { query: '"question 7" 8 9', project: 'all' })
    expect(resumed(text)).toHaveLength(1)
    expect(text).toMatch(new RegExp(`^  matches: user: question 7\\d* of ${long}$`, 'm'))
  })
  it('leaves out the session that asks, where the client names it', async () => {
    const [older, newer] = boats.map(sessionIdOf)
    const meta = { callId: 'call_1', 'x-codex-turn-metadata': { thread_id: newer!.split(':')[1] } }
    const of = async (_meta?: Record<string, unknown>) => {
      const input = { project: '/home/dev/boat', limit: 5 }
      const { content } = await client.callTool({ name: 'resume', arguments: input, ...(_meta && { _meta }) })
      return resumed(content[0]?.type === 'text' ? content[0].text : '').map((line) => line!.split(' ')[2])
    }
    expect(await of()).toEqual([newer, older].map((id) => id!.split(':')[1]))
    expect(await of(meta)).toEqual([older!.split(':')[1]])
  })
  it('restores a transcript that the agent has deleted', async () => {
    const { text } = await call(client, 'resume', { session: gone })
    expect(resumed(text)).toEqual([expect.stringMatching(/^recollect resume \S+ \(restores its transcript first\)$/)])
  })
  it('says so when nothing is found', async () => {
    const { text, isError } = await call(client, 'resume', { query: 'zeppelin', project: 'app' })
    expect({ text, isError }).toEqual({
      text: 'No session found in /home/dev/app. Try other words, or project "all".',
      isError: false,
    })
    expect(await call(client, 'resume', { session: 'zeppelin' })).toMatchObject({ isError: true })
  })
})

describe('session_get', () => {
  it('reads a session by a part of its id', async () => {
    const { text } = await call(client, 'session_get', { session: short.slice(0, 8) })
    expect(text).toContain('outcome: success: the last test run passed')
    expect(text).toContain('[4 2026-09-01 10:01] user: question 1')
    expect(text).toContain('[5 2026-09-01 10:01] agent ran Bash: npm test')
    // Of what a program printed only its form.
    expect(text).toContain('tool output, 3 tests passed, 0 failed: …')
    expect(text).not.toContain('in turn')
  })
  it('begins where a search result points to', async () => {
    const { text } = await call(client, 'session_get', { session: `claude-code:${short}#4`, limit: 1 })
    expect(text).toContain('[4 2026-09-01 10:01] user')
    expect(text).toContain('session_get with from 5')
    expect(text).not.toContain('[0 ')
  })
  it('gives a long session in parts that fit, each event once', async () => {
    const seen: number[] = []
    for (let from: number | undefined = 0; from !== undefined; ) {
      const { text }: { text: string } = await call(client, 'session_get', { session: long, from, limit: 500 })
      expect(text.length).toBeLessThan(20_000)
      seen.push(...[...text.matchAll(/^\[(\d+) /gm)].map((match) => Number(match[1])))
      const next = /session_get with from (\d+)\.$/.exec(text)?.[1]
      from = next === undefined ? undefined : Number(next)
    }
    expect(seen).toEqual(Array.from({ length: 1200 }, (_, index) => index))
  })
})

describe('invalid calls return an error, and the server continues', () => {
  it.each([
    ['no query', 'session_search', {}, 'query'],
    ['a number that is none', 'session_search', { query: 'question', limit: 'many' }, 'limit'],
    ['a name that is none', 'session_search', { query: 'question', projct: 'app' }, 'projct'],
    ['signs only', 'session_search', { query: '?!' }, 'The query has no words'],
    ['an unknown project', 'session_search', { query: 'question', project: 'pier' }, 'Known: app'],
    ['an unknown session', 'session_get', { session: 'nothing' }, 'session_search'],
    ['a part of two ids', 'session_get', { session: '1111-4111' }, 'matches 4 sessions'],
    ['a place before the first', 'session_get', { session: short, from: -1 }, 'from'],
  ])('%s', async (_, name, input, hint) => {
    expect(await call(client, name, input)).toEqual({ text: expect.stringContaining(hint), isError: true })
    expect((await call(client, 'session_search', { query: 'question' })).isError).toBe(false)
  })
})

describe('a store', () => {
  it('that is missing causes an error until it exists', async () => {
    const empty = place(files)
    const early = await connect(empty)
    expect(await call(early, 'session_search', { query: 'question' })).toEqual({
      text: expect.stringContaining('recollect sweep'),
      isError: true,
    })
    recollect(empty, 'sweep')
    expect((await call(early, 'session_search', { query: 'question' })).isError).toBe(false)
    await early.close()
    empty.remove()
  })

  it('that another process is changing causes an error, and works afterwards', async () => {
    const database = openDatabase(join(at.store, 'ledger.db'))
    const version = Number(database.sql('PRAGMA user_version').get()!.user_version)
    database.raw.exec(`PRAGMA user_version = ${version - 1}; BEGIN IMMEDIATE`)
    expect(await call(client, 'session_search', { query: 'question' })).toEqual({
      text: expect.stringContaining('Another process has locked the ledger'),
      isError: true,
    })
    database.raw.exec(`COMMIT; PRAGMA user_version = ${version}`)
    database.close()
    expect((await call(client, 'session_search', { query: 'question' })).isError).toBe(false)
  })

  it('of a newer version causes an error', async () => {
    const newer = place(files)
    recollect(newer, 'sweep')
    openDatabase(join(newer.store, 'ledger.db'), { pragmas: ['user_version = 99'] }).close()
    const late = await connect(newer)
    expect(await call(late, 'session_get', { session: short })).toEqual({
      text: expect.stringContaining('newer Recollect'),
      isError: true,
    })
    await late.close()
    newer.remove()
  })
})

describe('the process', () => {
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } },
  }

  /** Writes the lines, ends the input after `count` answers, and returns them in request order. */
  async function talk(lines: (object | string)[], answered: number) {
    const child = spawn(process.execPath, [cli, 'mcp'], { env: environment(at) })
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
      if (out.split('\n').length > answered) child.stdin.end()
    })
    for (const line of lines) child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
    const [code] = await once(child, 'close')
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { jsonrpc: string; id: number })
    return { answers: answers.sort((a, b) => a.id - b.id), code }
  }

  it('answers a method that it does not know with an error, first of all or later', async () => {
    const discover = { jsonrpc: '2.0', id: 0, method: 'server/discover', params: {} }
    const { answers } = await talk([discover, hello, { ...discover, id: 2, method: 'no/such' }], 3)
    expect(answers).toEqual([
      expect.objectContaining({ id: 0, error: expect.objectContaining({ code: -32601 }) }),
      expect.objectContaining({ id: 1, result: expect.objectContaining({ protocolVersion: '2025-11-25' }) }),
      expect.objectContaining({ id: 2, error: expect.objectContaining({ code: -32601 }) }),
    ])
  })

  it('writes nothing but the protocol, and passes over what is none', async () => {
    const { answers } = await talk(['no protocol at all', hello, { jsonrpc: '2.0', id: 2, method: 'tools/list' }], 2)
    expect(answers.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
      ['2.0', 1],
      ['2.0', 2],
    ])
  })

  it('ends when its input ends', async () => {
    expect((await talk([hello], 1)).code).toBe(0)
    const idle = spawn(process.execPath, [cli, 'mcp'], { env: environment(at) })
    idle.stdin.end()
    expect((await once(idle, 'close'))[0]).toBe(0)
  })
})

describe('the first message', () => {
  const initialize = (params: object) =>
    JSON.stringify({ jsonrpc: '2.0', id: 'first', method: 'initialize', params: { capabilities: {}, ...params } })
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 'second', method: 'ping' })
  const clientInfo = { name: 'test', version: '1' }

  it.each([
    ['an ordinary one', initialize({ protocolVersion: '2025-06-18', clientInfo }), '2025-06-18'],
    ['one with an unknown version', initialize({ protocolVersion: '1999-01-01', clientInfo }), '2025-11-25'],
  ])('is answered once: %s', async (_, message, protocolVersion) => {
    const server = spawn(process.execPath, [cli, 'mcp'], { env: environment(at), stdio: ['pipe', 'pipe', 'ignore'] })
    server.stdin.end(`${message}\n${ping}\n`)
    let out = ''
    server.stdout.on('data', (chunk) => (out += chunk))
    await once(server, 'close')
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers.map(({ id }) => id)).toEqual(['first', 'second'])
    expect(answers[0].result.protocolVersion).toBe(protocolVersion)
  })
})
