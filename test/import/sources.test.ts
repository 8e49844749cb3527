// What every source of imports has to do, whatever its format.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importedAgents } from '../../src/core/session.ts'
import { detectSource, importSources } from '../../src/import/registry.ts'
import type { ImportedItem, ImportProblem, ImportSource } from '../../src/import/source.ts'
import { claudeMemSessions, fixtures, specstorySession } from './fixtures.ts'

let root: string
const places = new Map<string, string>()
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-import-'))
  for (const [id, write] of Object.entries(fixtures)) places.set(id, write(join(root, id)))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function readAll(
  source: ImportSource,
  path: string,
): Promise<{ items: ImportedItem[]; problems: ImportProblem[] }> {
  const problems: ImportProblem[] = []
  const items: ImportedItem[] = []
  for await (const item of source.read(path, { problem: (one) => problems.push(one) })) items.push(item)
  return { items, problems }
}

describe.each(importSources.map((source) => [source.id, source] as const))('%s', (id, source) => {
  it('is a known agent if it has sessions', () =>
    expect(importedAgents.includes(id)).toBe(source.countSessions !== undefined))

  it('is recognised by its content', () => expect(detectSource(places.get(id)!).source.id).toBe(id))

  it.runIf(source.files)('is recognised in its folder', () => {
    const path = places.get(id)!
    expect(detectSource(dirname(path))).toEqual({ source, path })
  })

  it('does not recognise what is of others', () => {
    const others = [...places].filter(([other]) => other !== id).map(([, path]) => path)
    expect(others.filter((path) => source.detect(path))).toEqual([])
  })

  it('does not recognise files of no program', () => {
    const junk = join(root, `junk-${id}`)
    mkdirSync(join(junk, 'folder'), { recursive: true })
    const contents = {
      empty: '',
      'notes.md': '# Shopping\n\n- milk\n',
      'data.json': '{"a": [1]}',
      'x.db': 'SQLite format 3\0',
    }
    for (const [name, content] of Object.entries(contents)) writeFileSync(join(junk, name), content)
    const paths = [junk, ...readdirSync(junk).map((name) => join(junk, name)), join(junk, 'missing')]
    expect(paths.filter((path) => source.detect(path))).toEqual([])
  })

  it('reads the same items again', async () => {
    const first = await readAll(source, places.get(id)!)
    expect(first.items.length).toBeGreaterThan(0)
    expect(await readAll(source, places.get(id)!)).toEqual(first)
  })

  it('names every item once', async () => {
    const { items } = await readAll(source, places.get(id)!)
    const names = items.map((item) => `${item.kind} ${nameOf(item)}`)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('does not throw on damaged files', async () => {
    const folder = fixtures[id]!(join(root, `damaged-${id}`))
    for (const file of filesBelow(folder)) {
      const content = readFileSync(file)
      for (const damaged of [
        content.subarray(0, content.length / 2),
        Buffer.concat([content.subarray(0, 90), Buffer.from([255, 0, 123]), content]),
      ]) {
        writeFileSync(file, damaged)
        const { items, problems } = await readAll(source, folder)
        expect(items.every(({ kind }) => kind !== undefined) && problems.every(({ reason }) => reason !== '')).toBe(
          true,
        )
      }
      writeFileSync(file, content)
    }
  })
})

function nameOf(item: ImportedItem): string {
  if (item.kind === 'note') return item.key
  if (item.kind === 'memory') return item.memory.id
  if (item.kind === 'day') return item.day
  return item.kind === 'article' ? `${item.articleKind} ${item.name}` : item.native
}

function filesBelow(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)))
}

const itemsOf = async (id: string) =>
  (await readAll(importSources.find((one) => one.id === id)!, places.get(id)!)).items

