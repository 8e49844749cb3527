// The command handoff, run as a user runs it.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { layoutOf } from '../../src/core/paths.ts'
import { openLedger } from '../../src/store/ledger.ts'
import { registerHandoff } from '../../src/store/sessions/handoffs.ts'
import { estimateTokens } from '../../src/text/tokens.ts'
import {
  claudeSession,
  exited,
  killAfter,
  lines,
  type Place,
  place,
  recollect,
  sessionName,
  start,
} from '../program.ts'
import { scaled } from '../proof.ts'
import { randomNumbers } from '../random.ts'

const places: Place[] = []
afterEach(() => {
  for (const one of places.splice(0)) one.remove()
})

const session = sessionName(1)
const transcript = `.claude/projects/-home-dev-app/${session}.jsonl`

describe('recollect handoff', () => {
  it('writes a session where the other agent finds it, and prints what continues it', () => {
    const at = swept({ [transcript]: claudeSession(session, 2) })
    const { status, out, err } = recollect(at, 'handoff', session.slice(0, 8), '--to', 'codex')
    expect(status, err).toBe(0)
    expect(out).toMatch(/^cd \/home\/dev\/app && codex resume [\da-f-]{36}\n$/)
    const [rollout] = rolloutsOf(at)
    const text = readFileSync(rollout!, 'utf8')
    expect(text).toContain(`Continued from Claude Code session claude-code:${session}`)
    for (const turn of [0, 1]) {
      expect(text).toContain(`question ${turn} of ${session}`)
      expect(text).toContain(`answer ${turn}: it works`)
    }
    expect(text).toContain(String.raw`"name":"exec_command","arguments":"{\"cmd\":\"npm test\"}"`)
  })

  it('captures what was said since the last sweep first', () => {
    const at = swept({ [transcript]: claudeSession(session, 1) })
    writeFileSync(join(at.home, transcript), lines(claudeSession(session, 2)))
    const { path } = recollect(at, 'handoff', session, '--to', 'codex', '--json').json()
    expect(readFileSync(path, 'utf8')).toContain('answer 1: it works')
  })

  it('answers in JSON', () => {
    const at = swept({ [transcript]: claudeSession(session, 2) })
    const answer = recollect(at, 'handoff', session, '--to', 'codex', '--json').json()
    expect(answer).toMatchObject({ agent: 'codex', omitted: 0, shortened: 0, events: 9 })
    expect(answer.command).toBe(`cd /home/dev/app && codex resume ${answer.id}`)
    expect(existsSync(answer.path)).toBe(true)
  })

  it('is not captured again: only what the other agent adds is new', () => {
    const at = swept({ [transcript]: claudeSession(session, 2) })
    const { path, id } = recollect(at, 'handoff', session, '--to', 'codex', '--json').json()
    const cost = recollect(at, 'cost', '--json').json()
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ ingested: 1, events: 0 })
    expect(sessionIn(at, `codex:${id}`)).toMatchObject({
      forkedFrom: `claude-code:${session}`,
      inherited: 9,
      counts: { events: 0, prompts: 0, toolCalls: 0 },
    })
    writeFileSync(path, readFileSync(path, 'utf8') + lines(codexTurn('and the shrimps', 'Seven shrimps.')))
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ events: 2 })
    expect(sessionIn(at, `codex:${id}`)).toMatchObject({ counts: { events: 2, prompts: 1, toolCalls: 0 } })
    expect(recollect(at, 'cost', '--json').json()).toEqual(cost)
    expect(recollect(at, 'rebuild').status).toBe(0)
    expect(recollect(at, 'sweep', '--full').status).toBe(0)
    expect(sessionIn(at, `codex:${id}`)).toMatchObject({ counts: { events: 2, prompts: 1, toolCalls: 0 } })
  })

  it('is recognised by a new ledger too, as long as the original session exists', () => {
    const at = swept({ [transcript]: claudeSession(session, 2) })
    const { path, id } = recollect(at, 'handoff', session, '--to', 'codex', '--json').json()
    writeFileSync(path, readFileSync(path, 'utf8') + lines(codexTurn('and the shrimps', 'Seven shrimps.')))
    rmSync(at.store, { recursive: true })
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ events: 10 })
    expect(sessionIn(at, `codex:${id}`)).toMatchObject({ inherited: 9, counts: { events: 2, prompts: 1 } })
    rmSync(at.store, { recursive: true })
    rmSync(join(at.home, '.claude'), { recursive: true })
    recollect(at, 'sweep')
    expect(sessionIn(at, `codex:${id}`)).toMatchObject({ inherited: 0, counts: { prompts: 3, toolCalls: 2 } })
  })

  it('goes on with the whole conversation when it is handed over again', () => {
    const at = swept({ [transcript]: claudeSession(session, 1) })
    const first = recollect(at, 'handoff', session, '--to', 'codex', '--json').json()
    writeFileSync(first.path, readFileSync(first.path, 'utf8') + lines(codexTurn('and the shrimps', 'Seven shrimps.')))
    recollect(at, 'sweep')
    const second = recollect(at, 'handoff', first.id, '--to', 'claude', '--json').json()
    expect(second.agent).toBe('claude-code')
    const records = readFileSync(second.path, 'utf8').trim().split('\n')
    const said = records.map((line) => JSON.parse(line).message?.content).filter((content) => content !== undefined)
    expect(JSON.stringify(said)).toMatch(/question 0 of .*npm test.*answer 0: it works.*and the shrimps.*Seven shrimps/)
    recollect(at, 'sweep')
    expect(sessionIn(at, `claude-code:${second.id}`)).toMatchObject({ counts: { events: 0 } })
  })

  it.each(['claude', 'codex', 'gemini', 'qwen', 'pi', 'droid', 'copilot'])('is read without problems by %s', (to) => {
    const at = swept({ [transcript]: claudeSession(session, 2) })
    const { status, err } = recollect(at, 'handoff', session, '--to', to)
    expect(status, err).toBe(0)
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ ingested: 1, events: 0, skipped: [], failed: [] })
  })

  it('contains no secret of the original transcript', () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    const at = swept({ [transcript]: claudeSession(session, 1, { says: () => `push with ${secret} please` }) })
    const { path } = recollect(at, 'handoff', session, '--to', 'codex', '--json').json()
    expect(readFileSync(path, 'utf8')).toContain('push with [')
    expect(readFileSync(path, 'utf8')).not.toContain(secret)
  })

  it('finds the session by words', () => {
    const at = swept({
      [transcript]: claudeSession(session, 1, { says: () => 'why does the lighthouse blink' }),
      [transcript.replace(session, sessionName(2))]: claudeSession(sessionName(2), 1),
    })
    recollect(at, 'handoff', 'lighthouse', 'blink', '--to', 'codex')
    expect(readFileSync(rolloutsOf(at)[0]!, 'utf8')).toContain(`claude-code:${session}`)
  })

  it('leaves out the oldest part of a conversation that is too long, and says so', () => {
    const at = swept({ [transcript]: claudeSession(session, 40, { padding: 200 }) })
    const limited = recollect(at, 'handoff', session, '--to', 'codex', '--max-tokens', '3000', '--json').json()
    expect(limited.omitted).toBeGreaterThan(50)
    const text = readFileSync(limited.path, 'utf8')
    expect(estimateTokens(text)).toBeLessThan(8000)
    expect(text).toContain(`It began with: \\"question 0 of ${session}\\"`)
    expect(text).toContain('answer 39: it works')
    const full = recollect(at, 'handoff', session, '--to', 'codex', '--full', '--json').json()
    expect(full).toMatchObject({ omitted: 0, shortened: 0 })
  })

  describe('of a session that ends with a compaction', () => {
    const words = 'Request: count the crabs. Done: the north shore has 12.'
    const compaction = (more: object = {}): object[] => {
      const base = { sessionId: session, cwd: '/home/dev/app', timestamp: '2026-09-01T11:00:00.000Z' }
      const content = `This session is being continued from a previous conversation that ran out of context.\n\n${words}`
      const compactMetadata = { trigger: 'auto', preTokens: 167_000, ...more }
      return [
        { ...base, type: 'system', subtype: 'compact_boundary', uuid: 'b', content: 'Compacted', compactMetadata },
        { ...base, type: 'user', uuid: 's', isCompactSummary: true, message: { role: 'user', content } },
      ]
    }

    it('tells the summary', () => {
      const at = swept({ [transcript]: [...claudeSession(session, 2), ...compaction()] })
      const { path } = recollect(at, 'handoff', session, '--to', 'codex', '--json').json()
      const text = readFileSync(path, 'utf8')
      expect(text).toContain(words)
      expect(text).not.toContain('This session is being continued')
      expect(text).not.toContain(`question 1 of ${session}`)
    })

    it('tells the summary, and then the messages that the agent keeps', () => {
      const kept = { preservedMessages: { uuids: [`${session}-1-0`] } }
      const at = swept({ [transcript]: [...claudeSession(session, 2), ...compaction(kept)] })
      const { path } = recollect(at, 'handoff', session, '--to', 'codex', '--json').json()
      const text = readFileSync(path, 'utf8')
      expect(text.indexOf(words)).toBeGreaterThan(0)
      expect(text.indexOf(`question 1 of ${session}`)).toBeGreaterThan(text.indexOf(words))
      expect(text).toContain('answer 1: it works')
      expect(text).not.toContain('answer 0: it works')
    })

    it('tells it in the packet too', () => {
      const at = swept({ [transcript]: [...claudeSession(session, 2), ...compaction()] })
      const { out } = recollect(at, 'handoff', session, '--packet')
      expect(out).toContain(`Summary that the agent wrote when it compacted: ${words}`)
    })
  })

  it('never writes over a file', () => {
    const at = swept({ [transcript]: claudeSession(session, 1), 'notes.txt': 'mine' })
    const out = join(at.home, 'notes.txt')
    for (const more of [['--to', 'codex'], ['--packet']]) {
      const { status, err } = recollect(at, 'handoff', session, ...more, '--out', out)
      expect(status).toBe(2)
      expect(err).toContain('exists already')
    }
    expect(readFileSync(out, 'utf8')).toBe('mine')
    const [link, behind] = [join(at.home, 'link.md'), join(at.home, 'behind.md')]
    symlinkSync(behind, link)
    for (const more of [['--to', 'codex'], ['--packet']]) {
      const { status, err } = recollect(at, 'handoff', session, ...more, '--out', link)
      expect(status).toBe(2)
      expect(err).toContain('exists already')
    }
    expect(existsSync(behind)).toBe(false)
    const other = join(at.home, 'given.jsonl')
    expect(recollect(at, 'handoff', session, '--to', 'codex', '--out', other).status).toBe(0)
    expect(existsSync(other)).toBe(true)
    expect(rolloutsOf(at)).toEqual([])
  })

  it.each([
    [['nothing-like-this', '--to', 'codex'], 1, 'No session "nothing-like-this"'],
    [[session, '--to', 'claud'], 2, 'Did you mean claude?'],
    [[session, '--max-tokens', 'many', '--to', 'codex'], 2, '--max-tokens takes a positive whole number'],
  ])('explains what is wrong with %j', (args, status, words) => {
    const at = swept({ [transcript]: claudeSession(session, 1) })
    const ran = recollect(at, 'handoff', ...args)
    expect(ran.status).toBe(status)
    expect(ran.err).toContain(words)
  })
})

