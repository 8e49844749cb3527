// The answer of the wiki to a question, from articles and from what was said, with links to both. Where a model may be asked, it
// answers in sentences that cite what it was shown; else the passages are the answer. What is not known is said to be unknown.
import type { Clock } from '../../core/clock.ts'
import { redact } from '../../core/redact.ts'
import type { Zone } from '../../core/units.ts'
import type { AskModel } from '../../journal/context.ts'
import { talkHeading } from '../../recall/render.ts'
import type { Ledger } from '../../store/ledger.ts'
import { escapeMarkdown } from '../../text/markdown.ts'
import type { Article } from '../article.ts'
import { wikilink } from '../links.ts'
import { answerArticle } from './article.ts'
import { type AskSource, type Citation, citationText, maxLineLength, type WikiAnswer } from './citations.ts'
import { type Retrieval, retrieve } from './retrieve.ts'

export interface AskContext {
  ledger: Ledger
  clock: Clock
  zone: Zone
  /** Given where models may be asked. */
  ask?: AskModel | undefined
}

export interface AskOptions {
  /** Null for every project. */
  project?: string | null
  /** Whether an article is to be made of the answer. */
  fileBack?: boolean
}

/** `article` is for whoever writes articles; null where it was not asked for, or nothing is known. */
export async function askWiki(
  context: AskContext,
  wording: string,
  { project = null, fileBack = false }: AskOptions = {},
): Promise<WikiAnswer & { article: Article | null }> {
  const { ledger, clock, zone } = context
  const question = withoutSecrets(wording)
  const consulted = retrieve(ledger, question, { project, nowMs: clock.nowMs(), zone })
  const { followUps, cited, ...said } =
    (await answerByModel(context, question, project, consulted)) ?? answerFromPassages(consulted)
  const answer = {
    question,
    ...said,
    citations: cited.map(citationOf),
    sessions: [...new Set(cited.flatMap(({ session }) => session ?? []))],
  }
  const isFiled = fileBack && answer.known
  const article = isFiled
    ? await answerArticle(ledger.layout, { answer, cited, followUps, consulted: consulted.found, project })
    : null
  return { ...answer, article }
}

/** What is kept holds none, whoever typed it; and what would stand in its place is nothing to look for. */
function withoutSecrets(question: string): string {
  const clean = redact([question]).texts[0]!
  return clean === question ? question : clean.replace(/\s*\[(?:secret: [\w-]+|private)\]/g, '').trim()
}

interface ComposedAnswer extends Pick<WikiAnswer, 'known' | 'answer' | 'by'> {
  cited: AskSource[]
  followUps: string[]
}

/** Undefined where no model has given an answer that holds. */
async function answerByModel(
  { ask, ledger }: AskContext,
  question: string,
  project: string | null,
  { found }: Retrieval,
): Promise<ComposedAnswer | undefined> {
  if (!ask || found.length === 0) return undefined
  const { wikiQuestion, citedAnswer } = await import('./prompt.ts')
  const { shown, ...asked } = wikiQuestion(ledger, question, project, found)
  const answered = await ask(asked)
  if (answered.kind !== 'answered') return undefined
  const by = `${answered.provider} ${answered.model}`
  if (!answered.value.known)
    return { known: false, answer: unknownAnswer(answered.value.answer), by, cited: [], followUps: [] }
  const cited = citedAnswer(answered.value, shown)
  return cited && { known: true, by, ...cited }
}

function unknownAnswer(words: string): string {
  const missing = escapeMarkdown(words, maxLineLength)
  return `What is known does not answer this.${missing === '' ? '' : ` ${missing}`}`
}

function answerFromPassages({ found, unmentioned }: Retrieval): ComposedAnswer {
  const near = found.filter(({ isNear }) => isNear)
  const missing = unmentioned.map((word) => `“${word}”`).join(', ')
  if (near.length === 0) {
    const answer = `Nothing is known about this.${missing === '' ? '' : ` No source mentions ${missing}.`}`
    return { known: false, answer, by: 'passages', cited: [], followUps: [] }
  }
  const answer = [
    ...near.map((one, at) => `${at + 1}. ${citationText(one)}\n\n${quoteOf(one)}`),
    ...(missing === '' ? [] : [`None of this mentions ${missing}.`]),
  ].join('\n\n')
  return { known: true, answer, by: 'passages', cited: near, followUps: [] }
}

/** What stands above says when and where from: only what it does not say is left of the heading. */
function quoteOf({ kind, id, text, at }: AskSource): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const isBare = kind === 'exchange' && lines[0] === talkHeading(id, at, null)
  return (isBare ? lines.slice(1) : lines)
    .slice(0, maxLines)
    .map((line) => `   > ${escapeMarkdown(line, maxLineLength)}`)
    .join('\n   >\n')
}

const maxLines = 40

function citationOf({ article, journal, session, kind, id, day }: AskSource): Citation {
  const link = article ? wikilink(article.path, article.title) : journal ? wikilink(journal, day) : null
  return { link, article: article?.path ?? null, session: session ?? (kind === 'commit' ? id : null), day }
}
