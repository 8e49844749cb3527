// Review of candidates and of the inbox: the card of each, the keys, and what they decide. Each
// decision is one change, so that it can be undone exactly.
import { UserError } from '../../core/errors.ts'
import { shortId } from '../../core/session.ts'
import { plural, type Zone } from '../../core/units.ts'
import { type ChangeContext, decide, undo } from '../../learn/change.ts'
import { editMemories } from '../../learn/review/edit-memory.ts'
import { quoteInContext } from '../../learn/review/quote-context.ts'
import {
  dismissCandidate,
  keepCandidate,
  type MemoryReviewItem,
  postponeReview,
  resumeReview,
  reviewItem,
} from '../../learn/review/review.ts'
import type { Evidence, Memory } from '../../memory/memory.ts'
import { memoryHistory } from '../../store/memories/changes.ts'
import { projectOfSession } from '../../store/memories/learning.ts'
import { memoryById } from '../../store/memories/memories.ts'
import { oneLine } from '../../text/truncate.ts'
import type { ReviewStep, ReviewSteps } from '../review-loop.ts'
import { type Style, wrapText } from '../terminal.ts'
import { admissionLines, placeText } from './memory-text.ts'

/** An item with the project that it is to be kept for, if the person has changed that. */
export interface ReviewCard extends MemoryReviewItem {
  project: string | null
}

export interface MemoryReviewer {
  context: ChangeContext
  ask(question: string): Promise<string | undefined>
  editLine(question: string, text: string): Promise<string | undefined>
  /** Removes secrets. */
  clean(text: string): string
  say(text: string): void
  display: { style: Style; zone: Zone; columns: number }
}

export interface MemoryReviewCounts {
  kept: number
  forgotten: number
  later: number
}

export function reviewCard(item: MemoryReviewItem): ReviewCard {
  return { ...item, project: item.memory.project }
}

export function memoryReviewSteps(reviewer: MemoryReviewer, counts: MemoryReviewCounts): ReviewSteps<ReviewCard> {
  const { context, say } = reviewer
  const { ledger } = context
  /** How to take back each decision, the last one at the end. */
  const decisions: (() => void)[] = []
  const decided = (
    { memory }: ReviewCard,
    what: keyof MemoryReviewCounts,
    takeBack = undoLastChange(context, memory.id),
  ): ReviewStep<ReviewCard> => {
    counts[what]++
    decisions.push(() => {
      takeBack()
      counts[what]--
    })
    const now = what === 'kept' ? memoryById(ledger, memory.id) : undefined
    // What turned out to contradict a memory is decided next.
    const follow = now?.state === 'inbox' ? { follow: reviewCard(reviewItem(ledger, now)) } : {}
    return { kind: 'next', isDecided: true, ...follow }
  }

  async function answer(card: ReviewCard, key: string): Promise<ReviewStep<ReviewCard>> {
    const { kind, memory, project } = card
    switch (key) {
      case 'k':
        keep(context, card, say)
        return decided(card, 'kept')
      case 'b':
        if (kind !== 'contradiction') break
        decide(context, memory.id, 'both')
        return decided(card, 'kept')
      case 'f':
        if (kind === 'candidate') dismissCandidate(context, memory.id)
        else decide(context, memory.id, kind === 'deletion' ? 'accept' : 'drop')
        return decided(card, 'forgotten')
      case 'e': {
        if (kind === 'deletion') break
        const text = await reviewer.editLine('Text: ', oneLine(memory.text))
        if (text === undefined || text.trim() === '') return { kind: 'ask', message: 'Not changed.' }
        const edits = { text: reviewer.clean(text.trim()), project }
        if (edits.text === oneLine(memory.text)) return { kind: 'ask', message: 'Not changed. To keep it: k' }
        for (const line of admissionLines(editMemories(context, [memory.id], edits).admitted)) say(line)
        return decided(card, 'kept')
      }
      case 'w':
        if (kind !== 'candidate') break
        return { kind: 'again', item: { ...card, project: project === null ? homeOf(context, memory) : null } }
      case 'l':
        postponeReview(context, memory.id)
        return decided(card, 'later', () => resumeReview(ledger, memory.id))
      case 'u': {
        const takeBack = decisions.at(-1)
        if (!takeBack) return { kind: 'ask', message: 'There is nothing to undo yet.' }
        takeBack()
        decisions.pop()
        return { kind: 'back' }
      }
      case 'q':
        return { kind: 'quit' }
      case '?':
        return { kind: 'ask', message: helpText[kind] }
    }
    return { kind: 'ask', message: `Unknown key. ${helpText[kind]}` }
  }

  return {
    async look(card) {
      const memory = memoryById(ledger, card.memory.id)
      const isOpen = memory && (memory.state === 'candidate' || memory.state === 'inbox') && !memory.supersededBy
      return isOpen ? { ...card, ...reviewItem(ledger, memory) } : undefined
    },
    card: (card) => cardText(context, card, reviewer.display),
    question: ({ kind }) => questions[kind],
    ask: reviewer.ask,
    answer,
  }
}

