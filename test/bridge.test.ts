// The two ways between the memories of Recollect and those that agents keep by themselves.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '../src/agents/registry.ts'
import { type App, createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { applyEdits } from '../src/install/apply.ts'
import { planExport, withoutSection, withSection } from '../src/learn/bridge/export.ts'
import { importNative } from '../src/learn/bridge/import.ts'
import { splitNote } from '../src/learn/bridge/notes.ts'
import { undo } from '../src/learn/change.ts'
import { indexLimits } from '../src/learn/files/index-file.ts'
import { type Memory, maxMemoryLength } from '../src/memory/memory.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { changeMemories, listChanges } from '../src/store/memories/changes.ts'
import { listMemories, memoryById } from '../src/store/memories/memories.ts'
import { sweep } from '../src/sweep.ts'
import { claudeSession, type Place, place, sessionName } from './program.ts'
import { sampleMemory } from './sample-memory.ts'

const mangled = (path: string) => path.replace(/[^A-Za-z0-9]/g, '-')
const claude = agents.find(({ id }) => id === 'claude-code')!
const codex = agents.find(({ id }) => id === 'codex')!
const gemini = agents.find(({ id }) => id === 'gemini-cli')!

let at: Place
let app: App
let ledger: Ledger
/** The repository that sessions ran in, and the folder that Claude Code keeps for it. */
let repository: string
let native: string

beforeEach(async () => {
  at = place()
  repository = join(at.root, 'code', 'my.app')
  mkdirSync(join(repository, '.git'), { recursive: true })
  native = join(at.home, '.claude', 'projects', mangled(repository))
  const session = sessionName(1)
  put(
    join(native, `${session}.jsonl`),
    claudeSession(session, 1, { cwd: repository })
      .map((one) => JSON.stringify(one))
      .join('\n'),
  )
  app = createApp({
    machine: { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' },
    clock: fixedClock('2026-10-05T12:00:00Z'),
  })
  await sweep(app)
  ledger = app.ledger()
})
afterEach(() => {
  ledger.close()
  at.remove()
})

let tick = Date.UTC(2026, 8, 1) / 1000
/** Each file is newer than the one before. */
function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  utimesSync(path, ++tick, tick)
}

const context = (env: Record<string, string> = {}) => ({
  ...app.context(ledger),
  machine: { ...app.machine, env: { ...app.machine.env, ...env } },
})
const bringIn = (agent?: string, isDryRun = false) => importNative(context(), { ...(agent ? { agent } : {}), isDryRun })
const texts = () => listMemories(ledger, { isCurrent: true, state: 'kept' }).map(({ text }) => text)
const claudeFile = (fields: string, body: string) => `---\n${fields}\n---\n\n${body}\n`

describe('import from Claude Code', () => {
  const feedback = claudeFile(
    `name: feedback_uitest_timeouts\ndescription: "UI test timeouts: \\"5 s\\" on Windows"\nmetadata: \n  node_type: memory\n  type: feedback\n  originSessionId: 9bcb5645-bb7a-4eb5-8136-ff774166a95e\n  modified: 2026-07-30T07:40:18.191Z`,
    'An implicit wait of 15 seconds is a test failure.\n\n**Why:** The element is on the screen at once.\n\n**How to apply:** Fix the selector.',
  )

  it('imports a file as a memory with its origin, in both frontmatter formats', async () => {
    put(join(native, 'memory', 'feedback_uitest.md'), feedback)
    put(
      join(native, 'memory', 'team', 'hosting.md'),
      claudeFile('name: Hosting\ndescription: x\ntype: project', 'We host on our own GitLab server since August.'),
    )
    expect(await bringIn()).toMatchObject({ files: 2, dropped: [], skipped: [] })
    expect(listMemories(ledger).find(({ type }) => type === 'feedback')).toMatchObject({
      project: repository,
      kind: 'preference',
      text: 'An implicit wait of 15 seconds is a test failure.',
      why: 'The element is on the screen at once.',
      apply: 'Fix the selector.',
      trust: 'agent said',
      evidence: [
        {
          session: 'claude-code:9bcb5645-bb7a-4eb5-8136-ff774166a95e',
          file: join(native, 'memory', 'feedback_uitest.md'),
        },
      ],
    })
    expect(texts()).toContain('We host on our own GitLab server since August.')
  })

  it('imports notes in MEMORY.md itself, not its links to files', async () => {
    put(
      join(native, 'memory', 'MEMORY.md'),
      '# Notes\n\n- [Hosting](hosting.md) — where we host\n- Run `pnpm db:reset` before the integration tests\n  and after each migration\n\n## Deployment\n\nDeploys go through the staging cluster first.\n',
    )
    await bringIn()
    expect(texts().sort()).toEqual([
      'Deploys go through the staging cluster first.',
      'Run `pnpm db:reset` before the integration tests\n  and after each migration',
    ])
  })

  it('changes nothing when run again or as a dry run', async () => {
    put(join(native, 'memory', 'feedback_uitest.md'), feedback)
    expect((await bringIn(undefined, true)).kept).toHaveLength(1)
    expect(listMemories(ledger)).toEqual([])
    expect(listChanges(ledger, 10)).toEqual([])
    await bringIn()
    const [before, changes] = [listMemories(ledger), listChanges(ledger, 10)]
    expect(await bringIn()).toMatchObject({ kept: [], merged: [], known: 1 })
    expect(listMemories(ledger)).toEqual(before)
    expect(listChanges(ledger, 10)).toEqual(changes)
  })

  it('supersedes the memory of a changed file', async () => {
    const path = join(native, 'memory', 'feedback_uitest.md')
    put(path, feedback)
    await bringIn()
    const [old] = listMemories(ledger)
    put(path, feedback.replace('15 seconds', '8 seconds'))
    expect(await bringIn()).toMatchObject({ superseded: [{ id: old!.id }] })
    expect(texts()).toEqual(['An implicit wait of 8 seconds is a test failure.'])
    put(path, feedback.replace('15 seconds', '8 seconds').replace('Fix the selector.', 'Look at the lookup strategy.'))
    expect((await bringIn()).updated).toHaveLength(1)
    expect(listMemories(ledger, { isCurrent: true })).toMatchObject([
      { apply: 'Look at the lookup strategy.', supersededBy: null },
    ])
    expect((await bringIn()).updated).toEqual([])
  })

  it('supersedes only the changed one of several notes', async () => {
    const path = join(native, 'memory', 'MEMORY.md')
    const notes = (port: number) =>
      `- The preview server listens on port ${port}\n- Releases are cut from the release branch\n`
    put(path, notes(4000))
    await bringIn()
    put(path, notes(5000))
    expect((await bringIn()).superseded.map(({ text }) => text)).toEqual(['The preview server listens on port 4000'])
    expect(texts().sort()).toEqual([
      'Releases are cut from the release branch',
      'The preview server listens on port 5000',
    ])
  })

  it('neither restores forgotten memories nor supersedes the user', async () => {
    const path = join(native, 'memory', 'feedback_uitest.md')
    put(path, feedback)
    await bringIn()
    const [one] = listMemories(ledger)
    change({ ...one!, state: 'forgotten', version: 2 })
    expect((await bringIn()).kept).toEqual([])
    change({ ...one!, text: 'An implicit wait of 10 seconds is a failure.', trust: 'user said', version: 3 })
    put(path, feedback.replace('15 seconds', '8 seconds'))
    expect((await bringIn()).inbox).toHaveLength(1)
    expect(memoryById(ledger, one!.id)).toMatchObject({ supersededBy: null, version: 3 })
  })

  describe('of a note that is deleted', () => {
    const path = () => join(native, 'memory', 'feedback_uitest.md')
    const states = () => Object.fromEntries(listMemories(ledger).map(({ text, state }) => [text, state]))
    const rule = 'An implicit wait of 15 seconds is a test failure.'
    const index = (...notes: string[]) =>
      put(join(native, 'memory', 'MEMORY.md'), notes.map((one) => `- ${one}\n`).join(''))
    const swept = async () => {
      ledger.close()
      await sweep(app)
      ledger = app.ledger()
    }

    it('forgets the memory with the next sweep, can be undone, and then keeps it', async () => {
      put(path(), feedback)
      await bringIn()
      rmSync(path())
      await swept()
      expect(states()).toEqual({ [rule]: 'forgotten' })
      undo({ ...app, ledger, origin: 'x' })
      await swept()
      await bringIn()
      expect(states()).toEqual({ [rule]: 'kept' })
    })

    it('forgets the memory of a line that is gone, and keeps one that was moved to another file', async () => {
      index('The preview server listens on port 4000', 'Releases are cut from the release branch')
      await bringIn()
      index()
      put(
        join(native, 'memory', 'release.md'),
        claudeFile('name: Release\ntype: project', 'Releases are cut from the release branch'),
      )
      expect((await bringIn()).forgotten.map(({ text }) => text)).toEqual(['The preview server listens on port 4000'])
      expect(states()).toEqual({
        'The preview server listens on port 4000': 'forgotten',
        'Releases are cut from the release branch': 'kept',
      })
    })

    it('asks about what the person said, and keeps memories of folders and machines that are not there', async () => {
      put(path(), feedback)
      index('Releases are cut from the release branch')
      await bringIn()
      const [said, other] = [rule, 'Releases are cut from the release branch'].map(
        (text) => listMemories(ledger).find((memory) => memory.text === text)!,
      )
      change({ ...said!, trust: 'user said', version: 2 })
      change({ ...other!, origin: 'another machine', version: 2 })
      rmSync(path())
      rmSync(join(native, 'memory', 'MEMORY.md'))
      await swept()
      expect(states()).toMatchObject({ [rule]: 'kept', [other!.text]: 'kept' })
      expect(listMemories(ledger, { state: 'inbox' })).toMatchObject([{ contradicts: said!.id }])
      put(join(native, 'memory', 'port.md'), claudeFile('name: p\ntype: project', 'The preview runs on port 4000.'))
      await bringIn()
      rmSync(join(native, 'memory'), { recursive: true })
      await swept()
      expect(states()).toMatchObject({ 'The preview runs on port 4000.': 'kept' })
    })
  })

  it.each([
    ['of a repository whose sessions ran in a folder below', () => join(repository, 'packages', 'web')],
    ['of a folder that no session ran in', () => undefined],
  ])('finds the project %s', async (_, cwd) => {
    const folder = cwd()
    rmSync(native, { recursive: true })
    ledger.close()
    rmSync(at.store, { recursive: true })
    if (folder) {
      mkdirSync(folder, { recursive: true })
      const session = sessionName(2)
      put(
        join(dirname(native), mangled(folder), `${session}.jsonl`),
        claudeSession(session, 1, { cwd: folder })
          .map((one) => JSON.stringify(one))
          .join('\n'),
      )
    }
    await sweep(app)
    ledger = app.ledger()
    put(join(native, 'memory', 'feedback_uitest.md'), feedback)
    expect((await bringIn()).kept.map(({ project }) => project)).toEqual([repository])
  })

  it('skips and reports files of an unknown project', async () => {
    const path = join(dirname(native), '-nowhere-at-all', 'memory', 'x.md')
    put(path, feedback)
    expect(await bringIn()).toMatchObject({
      kept: [],
      skipped: [{ path, reason: expect.stringContaining('not known') }],
    })
  })

  it('skips folders that are never captured', async () => {
    put(join(native, 'memory', 'feedback_uitest.md'), feedback)
    put(
      join(at.home, '.codex', 'memories', 'MEMORY.md'),
      `# Task Group: x\napplies_to: cwd=${repository}/web; reuse_rule=x\n\n## User preferences\n\n- Keep reports concise and short\n`,
    )
    const config = { ...app.config, capture: { ignore: [`${at.root}/code/*`], skipAgents: [] } }
    expect(await importNative({ ...context(), config })).toMatchObject({
      kept: [],
      skipped: [{ reason: 'its folder is ignored' }],
    })
    const skipping = { ...app.config, capture: { ignore: [], skipAgents: ['claude-code'] } }
    expect((await importNative({ ...context(), config: skipping })).kept.map(({ tags }) => tags)).toEqual([['codex']])
  })

  it('honours CLAUDE_CONFIG_DIR', async () => {
    const home = join(at.root, 'work-claude')
    put(join(home, 'projects', mangled(repository), 'memory', 'a.md'), feedback)
    const report = await importNative(context({ CLAUDE_CONFIG_DIR: home }))
    expect(report.kept).toHaveLength(1)
  })

  it('SPEC E.17: redacts secrets of native files', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2)}`
    put(join(native, 'memory', 'a.md'), feedback.replace('the selector', `it with ${secret} in the environment`))
    await bringIn()
    expect(JSON.stringify(listMemories(ledger))).not.toContain(secret)
  })
})

describe('import from Codex', () => {
  const thread = '019db574-11df-7c20-8119-dc6ee735487d'
  const handbook = () => `# Task Group: Release work in my.app

scope: how releases are cut
applies_to: cwd=${repository}; reuse_rule=safe for this checkout

## Task 1: Cut a release, success

### rollout_summary_files

- rollout_summaries/2026-04-22T13-49-36-w0BD-release.md (cwd=${repository}, rollout_path=/x, updated_at=2026-04-22T14:31:33+00:00, thread_id=${thread}, done)

### keywords

- release, tag, changelog

## User preferences

- when cutting releases, the user asked: "never tag before the changelog is merged" -> write the changelog first [Task 1]

## Reusable knowledge

- The release job needs the signing key of the build server [Task 1][Task 2]

## Failures and how to do differently

- symptom: the tag job hangs; cause: an old runner; fix: restart the runner pool

# Task Group: Reports
scope: everywhere
applies_to: cwd=unknown; reuse_rule=workflow-scoped

## User preferences

- Keep reports concise and lead with the result
`

  it('imports preferences, knowledge and failures with project and thread, but no task lists', async () => {
    put(join(at.home, '.codex', 'memories', 'MEMORY.md'), handbook())
    await bringIn('codex')
    const shown = listMemories(ledger).map(({ kind, project, text, evidence }) => [
      kind,
      project,
      text,
      evidence[0]!.session,
    ])
    expect(shown.sort()).toEqual([
      ['debugging', repository, 'symptom: the tag job hangs; cause: an old runner; fix: restart the runner pool', null],
      ['fact', repository, 'The release job needs the signing key of the build server', `codex:${thread}`],
      ['preference', null, 'Keep reports concise and lead with the result', null],
      [
        'preference',
        repository,
        'when cutting releases, the user asked: "never tag before the changelog is merged" -> write the changelog first',
        `codex:${thread}`,
      ],
    ])
  })

  it('imports memory_summary.md and notes of the user; honours CODEX_HOME', async () => {
    const home = join(at.root, 'codex')
    put(
      join(home, 'memories_v2', 'memory_summary.md'),
      "v1\n\n## User Profile\n\nThe user maintains a payment gateway in Rust.\n\n## General Tips\n\n- Prefer ripgrep over grep in large checkouts\n\n## What's in Memory\n\n### my.app\n- release, tag\n",
    )
    put(join(home, 'memories', 'extensions', 'ad_hoc', 'notes', 'n.md'), 'Start the daemon only when it is needed.\n')
    const report = await importNative(context({ CODEX_HOME: home }), { agent: 'codex' })
    expect(report.kept.map(({ type, kind, project, trust, text }) => [type, kind, project, trust, text])).toEqual([
      ['user', 'fact', null, 'imported', 'Start the daemon only when it is needed.'],
      ['user', 'fact', null, 'agent said', 'The user maintains a payment gateway in Rust.'],
      ['feedback', 'operational', null, 'agent said', 'Prefer ripgrep over grep in large checkouts'],
    ])
  })
})

describe('import from Gemini CLI', () => {
  it('imports the bullets of its section, not the instructions of the user', async () => {
    put(
      join(at.home, '.gemini', 'GEMINI.md'),
      '# Rules\n\n- Answer in English, please, always.\n\n## Gemini Added Memories\n- The staging database is reset every night.\n- My editor is Helix.\n\n## Style\n- Short functions.\n',
    )
    await bringIn('gemini-cli')
    expect(texts().sort()).toEqual(['My editor is Helix.', 'The staging database is reset every night.'])
  })
})

it.each([
  [claude, '/home/dev/.claude/projects/-home-dev-app/memory/notes.md', true],
  [claude, '/home/dev/.claude/projects/-home-dev-app/memory/team/MEMORY.md', true],
  [claude, 'C:\\Users\\dev\\.claude\\projects\\C--app\\memory\\MEMORY.md', true],
  [claude, '/home/dev/app/memory/notes.md', false],
  [claude, '/home/dev/.claude/projects/-home-dev-app/x.jsonl', false],
  [codex, '/home/dev/.codex/memories/MEMORY.md', true],
  [codex, '/home/dev/.codex/memories_v2/rollout_summaries/a.md', true],
  [codex, '/home/dev/app/src/memories/index.ts', false],
  [gemini, '/home/dev/.gemini/GEMINI.md', true],
  [gemini, '/home/dev/app/GEMINI.md', false],
])('%o: %s is a memory of its own: %s', (agent, path, expected) => {
  expect(agent.memories!.isMemoryPath(path)).toBe(expected)
})

describe('splitNote', () => {
  it('keeps a note that fits, and begins pieces with the subject', () => {
    expect(splitNote('Short.', ['Name'])).toEqual(['Short.'])
    const long = `Intro.\n\n## Boot\n\n${'- a step of the boot sequence\n'.repeat(60)}\n## Flash\n\nSign first.`
    const pieces = splitNote(long, ['Playbook'])
    expect(pieces[0]).toBe('Playbook: Intro.')
    expect(pieces.at(-1)).toBe('Playbook: Flash: Sign first.')
    expect(pieces.slice(1, -1).every((piece) => piece.startsWith('Playbook: Boot: - a step'))).toBe(true)
  })

  it('makes no piece longer than a memory, and loses no word', () => {
    const block = fc.oneof(
      fc.lorem({ maxCount: 400 }),
      fc.string({ unit: 'grapheme', maxLength: 3000 }),
      fc.constant('## Heading'),
      fc.constant(''),
    )
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), fc.array(fc.string(), { maxLength: 2 }), (blocks, headings) => {
        const text = blocks.join('\n')
        const pieces = splitNote(text, headings)
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(maxMemoryLength)
        const letters = (value: string) => value.replace(/^#.*$/gm, '').replace(/[^a-z]/g, '').length
        expect(letters(pieces.join('\n'))).toBeGreaterThanOrEqual(letters(text))
      }),
    )
  })
})