describe('the packet', () => {
  it('has goal, state and next step within its limit', () => {
    const records = claudeSession(session, 30, {
      says: (turn) => (turn === 29 ? 'also cache the tide table' : `Add the tide table to page ${turn} of the site`),
    })
    const at = swept({ [transcript]: records.slice(0, -3) })
    const { status, out } = recollect(at, 'handoff', session, '--packet')
    expect(status).toBe(0)
    expect(out).toMatch(/Goal: Add the tide table/)
    expect(out).toMatch(/Next step: Answer the last prompt: "also cache the tide table"/)
    expect(estimateTokens(out)).toBeLessThanOrEqual(1500)
  })

  it('is given to an agent that has no form for a conversation', () => {
    const at = swept({ [transcript]: claudeSession(session, 1) })
    const { status, out, err } = recollect(at, 'handoff', session, '--to', 'aider')
    expect(status).toBe(0)
    expect(out).toContain('Goal:')
    expect(err).toContain('Aider has no form for a conversation of another agent')
    expect(err).toContain('Paste it as the first message of Aider')
    const json = recollect(at, 'handoff', session, '--to', 'aider', '--json').json()
    expect(json).toMatchObject({ agent: 'aider', reason: expect.stringContaining('no form') })
  })

  it('comes from the digest if the text was deleted', () => {
    const at = swept({ [transcript]: claudeSession(session, 60, { padding: 4000 }) })
    writeFileSync(join(at.store, 'config.toml'), '[retain]\nsoft = "1 KB"\nhard = "2 KB"\n')
    recollect(at, 'sweep', '--evict')
    const { out, err } = recollect(at, 'handoff', session, '--to', 'codex')
    expect(err).toContain('was deleted to save space')
    expect(out).toContain('this is its digest')
    expect(rolloutsOf(at)).toEqual([])
  })

  it('is not learned again from the session that it was pasted into', () => {
    const at = swept({ [transcript]: claudeSession(session, 1) })
    const { out } = recollect(at, 'handoff', session, '--packet')
    const other = sessionName(3)
    const path = join(at.home, transcript.replace(session, other))
    writeFileSync(path, lines(claudeSession(other, 1, { says: () => `Go on with this:\n${out}` })))
    recollect(at, 'sweep')
    const [prompt] = recollect(at, 'show', other, '--json').json().events
    expect(prompt.text).toMatch(
      /^Go on with this:\nRecorded in earlier sessions: [^\n]*\n\n\[recalled by Recollect\]\n$/,
    )
  })
})

