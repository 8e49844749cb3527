import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recollect } from '../program.ts'
import { claude } from './agents/claude.ts'
import { delegate, run, text } from './api.ts'
import { runClient } from './client.ts'
import { clientContract, given } from './contract.ts'
import { settled } from './ledger.ts'
import { delegated } from './protocols/anthropic.ts'
import { diskFull, ledgerCorrupt, ledgerLocked, storeDeleted } from './store-faults.ts'

clientContract(claude, [storeDeleted, ledgerLocked, ledgerCorrupt, diskFull], (stage) => {
  it('does not give the brief to a subagent', async () => {
    const { api, at } = stage
    api.says(delegate(`${delegated}, count the files.`), text('There is one.'))
    await runClient(claude, at, api.url, 'How many files are there?')
    expect(given(api)).toEqual([
      { purpose: 'main', brief: true },
      { purpose: 'subagent', brief: false },
      { purpose: 'main', brief: true },
    ])
  })

  it('is given the brief again when the conversation was compacted by hand', async () => {
    const { api, at } = stage
    api.says(text('Blue.'))
    const first = await runClient(claude, at, api.url, 'Which colour has the sea?')
    const session = (JSON.parse(first.out) as { session_id: string }).session_id
    await runClient(claude, at, api.url, '/compact', { resume: session })
    expect(given(api).map(({ purpose }) => purpose)).toEqual(['main', 'compaction'])

    api.says(text('Grey.'))
    await runClient(claude, at, api.url, 'And in winter?', { resume: session })
    expect(given(api)).toEqual([{ purpose: 'main', brief: true }])
    const asked = api.asked.at(-1)!.text
    expect(asked, 'a line about our hook').not.toMatch(/PreCompact|bin\/hook/)
    expect(asked, 'the session itself is no earlier work').not.toContain('asked: Which colour has the sea?')
    const [compacted] = (await settled(claude, at)).filter(({ id }) => id.endsWith(session))
    expect(compacted).toMatchObject({ tokens: { input: 300, output: 30, isLowerBound: false } })
  })

  it('is given the brief again when the conversation is compacted on its way', async () => {
    const { api, at } = stage
    const eager = { ...claude, env: () => ({ ...claude.env(at, api.url), CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '5' }) }
    api.says(run('echo one'), run('echo two', true), text('Done.'))
    await runClient(eager, at, api.url, 'Count to two.')
    expect(given(api).map(({ purpose }) => purpose)).toEqual(['main', 'main', 'compaction', 'main'])
    expect(given(api).at(-1)).toEqual({ purpose: 'main', brief: true })
  })

  it('accepts the plugin folder, and runs its hooks once beside its own', async () => {
    const { api, at } = stage
    expect(recollect(at, 'install', 'plugin', '--yes').status).toBe(0)
    const folder = join(at.store, 'plugin')
    for (const part of [folder, join(folder, 'recollect')]) {
      const validating = { ...claude, args: () => ['plugin', 'validate', part] }
      expect((await runClient(validating, at, api.url, '')).status).toBe(0)
    }
    api.says(text('Welcome.'))
    await runClient(claude, at, api.url, 'Hello?', { more: ['--plugin-dir', join(folder, 'recollect')] })
    expect(api.asked.at(-1)!.text.match(/<recollect-brief /g)).toHaveLength(1)
  })
})
