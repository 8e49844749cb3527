// Practices and decisions about patterns between two machines of one person: what each did alone,
// and what both did at once.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fixedClock } from '../../core/clock.ts'
import { parseConfig } from '../../core/config/config.ts'
import { layoutOf } from '../../core/paths.ts'
import { redact } from '../../core/redact/redact.ts'
import { zoneOf } from '../../core/units.ts'
import { practiceFile, readCatalogue, savePractice } from '../../patterns/catalogue.ts'
import { refreshCatalogue } from '../../patterns/review/refresh-catalogue.ts'
import type { Practice } from '../../patterns/types.ts'
import { openLedger } from '../../store/ledger.ts'
import {
  addReview,
  listReviews,
  practiceFileRows,
  reviewsByPattern,
  undoReview,
} from '../../store/patterns/practices.ts'
import { hashOfDocument } from '../item-hash.ts'
import type { MergeResult, ServerState, SyncContext, SyncedKind } from '../item-kind.ts'
import type { ItemDocument, SyncItem } from '../protocol.ts'
import { patternKind } from './patterns.ts'
import { practiceKind } from './practices.ts'

const clock = fixedClock('2026-10-05T12:00:00Z')

type Machine = SyncContext & { known: Map<string, ServerState> }
/** What the server has: the last one who sends wins, as the engine does after a result. */
let server: Map<string, SyncItem>
let root: string
let desk: Machine
let laptop: Machine
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-practices-'))
  server = new Map()
  desk = machine('desk')
  laptop = machine('laptop')
})
afterEach(() => {
  for (const { ledger } of [desk, laptop]) ledger.close()
  rmSync(root, { recursive: true, force: true })
})

function machine(origin: string, config = ''): Machine {
  const ledger = openLedger(layoutOf(join(root, origin)))
  return {
    ledger,
    clock,
    origin,
    redact,
    config: parseConfig(`${config}\n[display]\nzone = "UTC"`, 'test'),
    known: new Map(),
  }
}

/** Reads what changed on the server, then sends what differs: one exchange of one machine. */
function exchange(at: Machine, syncedKind: SyncedKind = practiceKind): MergeResult[] {
  const results: MergeResult[] = []
  at.ledger.transaction(() => {
    for (const item of server.values()) {
      if (item.kind !== syncedKind.kind || at.known.get(item.id)?.version === item.version) continue
      const result = syncedKind.mergeRemote(at, 'me', item, at.known.get(item.id))
      results.push(result)
      if (result !== 'unsupported') at.known.set(item.id, { version: item.version, hash: item.hash, statement: '' })
    }
    for (const id of new Set([...syncedKind.idsIn(at, 'me'), ...at.known.keys()])) send(at, syncedKind, id)
  })
  return results
}

function send(at: Machine, syncedKind: SyncedKind, id: string): void {
  const desired = syncedKind.desiredState(at, 'me', id)
  if (desired.kind === 'refused' || desired.kind === 'unmanaged') return
  const document: ItemDocument | null = desired.kind === 'document' ? desired.document : null
  const hash = hashOfDocument(document)
  if (hash === (at.known.get(id)?.hash ?? 'deleted')) return
  const version = (server.get(id)?.version ?? 0) + 1
  server.set(id, { id, kind: syncedKind.kind, seq: version, version, hash, document, author: 'me', sharedBy: null })
  at.known.set(id, { version, hash, statement: '' })
}

const settle = (at: Machine) => refreshCatalogue({ ...at, zone: zoneOf('UTC') })

const practice: Practice = {
  id: 'read-before-edit',
  path: 'practices/read-before-edit',
  title: 'Read before edit',
  version: '1.0.0',
  status: 'approved',
  problem: 'Edits fail on stale text.',
  rule: 'Read a file before you edit it.',
  agents: [],
  projects: [],
  steps: [],
  provenance: { frequency: 0, sessions: 0, agents: [], evidence: '', examples: [] },
  history: [{ version: '1.0.0', day: '2026-10-01', what: 'approved' }],
}

async function has(at: Machine, one: Practice = practice): Promise<void> {
  await savePractice(at.ledger.layout, one)
  await settle(at)
}

const fileAt = (at: Machine, path = practice.path) => join(at.ledger.layout.vault, practiceFile(path))
const textAt = (at: Machine, path?: string) => readFileSync(fileAt(at, path), 'utf8')
const namesAt = (at: Machine) => readdirSync(join(at.ledger.layout.vault, 'practices')).sort()

