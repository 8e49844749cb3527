// The real claude program as a judge: it gets our question and nothing else, and leaves nothing behind but its price.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { systemClock } from '../../src/core/clock.ts'
import { parseConfig } from '../../src/core/config/config.ts'
import { layoutOf } from '../../src/core/paths.ts'
import { zoneOf } from '../../src/core/units.ts'
import { ask } from '../../src/models/ask.ts'
import { setConsent } from '../../src/models/consent.ts'
import type { ModelContext, ModelResponse } from '../../src/models/context.ts'
import { modelContext } from '../../src/models/context.ts'
import { budgetState } from '../../src/models/governor.ts'
import { openLedger } from '../../src/store/ledger.ts'
import { callsSince } from '../../src/store/memories/model-calls.ts'
import { recollect } from '../program.ts'
import { claude } from './agents/claude.ts'
import { type Api, serve, text } from './api.ts'
import { type Home, makeHome, removeHome, runClient } from './client.ts'
import { binary, isInstalled } from './install-clients.ts'
import { anthropic } from './protocols/anthropic.ts'

describe.skipIf(!isInstalled('claude'))('the claude program as a judge', () => {
  let api: Api
  let plain: Home
  let at: Home
  let context: ModelContext
  let answer: ModelResponse<{ events: string[] }>
  beforeAll(async () => {
    api = await serve({ ...anthropic, purpose: () => 'main' })
    plain = homeOfSomebody(api)
    at = homeOfSomebody(api)
    expect(recollect(at, 'install', 'claude-code', '--yes').status).toBe(0)
    context = await contextIn(at, api)
    setConsent(context.ledger, context.clock, 'claude', 'allowed')
    api.says(text('Here it is:\n```json\n{"events":["Use tabs"]}\n```'))
    answer = await ask(context, {
      purpose: 'memories',
      session: 'claude-code:s1',
      system: 'You judge what is worth remembering.',
      text: `Always use tabs. My key is ${secret}`,
      schema: z.object({ events: z.array(z.string()) }),
      maxOutputTokens: 700,
    })
  })
  afterAll(async () => {
    context.ledger.close()
    await Promise.all([plain, at].map(removeHome))
    await api.close()
  })

  it('answers', () => {
    expect(answer).toEqual({
      kind: 'answered',
      value: { events: ['Use tabs'] },
      provider: 'claude',
      model: expect.stringMatching(/^claude-haiku-/),
      costUsd: expect.any(Number),
      call: expect.any(Number),
    })
  })

  it('is asked once, with our instructions, no tools, no thinking, and the text redacted', () => {
    expect(api.asked).toHaveLength(1)
    const body = JSON.parse(api.asked[0]!.text)
    expect(body).toMatchObject({ model: expect.stringMatching(/^claude-haiku-/), tools: [], max_tokens: 700 })
    expect(body.thinking).toBeUndefined()
    expect(JSON.stringify(body.system)).toContain('You judge what is worth remembering.')
    expect(JSON.stringify(body.messages)).toContain('Always use tabs. My key is [secret: github-token]')
    expect(api.asked[0]!.text).not.toContain(secret)
  })

  it('receives nothing of what the user has set up', () => {
    expect(marksIn(api.asked[0]!.text)).toEqual([])
  })

  it('fires no hook, starts no server, and leaves no transcript', () => {
    expect(tracesIn(at)).toEqual([])
    expect(spoolOf(at)).toEqual([])
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ discovered: 0, ingested: 0 })
    expect(recollect(at, 'sessions', '--json').json()).toEqual([])
  })

  it('is in the ledger of spend with its real price', () => {
    const [call, ...others] = callsSince(context.ledger, 0)
    expect(others).toEqual([])
    expect(call).toMatchObject({
      purpose: 'memories',
      session: 'claude-code:s1',
      provider: 'claude',
      model: expect.stringMatching(/^claude-haiku-/),
      inputTokens: 100,
      outputTokens: 10,
      result: 'ok',
    })
    expect(call!.costUsd).toBeGreaterThan(0)
    expect(budgetState(context)).toMatchObject({ usd: call!.costUsd, calls: 1, isUsedUp: false })
  })

  // Without this, the tests above could pass because nothing was set up.
  it('would receive and leave all of that if it were run the usual way', async () => {
    api.says(text('Hello.'))
    const ran = await runClient(claude, plain, api.url, 'Hello?')
    expect(ran.status).toBe(0)
    expect(marksIn(api.asked.map((asked) => asked.text).join('\n'))).toEqual([...marks].sort())
    expect(tracesIn(plain)).toEqual(['hook fired', 'server started', 'transcript'])
  })
})

