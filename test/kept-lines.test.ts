// Lines of transcripts are kept once, whatever happens to the files: damage, eviction, or a restored
// transcript that is continued.
import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { bodyParts } from '../src/store/sessions/body-frames.ts'
import { claudeSession, lines, type Place, place, recollect, sessionName } from './program.ts'

const session = sessionName(1)
const claude = `.claude/projects/-home-dev-app/${session}.jsonl`
const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

const places: Place[] = []
afterEach(() => {
  for (const one of places.splice(0)) one.remove()
})

function swept(files: Record<string, string | object[]>): Place {
  const at = place(files)
  places.push(at)
  sweep(at)
  return at
}

function sweep(at: Place, ...options: string[]) {
  const run = recollect(at, 'sweep', '--json', ...options)
  expect(run.status, run.err).toBe(0)
  return run.json()
}

/** Changes a byte in the lines that the only body keeps. */
function damageLines(at: Place): void {
  const bodies = join(at.store, 'bodies')
  const file = join(
    bodies,
    readdirSync(bodies, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.zst'))!,
  )
  const handle = openSync(file, 'r')
  const copy = [...bodyParts(handle, statSync(file).size)].find(({ kind }) => kind === 'copy')!
  closeSync(handle)
  const content = readFileSync(file)
  content[copy.at + 30]! ^= 0xff
  writeFileSync(file, content)
}

describe('damaged lines', () => {
  it('stop nothing else, and are said by restore', () => {
    const at = swept({ [claude]: claudeSession(session, 3) })
    rmSync(join(at.home, claude))
    damageLines(at)
    expect(recollect(at, 'show', session).status).toBe(0)
    expect(recollect(at, 'sessions').status).toBe(0)
    expect(recollect(at, 'doctor').err).not.toMatch(/at .*\.ts:/)
    const restore = recollect(at, 'restore', session)
    expect(restore.status).toBe(1)
    expect(restore.err).toMatch(/is not kept: .*cannot be read/)
    expect(recollect(at, 'resume', session, '--print')).toMatchObject({
      status: 1,
      err: expect.stringContaining('was not kept'),
    })
    expect(recollect(at, 'rebuild').status).toBe(0)
    expect(recollect(at, 'show', session).out).toContain('answer 2')
  })

  it('are replaced by "sweep --full" from the transcript', () => {
    const at = swept({ [claude]: claudeSession(session, 3) })
    damageLines(at)
    sweep(at, '--full')
    const before = readFileSync(join(at.home, claude))
    rmSync(join(at.home, claude))
    expect(recollect(at, 'restore', session).status).toBe(0)
    expect(readFileSync(join(at.home, claude)).equals(before)).toBe(true)
  })

  it('do not stop a session that grows', () => {
    const records = claudeSession(session, 12)
    const at = swept({ [claude]: records.slice(0, 4) })
    damageLines(at)
    for (let from = 4; from < records.length; from += 4) {
      appendFileSync(join(at.home, claude), lines(records.slice(from, from + 4)))
      expect(sweep(at)).toMatchObject({ failed: [] })
    }
    expect(recollect(at, 'show', session).out).toContain('answer 11')
  })
})

describe('a restored transcript', () => {
  const thread = '019f0000-0000-7000-8000-000000000001'
  const codex = `.codex/sessions/2026/09/01/rollout-2026-09-01T10-00-00-${thread}.jsonl`
  const item = (second: number, payload: object) => ({
    timestamp: `2026-09-01T10:00:0${second}Z`,
    type: 'response_item',
    payload,
  })
  const message = (second: number, role: string, text: string) =>
    item(second, { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] })
  const rollout = [
    { timestamp: '2026-09-01T10:00:00Z', type: 'session_meta', payload: { id: thread, cwd: '/home/dev/app' } },
    message(1, 'user', `use ${token} to push`),
    item(2, {
      type: 'function_call',
      name: 'exec_command',
      call_id: 'c1',
      arguments: JSON.stringify({ cmd: `x ${token}` }),
    }),
    item(3, { type: 'function_call_output', call_id: 'c1', output: `done with ${token}` }),
    message(4, 'assistant', `pushed with ${token}`),
  ]
  it.each<[string, string, string, object[], object[]]>([
    [
      'Claude Code',
      claude,
      session,
      claudeSession(session, 3, { says: (turn) => `use ${token} in turn ${turn}` }),
      claudeSession(session, 4).slice(12),
    ],
    ['Codex', codex, thread, rollout, [message(5, 'user', 'and now the tests'), message(6, 'assistant', 'they pass')]],
  ])('of %s with secrets is continued without counting anything twice', (_, path, id, records, more) => {
    const at = swept({ [path]: records })
    const { events } = recollect(at, 'show', id, '--json').json()
    const cost = recollect(at, 'cost', '--json').json()
    rmSync(join(at.home, path))
    expect(recollect(at, 'restore', id).status).toBe(0)
    expect(sweep(at)).toMatchObject({ events: 0 })
    expect(recollect(at, 'show', id, '--json').json().events).toEqual(events)
    expect(recollect(at, 'cost', '--json').json()).toEqual(cost)
    appendFileSync(join(at.home, path), lines(more))
    sweep(at)
    expect(recollect(at, 'show', id, '--json').json().events.length).toBe(events.length + more.length)
    const continued = readFileSync(join(at.home, path))
    rmSync(join(at.home, path))
    expect(recollect(at, 'restore', id).status).toBe(0)
    expect(readFileSync(join(at.home, path)).equals(continued)).toBe(true)
  })
})
