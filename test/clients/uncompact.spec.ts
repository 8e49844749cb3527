// After a compaction the model of a real client reads what the summary left out; before an automatic one, the request for
// the summary names it.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recollect } from '../program.ts'
import { waitFor } from '../wait-for.ts'
import { claude } from './agents/claude.ts'
import { codex } from './agents/codex.ts'
import { opencode } from './agents/opencode.ts'
import { type Api, run, serve, text } from './api.ts'
import { type Home, makeHome, removeHome, runClient } from './client.ts'
import { isInstalled } from './install-clients.ts'
import { sessions, settled } from './ledger.ts'

const rule = 'Never use port 443, the staging proxy listens on port 7443.'
const given = /<recollect-evidence source=\\"compaction\\"(?:(?!<\/recollect-evidence>).)*<\/recollect-evidence>/

describe.skipIf(!isInstalled('claude'))('Claude Code', () => {
  let api: Api
  let at: Home
  beforeEach(async () => {
    api = await serve(claude.protocol)
    at = makeHome(claude, api.url)
    expect(recollect(at, 'install', 'claude-code', '--yes', '--json').status).toBe(0)
  })
  afterEach(async () => {
    await removeHome(at)
    await api.close()
  })

  async function begin(answer: string): Promise<string> {
    api.says(text(answer))
    const { out } = await runClient(claude, at, api.url, rule)
    await settled(claude, at)
    return (JSON.parse(out) as { session_id: string }).session_id
  }

  it('is given the rule after /compact, and no line about our hook', async () => {
    const session = await begin('Understood.')
    await runClient(claude, at, api.url, '/compact', { resume: session })
    api.says(text('On 7443.'))
    await runClient(claude, at, api.url, 'Where does it listen?', { resume: session })
    const asked = api.asked.at(-1)!.text
    expect(asked.match(given)?.[0]).toContain(rule)
    expect(asked).not.toMatch(/PreCompact|bin\/hook/)
    await settled(claude, at)
    const captured = sessions(claude, at).join()
    expect(captured).toContain('[recalled by Recollect]')
    expect(captured).not.toMatch(given)
  })

  it('reads the rule in the request for the summary, and again after it', async () => {
    const session = await begin(`Understood. ${'The proxy was looked at. '.repeat(1000)}`)
    const prepared = join(at.store, 'run', 'compaction')
    await waitFor(() => existsSync(prepared) && readdirSync(prepared).length === 2)
    const eager = { ...claude, env: () => ({ ...claude.env(at, api.url), CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '5' }) }
    api.says(run('echo one'), run('make late-command-77', true), text('Done.'))
    await runClient(eager, at, api.url, 'Count to two.', { resume: session })
    const [summary] = api.asked.filter(({ purpose }) => purpose === 'compaction')
    expect(summary!.text.split('Additional Instructions:\\n').at(-1)!.match(given)?.[0]).toContain(rule)
    const after = api.asked.at(-1)!.text.match(given)?.[0]
    expect(after).toContain(rule)
    expect(after, 'of the turn that is not captured yet').toContain('`make late-command-77`')
  })

  it('is given nothing if the user has switched it off', async () => {
    writeFileSync(join(at.store, 'config.toml'), '[recall]\nuncompact = false\n')
    const session = await begin('Understood.')
    await runClient(claude, at, api.url, '/compact', { resume: session })
    api.says(text('I do not know.'))
    await runClient(claude, at, api.url, 'Where does it listen?', { resume: session })
    expect(api.asked.at(-1)!.text).not.toMatch(given)
  })
})

it.skipIf(!isInstalled('codex'))(
  'Codex is given the command of its turn that the summary left out, and no prompt',
  async () => {
    const api = await serve(codex.protocol)
    const at = makeHome(codex, api.url)
    try {
      expect(recollect(at, 'install', 'codex', '--yes', '--json').status).toBe(0)
      api.says(run('make early-command-66'), run('make late-command-77', true), text('Done.'))
      await runClient(codex, at, api.url, rule)
      expect(api.asked.map(({ purpose }) => purpose)).toEqual(['main', 'main', 'compaction', 'main'])
      const after = api.asked.at(-1)!.text.match(given)?.[0]
      expect(after).toContain('not in its summary')
      expect(after).toContain('`make late-command-77`')
      expect(after, 'Codex keeps prompts itself').not.toContain(rule)
    } finally {
      await removeHome(at)
      await api.close()
    }
  },
)

it.skipIf(!isInstalled('opencode'))(
  'OpenCode reads the rule in the request for the summary, and again after it',
  async () => {
    const api = await serve(opencode.protocol)
    const at = makeHome(opencode, api.url)
    try {
      expect(recollect(at, 'install', 'opencode', '--yes', '--json').status).toBe(0)
      api.says(text(`Understood. ${'The proxy was looked at. '.repeat(1000)}`))
      const { out } = await runClient(opencode, at, api.url, rule)
      const session = /"sessionID":"([^"]+)"/.exec(out)![1]!
      await settled(opencode, at)
      api.says(run('sh -c true one'), run('sh -c true two', true), text('Done.'))
      await runClient(opencode, at, api.url, 'Count to two.', { resume: session })
      const [summary] = api.asked.filter(({ purpose }) => purpose === 'compaction')
      expect(summary!.text.match(given)?.[0]).toContain(rule)
      expect(api.asked.at(-1)!.text.match(given)?.[0]).toContain(rule)
    } finally {
      await removeHome(at)
      await api.close()
    }
  },
)
