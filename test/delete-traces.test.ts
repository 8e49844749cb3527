// `delete --purge` leaves no trace: a word that stands in everything that was derived from a session
// is in no file of the store afterwards, compressed or not.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync, zstdDecompressSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { runDeletion, runUndo } from '../src/delete/run.ts'
import { rebuild } from '../src/rebuild.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { changeById, changeMemories } from '../src/store/memories/changes.ts'
import { saveDeadLetter } from '../src/store/memories/dead-letters.ts'
import { listMemories } from '../src/store/memories/memories.ts'
import { bestPassages } from '../src/store/search/passage-search.ts'
import { logWork } from '../src/store/work-log.ts'
import { sweep } from '../src/sweep.ts'
import { bytesPerTerm, countOfTerms, hashTerm, termAt } from '../src/text/term-hash.ts'
import { termsOf } from '../src/text/terms.ts'
import { fileAnswer } from '../src/wiki/ask/article.ts'
import { askWiki } from '../src/wiki/ask/ask.ts'
import { buildWiki } from '../src/wiki/build.ts'
import { type TestHome, testHome } from './corpus/home.ts'
import { lines } from './program.ts'
import { sampleMemory } from './sample-memory.ts'
import { type SessionScript, sessionIdOf, transcriptOf } from './transcripts.ts'

const noon = '2026-11-01T12:00:00Z'
/** Stands in the deleted session, and in what was made from it. */
const marker = 'quetzalcoatl'

const story = (agent: SessionScript['agent'], number: number): SessionScript => ({
  agent,
  number,
  project: 'app',
  branch: `feature/${marker}-export`,
  startedMs: Date.parse('2026-10-31T10:00:00Z'),
  steps: [
    { do: 'title', text: `Repair the ${marker} export` },
    { do: 'say', text: `Always start the ${marker} service before you run the tests. Then repair the export.` },
    { do: 'run', command: `make ${marker}-test`, output: `Error: cannot find module '${marker}'`, exit: 1 },
    { do: 'run', command: `docker compose up -d ${marker}`, output: 'Started' },
    { do: 'run', command: `make ${marker}-test`, output: 'Tests  12 passed (12)' },
    { do: 'edit', path: `/home/dev/app/src/${marker}.ts`, from: 'const a = 1', to: `const a = '${marker}'` },
    { do: 'plan' },
    { do: 'compact', summary: `The ${marker} export was repaired.` },
    { do: 'say', text: `We decided to keep the ${marker} queue in Redis, because it survives a restart.` },
    { do: 'reply', text: `The ${marker} queue is kept in Redis now. The cause was the ${marker} service.` },
    // The state in which the transcript is read on has this call.
    { do: 'run', command: `make ${marker}-release`, isKilled: true },
  ],
})
/** Codex writes an event behind it, for which its reader waits. */
const unfinishedPrompt = {
  timestamp: '2026-10-31T11:00:00.000Z',
  type: 'response_item',
  payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: `Stop the ${marker} service` }] },
}
const deleted = [story('claude-code', 1), story('codex', 3), story('gemini-cli', 4)]
const kept: SessionScript = {
  agent: 'claude-code',
  number: 2,
  project: 'app',
  startedMs: Date.parse('2026-10-31T12:00:00Z'),
  steps: [
    { do: 'say', text: 'Always write the changelog before a release. Then release it.' },
    { do: 'reply', text: 'The release is done, with a changelog.' },
  ],
}
const gone = deleted.map(sessionIdOf)

let home: TestHome
afterEach(() => home.remove())

const store = () => join(home.path, '.recollect')

async function withApp<T>(use: (app: App, ledger: Ledger) => T | Promise<T>): Promise<T> {
  const app = createApp({ machine: home.machine, clock: fixedClock(noon) })
  const ledger = app.ledger()
  try {
    return await use(app, ledger)
  } finally {
    ledger.close()
  }
}

async function run(): Promise<void> {
  const app = createApp({ machine: home.machine, clock: fixedClock(noon) })
  expect(await sweep(app, { waitsForLearning: true })).toMatchObject({ kind: 'done' })
}