describe('a killed handoff', () => {
  it('leaves a whole file or none, and nothing once it is run again', async () => {
    const at = swept({ [transcript]: claudeSession(session, 40, { padding: 5000 }) })
    const begun = performance.now()
    expect(await exited(start(at, 'handoff', session, '--to', 'codex', '--full'))).toBe(0)
    const fullMs = performance.now() - begun
    const [whole] = rolloutsOf(at)
    const size = readFileSync(whole!, 'utf8').length
    const random = randomNumbers()
    for (let trial = 0; trial < scaled(2, 60); trial++) {
      await killAfter(start(at, 'handoff', session, '--to', 'codex', '--full'), fullMs * (0.3 + 0.7 * random()))
      for (const path of rolloutsOf(at)) expect(readFileSync(path, 'utf8').length).toBe(size)
    }
    expect(recollect(at, 'handoff', session, '--to', 'codex').status).toBe(0)
    expect(leftovers(at)).toEqual([])
    // None of them counts as new work.
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ events: 0, failed: [] })
  })

  it('is cleaned up by the next sweep too', () => {
    const at = swept({ [transcript]: claudeSession(session, 1) })
    const { path, id } = recollect(at, 'handoff', session, '--to', 'codex', '--json').json()
    const gone = 999_999_999
    const left = path.replace(id, sessionName(9))
    mkdirSync(dirname(left), { recursive: true })
    writeFileSync(`${left}.${gone}.tmp`, 'half')
    const ledger = openLedger(layoutOf(at.store))
    const unwritten = { session: `codex:${sessionName(9)}`, origin: `claude-code:${session}`, throughSeq: 1 }
    registerHandoff(ledger, { ...unwritten, path: left, at: '' }, [], gone)
    ledger.close()
    recollect(at, 'sweep')
    expect(leftovers(at)).toEqual([])
  })
})

