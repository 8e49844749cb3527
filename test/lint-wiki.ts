// A clean wiki in a vault of its own, for tests of lint: each puts the smallest thing into it that is wrong.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { fixedClock } from '../src/core/clock.ts'
import { layoutOf } from '../src/core/paths.ts'
import { zoneOf } from '../src/core/units.ts'
import type { AskModel } from '../src/journal/context.ts'
import { type Ledger, openLedger } from '../src/store/ledger.ts'
import { changeMemories } from '../src/store/memories/changes.ts'
import { lastChangeId } from '../src/store/memories/files.ts'
import type { Article, ArticleKind, ArticleSection } from '../src/wiki/article.ts'
import { articleFolders } from '../src/wiki/article.ts'
import { changedDays, saveDay } from '../src/wiki/days.ts'
import { saveCompiled } from '../src/wiki/due.ts'
import { writeIndex } from '../src/wiki/index-and-log.ts'
import { lintWiki } from '../src/wiki/lint/lint.ts'
import { writeArticles } from '../src/wiki/write.ts'
import { sampleMemory } from './sample-memory.ts'

export const project = '/home/dev/app'
export const day = '2026-09-01'
export const source = `([[journal/${day}|${day}]], \`claude-code:s1\`)`

let root: string
export let ledger: Ledger

/** Call it at the top of a test file: hooks belong to the file that registers them. */
export function useLintWiki(): void {
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'recollect-lint-'))
    ledger = openLedger(layoutOf(root))
    write(`journal/${day}`, '# Tuesday\n')
    await put(concept('retries', 'timeouts', 'queue'), concept('timeouts', 'retries', 'queue'))
    await put(concept('queue', 'retries', 'timeouts'))
    compiled()
  })
  afterEach(() => {
    ledger.close()
    rmSync(root, { recursive: true })
  })
}

/** What is found, as `check path:line message`. */
export async function findings(options: Parameters<typeof lintWiki>[1] = {}): Promise<string[]> {
  return (await report(options)).findings.map(
    ({ check, path, line, message, isFixed }) =>
      `${isFixed ? 'fixed ' : ''}${check} ${path}${line === null ? '' : `:${line}`} ${message}`,
  )
}

export function report(options: Parameters<typeof lintWiki>[1] = {}, ask?: AskModel) {
  const clock = fixedClock('2026-11-01T23:30:00Z')
  const context = { ledger, layout: ledger.layout, clock, zone: zoneOf('Europe/Berlin') }
  return lintWiki(ask ? { ...context, ask } : context, options)
}

export function concept(slug: string, ...related: string[]): Article {
  return article('concept', slug, [
    { name: 'rules', text: `## Rules\n\n${statements(slug).join('\n')}` },
    { name: 'related', text: `## Related\n\n${related.map((to) => `- [[wiki/concepts/${to}|${to}]]`).join('\n')}` },
  ])
}

export function article(
  kind: ArticleKind,
  slug: string,
  sections: ArticleSection[],
  head: Partial<Article['head']> = {},
): Article {
  return {
    kind,
    path: `${articleFolders[kind]}/${slug}`,
    summary: `What is known about ${slug}`,
    sections,
    head: {
      title: slug,
      aliases: [],
      tags: ['http'],
      project,
      topic: kind === 'concept' ? `word:${slug}` : null,
      connects: [],
      question: null,
      sources: [`journal/${day}`],
      created: day,
      updated: day,
      ...head,
    },
  }
}

/** Enough for an article that is not sparse. */
export function statements(about: string): string[] {
  return Array.from(
    { length: 16 },
    (_, at) => `- Rule ${at} about ${about} says what to do and what never to do ${source}`,
  )
}

export async function put(...articles: Article[]): Promise<void> {
  await writeArticles({ ledger }, { articles })
  writeIndex({ ledger })
}

/** As a build leaves it. */
export function compiled(): void {
  ledger.transaction(() => {
    for (const change of changedDays(ledger, { isAll: true })) saveDay(ledger, change)
    saveCompiled(ledger, { change: lastChangeId(ledger), at: 0 })
  })
}

export function fileOf(path: string): string {
  return join(ledger.layout.vault, `${path}.md`)
}

export function read(path: string): string {
  return readFileSync(fileOf(path), 'utf8')
}

export function write(path: string, content: string): void {
  mkdirSync(dirname(fileOf(path)), { recursive: true })
  writeFileSync(fileOf(path), content)
}

/** What a person does in an editor. */
export function edit(path: string, from: string | RegExp, to: string): void {
  const before = read(path)
  const after = before.replace(from, () => to)
  expect(after).not.toBe(before)
  writeFileSync(fileOf(path), after)
}

export const retries = 'wiki/concepts/retries'
export const timeouts = 'wiki/concepts/timeouts'
export const queue = 'wiki/concepts/queue'

export function remember(session: string, of: string): void {
  const at = '2026-09-03T10:00:00.000Z'
  const memory = sampleMemory({
    id: `m-${session}-${of}`,
    project: of,
    type: 'feedback',
    kind: 'preference',
    text: 'Retry twice',
    importance: 0.5,
    evidence: [{ session, event: null, quote: 'twice' }],
    at,
  })
  ledger.transaction(() => changeMemories(ledger, { at, kind: 'learned', about: 'test' }, [memory]))
}