/** Text of a file and of what is compressed in it: bodies, objects of git, columns of the ledger. */
function textsOf(path: string): string[] {
  const bytes = readFileSync(path)
  const texts = [bytes.toString('latin1')]
  for (let at = bytes.indexOf(zstdMagic); at >= 0; at = bytes.indexOf(zstdMagic, at + 1))
    texts.push(...attempt(() => zstdDecompressSync(bytes.subarray(at), { maxOutputLength: 1 << 26 })))
  if (/\.git\/objects\/[0-9a-f]{2}\//.test(path)) texts.push(...attempt(() => inflateSync(bytes)))
  return texts
}

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

function attempt(decompress: () => Buffer): string[] {
  try {
    return [decompress().toString('latin1')]
  } catch {
    return [] // four bytes that look like the begin of a frame
  }
}

/** Compressed columns go over several pages of the file, so they are read through SQLite. */
function rowsWith(word: string): string[] {
  return home.look((ledger) => {
    const tables = ledger.sql("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    return tables.flatMap(({ name }) =>
      ledger
        .sql(`SELECT * FROM "${name}"`)
        .all()
        .filter((row) =>
          Object.values(row).some((value) =>
            value instanceof Uint8Array
              ? attempt(() => zstdDecompressSync(value)).some((text) => text.toLowerCase().includes(word))
              : String(value).toLowerCase().includes(word),
          ),
        )
        .map((row) => `${name}: ${JSON.stringify(row).slice(0, 200)}`),
    )
  })
}

/** Packed objects are read by git itself. */
function gitObjectsWith(word: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', join(store(), 'vault'), ...args], { encoding: 'latin1', maxBuffer: 1 << 28 })
  const ids = git('cat-file', '--batch-all-objects', '--batch-check=%(objectname)').trim().split('\n')
  return ids.filter((id) => git('cat-file', '-p', id).toLowerCase().includes(word))
}

function filesWith(word: string): string[] {
  return readdirSync(store(), { recursive: true, encoding: 'utf8' }).filter((name) => {
    if (name.toLowerCase().includes(word)) return true
    const path = join(store(), name)
    return statSync(path).isFile() && textsOf(path).some((text) => text.toLowerCase().includes(word))
  })
}

/** Older copies, what a killed process leaves (no process has this number), and what quotes a session. */
const reports = [
  ...['backups/ledger-v3.db', 'backups/damaged-2026-10-31/ledger.db', 'backups/damaged-bodies/one.zst'],
  ...['run/handoff.4194305.tmp/session.jsonl', 'run/session.jsonl.4194305.tmp', 'run/edit.4194305.tmp/memory.md'],
  ...['run/fork-a1b2c3/note.md', 'run/compaction/codex.1.txt', 'vault/journal/2026-10-31.md.4194305.tmp'],
  ...['spool/bad/event', 'logs/work.log', 'logs/page.log.1'],
]

/** Everything that may be made from a session is made from these. */
async function makeEverything(): Promise<void> {
  home = testHome()
  home.write('.recollect/config.toml', '[hooks]\nfix = true\n')
  for (const story of [...deleted, kept]) {
    const { path, lines: all } = transcriptOf(story)
    home.write(path, lines(story.agent === 'codex' ? [...all, unfinishedPrompt] : all))
  }
  await run()
  const at = '2026-10-31T10:00:00.000Z'
  const evidence = [{ session: gone[0]!, event: null, quote: `start the ${marker} service` }]
  await withApp((_, ledger) => {
    const memory = sampleMemory({ id: 'm-1', text: `Start the ${marker} service first`, evidence })
    ledger.transaction(() => changeMemories(ledger, { at, kind: 'remembered', about: memory.text }, [memory]))
    saveDeadLetter(ledger, {
      ...{ purpose: 'memories', session: gone[0]!, fromSeq: 0, toSeq: 3, reason: 'none', atMs: 0, at },
      input: JSON.stringify({ said: marker }),
    })
    logWork(ledger, { atMs: 0, session: gone[0]!, what: 'dropped', detail: marker })
  })
  await run()
  await withApp((app, ledger) => buildWiki({ ...app, ledger }))
  for (const question of ['Where is the queue kept?', `Which service does ${marker} need?`])
    await withApp(async (app, ledger) => {
      const { article } = await askWiki({ ...app, ledger }, question, { fileBack: true })
      expect(article).not.toBeNull()
      expect(await fileAnswer({ ...app, ledger }, article!)).toMatchObject({ kind: 'filed' })
    })
  await withApp((app, ledger) => buildWiki({ ...app, ledger }))
  await run()
  for (const place of reports) home.write(join('.recollect', place), `start the ${marker} service`)
}

const noTraces = { files: [], rows: [], objects: [], found: 0, hashes: 0, freePages: 0 }

/** The index has hashes of words, and free pages may have parts of what was compressed. */
function tracesOf(word: string) {
  const [term] = termsOf(word)
  return home.look((ledger) => {
    const passages = ledger.sql('SELECT terms FROM passages').all() as { terms: Uint8Array }[]
    const hasHash = ({ terms }: { terms: Uint8Array }) =>
      Array.from({ length: countOfTerms(terms) }, (_, at) => termAt(terms, at * bytesPerTerm)).includes(hashTerm(term!))
    return {
      ...{ files: filesWith(word), rows: rowsWith(word), objects: gitObjectsWith(word) },
      found: bestPassages(ledger, { any: [term!] }, {}, 1000).length,
      hashes: passages.filter(hasHash).length,
      freePages: Number(ledger.sql('PRAGMA freelist_count').get()!.freelist_count),
    }
  })
}

describe('delete --purge', () => {
  it('leaves no trace of a session', async () => {
    await makeEverything()
    for (const place of reports) expect(filesWith(marker)).toContain(place)
    expect(rowsWith(marker).join('\n')).toMatch(/^cursors: .*codex/m)
    expect(tracesOf(marker).found).toBeGreaterThan(0)
    const before = filesWith(marker).join('\n')
    for (const place of [/^bodies\//m, /^briefs\/.*\.md$/m, /^briefs\/.*\.fixes$/m, /^ledger\.db/m, /vault\/memory/])
      expect(before).toMatch(place)
    for (const place of [/vault\/journal/, /vault\/wiki\/answers\//, /vault\/wiki\/log\.md/, /vault\/\.git\/objects/])
      expect(before).toMatch(place)
    await withApp(async (app, ledger) => {
      const done = await runDeletion(app.context(ledger), { uids: gone }, { isPurged: true })
      expect(done).toMatchObject({ isPurged: true, citedIn: [] })
    })
    expect(tracesOf(marker)).toEqual(noTraces)
    await run()
    await withApp((app, ledger) => rebuild(app, ledger, () => {}))
    await withApp((app, ledger) => buildWiki({ ...app, ledger }))
    expect(tracesOf(marker)).toEqual(noTraces)
    expect(home.look((ledger) => listMemories(ledger).map(({ text }) => text)).join()).not.toContain(marker)
  })

  it('leaves no trace in the index of a wiki that has only an answer', async () => {
    home = testHome()
    const { path, lines: all } = transcriptOf({
      ...deleted[0]!,
      steps: [
        { do: 'say', text: 'Why do uploads get lost?' },
        { do: 'reply', text: `Uploads get lost because the ${marker} worker drops its queue.` },
      ],
    })
    home.write(path, lines(all))
    await run()
    await withApp(async (app, ledger) => {
      const { article } = await askWiki({ ...app, ledger }, 'Why do uploads get lost?', { fileBack: true })
      await fileAnswer({ ...app, ledger }, article!)
    })
    expect(filesWith(marker)).toContain('vault/wiki/index.md')
    const index = () => readFileSync(join(store(), 'vault/wiki/index.md'), 'utf8')
    await withApp(async (app, ledger) => {
      const { change } = await runDeletion(app.context(ledger), { uids: gone.slice(0, 1) })
      expect(index()).toContain('There are no articles yet.')
      await runUndo(app.context(ledger), changeById(ledger, change)!)
      expect(index()).toContain(marker)
      await runDeletion(app.context(ledger), { uids: gone.slice(0, 1) }, { isPurged: true })
    })
    expect({ files: filesWith(marker), objects: gitObjectsWith(marker) }).toEqual({ files: [], objects: [] })
  })

  it('keeps what a person wrote below an answer, and undo puts the answer back', async () => {
    await makeEverything()
    const answers = join(store(), 'vault/wiki/answers')
    const path = join(answers, 'where-is-the-queue-kept.md')
    writeFileSync(path, `${readFileSync(path, 'utf8')}\nAsk Ann about the port.\n`)
    const before = readFileSync(path, 'utf8')
    await withApp(async (app, ledger) => {
      const { change } = await runDeletion(app.context(ledger), { uids: gone })
      expect(readdirSync(answers)).toEqual(['where-is-the-queue-kept.md'])
      const left = readFileSync(path, 'utf8')
      expect(left).toContain('Ask Ann about the port.')
      expect(left).not.toContain(marker)
      await runUndo(app.context(ledger), changeById(ledger, change)!)
      expect(readFileSync(path, 'utf8')).toBe(before)
      expect(readdirSync(answers)).toHaveLength(2)
    })
  })
})
