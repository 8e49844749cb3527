// Sections of a brief from the notes of sessions: what the person said, what agents found, what
// checkers complain about.

import { isoTime } from '../core/clock.ts'
import type { Zone } from '../core/units.ts'
import { tellName } from '../gate/evidence.ts'
import { tellExplanation } from '../gate/gate.ts'
import { printedForm } from '../gate/printed.ts'
import { compare } from '../memory/compare.ts'
import { notesOfProject, type ProjectNote } from '../store/fixes/session-notes.ts'
import type { Ledger } from '../store/ledger.ts'
import { oneLine } from '../text/truncate.ts'
import type { BriefItem, BriefSection } from './budget.ts'
import { isQuotableText } from './candidates.ts'
import { shortLine } from './short-line.ts'

interface NotesContext {
  ledger: Ledger
  zone: Zone
  project: string
  /** How many candidates may be quoted: 0 where a model judges. */
  maxQuotes: number
}

const maxRead = 400
const maxLines = 30

/**
 * The quoted candidates, among what else the person asked for: newest first, without what something
 * newer repeats or contradicts.
 */
export function saidByPerson(
  { ledger, zone, project, maxQuotes }: NotesContext,
  candidates: BriefSection,
): BriefSection {
  // Where a model judges, what it did not keep is not worth the tokens.
  if (maxQuotes === 0) return candidates
  const kept: ProjectNote[] = []
  for (const note of notesOfProject(ledger, project, 'said', maxRead)) {
    if (kept.length === maxLines) break
    if (!isQuotableText(note.text)) continue
    if (kept.some((newer) => compare(newer.text, note.text).kind !== 'other')) continue
    kept.push(note)
  }
  const quoted = kept.map((note): BriefItem => {
    const text = shortLine(note.text, 240).replaceAll('"', "'")
    const candidate = candidates.items.find((item) => item.text.includes(text))
    return candidate ?? { text: `- ${dayOf(note, zone)}: "${text}"${countOf(note)}` }
  })
  return { ...candidates, items: [...new Set([...quoted, ...candidates.items])] }
}

export function foundByAgents({ ledger, zone, project }: NotesContext): BriefSection {
  const ranked = notesOfProject(ledger, project, 'found', maxRead)
    .filter(({ text }) => 'told' in tellExplanation(text, ''))
    .toSorted((a, b) => scoreOf(b) - scoreOf(a))
  const kept: ProjectNote[] = []
  for (const note of ranked) {
    if (kept.length === maxLines) break
    if (!kept.some(({ text }) => compare(text, note.text).kind !== 'other')) kept.push(note)
  }
  const items = kept.map((note) => ({
    text: `- ${dayOf(note, zone)}: ${shortLine(note.text, 320)}${countOf(note)}`,
  }))
  return { title: 'Found by agents, to check', share: 0.17, items }

  function scoreOf({ text, atMs }: ProjectNote): number {
    const names = new Set(
      text.match(/`[^`]+`|\b\w+(?:[._/-]\w+)+\b|\b[a-z]+[A-Z]\w+\b|\b[A-Z]\w*[a-z][A-Z]\w*\b/g) ?? [],
    ).size
    return Math.min(names, 3) + (atMs ?? 0) / (7 * 86_400_000)
  }
}

/** A rule with the form of its message; else with the reason for which agents silence it. */
export function complaints({ ledger, project }: NotesContext): BriefSection {
  const printed = notesOfProject(ledger, project, 'complaint', maxRead)
  const silenced = notesOfProject(ledger, project, 'silenced', maxRead)
  const items = [...Map.groupBy([...printed, ...silenced], ({ name }) => name)]
    .map(([rule, notes]) => ({
      rule,
      sessions: Math.max(...notes.map(({ sessions }) => sessions)),
      times: notes.reduce((sum, { times }) => sum + times, 0),
      message: printedForm(printed.find(({ name }) => name === rule)?.text ?? ''),
      reason: reasonOf(silenced.find(({ name }) => name === rule)?.text ?? ''),
    }))
    .filter(({ times, rule }) => times > 1 && isRule.test(rule) && tellName(rule) === rule)
    .toSorted((a, b) => b.sessions - a.sessions || b.times - a.times)
    .slice(0, 12)
    .map(({ rule, times, message, reason }) => {
      const said = message === '' ? (reason === '' ? '' : `, silenced: ${reason}`) : `: ${message}`
      return { text: `- ${rule}${shortLine(said, 80)} (${times} times)` }
    })
  return { title: 'Checkers here complain about', share: 0.06, items }
}

const isRule = /^[@\w/:-]{3,60}$/

function reasonOf(text: string): string {
  return 'told' in tellExplanation(text, '') ? oneLine(text) : ''
}

function dayOf({ atMs }: ProjectNote, zone: Zone): string {
  return atMs === null ? 'undated' : zone.day(isoTime(atMs))
}

function countOf({ sessions }: ProjectNote): string {
  return sessions > 1 ? ` (in ${sessions} sessions)` : ''
}
