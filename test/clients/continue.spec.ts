// The command line of Continue has no hooks of its own, so a sweep reads what it has written.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recollect } from '../program.ts'
import { config, continueDev } from './agents/continue.ts'
import { type Api, run, serve, text } from './api.ts'
import { type Home, makeHome, removeHome, runClient } from './client.ts'
import { isInstalled } from './install-clients.ts'
import { listed, sessions } from './ledger.ts'

/** Of each scripted answer. */
const times = (calls: number) => ({ input: 100 * calls, output: 10 * calls })

describe.skipIf(!isInstalled('continue'))('continue', () => {
  let api: Api
  let at: Home
  beforeAll(async () => {
    api = await serve(continueDev.protocol)
    at = makeHome(continueDev, api.url)
  })
  afterAll(async () => {
    await removeHome(at)
    await api.close()
  })

  async function ask(prompt: string, resume?: string): Promise<void> {
    const ran = await runClient(continueDev, at, api.url, prompt, { resume })
    expect(ran.status, ran.err).toBe(0)
  }

  it('has its turn with the call and its tokens in the ledger', async () => {
    api.says(run('echo lighthouses'), text('They blink.'))
    await ask('What do lighthouses do?')
    expect(listed(continueDev, at)).toMatchObject([{ counts: { prompts: 1, toolCalls: 1 }, tokens: times(2) }])
  })

  it('has a resumed session once', async () => {
    api.says(text('Still.'))
    await ask('Do they still blink?', 'latest')
    expect(listed(continueDev, at)).toMatchObject([{ counts: { prompts: 2, toolCalls: 1 }, tokens: times(3) }])
  })

  it('keeps what a compaction drops from the file, and counts its tokens', async () => {
    writeFileSync(join(at.home, '.continue', 'config.yaml'), config(api.url, 4000))
    api.says(text('A summary of lighthouses.'), text('Even now.'))
    await ask(`And at night? ${'Really? '.repeat(1000)}`, 'latest')
    const both = listed(continueDev, at)
    const after = both.find(({ id }) => id.includes('/'))!
    const before = both.find(({ id }) => after.id.startsWith(`${id}/`))!
    expect(before).toMatchObject({ counts: { prompts: 2, toolCalls: 1 } })
    expect(sessions(continueDev, at).filter((session) => session.includes('A summary of lighthouses.'))).toHaveLength(1)
    const spent = before.tokens.input + after.tokens.input
    expect(spent).toBe(100 * (3 + api.asked.length))
  })

  it('does not run the hooks of Claude Code without a terminal', async () => {
    mkdirSync(join(at.home, '.claude'))
    expect(recollect(at, 'install', 'claude-code', '--yes', '--json').status).toBe(0)
    api.says(run('echo lighthouses'), text('Yes.'))
    await ask('Is it a new day?')
    expect(api.asked.some((request) => request.text.includes('recollect-brief'))).toBe(false)
    expect(readdirSync(join(at.store, 'spool'))).toEqual([])
  })

  it('has no record of an unknown type', () => {
    const { checks } = recollect(at, 'doctor', '--json').json() as { checks: { name: string; detail: string }[] }
    expect(checks.find(({ name }) => name === 'formats')?.detail).toBe('all record types are known')
  })
})