function swept(files: Record<string, string | object[]>): Place {
  const at = place(files)
  places.push(at)
  const { status, err } = recollect(at, 'sweep')
  expect(status, err).toBe(0)
  return at
}

function rolloutsOf(at: Place): string[] {
  return filesBelow(join(at.home, '.codex')).filter((path) => path.endsWith('.jsonl'))
}

function leftovers(at: Place): string[] {
  return [at.home, join(at.store, 'run')].flatMap(filesBelow).filter((path) => path.includes('.tmp'))
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
}

function sessionIn(at: Place, id: string): unknown {
  return recollect(at, 'show', id, '--json').json().session
}

/** What Codex appends when it continues a rollout. */
function codexTurn(prompt: string, answer: string): object[] {
  const timestamp = '2026-11-20T10:00:00.000Z'
  const message = (role: string, type: string, text: string) => ({
    timestamp,
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type, text }] },
  })
  const event = (payload: object) => ({ timestamp, type: 'event_msg', payload })
  return [
    event({ type: 'task_started', turn_id: '01a2ff00-0000-7000-8000-000000000001' }),
    message('user', 'input_text', prompt),
    event({ type: 'user_message', message: prompt, images: [] }),
    message('assistant', 'output_text', answer),
    event({ type: 'task_complete', turn_id: '01a2ff00-0000-7000-8000-000000000001' }),
  ]
}
