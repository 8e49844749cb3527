import { appendFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { claudeSession, exited, lines, type Place, place, recollect, sessionName, start } from './program.ts'
import { isProof } from './proof.ts'
import { waitFor } from './wait-for.ts'

const places: Place[] = []
afterEach(() => {
  for (const one of places.splice(0)) one.remove()
})

function made(files: Record<string, string | object[]>): Place {
  const one = place(files)
  places.push(one)
  return one
}

const session = sessionName(1)
const path = `.claude/projects/-home-dev-app/${session}.jsonl`

describe('sweep', () => {
  it('captures once and changes nothing when repeated', () => {
    const at = made({ [path]: claudeSession(session, 2) })
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({
      discovered: 1,
      ingested: 1,
      unchanged: 0,
      events: 8,
      digested: 1,
      failed: [],
    })
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ ingested: 0, unchanged: 1, events: 0, digested: 0 })
    expect(recollect(at, 'sweep', '--full', '--json').json()).toMatchObject({ ingested: 1, events: 0 })
  })

  it('reads only what was added', () => {
    const at = made({ [path]: claudeSession(session, 2) })
    recollect(at, 'sweep')
    appendFileSync(join(at.home, path), lines(claudeSession(session, 3).slice(8)))
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ events: 4, digested: 1 })
    expect(recollect(at, 'sessions', '--json').json()[0].counts).toEqual({
      events: 12,
      prompts: 3,
      toolCalls: 3,
      toolErrors: 0,
    })
  })

  it('writes nothing in a dry run, not even a folder', () => {
    const at = made({ [path]: claudeSession(session, 2) })
    expect(recollect(at, 'sweep', '--dry-run', '--json').json()).toMatchObject({ ingested: 1, events: 8 })
    expect(existsSync(at.store)).toBe(false)
  })

  it('SPEC D.12: lists unreadable parts in a dry run, because doctor cannot know them', () => {
    const at = made({ [path]: `${lines(claudeSession(session, 1))}{"broken\n` })
    const { err } = recollect(at, 'sweep', '--dry-run')
    expect(err).toMatch(/^Unreadable: .*\.jsonl, byte \d+: /m)
    expect(err).not.toContain('doctor')
    expect(recollect(at, 'sweep').err).toContain('recollect doctor')
  })

  it('SPEC D.12: sweeps with another configuration file', () => {
    const at = made({ [path]: claudeSession(session, 2) })
    const config = join(at.root, 'other.toml')
    writeFileSync(config, '[capture]\nignore = ["/home/dev/app"]\n')
    expect(recollect(at, 'sweep', '--config', config, '--json').json()).toMatchObject({ events: 0 })
    expect(existsSync(join(at.store, 'config.toml'))).toBe(false)
    const missing = recollect(at, 'sweep', '--config', join(at.root, 'none.toml'))
    expect(missing).toMatchObject({ status: 2, err: expect.stringContaining('none.toml') })
  })

  it('SPEC D.3: records the transcript, its size, and when it was captured and digested', () => {
    const at = made({ [path]: claudeSession(session, 2) })
    recollect(at, 'sweep')
    const [found] = recollect(at, 'sessions', '--json').json()
    const file = join(at.home, path)
    expect(found).toMatchObject({
      transcript: { path: file, bytes: statSync(file).size },
      capturedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      digestedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    const { out } = recollect(at, 'show', session)
    expect(out).toContain(`read from  ${file}\n`)
    expect(out).toMatch(/^captured {3}\d{4}-\d\d-\d\d \d\d:\d\d, digested \d{4}/m)
  })

  it('counts a fork once: its copied events stay with the session they came from', () => {
    const original = claudeSession(session, 2)
    const fork = sessionName(2)
    const copied = original.map((record) => ({ ...record, sessionId: fork }))
    const own = claudeSession(fork, 3).slice(8)
    const at = made({ [path]: original })
    recollect(at, 'sweep')
    writeFileSync(join(at.home, `.claude/projects/-home-dev-app/${fork}.jsonl`), lines([...copied, ...own]))
    recollect(at, 'sweep')
    const [forked, first] = recollect(at, 'sessions', '--json').json()
    expect(forked).toMatchObject({
      id: `claude-code:${fork}`,
      forkedFrom: `claude-code:${session}`,
      inherited: 8,
      counts: { prompts: 1 },
    })
    expect(first.counts.prompts).toBe(2)
    expect(forked.tokens.output + first.tokens.output).toBe(20 + 21 + 22)
  })

  it('ignores the folders in capture.ignore, also when their sessions grow', () => {
    const at = made({
      [path]: claudeSession(session, 1, { cwd: '/home/dev/client-acme' }),
      '.claude/projects/-b/22222222-0000-4000-8000-000000000000.jsonl': claudeSession(
        '22222222-0000-4000-8000-000000000000',
        1,
      ),
    })
    configure(at, '[capture]\nignore = ["/home/dev/client-*"]')
    recollect(at, 'sweep')
    appendFileSync(join(at.home, path), lines(claudeSession(session, 2, { cwd: '/home/dev/client-acme' }).slice(4)))
    recollect(at, 'sweep')
    expect(
      recollect(at, 'sessions', '--json')
        .json()
        .map((one: { id: string }) => one.id),
    ).toEqual(['claude-code:22222222-0000-4000-8000-000000000000'])
  })

  it('reads additional homes from config.toml', () => {
    const at = made({ [path.replace('.claude', '.claude-work')]: claudeSession(session, 1) })
    configure(at, '[sources]\nclaude-code = ["~/.claude-work"]')
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ discovered: 1, events: 4 })
  })

  it('reads an unknown agent whose files have a known format', () => {
    const at = made({ [path.replace('.claude', '.my-agent')]: claudeSession(session, 1) })
    configure(at, '[sources]\nmy-agent = { format = "claude-code", folders = ["~/.my-agent"] }')
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ discovered: 1, events: 4 })
    expect(recollect(at, 'sessions', '--agent', 'my-agent', '--json').json()).toMatchObject([
      { id: `my-agent:${session}`, agent: 'my-agent', counts: { prompts: 1 } },
    ])
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ discovered: 1, unchanged: 1, events: 0 })
  })

  it('uses the environment variable of an agent', () => {
    const at = made({ [path.replace('.claude', 'elsewhere')]: claudeSession(session, 1) })
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ discovered: 0 })
    at.env.CLAUDE_CONFIG_DIR = join(at.home, 'elsewhere')
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ discovered: 1 })
  })

  it('reports an unreadable line with its place and reads the other lines', () => {
    const records = lines(claudeSession(session, 2)).split('\n')
    const at = made({ [path]: [records[0], '{"type":"user", broken', ...records.slice(1)].join('\n') })
    const report = recollect(at, 'sweep', '--json').json()
    expect(report.skipped).toEqual([
      { path: join(at.home, path), offset: records[0]!.length + 1, reason: expect.any(String) },
    ])
    expect(report).toMatchObject({ events: 8, failed: [] })
    const check = recollect(at, 'doctor', '--json')
      .json()
      .checks.find((one: { name: string }) => one.name === 'unreadable')
    expect(check).toMatchObject({ ok: false, detail: expect.stringContaining(`byte ${records[0]!.length + 1}`) })
  })

  it('reports an unreadable file, continues, and exits with 3', () => {
    const at = made({ [path]: claudeSession(session, 1) })
    const database = join(at.home, '.local/share/opencode/opencode.db')
    mkdirSync(join(database, '..'), { recursive: true })
    writeFileSync(database, 'this is no database')
    const run = recollect(at, 'sweep', '--json')
    expect(run.json().events).toBe(4)
    expect(JSON.stringify([...run.json().skipped, ...run.json().failed])).toContain('opencode.db')
  })
})

