import { expect, it } from 'vitest'
import { bypassTrust, codex } from './agents/codex.ts'
import { delegate, text } from './api.ts'
import { runClient } from './client.ts'
import { clientContract, given } from './contract.ts'
import { ledgerCorrupt } from './store-faults.ts'

clientContract(codex, [ledgerCorrupt], (stage) => {
  it('does not give the brief to a subagent', async () => {
    const { api, at } = stage
    api.says(delegate('Count the files.'), text('There is one.'))
    await runClient(codex, at, api.url, 'How many files?', { more: ['-c', 'features.multi_agent_v2=true'] })
    expect(given(api)).toContainEqual({ purpose: 'subagent', brief: false })
    expect(given(api)).not.toContainEqual({ purpose: 'subagent', brief: true })
    expect(given(api)[0]).toEqual({ purpose: 'main', brief: true })
  })

  it('runs no hook that the user has not agreed to', async () => {
    const { api, at } = stage
    const careful = { ...codex, args: () => codex.args('Where were we?', {}).filter((arg) => arg !== bypassTrust) }
    api.says(text('I cannot know.'))
    const ran = await runClient(careful, at, api.url, '')
    expect(ran.status).toBe(0)
    expect(given(api)).toEqual([{ purpose: 'main', brief: false }])
  })
})
