// What every client spends, and how it ends: the ledger has the tokens that the API sent, for a session that is new, that
// is resumed and that is killed while a tool runs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recollect } from '../program.ts'
import { claude } from './agents/claude.ts'
import { codex } from './agents/codex.ts'
import { copilot } from './agents/copilot.ts'
import { droid } from './agents/droid.ts'
import { gemini } from './agents/gemini.ts'
import { grok } from './agents/grok.ts'
import { kilo } from './agents/kilo.ts'
import { kimi } from './agents/kimi.ts'
import { opencode } from './agents/opencode.ts'
import { qwen } from './agents/qwen.ts'
import { type Api, run, serve, text } from './api.ts'
import { type Client, type Home, killClient, makeHome, removeHome, runClient } from './client.ts'
import { given } from './contract.ts'
import { isInstalled } from './install-clients.ts'
import { listed, settled } from './ledger.ts'
import { canSeeProcesses, isRunning } from './processes.ts'

/** Of each scripted answer. */
const [input, output] = [100, 10]
const times = (calls: number) => ({ input: calls * input, output: calls * output })

/** Grok, OpenCode and Kilo write the tokens of a call when its tools have ended, so a killed one has none. */
const clients: [Client, killed: number][] = [
  [claude, 1],
  [codex, 1],
  [gemini, 1],
  [copilot, 1],
  [opencode, 0],
  [qwen, 1],
  [grok, 0],
  [kimi, 1],
  [droid, 1],
  [kilo, 0],
]

/** Agents that take no text from a hook. */
const withoutBrief = new Set(['grok', 'kimi'])
/** Agents whose transcript keeps the brief of the first start. */
const keepsBrief = new Set(['claude', 'codex'])

/** Agents that resume a session only with their own server. */
const needsBackend = new Set(['droid'])

describe.each(clients.filter(([{ name }]) => isInstalled(name)))('$name', (client, killed) => {
  let api: Api
  let at: Home
  beforeAll(async () => {
    api = await serve(client.protocol)
    at = makeHome(client, api.url)
    expect(recollect(at, 'install', client.agent, '--yes', '--json').status).toBe(0)
  })
  afterAll(async () => {
    await removeHome(at)
    await api.close()
  })
  let session = ''

  it('of a new session', async () => {
    api.says(run('echo lighthouses'), text('They blink.'))
    await runClient(client, at, api.url, 'What do lighthouses do?')
    const [first] = await settled(client, at)
    session = first!.id
    // Nothing shows that the answer is right: no test, no commit.
    expect(first).toMatchObject({ outcome: 'unknown', counts: { prompts: 1, toolCalls: 1 }, tokens: times(2) })
  })

  it.skipIf(needsBackend.has(client.name))('of a resumed session, which has a brief', async () => {
    api.says(text('Still.'))
    await runClient(client, at, api.url, 'Do they still blink?', { resume: session.split(':')[1]! })
    const [first, ...others] = await settled(client, at)
    expect(others).toEqual([])
    expect(first).toMatchObject({ id: session, counts: { prompts: 2 }, tokens: times(3) })
    const isBriefed = !withoutBrief.has(client.name) && !keepsBrief.has(client.name)
    expect(given(api)[0]).toEqual({ purpose: 'main', brief: isBriefed })
  })

  it.skipIf(!canSeeProcesses)('of a session that is killed while a tool runs', async () => {
    api.says(run('tail -f notes.txt'))
    const started = () => listed(client, at).find(({ id }) => id !== session)
    // Some clients write their transcript later than they start the tool.
    const isWritten = () => started()?.counts.prompts === 1 && started()!.tokens.input >= times(killed).input
    await killClient(client, at, api.url, 'Watch the notes.', () => isRunning(at, 'tail -f notes.txt') && isWritten())
    const found = (await settled(client, at)).find(({ id }) => id !== session)
    expect(found).toMatchObject({ counts: { prompts: 1 }, tokens: times(killed) })
    expect(['open', 'unknown', 'abandoned']).toContain(found!.outcome)
  })

  it('has no record of an unknown type', () => {
    const { checks } = recollect(at, 'doctor', '--json').json() as { checks: { name: string; detail: string }[] }
    expect(checks.find(({ name }) => name === 'formats')?.detail).toBe('all record types are known')
  })
})
