// Oh My Pi has no hooks that are used: its sessions are read by a sweep, and a new title is not a new file.
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recollect } from '../program.ts'
import { omp } from './agents/omp.ts'
import { type Api, run, serve, text } from './api.ts'
import { type Home, makeHome, removeHome, runClient } from './client.ts'
import { isInstalled } from './install-clients.ts'
import { listed } from './ledger.ts'

describe.skipIf(!isInstalled('omp'))('omp', () => {
  let api: Api
  let at: Home
  beforeAll(async () => {
    api = await serve(omp.protocol)
    at = makeHome(omp, api.url)
  })
  afterAll(async () => {
    await removeHome(at)
    await api.close()
  })
  let session = ''

  it('has its turn, tool call and tokens in the ledger', async () => {
    api.says(run('echo lighthouses'), text('They blink.'))
    expect((await runClient(omp, at, api.url, 'What do lighthouses do?')).out).toContain('They blink.')
    const [first] = listed(omp, at)
    session = first!.id
    expect(first).toMatchObject({ counts: { prompts: 1, toolCalls: 1 }, tokens: { input: 200, output: 20 } })
  })

  it('gains nothing when its title is rewritten in place', async () => {
    const { path } = recollect(at, 'show', session, '--json').json().session.transcript as { path: string }
    const content = readFileSync(path, 'utf8')
    const line = content.slice(0, 256)
    expect(JSON.parse(line)).toMatchObject({ type: 'title', title: '' })
    expect(line.at(-1)).toBe('\n')
    const renamed = line.replace('"title":""', '"title":"Lamps"').replace('"pad":"     ', '"pad":"')
    writeFileSync(path, renamed + content.slice(256))
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ events: 0 })
  })

  it('continues the session', async () => {
    api.says(text('Still.'))
    await runClient(omp, at, api.url, 'Do they still blink?', { resume: session.split(':')[1]! })
    expect(listed(omp, at)).toMatchObject([
      { id: session, counts: { prompts: 2, toolCalls: 1 }, tokens: { input: 300, output: 30 } },
    ])
  })

  it('has no record of an unknown type', () => {
    const { checks } = recollect(at, 'doctor', '--json').json() as { checks: { name: string; detail: string }[] }
    expect(checks.find(({ name }) => name === 'formats')?.detail).toBe('all record types are known')
  })
})
