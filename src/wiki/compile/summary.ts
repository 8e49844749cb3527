// What an article says first, and the line that the index has of it: made of counts, the statement that weighs most, and the last work.

import { plural } from '../../core/units.ts'
import { attributionText } from '../../memory/attribution.ts'
import type { Memory } from '../../memory/memory.ts'
import type { JournaledSession } from '../../store/wiki/compile-inputs.ts'
import { escapeMarkdown, inlineCode } from '../../text/markdown.ts'
import { truncate } from '../../text/truncate.ts'
import { maxSummaryLength } from '../article.ts'
import type { SectionStatements } from './sections.ts'
import { attributionPrefix, dayLink, dayOf, mainSentence, parseStatement, sessionName } from './statement-text.ts'

export interface SummaryInput {
  /** What it is, for the first sentence: "`iterutils` in boltons". */
  what: string
  statements: SectionStatements
  superseded: readonly Memory[]
  sessions: readonly JournaledSession[]
}

const maxLeadLength = 240

export function summarySection({ what, statements, superseded, sessions }: SummaryInput): string {
  const held = countsText(statements)
  const count = sessions.length
  const first = `${what}: ${held === '' ? 'nothing has been settled yet' : held}${count > 0 ? `, ${plural(count, 'session')}` : ''}.`
  return [
    '## Summary',
    '',
    [first, leadSentence(statements), lastSentence(sessions), changedSentence(statements, superseded)]
      .filter(Boolean)
      .join(' '),
  ].join('\n')
}

/** For the index: what it holds in the words of its most important statement, then how much there is. */
export function summaryLine({ what, statements, sessions }: SummaryInput): string {
  const held = countsText(statements) || `${plural(sessions.length, 'session')}, nothing settled`
  const lead = leadOf(statements)
  const last = sessions.at(-1)
  const tail = ` (${held})`
  const room = maxSummaryLength - tail.length
  const voice = lead ? attributionPrefix(lead) : ''
  if (lead)
    return truncate(
      `${voice}${escapeMarkdown(leadText(lead, Math.min(room, maxLeadLength)), room - voice.length - 8)}${tail}`,
      maxSummaryLength,
    )
  return truncate(`${last ? `Last: “${escapeMarkdown(last.title, 120)}”` : what}${tail}`, maxSummaryLength)
}

/** `3 decisions, 1 rule and 2 traps`. */
export function countsText({ decisions, rules, traps, knowledge, doubtful }: SectionStatements): string {
  const parts = [
    decisions.length > 0 ? plural(decisions.length, 'decision') : '',
    rules.length > 0 ? plural(rules.length, 'rule') : '',
    traps.length > 0 ? plural(traps.length, 'trap') : '',
    knowledge.length > 0 ? plural(knowledge.length, 'fact or idea', 'facts and ideas') : '',
    doubtful.length > 0 ? `${doubtful.length} doubtful` : '',
  ].filter(Boolean)
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** The statement that stands for the rest: the user's own, if there is one. */
function leadOf({ decisions, rules, traps, knowledge }: SectionStatements): Memory | undefined {
  const firsts = [decisions[0], rules[0], traps[0], knowledge[0]].filter((memory) => memory !== undefined)
  return firsts.find(isUsers) ?? firsts[0]
}

function isUsers({ trust, space }: Memory): boolean {
  return trust === 'user said' && space === null
}

function leadText({ text }: Memory, max: number): string {
  return mainSentence(parseStatement(text).says, max)
}

function leadSentence(statements: SectionStatements): string {
  const lead = leadOf(statements)
  if (!lead) return ''
  const kind = statements.decisions.includes(lead) ? 'decision' : statements.rules.includes(lead) ? 'rule' : 'point'
  const voice = isUsers(lead) ? '' : ` (${escapeMarkdown(attributionText(lead), 120)})`
  const gist = escapeMarkdown(leadText(lead, maxLeadLength), maxLeadLength)
  return `Most important ${kind}, of ${dayOf(lead)}${voice}: “${gist}”${/[.!?…]$/.test(gist) ? '' : '.'}`
}

function lastSentence(sessions: readonly JournaledSession[]): string {
  const last = sessions.at(-1)
  if (!last) return ''
  return `Last worked on ${dayLink(last.day)}: “${escapeMarkdown(last.title, 120)}” (${inlineCode(sessionName(last.session))}).`
}

function changedSentence({ doubtful }: SectionStatements, superseded: readonly Memory[]): string {
  const parts = [
    superseded.length > 0
      ? `${plural(superseded.length, 'earlier statement')} no longer ${superseded.length === 1 ? 'holds' : 'hold'}`
      : '',
    doubtful.length > 0 ? `${doubtful.length} ${doubtful.length === 1 ? 'is' : 'are'} doubtful` : '',
  ].filter(Boolean)
  return parts.length === 0 ? '' : `${parts.join('; ').replace(/^./, (letter) => letter.toUpperCase())}.`
}