async function says(at: Machine, from: string, to: string): Promise<void> {
  const before = textAt(at)
  expect(before).toContain(from)
  writeFileSync(fileAt(at), before.replace(from, to))
  await settle(at)
}

describe('practiceKind', () => {
  it('creates the same file on the other machine, not seen as an edit', async () => {
    await has(desk)
    exchange(desk)
    expect(exchange(laptop)).toEqual(['applied'])
    expect(textAt(laptop)).toBe(textAt(desk))
    const { practices, problems } = await settle(laptop)
    expect({ practices, problems }).toMatchObject({ practices: [{ id: practice.id, version: '1.0.0' }], problems: [] })
    expect(textAt(laptop)).toBe(textAt(desk))
    expect(exchange(laptop)).toEqual([])
  })

  it('syncs edits, retirement and deletion', async () => {
    await has(desk)
    exchange(desk)
    exchange(laptop)
    await says(laptop, 'Read a file before', 'Read the whole file before')
    exchange(laptop)
    expect(exchange(desk)).toEqual(['applied'])
    expect(textAt(desk)).toBe(textAt(laptop))
    await says(desk, 'status: approved', 'status: retired')
    exchange(desk)
    exchange(laptop)
    expect((await settle(laptop)).practices).toMatchObject([{ status: 'retired' }])
    rmSync(fileAt(laptop))
    await settle(laptop)
    exchange(laptop)
    expect(exchange(desk)).toEqual(['applied'])
    expect(existsSync(fileAt(desk))).toBe(false)
    expect((await settle(desk)).practices).toEqual([])
    expect(reviewsByPattern(desk.ledger).get(practice.id)).toMatchObject([{ verdict: 'deleted' }])
  })

  it('keeps a second file if both sides edited', async () => {
    await has(desk)
    exchange(desk)
    exchange(laptop)
    await says(desk, 'Read a file before', 'Read the tests before')
    await says(laptop, 'Read a file before', 'Read the docs before')
    exchange(desk)
    expect(exchange(laptop)).toEqual(['conflict'])
    expect(textAt(laptop)).toContain('Read the docs before')
    exchange(desk)
    exchange(laptop)
    for (const at of [desk, laptop]) {
      const { practices, problems } = await readCatalogue(at.ledger.layout)
      expect(problems).toEqual([])
      expect(practices).toHaveLength(2)
      expect(practices.find(({ id }) => id === practice.id)).toMatchObject({
        status: 'approved',
        rule: expect.stringContaining('docs'),
      })
      expect(practices.find(({ id }) => id !== practice.id)).toMatchObject({
        status: 'retired',
        rule: expect.stringContaining('tests'),
      })
    }
    expect(namesAt(desk)).toEqual(namesAt(laptop))
    const other = namesAt(laptop).find((name) => name !== 'read-before-edit.md')!
    expect(textAt(laptop, `practices/${other.slice(0, -3)}`)).toContain(
      '> Another version of the practice read-before-edit',
    )
    expect([...exchange(desk), ...exchange(laptop)]).toEqual([])
  })

  it('does not overwrite an edit in progress', async () => {
    await has(desk)
    exchange(desk)
    exchange(laptop)
    await says(desk, 'Read a file before', 'Read the tests before')
    exchange(desk)
    writeFileSync(fileAt(laptop), textAt(laptop).replace('Read a file before', 'Read the docs before'))
    expect(exchange(laptop)).toEqual(['conflict'])
    expect(textAt(laptop)).toContain('Read the docs before')
    expect(namesAt(laptop)).toHaveLength(2)
  })

  it('deletes the file and keeps the local edit as a copy', async () => {
    await has(desk)
    exchange(desk)
    exchange(laptop)
    rmSync(fileAt(desk))
    await settle(desk)
    exchange(desk)
    await says(laptop, 'Read a file before', 'Read the docs before')
    expect(exchange(laptop)).toEqual(['conflict'])
    const { practices } = await settle(laptop)
    expect(practices).toMatchObject([{ status: 'retired', rule: expect.stringContaining('docs') }])
  })

  it('ignores old content of a restored server', async () => {
    await has(desk)
    exchange(desk)
    const old = new Map(server)
    await says(desk, 'Read a file before', 'Read the tests before')
    exchange(desk)
    server = old
    // The engine meets it though its version is an earlier one.
    expect(exchange(desk)).toEqual(['unchanged'])
    expect(textAt(desk)).toContain('Read the tests before')
    expect(server.get('practice:read-before-edit')!.document!.content).toContain('Read the tests before')
  })

  it('waits if the practices folder is missing', async () => {
    await has(desk)
    exchange(desk)
    exchange(laptop)
    await says(desk, 'Read a file before', 'Read the tests before')
    exchange(desk)
    rmSync(join(laptop.ledger.layout.vault, 'practices'), { recursive: true })
    expect(exchange(laptop)).toEqual(['unsupported'])
    expect(existsSync(join(laptop.ledger.layout.vault, 'practices'))).toBe(false)
    expect(practiceFileRows(laptop.ledger).get(practice.id)).toMatchObject({ isDeleted: false })
  })

  it('keeps practices of private projects and refuses secrets', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    await has(desk, { ...practice, projects: ['github.com/acme/diary'] })
    const hiding = { ...desk, config: parseConfig('[sync]\nprivate = ["github.com/acme/*"]', 'test') }
    expect(practiceKind.desiredState(hiding, 'me', `practice:${practice.id}`)).toEqual({ kind: 'absent' })
    expect(practiceKind.desiredState(desk, 'me', `practice:${practice.id}`).kind).toBe('document')
    await says(desk, 'Read a file before', `Say ${secret} before`)
    const desired = practiceKind.desiredState(desk, 'me', `practice:${practice.id}`)
    expect(desired).toMatchObject({ kind: 'refused', refusal: { reason: 'secret', rules: ['github-token'] } })
    expect(JSON.stringify(desired)).not.toContain(secret)
  })

  it('writes only inside the practices folder', () => {
    const content = '---\nid: "../../evil"\n---\n\n# ../../../etc/passwd\n\n## Rule\n\nRead.\n'
    const document = { title: '../../../etc/passwd', content }
    server.set('practice:fine', {
      id: 'practice:fine',
      kind: 'practice',
      seq: 1,
      version: 1,
      hash: hashOfDocument(document),
      document,
      author: 'me',
      sharedBy: null,
    })
    const bad = { ...server.get('practice:fine')!, id: 'practice:../../evil' }
    expect(practiceKind.mergeRemote(laptop, 'me', bad, undefined)).toBe('unsupported')
    expect(exchange(laptop)).toEqual(['applied'])
    expect(namesAt(laptop)).toHaveLength(1)
    expect(textAt(laptop, `practices/${namesAt(laptop)[0]!.slice(0, -3)}`)).toContain('id: "fine"')
  })
})

