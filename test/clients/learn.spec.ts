// From a prompt to a memory with the real Claude Code, twice: its program as the judge, and a fork of the session itself.
import { readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/memory/memory.ts'
import { recollect } from '../program.ts'
import { claude } from './agents/claude.ts'
import { type Answer, type Api, call, type Protocol, serve, text } from './api.ts'
import { type Client, type Home, makeHome, removeHome, runClient } from './client.ts'
import { binary, isInstalled } from './install-clients.ts'

const prompt = 'No, never use npm in this project. Always use pnpm for installs.'

describe.skipIf(!isInstalled('claude'))('a memory', () => {
  let api: Api
  let at: Home
  let user: Client
  beforeEach(async () => {
    api = await serve(judging)
    at = makeHome(claude, api.url)
    // As on the machine of anybody who has it: the worker that a hook starts finds the program.
    const PATH = `${dirname(binary('claude'))}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`
    user = { ...claude, env: (home, url) => ({ ...claude.env(home, url), PATH }) }
    expect(recollect(at, 'install', 'claude-code', '--yes').status).toBe(0)
  })
  afterEach(async () => {
    await removeHome(at)
    await api.close()
  })

  it('is made by the claude program after the turn, in the background, and the program itself leaves no session', async () => {
    allow(at, 'claude')
    api.says(text('Then pnpm it is.'))
    await runClient(user, at, api.url, prompt)
    const [memory] = await memories(at)
    expect(memory).toMatchObject({
      kind: 'preference',
      text: 'Packages are installed with pnpm, never with npm.',
      trust: 'user said',
      evidence: [{ quote: 'Always use pnpm for installs.' }],
    })
    expect(api.asked.map(({ purpose }) => purpose)).toContain('side')
    const { calls } = recollect(at, 'cost', '--judge', '--json').json() as { calls: Record<string, string>[] }
    // Others may be under way: the wiki asks, too.
    const judged = calls.filter(({ purpose }) => purpose === 'memories')
    expect(new Set(judged.map(({ provider, result }) => `${provider} ${result}`))).toEqual(new Set(['claude ok']))
    recollect(at, 'sweep')
    expect(transcripts(at)).toHaveLength(1)
    expect(recollect(at, 'sessions', '--json').json()).toHaveLength(1)
  })

  it('is written by a fork of the session, which must keep to its folder', async () => {
    allow(at, 'claude-fork')
    const outside = join(at.project, 'outside.md')
    api.says(
      text('Then pnpm it is.'),
      call(
        { name: 'Write', input: { file_path: outside, content: file } },
        { name: 'Bash', input: { command: 'touch ran' } },
      ),
      call({ name: 'Write', input: { file_path: '<staging>/use-pnpm.md', content: file } }),
      text('saved'),
    )
    await runClient(user, at, api.url, prompt)
    const [memory] = await memories(at)
    expect(memory).toMatchObject({
      kind: 'preference',
      type: 'feedback',
      text: 'Always use pnpm for installs.',
      why: 'There is one lock file.',
      trust: 'user said',
    })
    expect(readdirSync(at.project)).toEqual(['notes.txt'])
    recollect(at, 'sweep')
    expect(transcripts(at)).toHaveLength(1)
    expect(recollect(at, 'sessions', '--json').json()).toHaveLength(1)
  })
})

/** Answers the judge's questions by themselves; in a fork's answers `<staging>` is the folder it was given. */
const judging: Protocol = {
  ...claude.protocol,
  reply(answer, body, number) {
    const asked = JSON.stringify(body)
    if (claude.protocol.purpose(body) === 'side') {
      const said = asked.includes('decide what a later session on the same project') ? judged : journal
      return claude.protocol.reply(text(JSON.stringify(said)), body, number)
    }
    const staging = /Write one file per memory into ([^,]+),/.exec(asked)?.[1] ?? ''
    return claude.protocol.reply(
      JSON.parse(JSON.stringify(answer).replaceAll('<staging>', staging)) as Answer,
      body,
      number,
    )
  },
}

const judged = {
  memories: [
    {
      kind: 'preference',
      text: 'Packages are installed with pnpm, never with npm.',
      quote: 'Always use pnpm for installs.',
      message: 1,
      why: null,
      apply: null,
      status: 'settled',
      everywhere: false,
      importance: 0.8,
      tags: ['tools'],
      keywords: ['pnpm', 'npm', 'install', 'package', 'manager'],
      supersedes: null,
    },
  ],
}

const journal = {
  nothingWorthKeeping: false,
  context: 'The package manager of the project was settled.',
  keyExchanges: [],
  decisions: [{ what: 'pnpm, never npm', why: '' }],
  lessons: [],
  actionItems: [],
}

const file = `---
name: Use pnpm
description: Which package manager this project uses
type: feedback
kind: preference
---
Always use pnpm for installs.
Why: There is one lock file.
`

function allow(at: Home, judge: string): void {
  writeFileSync(join(at.store, 'config.toml'), `[models]\norder = ["${judge}", "heuristic"]\n`)
  expect(recollect(at, 'models', 'allow', judge).status).toBe(0)
}

/** As soon as there are any. */
async function memories(at: Home): Promise<Memory[]> {
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(200)) {
    const listed = recollect(at, 'memories', '--json')
    if (listed.status === 0) return listed.json() as Memory[]
  }
  return []
}

function transcripts({ home }: Home): string[] {
  const files = readdirSync(join(home, '.claude', 'projects'), { recursive: true, encoding: 'utf8' })
  return files.filter((path) => path.endsWith('.jsonl'))
}
