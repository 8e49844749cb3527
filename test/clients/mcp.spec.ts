// Real clients of the protocol ask the memory: Claude Code and Codex in the course of a conversation, and the MCP inspector.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/memory/memory.ts'
import { claudeSession, lines, type Place, place, recollect, sessionName } from '../program.ts'
import { claude } from './agents/claude.ts'
import { codex } from './agents/codex.ts'
import { type Api, call, serve, text } from './api.ts'
import { type Client, type Home, makeHome, removeHome, runClient } from './client.ts'
import { binary, isInstalled } from './install-clients.ts'
import { sessions } from './ledger.ts'

const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')
const question = 'why does the lighthouse blink at night'

/** An earlier session of Claude Code in the project, and a memory that a person has said. */
function remembering(at: Place, project: string): void {
  const file = join(at.home, '.claude', 'projects', '-earlier', `${sessionName(1)}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, lines(claudeSession(sessionName(1), 1, { cwd: project, says: () => question })))
  expect(recollect(at, 'sweep').status).toBe(0)
  expect(recollect(at, 'remember', 'The lighthouse is painted in spring', '--project', project).status).toBe(0)
}

interface Connecting {
  client: Client
  /** How its model calls a tool of ours. */
  tool(name: string): string
  connect(at: Home): Promise<void> | void
  /** Whether it says with a call which session it is of. */
  tells: boolean
}

const server = (at: Home) => ({ command: process.execPath, args: [cli, 'mcp'], env: { RECOLLECT_HOME: at.store } })

const clients: Connecting[] = [
  {
    client: claude,
    tool: (name) => `mcp__recollect__${name}`,
    tells: false,
    async connect(at) {
      const { command, args, env } = server(at)
      const adding = [
        'mcp',
        'add',
        'recollect',
        '-s',
        'user',
        '-e',
        `RECOLLECT_HOME=${env.RECOLLECT_HOME}`,
        '--',
        command,
      ]
      const ran = await runClient({ ...claude, args: () => [...adding, ...args] }, at, '', '')
      expect(ran.status, ran.err).toBe(0)
    },
  },
  {
    client: codex,
    tool: (name) => `mcp__recollect.${name}`,
    tells: true,
    connect(at) {
      const { command, args, env } = server(at)
      const config = `\n[mcp_servers.recollect]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n[mcp_servers.recollect.env]\nRECOLLECT_HOME = ${JSON.stringify(env.RECOLLECT_HOME)}\n`
      appendFileSync(join(at.home, '.codex', 'config.toml'), config)
    },
  },
]

describe.each(clients)('$client.name', ({ client, tool, tells, connect }) => {
  describe.skipIf(!isInstalled(client.name))('asks', () => {
    let api: Api
    let at: Home
    beforeEach(async () => {
      api = await serve(client.protocol)
      at = makeHome(client, api.url)
      remembering(at, at.project)
      await connect(at)
    })
    afterEach(async () => {
      await removeHome(at)
      await api.close()
    })

    it('and gets the answer into its next request, which is not learned again', async () => {
      api.says(call({ name: tool('memory_search'), input: { query: 'lighthouse' } }), text('It is painted in spring.'))
      const ran = await runClient(client, at, api.url, 'What do we know?')
      expect(ran.status, ran.err).toBe(0)
      const received = api.asked.filter(({ purpose }) => purpose === 'main').at(-1)!.text
      expect(received).toContain('user said')
      expect(received).toContain('The lighthouse is painted in spring')
      expect(received).toContain(`claude-code:${sessionName(1)}#0`)
      expect(received).toContain(question)
      recollect(at, 'sweep')
      const captured = sessions(client, at).find((session) => session.includes('What do we know?'))!
      expect(captured).toContain('It is painted in spring.')
      expect(captured).toContain('[recalled by Recollect]')
      expect(captured).not.toContain(question)
    })

    it('to remember, and it is kept as its word for the project it works in', async () => {
      const said = 'The lamp is changed every autumn because the salt eats it'
      api.says(call({ name: tool('memory_store'), input: { text: said, kind: 'operational' } }), text('Kept.'))
      const ran = await runClient(client, at, api.url, 'Keep that.')
      expect(ran.status, ran.err).toBe(0)
      const all = recollect(at, 'memories', '--json').json() as Memory[]
      const kept = all.find((memory) => memory.text === said)
      expect(kept).toMatchObject({ trust: 'agent said', kind: 'operational', project: at.project })
      expect(api.asked.at(-1)!.text).toContain(kept!.id)
      recollect(at, 'sweep')
      expect(kept!.evidence).toEqual([
        { session: tells ? own(client, at) : null, event: tells ? 'call_1' : null, quote: said },
      ])
    })
  })
})

/** The session that the client has left. */
function own({ agent }: Client, at: Home): string {
  return (recollect(at, 'sessions', '--agent', agent, '--json').json() as { id: string }[])[0]!.id
}

describe.skipIf(!isInstalled('inspector'))('the inspector', () => {
  let at: Place
  beforeEach(() => {
    at = place()
    remembering(at, '/home/dev/app')
  })
  afterEach(() => at.remove())

  function inspect(target: string[], ...question: string[]) {
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: at.home, TZ: 'UTC' }
    const asked = spawnSync(binary('inspector'), ['--cli', ...target, ...question], {
      env,
      encoding: 'utf8',
      cwd: at.home,
    })
    expect(asked.status, asked.stderr).toBe(0)
    return JSON.parse(asked.stdout) as Record<string, unknown>
  }

  const ways = [
    ['--method', 'tools/call', '--tool-name', 'memory_search', '--tool-arg', 'query=lighthouse', 'project=all'],
    ['--method', 'tools/call', '--tool-name', 'memory_list', '--tool-arg', 'project=all'],
    ['--method', 'resources/read', '--uri', 'recollect://memories'],
  ]

  it('lists and calls over stdio', () => {
    const target = [process.execPath, cli, 'mcp', '-e', `RECOLLECT_HOME=${at.store}`]
    expect(JSON.stringify(inspect(target, '--method', 'tools/list').tools)).toContain('"name":"resume"')
    expect((inspect(target, '--method', 'prompts/list').prompts as unknown[]).length).toBe(2)
    for (const way of ways) expect(JSON.stringify(inspect(target, ...way))).toContain('painted in spring')
  })

  it('lists and calls over http', async () => {
    const env = { PATH: process.env.PATH ?? '', HOME: at.home, RECOLLECT_HOME: at.store, TZ: 'UTC' }
    const child = spawn(process.execPath, [cli, 'mcp', '--http', '--port', '0'], { env })
    let said = ''
    for await (const chunk of child.stderr) {
      said += chunk
      if (/Bearer/.test(said)) break
    }
    const url = /http:\/\/\S+\/mcp/.exec(said)![0]
    const token = readFileSync(join(at.store, 'run', 'mcp-token'), 'utf8').trim()
    const target = [url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`]
    expect(JSON.stringify(inspect(target, '--method', 'tools/list').tools)).toContain('"name":"resume"')
    for (const way of ways) expect(JSON.stringify(inspect(target, ...way))).toContain('painted in spring')
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0]).toBe(0)
  })
})
