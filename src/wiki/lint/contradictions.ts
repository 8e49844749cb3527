// Finds contradicting statements with a model. Compares only articles of one project that share a
// tag or a topic, and accepts only quotes that occur in them.

import type { AskModel } from '../../journal/context.ts'
import { unescapeMarkdown } from '../../text/markdown.ts'
import { oneLine, truncate } from '../../text/truncate.ts'
import { isSectionMarkerLine } from '../sections.ts'
import type { ArticleExcerpt, ContradictionsAnswer } from './contradiction-question.ts'
import { type LintFinding, newFinding } from './finding.ts'
import type { LintedPage, LintedWiki } from './read-wiki.ts'

/** Questions per run, articles per question, characters per article. */
const limits = { questions: 10, articles: 8, characters: 1700 }

interface ContradictionResult {
  findings: LintFinding[]
  questions: number
  /** Number of groups that were not asked about. */
  left: number
  /** Why it stopped. */
  problem: string | null
}

export async function findContradictions({ pages }: LintedWiki, ask: AskModel): Promise<ContradictionResult> {
  const groups = groupsOf([...pages.values()])
  const { contradictionsQuestion } = await import('./contradiction-question.ts')
  const findings = new Map<string, LintFinding>()
  let questions = 0
  for (const group of groups.slice(0, limits.questions)) {
    const excerpts = group.map(excerptOf)
    const answer = await ask(contradictionsQuestion(excerpts))
    if (answer.kind !== 'answered') {
      const reasons = answer.reasons.map(({ provider, reason }) => `${provider}: ${reason}`)
      const problem = reasons.join('; ') || 'There is no model to ask'
      return { findings: [...findings.values()], questions, left: groups.length - questions, problem }
    }
    questions++
    for (const finding of verifiedPairs(answer.value, group, excerpts)) findings.set(finding.message, finding)
  }
  return { findings: [...findings.values()], questions, left: groups.length - questions, problem: null }
}

/**
 * Articles that share a tag or a topic, smallest groups first, because rare tags are more specific.
 */
export function groupsOf(pages: readonly LintedPage[]): LintedPage[][] {
  const shared = new Map<string, LintedPage[]>()
  for (const page of pages) {
    if (page.problem !== null) continue
    for (const key of keysOf(page)) shared.get(key)?.push(page) ?? shared.set(key, [page])
  }
  const parts = [...shared.values()]
    .toSorted((a, b) => a.length - b.length)
    .flatMap((group) => partsOf(group))
    .filter((group) => group.length > 1)
  const asked = new Set<string>()
  return parts.filter((group) => {
    const key = group.map(({ path }) => path).join('\n')
    return !asked.has(key) && asked.add(key)
  })
}

function keysOf({ head }: LintedPage): Set<string> {
  const project = head.project ?? ''
  const names = [...(head.tags ?? []), ...(head.topic === undefined || head.topic === null ? [] : [head.topic])]
  return new Set(names.map((name) => `${project}\n${name.toLowerCase()}`))
}

function partsOf(group: readonly LintedPage[]): LintedPage[][] {
  const count = Math.ceil(group.length / limits.articles)
  return Array.from({ length: count }, (_, at) => group.slice(at * limits.articles, (at + 1) * limits.articles))
}

const skippedSections: ReadonlySet<string> = new Set(['open', 'topics', 'related', 'sources'])

function excerptOf({ head, path, body, sections }: LintedPage): ArticleExcerpt {
  const rest = sections
    .filter(({ name }) => skippedSections.has(name))
    .reduce((text, section) => text.replace(section.text, () => ''), body)
  const isTold = (line: string) => line.trim() !== '' && !isSectionMarkerLine(line) && !isSuperseded.test(line)
  const lines = rest.split('\n').filter(isTold)
  return { title: head.title ?? path, updated: head.updated ?? '', text: truncate(lines.join('\n'), limits.characters) }
}

/** A superseded statement below the valid one, which it contradicts by design. */
const isSuperseded = /^ +- Until \d{4}-\d\d-\d\d: /

/** Keeps pairs of two different statements that occur in the named articles. */
function verifiedPairs(
  answer: ContradictionsAnswer,
  group: readonly LintedPage[],
  excerpts: readonly ArticleExcerpt[],
): LintFinding[] {
  return answer.contradictions.flatMap(({ first, second, why }) => {
    const [one, other] = [first, second].map(({ article, words }) => {
      const excerpt = excerpts[article - 1]
      const isThere =
        excerpt !== undefined && comparable(words).length > 5 && comparable(excerpt.text).includes(comparable(words))
      return isThere ? { page: group[article - 1]!, words: truncate(oneLine(words), 200) } : undefined
    })
    if (!one || !other || comparable(one.words) === comparable(other.words)) return []
    const where = one.page === other.page ? 'and' : `and in ${other.page.path}`
    const message = `“${one.words}” ${where} “${other.words}”: ${truncate(oneLine(why), 300)}`
    return newFinding('contradiction', one.page.path, lineOf(one.page, one.words), message)
  })
}

function comparable(text: string): string {
  return oneLine(unescapeMarkdown(text).replace(/[*_`“”"'‘’]/g, '')).toLowerCase()
}

function lineOf({ body, bodyLine }: LintedPage, words: string): number | null {
  const at = body.split('\n').findIndex((line) => comparable(line).includes(comparable(words)))
  return at < 0 ? null : bodyLine + at
}
