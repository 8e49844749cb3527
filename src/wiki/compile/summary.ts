// Renders the summary of an article and its line in the index: counts, the most important
// statement, the last session.

import { plural } from '../../core/units.ts'
import { attributionText } from '../../memory/attribution.ts'
import type { Memory } from '../../memory/memory.ts'
import type { JournaledSession } from '../../store/wiki/compile-inputs.ts'
import { escapeMarkdown, inlineCode } from '../../text/markdown.ts'
import { truncate } from '../../text/truncate.ts'
import { maxSummaryLength } from '../article.ts'
import type { SectionStatements } from './sections.ts'
import { attributionPrefix, dayLink, dayOf, mainSentence, parseStatement, sessionName } from './statement-text.ts'

interface SummaryInput {
  /** Subject of the first sentence: "`iterutils` in boltons". */
  what: string
  statements: SectionStatements
  superseded: readonly Memory[]
  sessions: readonly JournaledSession[]
}

const maxLeadLength = 240

export function summarySection({ what, statements, superseded, sessions }: SummaryInput): string {
  const counts = countsText(statements)
  const count = sessions.length
  const first = `${what}: ${counts === '' ? 'nothing has been settled yet' : counts}${count > 0 ? `, ${plural(count, 'session')}` : ''}.`
  return [
    '## Summary',
    '',
    [first, leadSentence(statements), lastSentence(sessions), changedSentence(statements, superseded)]
      .filter(Boolean)
      .join(' '),
  ].join('\n')
}

/** Line for the index: the most important statement, then counts. */
export function summaryLine({ what, statements, sessions }: SummaryInput): string {
  const counts = countsText(statements) || `${plural(sessions.length, 'session')}, nothing settled`
  const lead = leadOf(statements)
  const last = sessions.at(-1)
  const tail = ` (${counts})`
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

/** The first statement, preferably one of the user's. */
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
