// `recollect install --mcp` with the real clients: each lists the server, offers its tools to the model, and is as it was after uninstall.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claudeSession, lines, recollect, sessionName } from '../program.ts'
import { claude } from './agents/claude.ts'
import { codex } from './agents/codex.ts'
import { copilot } from './agents/copilot.ts'
import { droid } from './agents/droid.ts'
import { gemini } from './agents/gemini.ts'
import { grok } from './agents/grok.ts'
import { kilo } from './agents/kilo.ts'
import { kimi } from './agents/kimi.ts'
import { opencode } from './agents/opencode.ts'
import { qwen } from './agents/qwen.ts'
import { type Api, call, serve, text } from './api.ts'
import { type Client, type Home, makeHome, removeHome, runClient } from './client.ts'
import { isInstalled } from './install-clients.ts'

interface Registration {
  client: Client
  /** The command of the client that lists servers; Kimi Code has none. */
  list?: string[]
  /** What it says about ours. */
  listed?: RegExp
  /**
   * What a request to the model says about our tools: their names, or a server whose
   * tools it can load. `droid exec` 0.225 did not send them. */
  offered?: string
  file: string
  /** The name by which the scripted model calls the tool recall; only where a call is tried. */
  called?: string
}

const registrations: Registration[] = [
  {
    client: claude,
    list: ['mcp', 'list'],
    listed: /^recollect: .*bin\/recollect mcp - .*Connected/m,
    offered: 'mcp__recollect__recall',
    file: '.claude.json',
    called: 'mcp__recollect__recall',
  },
  {
    client: codex,
    list: ['mcp', 'list'],
    listed: /^recollect +\S+bin\/recollect +mcp .*enabled/m,
    offered: '- recollect: Recollect keeps the sessions',
    file: '.codex/config.toml',
    called: 'mcp__recollect.recall',
  },
  {
    client: gemini,
    list: ['mcp', 'list'],
    listed: /recollect: .*bin\/recollect mcp \(stdio\) - Connected/,
    offered: 'mcp_recollect_recall',
    file: '.gemini/settings.json',
  },
  {
    client: qwen,
    list: ['mcp', 'list'],
    listed: /recollect: .*bin\/recollect mcp \(stdio\) - Connected/,
    offered: 'mcp__recollect__recall',
    file: '.qwen/settings.json',
  },
  {
    client: copilot,
    list: ['mcp', 'list'],
    listed: /recollect \(local\)/,
    offered: 'recollect-recall',
    file: '.copilot/mcp-config.json',
  },
  {
    client: opencode,
    list: ['mcp', 'list'],
    listed: /recollect.*connected/,
    offered: 'recollect_recall',
    file: '.config/opencode/opencode.json',
  },
  {
    client: kilo,
    list: ['mcp', 'list'],
    listed: /recollect.*connected/,
    offered: 'recollect_recall',
    file: '.config/kilo/kilo.json',
  },
  { client: grok, list: ['mcp', 'list'], listed: /recollect/, offered: '- recollect (', file: '.grok/config.toml' },
  {
    client: droid,
    list: ['mcp', 'list'],
    listed: /recollect +stdio +connected/,
    file: '.factory/mcp.json',
  },
  { client: kimi, offered: 'mcp__recollect__recall', file: '.kimi-code/mcp.json' },
]

const question = 'why does the lighthouse blink at night'

describe.each(registrations)('$client.name', ({ client, list, listed, offered, file, called }) => {
  describe.skipIf(!isInstalled(client.name))('with the MCP server registered', () => {
    let api: Api
    let at: Home
    let before: string | undefined
    const content = () => (existsSync(join(at.home, file)) ? readFileSync(join(at.home, file), 'utf8') : undefined)

    beforeEach(async () => {
      api = await serve(client.protocol)
      at = makeHome(client, api.url)
      // An earlier session of Claude Code in the project.
      const transcript = join(at.home, '.claude', 'projects', '-earlier', `${sessionName(1)}.jsonl`)
      mkdirSync(dirname(transcript), { recursive: true })
      writeFileSync(transcript, lines(claudeSession(sessionName(1), 1, { cwd: at.project, says: () => question })))
      expect(recollect(at, 'sweep').status).toBe(0)
      before = content()
      const { mcp } = recollect(at, 'install', client.agent, '--mcp', '--yes', '--json').json()
      expect(mcp).toMatchObject([{ agent: client.agent, state: 'registered', isVerified: true }])
    })
    afterEach(async () => {
      await removeHome(at)
      await api.close()
    })

    it.skipIf(!list)('lists it', async () => {
      const ran = await runClient({ ...client, args: () => list! }, at, api.url, '')
      expect(`${ran.out}\n${ran.err}`.replaceAll(/\u001b\[\d*m/g, '')).toMatch(listed!)
    })

    it.skipIf(!offered)('offers its tools to the model', async () => {
      api.says(text('Hello.'))
      const ran = await runClient(client, at, api.url, 'Say hello.')
      expect(ran.status, ran.err).toBe(0)
      expect(api.asked.some((request) => request.text.includes(offered!))).toBe(true)
      // Also from a file that the client has rewritten since.
      expect(recollect(at, 'uninstall', client.agent, '--yes').status).toBe(0)
      expect(content() ?? '').not.toContain('bin/recollect')
    })

    it.skipIf(!called)('has recall answer into its next request', async () => {
      api.says(call({ name: called!, input: { question: `${question}?` } }), text('It blinks.'))
      const ran = await runClient(client, at, api.url, 'Did we talk about the lighthouse?')
      expect(ran.status, ran.err).toBe(0)
      const received = api.asked.filter(({ purpose }) => purpose === 'main').at(-1)!.text
      expect(received).toContain('recollect-evidence question=')
      expect(received).toContain(`claude-code ${sessionName(1).slice(0, 13)}#0]`)
    })

    it('gets its file back with uninstall', () => {
      expect(recollect(at, 'uninstall', client.agent, '--yes').status).toBe(0)
      expect(content()).toBe(before)
    })
  })
})
