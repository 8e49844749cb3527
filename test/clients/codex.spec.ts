import { expect, it } from 'vitest'
import { bypassTrust, codex } from './agents/codex.ts'
import { text } from './api.ts'
import { runClient } from './client.ts'
import { clientContract, given } from './contract.ts'
import { ledgerCorrupt } from './troubles.ts'

clientContract(codex, [ledgerCorrupt], (stage) => {
  it('runs no hook that the user has not agreed to', async () => {
    const { api, at } = stage
    const careful = { ...codex, args: () => codex.args('Where were we?', {}).filter((arg) => arg !== bypassTrust) }
    api.says(text('I cannot know.'))
    const ran = await runClient(careful, at, api.url, '')
    expect(ran.status).toBe(0)
    expect(given(api)).toEqual([{ purpose: 'main', brief: false }])
  })
})