describe('what is read', () => {
  it('of claude-mem: prompts, observations and summaries by session, not its own sessions', async () => {
    const sessions = (await itemsOf('claude-mem')).filter((item) => item.kind === 'session')
    expect(sessions.map(({ native }) => native)).toEqual([
      claudeMemSessions.captured,
      claudeMemSessions.old,
      'observer-lost',
    ])
    expect(sessions[1]).toMatchObject({ project: 'app', about: { title: 'Idempotent orders' } })
    expect(sessions[1]!.events.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'prompt prompt/2',
      'context prompt/3',
      'reply observation/2',
      'reply summary/1',
    ])
    expect(sessions[1]!.events[3]!.text).toContain('Next steps: Test it')
  })

  it('of claude-mem before it renamed its columns', async () => {
    const path = fixtures['claude-mem']!(join(root, 'old-claude-mem'))
    const database = new DatabaseSync(path)
    for (const table of ['sdk_sessions', 'user_prompts'])
      database.exec(`ALTER TABLE ${table} RENAME COLUMN content_session_id TO claude_session_id`)
    for (const table of ['sdk_sessions', 'observations', 'session_summaries'])
      database.exec(`ALTER TABLE ${table} RENAME COLUMN memory_session_id TO sdk_session_id`)
    database.close()
    const read = async (path: string) =>
      (await readAll(detectSource(path).source, path)).items.map((item) => ({ ...item, file: '' }))
    expect(await read(path)).toEqual(await read(places.get('claude-mem')!))
  })

  it('of claude-memory: what rules found is a proposal, and sensitive rows are left out', async () => {
    const source = importSources.find(({ id }) => id === 'claude-memory')!
    const { items, problems } = await readAll(source, places.get('claude-memory')!)
    expect(items).toMatchObject([
      { memoryKind: 'fact', importance: 0.7, keywords: ['reset', 'weekly', 'rebuild'] },
      { memoryKind: 'preference', type: 'feedback' },
      { memoryKind: 'decision', isProposal: true },
    ])
    expect(problems).toMatchObject([{ reason: 'memory 4 is marked as sensitive and is left out' }])
  })

  it('of the MCP memory server: a statement per observation, one for all relations of an entity', async () =>
    expect(await itemsOf('server-memory')).toMatchObject([
      { subject: 'Ada Keller', text: 'Works on billing', type: 'user' },
      { subject: 'Ada Keller', text: 'Ada Keller likes tabs in Go' },
      { subject: 'Ada Keller', text: 'maintains billing; reviews changes of search' },
      { subject: 'billing', text: 'Deploys go out on Tuesdays only' },
    ]))

  it('of SpecStory: each session once, tool output as a block, machine text apart', async () => {
    const sessions = (await itemsOf('specstory')).filter((item) => item.kind === 'session')
    expect(sessions).toMatchObject([
      {
        native: '2025-03-01_10-00Z-old-format',
        about: { title: 'Sorting the list', started: '2025-03-01T10:00:00.000Z' },
      },
      { native: specstorySession, about: { cwd: join(root, 'specstory') } },
    ])
    expect(sessions[0]!.events.map(({ kind }) => kind)).toEqual(['prompt', 'reply'])
    expect(sessions[1]!.events.map(({ kind, text }) => `${kind}: ${text.split('\n')[0]}`)).toEqual([
      'prompt: Why is the report empty on Mondays?',
      'thinking: The query may start on Sunday.',
      'reply: I look at the query first.',
      'tool_call: ',
      'tool_result: `cat old-chat.md`',
      'reply: The week starts on Sunday in the query, so Monday has one day only.',
      'context: <command-name>/clear</command-name>',
      'context: Summarise the finding.',
    ])
    expect(sessions[1]!.events[3]).toMatchObject({ tool: 'Bash', input: { command: 'cat old-chat.md' } })
  })

  it('of memoria: days without empty entries, articles with links into our vault', async () => {
    const [day, concept, answer] = await itemsOf('memoria')
    expect(day).toMatchObject({ day: '2026-04-01', text: expect.not.stringContaining('FLUSH_OK') })
    expect(concept).toMatchObject({ articleKind: 'concept', name: 'supabase-auth' })
    expect((concept as { content: string }).content).toContain(
      'See [[wiki/answers/test-policies]] and [[journal/2026-04-01|that day]].',
    )
    expect((answer as { content: string }).content).toContain(
      'sources: ["wiki/concepts/supabase-auth"]\ncreated: 2026-04-05',
    )
  })

  it('of basic-memory: a page per note, a statement per observation', async () => {
    const items = await itemsOf('basic-memory')
    expect(items.filter((item) => item.kind === 'article').map(({ name }) => name)).toEqual([
      'Payment Client',
      'notes Retry Policy',
      'projects Retry Policy',
    ])
    expect(items.filter((item) => item.kind === 'note')).toMatchObject([
      {
        subject: 'Payment Client',
        text: 'Never log the card number',
        memoryKind: 'preference',
        tags: ['preference', 'security'],
      },
      {
        subject: 'Retry Policy',
        text: 'Retries use exponential backoff with a cap of 30 seconds',
        why: 'the provider bans faster clients',
        at: '2026-03-05T10:00:00.000Z',
      },
    ])
  })

  it('of our export: memories, days with entries, and articles that nothing compiles again', async () =>
    expect(await itemsOf('recollect')).toMatchObject([
      { kind: 'memory', memory: { id: 'm-aaaa2222bb', kind: 'decision' } },
      { kind: 'article', name: 'own-page' },
      { kind: 'day', entries: [{ session: 'claude-code:s1', isEdited: false }] },
    ]))
})
