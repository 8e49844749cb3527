// A session of one real client, continued by another: the second one asks its model with the turns of the first.
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { recollect } from '../program.ts'
import { claude } from './agents/claude.ts'
import { codex } from './agents/codex.ts'
import { copilot } from './agents/copilot.ts'
import { gemini } from './agents/gemini.ts'
import { pi } from './agents/pi.ts'
import { qwen } from './agents/qwen.ts'
import { type Api, run, serve, text } from './api.ts'
import { addSettings, type Client, type Home, makeHome, removeHome, runClient } from './client.ts'
import { isInstalled } from './install-clients.ts'
import { listed } from './ledger.ts'

const pairs: [from: Client, to: Client][] = [
  [claude, codex],
  [codex, claude],
  [claude, gemini],
  [codex, qwen],
  [claude, copilot],
  [codex, pi],
]

describe.each(pairs)('a session of $name', (from, to) => {
  const apis: Api[] = []
  let at: Home | undefined
  afterEach(async () => {
    if (at) await removeHome(at)
    for (const api of apis.splice(0)) await api.close()
  })

  it.skipIf(!isInstalled(from.name) || !isInstalled(to.name))(`is continued by ${to.name}`, async () => {
    const first = await served(from)
    at = makeHome(from, first.url)
    first.says(run('echo lighthouses blink'), text('The shell says that lighthouses blink.'))
    expect((await runClient(from, at, first.url, 'What does the shell say?')).status).toBe(0)
    const [session] = listed(from, at)
    const second = await served(to)
    addSettings(to, at, second.url)
    const { status, err, out } = recollect(at, 'handoff', session!.id, '--to', to.agent, '--json')
    expect(status, err).toBe(0)
    const { id, path } = JSON.parse(out) as { id: string; path: string }
    const written = readFileSync(path, 'utf8')

    second.says(run('echo foghorns hoot'), text('And foghorns hoot.'))
    const ran = await runClient(to, at, second.url, 'And foghorns?', { resume: id })
    expect(ran.status, ran.err).toBe(0)
    const asked = second.asked.filter(({ purpose }) => purpose === 'main')
    expect(asked).toHaveLength(2)
    for (const words of [
      `Continued from`,
      session!.id,
      'What does the shell say?',
      'echo lighthouses blink',
      'The shell says that lighthouses blink.',
      'And foghorns?',
    ])
      expect(asked[0]!.text).toContain(words)
    expect(readFileSync(path, 'utf8').startsWith(written), 'the client appends to what was written').toBe(true)

    const continued = listed(to, at).find((one) => one.id === `${to.agent}:${id}`)!
    expect(continued.counts).toEqual(expect.objectContaining({ prompts: 1, toolCalls: 1 }))
    const events = recollect(at, 'show', continued.id, '--json').json().events as { kind: string; text: string }[]
    expect(events.filter(({ kind }) => kind === 'prompt').map((event) => event.text)).toEqual(['And foghorns?'])
    expect(continued.tokens).toMatchObject({ input: 200, output: 20 })
  })

  async function served(client: Client): Promise<Api> {
    const api = await serve(client.protocol)
    apis.push(api)
    return api
  }
})