describe('patternKind', () => {
  const review = {
    pattern: 'p-1',
    verdict: 'approved' as const,
    title: 'Edits fail on stale text',
    evidence: { evidence: 'abc', frequency: 7, agents: ['codex'], projects: 2, file: 'f00' },
    note: 'seen often',
    atMs: Date.parse('2026-10-01T10:00:00Z'),
  }
  const approvedAt = (at: Machine) =>
    listReviews(at.ledger).filter(({ verdict, undoneAtMs }) => verdict === 'approved' && undoneAtMs === null)

  it('syncs an approval and its withdrawal', () => {
    addReview(desk.ledger, review)
    exchange(desk, patternKind)
    expect(exchange(laptop, patternKind)).toEqual(['applied'])
    expect(approvedAt(laptop)).toMatchObject([review])
    undoReview(laptop.ledger, approvedAt(laptop)[0]!.id, clock.nowMs())
    exchange(laptop, patternKind)
    expect(exchange(desk, patternKind)).toEqual(['applied'])
    expect(approvedAt(desk)).toEqual([])
    expect(exchange(laptop, patternKind)).toEqual([])
  })

  it('merges approvals of both sides', () => {
    addReview(desk.ledger, review)
    addReview(laptop.ledger, { ...review, note: 'mine' })
    exchange(desk, patternKind)
    expect(exchange(laptop, patternKind)).toEqual(['merged'])
    expect(exchange(desk, patternKind)).toEqual(['applied'])
    for (const at of [desk, laptop]) expect(approvedAt(at)).toMatchObject([{ note: 'mine' }])
    expect([...exchange(desk, patternKind), ...exchange(laptop, patternKind)]).toEqual([])
  })

  it('does not sync other decisions', () => {
    addReview(desk.ledger, { ...review, verdict: 'rejected' as never })
    exchange(desk, patternKind)
    expect(server.size).toBe(0)
  })
})
