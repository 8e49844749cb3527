// An accepted draft as an article: sections with their headings, every statement with where it comes from.

import { escapeMarkdown } from '../../text/markdown.ts'
import { type Article, maxSummary, type Section, type SectionName } from '../article.ts'
import { wikilink, wikilinksIn } from '../links.ts'
import { prose } from './prose.ts'
import { citationOf, type Source, sourcesOfArticle } from './references.ts'
import { maxOfParagraph, type Statement } from './statements.ts'
import type { Accepted } from './validated.ts'

type Find = (called: string) => string | undefined

export interface Pages {
  /** The page that a link or a name means. */
  find: Find
  titles: ReadonlyMap<string, string>
}

const maxOfSummary = 1000
const maxOfPoint = 500
/** Of what is added to an article that the model has not read, so that it does not grow without end: the latest stay. */
const maxPoints = 12
const maxParagraphs = 12

export function articleOf(accepted: Accepted, { find, titles }: Pages, author: string): Article {
  const { draft, path, head } = accepted
  const pathOf: Find = (called) => {
    const found = find(called)
    return found === path ? undefined : found
  }
  const pathsOf = (called: string) => pathOf(called) ?? []
  const related = new Set([...head.connects, ...[...relatedBefore(accepted), ...draft.related].flatMap(pathsOf)])
  const links = [...related].map((to) => wikilink(to, titles.get(to) ?? to.slice(to.lastIndexOf('/') + 1)))
  const kept = keptSections(accepted)
  const summary = prose(draft.summary, maxOfSummary, pathOf)
  const says: Partial<Record<SectionName, string>> = {
    summary:
      kept.get('summary') ??
      headed('Summary', `${summary}\n\n_Written by ${escapeMarkdown(author, 80)} from the journal._`),
    ...(draft.kind === 'concept' ? conceptParts() : connectionParts()),
    // What rules have compiled has these already, and keeps them up to date.
    ...(head.topic === null ? { related: listText('Related', links), sources: sourcesText(accepted) } : {}),
  }
  const sections = Object.entries(says).flatMap(([name, text]): Section[] =>
    text === '' ? [] : [{ name: name as SectionName, text, isByModel: true }],
  )
  const line = prose(draft.summary, maxSummary - 2, () => undefined)
  const { existing } = accepted
  return { kind: draft.kind, path, head, summary: kept.has('summary') && existing ? existing.summary : line, sections }

  function conceptParts(): Partial<Record<SectionName, string>> {
    const points = accepted.keyPoints.map((one) => `- ${cited(one, maxOfPoint, pathOf)}`)
    const paragraphs = accepted.details.map((one) => cited(one, maxOfParagraph, pathOf))
    const seeAlso = head.topic !== null && links.length > 0 ? [`See also ${links.join(', ')}.`] : []
    return {
      'key points': headed('Key points', joined(linesOf(kept.get('key points')), points, maxPoints).join('\n')),
      details: headed(
        'Details',
        [...joined(paragraphsOf(kept.get('details')), paragraphs, maxParagraphs), ...seeAlso].join('\n\n'),
      ),
    }
  }

  function connectionParts(): Partial<Record<SectionName, string>> {
    const evidence = accepted.evidence.map((one) => `- ${cited(one, maxOfPoint, pathOf)}`)
    return {
      insight: kept.get('insight') ?? headed('Insight', prose(draft.insight, maxOfParagraph, pathOf)),
      evidence: headed('Evidence', joined(linesOf(kept.get('evidence')), evidence, maxPoints).join('\n')),
    }
  }
}

/** What a model has written before and this one has not read: that is added to, not replaced. */
function keptSections({ existing, isShown }: Accepted): Map<string, string> {
  const sections = isShown ? [] : (existing?.sections ?? []).filter(({ isByModel }) => isByModel)
  return new Map(sections.map(({ name, text }) => [name, text]))
}

/** The model is not shown these, so they stay. */
function relatedBefore({ existing }: Accepted): string[] {
  const section = existing?.sections.find(({ name, isByModel }) => name === 'related' && isByModel)
  return wikilinksIn(section?.text ?? '').map(({ target }) => target)
}

function cited({ text, sources }: Statement, max: number, pathOf: Find): string {
  return `${prose(text, max, pathOf)} ${citationOf(sources)}`
}

function joined(old: readonly string[], added: readonly string[], max: number): string[] {
  return [...new Set([...old, ...added])].slice(-Math.max(max, added.length))
}

function linesOf(section = ''): string[] {
  return section.split('\n').filter((line) => line.startsWith('- '))
}

function paragraphsOf(section = ''): string[] {
  return section.split('\n\n').filter((part) => !/^(?:## |See also )/.test(part) && part.trim() !== '')
}

function headed(title: string, text: string): string {
  return text === '' ? '' : `## ${title}\n\n${text}`
}

function listText(title: string, items: readonly string[]): string {
  return headed(title, items.map((item) => `- ${item}`).join('\n'))
}

/** A line for each day. */
function sourcesText({ sources, existing }: Accepted): string {
  const before = existing ? [...sourcesOfArticle(existing.sections).values()] : []
  const days = Map.groupBy([...before, ...sources] satisfies Source[], ({ day }) => day)
  const lines = [...days].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, ofDay]) => citationOf(ofDay).slice(1, -1))
  return listText('Sources', lines)
}
