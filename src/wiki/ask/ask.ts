// Answers a question from articles and sessions, with links to both. A model answers in sentences
// that cite its sources; without a model, statements and passages are the answer.
import type { Clock } from '../../core/clock.ts'
import { redact } from '../../core/redact/redact.ts'
import type { Zone } from '../../core/units.ts'
import type { AskModel } from '../../journal/context.ts'
import type { Ledger } from '../../store/ledger.ts'
import { escapeMarkdown } from '../../text/markdown.ts'
import type { Article } from '../article.ts'
import { wikilink } from '../links.ts'
import { answerArticle } from './article.ts'
import { briefSources } from './brief-answer.ts'
import { type AskSource, type Citation, citationText, maxLineLength, type WikiAnswer } from './citations.ts'
import { type Retrieval, retrieve } from './retrieve.ts'

interface AskContext {
  ledger: Ledger
  clock: Clock
  zone: Zone
  /** Undefined if no model may be asked. */
  ask?: AskModel | undefined
}

export interface AskOptions {
  /** Null for every project. */
  project?: string | null
  /** Make an article from the answer. */
  fileBack?: boolean
  /** Without a model, only the best sources. */
  isBrief?: boolean
}

/** `article` is null if it was not requested or nothing is known; the caller writes it. */
export async function askWiki(
  context: AskContext,
  wording: string,
  { project = null, fileBack = false, isBrief = false }: AskOptions = {},
): Promise<WikiAnswer & { article: Article | null }> {
  const { ledger, clock, zone } = context
  const question = withoutSecrets(wording)
  const consulted = retrieve(ledger, question, { project, nowMs: clock.nowMs(), zone })
  const { followUps, cited, ...composed } =
    (await answerByModel(context, question, project, consulted)) ?? answerFromPassages(consulted, isBrief)
  const answer = {
    question,
    ...composed,
    citations: cited.map(citationOf),
    sessions: [...new Set(cited.flatMap(({ session }) => session ?? []))],
  }
  const isFiled = fileBack && answer.known
  const article = isFiled
    ? await answerArticle(ledger.layout, { answer, cited, followUps, consulted: consulted.found, project })
    : null
  return { ...answer, article }
}

/** Removes secrets from the question, with the placeholders: they are useless as search terms. */
function withoutSecrets(question: string): string {
  const clean = redact([question]).texts[0]!
  return clean === question ? question : clean.replace(/\s*\[(?:secret: [\w-]+|private)\]/g, '').trim()
}

interface ComposedAnswer extends Pick<WikiAnswer, 'known' | 'answer' | 'by' | 'more'> {
  cited: AskSource[]
  followUps: string[]
}

/** Undefined if no model gave a valid answer. */
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
    return { known: false, answer: unknownAnswer(answered.value.answer), by, more: 0, cited: [], followUps: [] }
  const cited = citedAnswer(answered.value, shown)
  return cited && { known: true, by, more: 0, ...cited }
}

function unknownAnswer(words: string): string {
  const missing = escapeMarkdown(words, maxLineLength)
  return `Nothing found that answers this.${missing === '' ? '' : ` ${missing}`}`
}

function answerFromPassages({ found, unmentioned }: Retrieval, isBrief: boolean): ComposedAnswer {
  const all = found.filter(({ isNear }) => isNear)
  const near = isBrief ? briefSources(all) : all
  const missing = unmentioned.map((word) => `“${word}”`).join(', ')
  if (near.length === 0) {
    const answer = `Nothing found.${missing === '' ? '' : ` No source mentions ${missing}.`}`
    return { known: false, answer, by: 'passages', more: 0, cited: [], followUps: [] }
  }
  const answer = [
    ...near.map((one, at) => quoteOf(one, at + 1)),
    ...(missing === '' ? [] : [`None of this mentions ${missing}.`]),
    ['Sources', ...near.map((one, at) => `${at + 1}. ${citationText(one)}`)].join('\n'),
  ].join('\n\n')
  return { known: true, answer, by: 'passages', more: all.length - near.length, cited: near, followUps: [] }
}

/** A statement is told, a conversation is quoted; the number is that of its source. */
function quoteOf({ kind, text }: AskSource, number: number): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (kind === 'memory' || kind === 'article')
    return `${lines.map((line) => escapeMarkdown(line, maxLineLength)).join('\n')} [${number}]`
  const quoted = (kind === 'exchange' ? withoutSource(lines) : lines).slice(0, maxLines)
  const end = quoted.length - 1
  return quoted
    .map((line, index) => `> ${escapeMarkdown(line, maxLineLength)}${index === end ? ` [${number}]` : ''}`)
    .join('\n')
}

const maxLines = 40

/** The heading of a conversation repeats the source; only what it says of later words stays. */
function withoutSource([heading = '', ...lines]: string[]): string[] {
  const later = /^\[[^\];]*#\d+(?:; ([^\]]*))?\]$/.exec(heading)
  if (!later) return [heading, ...lines]
  return later[1] === undefined ? lines : [`(${later[1]})`, ...lines]
}

function citationOf({ article, journal, session, kind, id, day }: AskSource): Citation {
  const link = article ? wikilink(article.path, article.title) : journal ? wikilink(journal, day) : null
  return { link, article: article?.path ?? null, session: session ?? (kind === 'commit' ? id : null), day }
}