function keep(context: ChangeContext, { kind, memory, project }: ReviewCard, say: (text: string) => void): void {
  if (kind === 'deletion') return void decide(context, memory.id, 'refuse')
  if (kind !== 'candidate') return void decide(context, memory.id, 'keep')
  // What goes to the inbox is shown next.
  const { superseded, merged } = keepCandidate(context, memory.id, { project })
  for (const line of admissionLines({ superseded, merged, inbox: [] })) say(line)
}

/** The change that was just made: undone by its number, whatever else is written meanwhile. */
function undoLastChange(context: ChangeContext, id: string): () => void {
  const change = memoryHistory(context.ledger, id).at(-1)?.change.id
  return () => {
    if (change === undefined) throw new UserError('This cannot be undone', 'See: recollect undo --list')
    undo(context, change)
  }
}

/** The project of a memory that holds everywhere is the one in which it was said. */
function homeOf({ ledger }: ChangeContext, memory: Memory): string | null {
  const session = sourceOf(memory)?.session
  return memory.project ?? (session ? projectOfSession(ledger, session) : null)
}

const questions: Record<MemoryReviewItem['kind'], string> = {
  candidate: '[k]eep [e]dit [w]here [f]orget [l]ater [u]ndo [q]uit [?] > ',
  contradiction: '[k]eep new [b]oth [f]orget new [e]dit [l]ater [u]ndo [q]uit [?] > ',
  deletion: '[f]orget it [k]eep it [l]ater [u]ndo [q]uit [?] > ',
  saved: '[k]eep [e]dit [f]orget [l]ater [u]ndo [q]uit [?] > ',
}

const commonHelp = `  l  later: ask again in a week
  u  undo the last decision and return to it
  q  quit; what is left stays`

const helpText: Record<MemoryReviewItem['kind'], string> = {
  candidate: `Keys:
  k  keep it as a memory, which agents are told
  e  edit the text and keep it
  w  where it holds: this project, or everywhere
  f  forget it; it is not proposed again
${commonHelp}`,
  contradiction: `Keys:
  k  keep the new statement; the other becomes history
  b  keep both
  f  forget the new statement
  e  edit the new statement and keep both
${commonHelp}`,
  saved: `Keys:
  k  keep it; agents are told again
  e  edit the text and keep it
  f  forget it
${commonHelp}`,
  deletion: `Keys:
  f  forget the memory
  k  keep the memory
${commonHelp}`,
}

function cardText(context: ChangeContext, card: ReviewCard, display: MemoryReviewer['display']): string {
  const { kind, memory, against, project } = card
  const { style, zone, columns } = display
  const lines = (text: string) => wrapText(oneLine(text), columns - 2).map((line) => `  ${line}`)
  if (kind === 'deletion')
    return [
      style.bold(`Forget ${against?.id ?? memory.contradicts}?`),
      ...lines(against?.text ?? memory.text),
      style.dim(`  ${detailsOf(memory, zone)}`),
    ].join('\n')
  const heading = {
    candidate: `Candidate${scoreText(memory)}`,
    contradiction: 'Two memories may contradict each other',
    saved: 'Saved by an agent on its own; it waits for you before agents are told',
  }[kind]
  return [
    style.dim(`${heading}, ${memory.id}`),
    ...lines(memory.text).map(style.bold),
    ...(memory.why ? lines(`Why: ${memory.why}`) : []),
    style.dim(`  ${scopeText(context, project)}; ${detailsOf(memory, zone)}`),
    ...quoteLines(context, memory, style, columns),
    ...(against
      ? [
          style.yellow(
            `  May contradict ${against.id}, ${scopeText(context, against.project)}; ${detailsOf(against, zone)}:`,
          ),
          ...lines(against.text),
        ]
      : []),
  ].join('\n')
}

function scoreText({ score }: Memory): string {
  return score === null ? '' : `, ${Math.round(score * 100)} %`
}

function scopeText({ ledger }: ChangeContext, project: string | null): string {
  return `${project === null ? '' : 'in '}${placeText(ledger, project)}`
}

/** When it was last said, in which session, and how often. */
function detailsOf(memory: Memory, zone: Zone): string {
  const session = sourceOf(memory)?.session
  const said = memory.counts.said > 1 ? `, said ${plural(memory.counts.said, 'time')}` : ''
  return `${zone.day(memory.confirmedAt)}${session ? `, ${session.split(':')[0]} ${shortId(session)}` : ''}${said}`
}

function sourceOf({ evidence }: Memory): Evidence | undefined {
  return evidence.findLast(({ session }) => session !== null)
}

/** Characters of the conversation that are shown on each side of a quote. */
const reach = 160

function quoteLines({ ledger }: ChangeContext, memory: Memory, style: Style, columns: number): string[] {
  const source = sourceOf(memory)
  if (!source) return []
  const { before, quote, after } = quoteInContext(ledger, source, reach) ?? {
    before: '',
    quote: source.quote,
    after: '',
  }
  const whole = oneLine(`${before}${quote}${after}`)
  if (whole === '' || whole === oneLine(memory.text)) return []
  return wrapText(whole, columns - 4).map((line) => style.dim(`  > ${line}`))
}