const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

const marks = ['USER-INSTRUCTIONS', 'HOME-INSTRUCTIONS', 'A-RULE', 'A-SKILL', 'A-SUBAGENT', 'A-MEMORY']

/** A user who uses everything: instructions, rules, skills, subagents, memory, hooks, a server of tools. */
function homeOfSomebody(api: Api): Home {
  const at = makeHome(claude, api.url)
  const hook = { hooks: [{ type: 'command', command: `touch '${join(at.home, 'hook-fired')}'` }] }
  const server = { command: 'sh', args: ['-c', `touch '${join(at.home, 'server-started')}'; cat`] }
  const files: Record<string, string> = {
    'CLAUDE.md': 'HOME-INSTRUCTIONS\n',
    '.claude/CLAUDE.md': 'USER-INSTRUCTIONS\n',
    '.claude/rules/rule.md': 'A-RULE\n',
    '.claude/skills/some/SKILL.md': '---\nname: some\ndescription: A-SKILL\n---\nText\n',
    '.claude/agents/some.md': '---\nname: some\ndescription: A-SUBAGENT\n---\nText\n',
    '.claude/settings.json': JSON.stringify({
      hooks: { SessionStart: [hook], UserPromptSubmit: [hook], Stop: [hook] },
    }),
    '.claude.json': JSON.stringify({ mcpServers: { some: server } }),
    '.git/HEAD': 'ref: refs/heads/main\n',
    [`.claude/projects/${at.home.replaceAll(/[^A-Za-z0-9]/g, '-')}/memory/MEMORY.md`]: 'A-MEMORY\n',
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(at.home, path)), { recursive: true })
    writeFileSync(join(at.home, path), content)
  }
  return at
}

/** The store lies in the user's home, as it does by default, so that what lies around it could come in. */
async function contextIn(at: Home, api: Api): Promise<ModelContext> {
  return modelContext({
    ledger: openLedger(layoutOf(join(at.home, '.recollect'))),
    clock: systemClock,
    config: parseConfig('[models]\norder = ["claude", "heuristic"]\n', 'config.toml'),
    machine: {
      home: at.home,
      platform: process.platform,
      env: {
        ...claude.env(at, api.url),
        PATH: `${dirname(binary('claude'))}:/usr/local/bin:/usr/bin:/bin`,
        TMPDIR: join(at.home, 'tmp'),
        CLAUDECODE: '1',
        CLAUDE_CODE_SESSION_ID: 'of-the-session-around-us',
      },
    },
    zone: zoneOf('UTC'),
  })
}

function marksIn(asked: string): string[] {
  return marks.filter((mark) => asked.includes(mark)).sort()
}

function tracesIn({ home }: Home): string[] {
  const transcripts = readdirSync(join(home, '.claude'), { recursive: true, encoding: 'utf8' })
  return [
    ...(existsSync(join(home, 'hook-fired')) ? ['hook fired'] : []),
    ...(existsSync(join(home, 'server-started')) ? ['server started'] : []),
    ...(transcripts.some((path) => path.endsWith('.jsonl')) ? ['transcript'] : []),
  ]
}

function spoolOf({ store }: Home): string[] {
  return existsSync(join(store, 'spool')) ? readdirSync(join(store, 'spool')) : []
}
