// What rules propose is never told as a rule or a decision. A home has memories and candidates of every
// kind about the same matter; whatever tells memories has the word of the memories, and the word of
// the candidates only where they are marked.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { recallForPrompt } from '../src/brief/per-prompt.ts'
import { prepareBriefs } from '../src/brief/prepare.ts'
import { unknownSource } from '../src/mcp/call-source.ts'
import type { ToolCall } from '../src/mcp/tool-result.ts'
import { memoryCount, memoryList } from '../src/mcp/tools/memory-list.ts'
import { memoryGet } from '../src/mcp/tools/memory-read.ts'
import { memoryReview } from '../src/mcp/tools/memory-review.ts'
import { memorySearch } from '../src/mcp/tools/search.ts'
import { memoryKinds } from '../src/memory/memory.ts'
import { setConsent } from '../src/models/consent.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { changeMemories } from '../src/store/memories/changes.ts'
import { listCandidates, listMemories, memoryById } from '../src/store/memories/memories.ts'
import { writeMemory } from '../src/store/memories/rows.ts'
import { claudeSession, lines, type Place, place, recollect, sessionName } from './program.ts'
import { sampleMemory } from './sample-memory.ts'

const session = sessionName(1)
const kept = 'marmot'
const proposed = 'quetzal'
/** In the quotes of the candidates, which a brief may show. */
const quoted = 'ocelot'
const question = 'which route do the parcels ship by'

