// Real clients continue long sessions with everything in them: their own, restored ones, and those of other clients. Each
// request is checked by the rules of its API, and the numbers are printed.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recollect } from '../program.ts'
import { claude } from './agents/claude.ts'
import { codex } from './agents/codex.ts'
import { copilot } from './agents/copilot.ts'
import { gemini } from './agents/gemini.ts'
import { pi } from './agents/pi.ts'
import { qwen } from './agents/qwen.ts'
import { type Answer, type Api, run, serve, summary, takeSeen, text } from './api.ts'
import { addSettings, type Client, type Home, makeHome, removeHome, runClient } from './client.ts'
import { eventfulClients, longTurn, secret, writePictures } from './eventful.ts'
import { isInstalled } from './install-clients.ts'
import { listed } from './ledger.ts'

const targets = [claude, codex, gemini, qwen, copilot, pi]
/** What was said before a compaction. */
const said = [
  'Look at the pictures.',
  'The screen shows that lighthouses blink.',
  'And foghorns?',
  'And foghorns hoot.',
  'And gulls?',
  'And gulls cry.',
  'Look around.',
]
const table: string[] = []
afterAll(() => console.log(table.join('\n')))

describe.each(eventfulClients)('a long session of $name', (eventful) => {
  const { name, client, compact, isRestored, more = [] } = eventful
  let api: Api
  let at: Home
  let id: string
  beforeAll(async () => {
    if (!isInstalled(client.name)) return
    takeSeen()
    api = await serve(client.protocol)
    at = makeHome(client, api.url)
    writePictures(at)
  })
  afterAll(async () => {
    if (at) await removeHome(at)
    await api?.close()
  })

  it.skipIf(!isInstalled(client.name))('is valid while it is recorded, and resumed', async () => {
    await ask(longTurn(eventful, at), `Look at the pictures. The token is ${secret}.`)
    const session = listed(client, at).find(({ counts }) => counts.toolCalls > 100)!
    id = session.id.slice(session.id.indexOf(':') + 1)
    expect(session.counts.toolCalls).toBeGreaterThan(250)
    noteChecked('recorded')
    await ask([run('echo foghorns hoot'), text('And foghorns hoot.')], 'And foghorns?', id)
    noteChecked('resumed')
  })

  it.skipIf(!isInstalled(client.name) || !isRestored)('is valid when it is restored', () => restoreAndAsk('restored'))

  /** A session that cannot be restored is handed over to the client that it comes from. */
  const others = targets.filter(({ name, agent }) => isInstalled(name) && (agent !== client.agent || !isRestored))
  it.skipIf(!isInstalled(client.name)).each(others)('is valid when it is handed over to $name', async (to) => {
    await handOverAndAsk(to, 'handed over', ['lighthouses blink', 'foghorns hoot'])
  })

  it.skipIf(!isInstalled(client.name) || !compact)(
    'is valid after a compaction',
    async () => {
      if ('prompt' in compact!) await ask([text('Done.')], compact.prompt, id)
      else await ask(compact!.answers, 'Look around.', id)
      noteChecked('compacted')
      recollect(at, 'sweep')
      const { events } = recollect(at, 'show', id, '--json').json() as { events: { kind: string }[] }
      expect(events.length).toBeGreaterThan(500)
      expect(events.map(({ kind }) => kind)).toContain('compaction')
      const handed: string[] = []
      for (const to of others) handed.push(await handOverAndAsk(to, 'compacted, handed over', [summary]))

      await ask([text('It is grey.')], 'Which colour has the sea?', id)
      const own = api.asked.find(({ purpose }) => purpose === 'main')!.text
      const kept = said.filter((words) => own.includes(words))
      noteChecked('compacted, resumed', api, `keeps ${kept.length} of ${said.length} messages`)
      for (const text of handed)
        expect(said.filter((words) => text.includes(words))).toEqual(expect.arrayContaining(kept))
      if (isRestored) await restoreAndAsk('compacted, restored')
    },
    600_000,
  )

  async function ask(answers: Answer[], prompt: string, resume?: string): Promise<void> {
    api.says(...answers)
    const ran = await runClient(client, at, api.url, prompt, { ...(resume ? { resume } : {}), more })
    expect(ran.status, ran.err + ran.out).toBe(0)
  }

  async function restoreAndAsk(scenario: string): Promise<void> {
    recollect(at, 'sweep')
    const { path } = recollect(at, 'show', id, '--json').json().session.transcript as { path: string }
    rmSync(path)
    // Claude Code has the transcripts of subagents in a folder of this name.
    const beside = path.replace(/\.jsonl$/, '')
    const hadSubagents = existsSync(join(beside, 'subagents'))
    rmSync(beside, { recursive: true, force: true })
    const restored = recollect(at, 'restore', id, '--json')
    expect(restored.status, restored.err).toBe(0)
    expect(existsSync(join(beside, 'subagents'))).toBe(hadSubagents)
    expect(readFileSync(path, 'utf8')).not.toContain(secret)
    await ask([run('echo gulls cry'), text('And gulls cry.')], 'And gulls?', id)
    const { text: asked } = api.asked.find(({ purpose }) => purpose === 'main')!
    expect(asked).not.toContain(secret)
    noteChecked(scenario, api, JSON.stringify(restored.json().leftOut))
  }

  /** Returns what the other client asked first. */
  async function handOverAndAsk(to: Client, scenario: string, words: string[]): Promise<string> {
    const second = await serve(to.protocol)
    try {
      addSettings(to, at, second.url)
      const { status, err, out } = recollect(at, 'handoff', id, '--to', to.agent, '--json')
      expect(status, err).toBe(0)
      const handed = JSON.parse(out) as { id: string; path: string }
      expect(existsSync(handed.path)).toBe(true)
      second.says(run('echo gulls cry'), text('And gulls cry.'))
      const ran = await runClient(to, at, second.url, 'And gulls?', { resume: handed.id })
      expect(ran.status, ran.err + ran.out).toBe(0)
      const asked = second.asked.filter(({ purpose }) => purpose === 'main')
      expect(asked.length).toBeGreaterThanOrEqual(2)
      for (const one of words) expect(asked[0]!.text).toContain(one)
      expect(asked[0]!.text).not.toContain(secret)
      noteChecked(`${scenario} to ${to.name}`, second)
      return asked[0]!.text
    } finally {
      await second.close()
    }
  }

  function noteChecked(scenario: string, asked = api, more = ''): void {
    const { requests, violations } = takeSeen()
    const images = asked.asked.filter(({ text }) => /iVBORw0KGgo|\/9j\/|UklGR/.test(text)).length
    table.push(
      `${name} | ${scenario} | ${requests} requests | ${violations.length} violations | ${images} with pictures ${more}`,
    )
    console.log(table.at(-1))
    expect(violations, scenario).toEqual([])
  }
})
