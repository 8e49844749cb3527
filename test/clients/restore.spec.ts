// A real client continues a session whose transcript was deleted and restored.
import { readFileSync, rmSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { recollect } from '../program.ts'
import { claude } from './agents/claude.ts'
import { codex } from './agents/codex.ts'
import { copilot } from './agents/copilot.ts'
import { omp } from './agents/omp.ts'
import { pi } from './agents/pi.ts'
import { qwen } from './agents/qwen.ts'
import { type Api, run, serve, text } from './api.ts'
import { type Home, makeHome, removeHome, runClient } from './client.ts'
import { isInstalled } from './install-clients.ts'
import { listed } from './ledger.ts'

describe.each([claude, codex, qwen, copilot, pi, omp])('a restored session of $name', (client) => {
  let api: Api | undefined
  let at: Home | undefined
  afterEach(async () => {
    if (at) await removeHome(at)
    await api?.close()
  })

  it.skipIf(!isInstalled(client.name))('is continued with its turns', async () => {
    api = await serve(client.protocol)
    at = makeHome(client, api.url)
    api.says(run('echo lighthouses blink'), text('The shell says that lighthouses blink.'))
    expect((await runClient(client, at, api.url, 'What does the shell say?')).status).toBe(0)
    const [session] = listed(client, at)
    const { path } = recollect(at, 'show', session!.id, '--json').json().session.transcript as { path: string }
    const original = readFileSync(path)
    rmSync(path)
    const restored = recollect(at, 'restore', session!.id, '--json')
    expect(restored.status, restored.err).toBe(0)
    expect(restored.json()).toMatchObject({ path, missing: 0 })
    expect(readFileSync(path).equals(original)).toBe(true)

    api.says(text('And foghorns hoot.'))
    const id = session!.id.slice(session!.id.indexOf(':') + 1)
    const ran = await runClient(client, at, api.url, 'And foghorns?', { resume: id })
    expect(ran.status, ran.err).toBe(0)
    const asked = api.asked.filter(({ purpose }) => purpose === 'main').at(-1)!
    for (const words of [
      'What does the shell say?',
      'echo lighthouses blink',
      'The shell says that lighthouses blink.',
      'And foghorns?',
    ])
      expect(asked.text).toContain(words)
    const prompts = listed(client, at).map(({ counts }) => counts.prompts)
    expect(prompts.reduce((sum, one) => sum + one, 0)).toBe(2)
  })
})
