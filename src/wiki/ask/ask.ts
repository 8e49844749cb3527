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
import { citing, maxLineLength } from './cite.ts'
import { type Consultation, type Consulted, consult } from './retrieve.ts'

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

export interface Citation {
  /** As it stands in the answer; null where nothing in the vault tells of it. */
  link: string | null
  /** Its path below the vault. */
  article: string | null
  session: string | null
  day: string | null
}

export interface WikiAnswer {
  question: string
  known: boolean
  /** Markdown. */
  answer: string
  citations: Citation[]
  /** In the order in which they come up. */
  sessions: string[]
  /** `passages`, or the model that answered. */
  by: string
}

/** `article` is for whoever writes articles; null where it was not asked for, or nothing is known. */
export async function askWiki(
  context: AskContext,
  wording: string,
  { project = null, fileBack = false }: AskOptions = {},
): Promise<WikiAnswer & { article: Article | null }> {
  const { ledger, clock, zone } = context
  const question = withoutSecrets(wording)
  const consulted = consult(ledger, question, { project, nowMs: clock.nowMs(), zone })
  const { followUps, cited, ...said } =
    (await byModel(context, question, project, consulted)) ?? fromPassages(consulted)
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

interface Said extends Pick<WikiAnswer, 'known' | 'answer' | 'by'> {
  cited: Consulted[]
  followUps: string[]
}

/** Undefined where no model has given an answer that holds. */
async function byModel(
  { ask, ledger }: AskContext,
  question: string,
  project: string | null,
  { found }: Consultation,
): Promise<Said | undefined> {
  if (!ask || found.length === 0) return undefined
  const { wikiQuestion, citedAnswer } = await import('./prompt.ts')
  const { shown, ...asked } = wikiQuestion(ledger, question, project, found)
  const answered = await ask(asked)
  if (answered.kind !== 'answered') return undefined
  const by = `${answered.provider} ${answered.model}`
  if (!answered.value.known)
    return { known: false, answer: unknownTo(answered.value.answer), by, cited: [], followUps: [] }
  const cited = citedAnswer(answered.value, shown)
  return cited && { known: true, by, ...cited }
}

function unknownTo(words: string): string {
  const missing = escapeMarkdown(words, maxLineLength)
  return `What is known does not answer this.${missing === '' ? '' : ` ${missing}`}`
}

function fromPassages({ found, unmentioned }: Consultation): Said {
  const near = found.filter(({ isNear }) => isNear)
  const missing = unmentioned.map((word) => `“${word}”`).join(', ')
  if (near.length === 0) {
    const answer = `Nothing is known about this.${missing === '' ? '' : ` No source mentions ${missing}.`}`
    return { known: false, answer, by: 'passages', cited: [], followUps: [] }
  }
  const answer = [
    ...near.map((one, at) => `${at + 1}. ${citing(one)}\n\n${quoteOf(one)}`),
    ...(missing === '' ? [] : [`None of this mentions ${missing}.`]),
  ].join('\n\n')
  return { known: true, answer, by: 'passages', cited: near, followUps: [] }
}

/** What stands above says when and where from: only what it does not say is left of the heading. */
function quoteOf({ kind, id, text, at }: Consulted): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const isBare = kind === 'exchange' && lines[0] === talkHeading(id, at, null)
  return (isBare ? lines.slice(1) : lines)
    .slice(0, maxLines)
    .map((line) => `   > ${escapeMarkdown(line, maxLineLength)}`)
    .join('\n   >\n')
}

const maxLines = 40

function citationOf({ article, journal, session, kind, id, day }: Consulted): Citation {
  const link = article ? wikilink(article.path, article.title) : journal ? wikilink(journal, day) : null
  return { link, article: article?.path ?? null, session: session ?? (kind === 'commit' ? id : null), day }
}