describe('export to Claude Code', () => {
  const folder = () => join(native, 'memory')
  const index = () => readFileSync(join(folder(), 'MEMORY.md'), 'utf8')
  const machine = (env: Record<string, string> = {}) => ({ ...app.machine, env: { ...app.machine.env, ...env } })
  const plan = (isRemoval = false) => planExport({ ledger, machine: app.machine }, claude, repository, isRemoval)
  const apply = (isRemoval = false) => {
    const planned = plan(isRemoval)
    const { layout, clock } = app
    applyEdits(planned.edits, { agent: claude.id, backups: layout.backups, ownFolder: layout.root, clock })
    return planned
  }

  it('writes changed files and a section of the index, and removes them byte for byte', () => {
    for (const before of ['# Mine\n\n- [a](a.md): note\n', '# Mine, without a line break at the end', undefined]) {
      rmSync(folder(), { recursive: true, force: true })
      if (before !== undefined) put(join(folder(), 'MEMORY.md'), before)
      const [rule, fact] = [
        saved('Never push to main on Fridays.'),
        saved('The cache lives in Redis.', { kind: 'fact' }),
      ]
      expect(apply()).toMatchObject({ exported: 2, left: 0, changed: [] })
      expect(index().startsWith(before ?? '')).toBe(true)
      expect(index()).toMatch(/<!-- recollect:begin.*\n- \[Never push.*\n- \[The cache.*\n<!-- recollect:end -->/)
      expect(readdirSync(folder())).toHaveLength(3)
      expect(plan().edits).toEqual([])
      change({ ...fact, text: 'The cache lives in Valkey.', version: 2 })
      expect(apply().edits).toHaveLength(2)
      change({ ...rule, state: 'forgotten', version: 2 })
      apply()
      expect(readdirSync(folder())).toHaveLength(2)
      apply(true)
      expect(readdirSync(folder())).toEqual(before === undefined ? [] : ['MEMORY.md'])
      if (before !== undefined) expect(index()).toBe(before)
      change({ ...fact, state: 'forgotten', version: 3 })
    }
  })

  it('SPEC C.15: a file has name, description and type, then the statement, why, and how to apply', () => {
    saved('Never push to main on Fridays.', { why: 'Nobody is there on Saturdays.', apply: 'Wait until Monday.' })
    apply()
    const name = readdirSync(folder()).find((one) => one.startsWith('recollect-'))!
    expect(readFileSync(join(folder(), name), 'utf8')).toMatch(
      /^---\nname: "recollect-never-push.*"\ndescription: "Never push to main on Fridays\."\ntype: feedback\nmetadata:\n(?: {2}.*\n)+---\n\nNever push to main on Fridays\.\n\n\*\*Why:\*\* Nobody.*\n\n\*\*How to apply:\*\* Wait.*\n/,
    )
  })

  it('exported memories are not imported again', async () => {
    saved('Never push to main on Fridays.')
    apply()
    expect(await bringIn()).toMatchObject({ files: 1, kept: [], merged: [], known: 0 })
    expect(listMemories(ledger)).toHaveLength(1)
  })

  it('does not export memories that were imported from there', async () => {
    put(
      join(folder(), 'own.md'),
      claudeFile('name: own\ntype: project', 'The shop mirrors to a GitLab server of our own.'),
    )
    await bringIn()
    expect(plan()).toMatchObject({ exported: 0, edits: [] })
  })

  it('leaves an exported file alone that was changed since', () => {
    const one = saved('Never push to main on Fridays.')
    apply()
    const path = join(folder(), readdirSync(folder()).find((name) => name.startsWith('recollect-'))!)
    writeFileSync(path, readFileSync(path, 'utf8').replace('Fridays', 'Thursdays'))
    change({ ...one, text: 'Never push to main at night.', version: 2 })
    expect(apply().changed).toEqual([path])
    expect(apply(true).changed).toEqual([path])
    expect(readFileSync(path, 'utf8')).toContain('Thursdays')
  })

  it('SPEC C.18: the index keeps 200 lines and 25,000 bytes together with what was there', () => {
    for (const [many, text] of [
      [300, 'Rule'],
      [190, '规则'.repeat(60)],
    ] as const) {
      const rest = '- own note\n'.repeat(50)
      const entries = Array.from({ length: many }, (_, number) => ({
        id: `${number}`,
        text: `${text} ${number}`,
        name: `recollect-${number}.md`,
      }))
      const { content, listed } = withSection(rest, entries)
      expect(content.split('\n').length - 1).toBeLessThanOrEqual(indexLimits.lines)
      expect(Buffer.byteLength(content)).toBeLessThanOrEqual(indexLimits.bytes)
      expect(content).toContain(`${many - listed.length} more memories found no room here`)
      expect(withoutSection(content)).toBe(rest)
    }
  })

  it('removes any section from any file byte for byte', () => {
    const entries = fc.array(
      fc.record({ id: fc.string(), text: fc.string({ unit: 'binary' }), name: fc.constant('recollect-a.md') }),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), entries, (rest, some) => {
        expect(withoutSection(withSection(rest, some).content)).toBe(rest)
        expect(withSection(withSection(rest, some).content, some)).toEqual(withSection(rest, some))
      }),
    )
  })

  it('SPEC C.13: settings of a repository cannot send the files elsewhere; those of the user stop the export', () => {
    saved('Never push to main on Fridays.')
    const elsewhere = join(at.root, 'ssh')
    put(join(repository, '.claude', 'settings.json'), JSON.stringify({ autoMemoryDirectory: elsewhere }))
    put(join(repository, '.claude', 'settings.local.json'), JSON.stringify({ autoMemoryDirectory: elsewhere }))
    expect(plan().edits.every(({ path }) => path.startsWith(folder()))).toBe(true)
    put(join(at.home, '.claude', 'settings.json'), JSON.stringify({ autoMemoryDirectory: elsewhere }))
    expect(() => plan()).toThrow(/keeps its memories elsewhere/)
  })

  it.each([
    ['relative', 'claude'],
    ['the root', '/'],
    ['near the root', '/etc'],
    ['a share', '//server/claude'],
    ['with a NUL', '/home/dev\0/claude'],
  ])('SPEC C.13: a home that is %s is refused', (_, home) => {
    saved('Never push to main on Fridays.')
    expect(() => planExport({ ledger, machine: machine({ CLAUDE_CONFIG_DIR: home }) }, claude, repository)).toThrow(
      /cannot be the folder/,
    )
  })

  it('SPEC E invariant 8: refuses links', () => {
    saved('Never push to main on Fridays.')
    const outside = join(at.root, 'outside')
    mkdirSync(outside)
    symlinkSync(outside, folder())
    expect(() => plan()).toThrow(/is a link/)
    rmSync(folder())
    put(join(folder(), 'x.md'), 'x')
    symlinkSync(join(outside, 'precious.md'), join(folder(), 'MEMORY.md'))
    expect(() => plan()).toThrow(/not a plain file/)
    expect(existsSync(join(outside, 'precious.md'))).toBe(false)
  })

  let count = 0
  function saved(text: string, fields: Partial<Memory> = {}): Memory {
    const memory = sampleMemory({
      id: `m-${String(++count).padStart(10, 'b')}`,
      project: repository,
      type: 'feedback',
      kind: 'correction',
      text,
      importance: 0.8,
      evidence: [{ session: null, event: null, quote: text }],
      ...fields,
    })
    change(memory)
    return memory
  }
})

function change(memory: Memory): void {
  ledger.transaction(() =>
    changeMemories(ledger, { at: '2026-10-05T12:00:00Z', kind: 'edited', about: 'test' }, [memory]),
  )
}