describe.runIf(isProof)('sweep with a line of hundreds of megabytes', () => {
  it('reads it although it exceeds the memory of the reading thread', () => {
    const at = made({
      [path]: claudeSession(session, 1),
      [path.replace(session, sessionName(3))]: claudeSession(sessionName(3), 1),
    })
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(150_000_000) } }
    const huge = {
      type: 'user',
      uuid: 'huge',
      sessionId: session,
      cwd: '/home/dev/app',
      message: { role: 'user', content: [image] },
    }
    appendFileSync(join(at.home, path), lines([huge, ...claudeSession(session, 2).slice(4)]))
    expect(recollect(at, 'sweep', '--json').json()).toMatchObject({ ingested: 2, events: 13, failed: [], skipped: [] })
    expect(recollect(at, 'show', session, '--json').json().events[4].text).toBe('[image image/png, 109863 KB]')
  })
})

describe('two concurrent sweeps', () => {
  it('one runs; the other reports the owner of the lock and exits, or waits with --wait', async () => {
    const files: Record<string, object[]> = {}
    for (let index = 0; index < 30; index++)
      files[`.claude/projects/-a/${sessionName(index)}.jsonl`] = claudeSession(sessionName(index), 60, { padding: 100 })
    const at = made(files)
    const first = start(at, 'sweep', '--json')
    await waitFor(() => existsSync(join(at.store, 'run', 'sweep.lock.owner')))
    const second = recollect(at, 'sweep')
    expect(second).toMatchObject({ status: 3, err: expect.stringContaining(`process ${first.pid} (sweep)`) })
    const third = recollect(at, 'sweep', '--wait', '--json')
    expect(third.json()).toMatchObject({ discovered: 30, ingested: 0, unchanged: 30 })
    await exited(first)
  })
})

function configure(at: Place, toml: string): void {
  mkdirSync(at.store, { recursive: true })
  writeFileSync(join(at.store, 'config.toml'), toml)
}