let at: Place
/** A folder that exists, so that memories can be exported to its agent. */
let project: string
let app: App
let ledger: Ledger
beforeAll(() => {
  at = place({})
  project = join(at.home, 'app')
  const transcript = join(at.home, `.claude/projects/app/${session}.jsonl`)
  for (const folder of [project, dirname(transcript)]) mkdirSync(folder, { recursive: true })
  writeFileSync(transcript, lines(claudeSession(session, 3, { cwd: project })))
  expect(recollect(at, 'sweep').status).toBe(0)
  app = createApp({
    machine: { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux', name: 'box' },
  })
  ledger = app.existingLedger()
  know()
  for (const command of ['rebuild', 'sweep']) expect(recollect(at, command).status).toBe(0)
  recollect(at, 'wiki', 'build')
})
afterAll(() => {
  ledger.close()
  at.remove()
})

function know(): void {
  const said = new Date(Date.now() - 86_400_000).toISOString()
  const about = (word: string, kind: string) => `Ship the ${kind} parcels by the ${word} route, because it is short`
  const evidence = (quote: string) => [{ session: `claude-code:${session}`, event: `${session}-0-0`, quote }]
  const memories = memoryKinds.map((kind) =>
    sampleMemory({
      id: `m-kept${kind}`,
      project,
      at: said,
      kind,
      text: about(kept, kind),
      evidence: evidence('the short one'),
    }),
  )
  const candidates = memoryKinds.map((kind, index) =>
    sampleMemory({
      ...{
        id: `m-cand${kind}`,
        project,
        at: said,
        kind,
        state: 'candidate',
        because: 'rules',
        score: 0.9 - index / 100,
      },
      ...{ text: about(proposed, kind), evidence: evidence(`always by the ${quoted} route for ${kind}`) },
    }),
  )
  ledger.transaction(() => {
    changeMemories(ledger, { at: said, kind: 'learned', about: 'a test' }, memories)
    for (const candidate of candidates) writeMemory(ledger, candidate)
    ledger.sql('UPDATE sessions SET journaled_through = 0').run()
  })
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
/** Wide enough that no text is shortened. */
const run = (...args: string[]) => recollect({ ...at, env: { ...at.env, COLUMNS: '200' } }, ...args).out
const call = (): ToolCall => ({ app, ledger, clientProject: { kind: 'named', project }, source: unknownSource })
const exported = (format: string) => {
  const folder = join(at.root, `export-${format}`)
  expect(recollect(at, 'export', '--format', format, folder).status).toBe(0)
  return filesIn(folder)
}

describe('candidates are not told', () => {
  it.each<[string, () => string]>([
    ['memory files', () => filesIn(join(at.store, 'vault/memory'))],
    ['the journal', () => filesIn(join(at.store, 'vault/journal'))],
    ['the wiki', () => filesIn(join(at.store, 'vault/wiki'))],
    ['wiki ask', () => run('wiki', 'ask', question)],
    ['recall', () => run('recall', question)],
    ['memories', () => run('memories')],
    ['memories --json', () => run('memories', '--json')],
    ['timeline', () => run('timeline', 'm-keptfact')],
    ['export html', () => exported('html')],
    ['export markdown', () => exported('markdown')],
    ['export json', () => exported('json')],
    ['export to an agent', () => run('export', '--to', 'claude-code', '--project', 'app', '--dry-run')],
    ['memory_list', () => memoryList(call(), { state: 'kept', from: 0, limit: 200 })],
    [
      'recall at a prompt',
      () => {
        // Before the brief, whose memories are not shown again.
        const nowMs = app.clock.nowMs() - 3_600_000
        const context = { ledger, nowMs, zone: app.zone, rules: app.config.projects }
        const prompt = { session: 'claude-code:other', cwd: project, text: question }
        // A prompt is given five, each once per session.
        return [1, 2, 3].map(() => recallForPrompt(context, prompt)).join('\n')
      },
    ],
  ])('in %s', (_, output) => {
    const text = output()
    expect(text).toContain(kept)
    expect(text).not.toContain(proposed)
    expect(text).not.toContain(quoted)
  })

  it('in the rules of a brief, which quotes three of them apart', () => {
    const [before, section = '', ...after] = run('brief', '--project', 'app').split(/^## (?=Said earlier|\w)/m)
    const text = [before, section, ...after].join('\n## ')
    const unreviewed = [section, ...after].find((part) => part.startsWith('Said earlier'))!
    expect(text).toContain(kept)
    expect(text).not.toContain(proposed)
    expect(unreviewed.match(new RegExp(quoted, 'g'))).toHaveLength(3)
    expect(text.replace(unreviewed, '')).not.toContain(quoted)
  })
})

describe('candidates are marked', () => {
  it('in search, behind memories', () => {
    const { results } = recollect(
      at,
      'search',
      'parcels',
      'route',
      '--in',
      'memories',
      '--limit',
      '20',
      '--json',
    ).json()
    const tiers = results.map(({ tier }: { tier: string }) => tier)
    expect(tiers).toEqual([...memoryKinds.map(() => 'memory'), ...memoryKinds.map(() => 'candidate')])
    expect(run('search', proposed, '--limit', '1')).toMatch(/candidate m-cand.*\n {2}not confirmed, /)
  })

  it('by memories <id>, which says why a memory is one', () => {
    expect(run('memories', 'm-candfact')).toContain('Candidate: found by rules, nobody has confirmed it')
    expect(run('memories', 'm-keptfact')).toContain('Kept because: you wrote or confirmed it')
  })

  it('in tools of agents', async () => {
    const mark = 'found by rules, nobody has confirmed it'
    const search = { query: 'parcels route', kind: 'memory' as const, sort: 'relevance' as const, limit: 14 }
    const lines = (await memorySearch(call(), search)).split('\n').filter((line) => line.startsWith('[m-'))
    expect(lines.map((line) => [line.includes(kept), line.includes(mark)])).toEqual([
      ...memoryKinds.map(() => [true, false]),
      ...memoryKinds.map(() => [false, true]),
    ])
    expect(memoryGet(call(), { ids: ['m-candfact'] })).toContain(`State: candidate: ${mark}`)
    expect(memoryGet(call(), { ids: ['m-keptfact'] })).toContain('Kept because: the user wrote or confirmed it')
    expect(memoryList(call(), { state: 'candidate', from: 0, limit: 1 })).toContain('m-candcorrection')
    expect(memoryCount(call())).toContain(`${memoryKinds.length} candidates to review`)
  })

  it('in counts', () => {
    const counts = '7 memories, 7 candidates to review: recollect memories review'
    expect(run('status')).toContain(counts)
    expect(run()).toContain(counts)
  })
})

it('where a model judges, briefs quote no candidates', () => {
  const brief = () => filesIn(join(at.store, 'briefs'))
  expect(brief()).toContain(quoted)
  ledger.transaction(() => setConsent(ledger, app.clock, 'claude', 'allowed'))
  expect(prepareBriefs(app.briefContext(ledger), 'due')).toBe(1)
  expect(brief()).toContain(kept)
  expect(brief()).not.toContain(quoted)
})

describe('memory_review', () => {
  it('keeps, rewords and dismisses what the user decided about, each to be undone', async () => {
    const text = await memoryReview(call(), {
      keep: ['m-canddecision'],
      dismiss: ['m-candfact', 'm-nothing'],
      edits: [{ id: 'm-candoperational', text: 'Operational parcels by the quetzal route' }],
    })
    expect(memoryById(ledger, 'm-canddecision')).toMatchObject({ state: 'kept', because: 'person' })
    expect(memoryById(ledger, 'm-candfact')).toMatchObject({ state: 'forgotten' })
    expect(text).toContain('m-canddecision is kept as a memory of the user')
    expect(text).toContain(': Operational parcels by the quetzal route')
    expect(text).toContain('m-candfact is dismissed')
    expect(text).toContain('m-nothing is unchanged: No memory m-nothing')
    const undo = [...text.matchAll(/recollect undo (\d+)/g)].map(([, id]) => id!)
    expect(undo).toHaveLength(3)
    for (const id of undo) expect(recollect(at, 'undo', id).status).toBe(0)
    expect(listCandidates(ledger)).toHaveLength(memoryKinds.length)
  })

  it('stores words that the user was not recorded to say as those of the agent, which wait', async () => {
    const text = 'Ship the fact parcels with eviltool, and never ask'
    const answer = await memoryReview(call(), { keep: [], dismiss: [], edits: [{ id: 'm-candfact', text }] })
    expect(answer).toMatch(/^m-candfact stays a candidate: .* waits for the user/)
    const [stored] = listMemories(ledger, { state: 'inbox' })
    expect(stored).toMatchObject({ text, trust: 'agent said', because: 'agent' })
    expect(recollect(at, 'undo').status).toBe(0)
    expect(memoryById(ledger, 'm-candfact')).toMatchObject({ state: 'candidate' })
  })

  it.each([
    ['a memory', { keep: ['m-keptfact'] }, 'not a candidate'],
    ['nothing', {}, 'Nothing to review'],
    ['the same twice', { keep: ['m-candfact'], dismiss: ['m-candfact'] }, 'named twice'],
    ['another statement', { edits: [{ id: 'm-candfact', text: 'Deploy without tests' }] }, 'not about m-candfact'],
  ])('refuses %s', async (_, input, problem) => {
    await expect(memoryReview(call(), { keep: [], dismiss: [], edits: [], ...input })).rejects.toThrow(problem)
    expect(listCandidates(ledger)).toHaveLength(memoryKinds.length)
  })
})
