// Describes the activity of a session from its digest, in sentences: commits and corrections in
// order, then changed files, test runs and errors.

import { relative } from 'node:path'
import { plural } from '../core/units.ts'
import type { Digest } from '../digest/digest.ts'
import type { TurningPoint } from '../digest/digest-state.ts'
import { escapeMarkdown } from '../text/markdown.ts'
import { oneLine } from '../text/truncate.ts'

/** Of a longer list, the first and the last points are shown. */
const maxPoints = 10
const maxFiles = 6

export function describeActivity(digest: Digest, cwd: string | null, hasExchanges: boolean): string[] {
  // If the prompts are listed, corrections are among them.
  const points = digest.turningPoints.filter(({ kind }) => kind !== 'correction' || !hasExchanges)
  return [
    ...elideMiddle(withoutPushes(points.map(pointText).filter((text) => text !== '')), maxPoints),
    ...changedFiles(digest, cwd),
    ...testRuns(digest),
    ...interruptions(digest),
    ...repeatedError(digest),
  ]
}

/** Keeps the beginning and the end of a long list, with a count of what is left out. */
export function elideMiddle(items: readonly string[], max: number): string[] {
  if (items.length <= max) return [...items]
  const first = Math.floor(max / 2)
  const left = items.length - max
  return [...items.slice(0, first), `… ${left} more …`, ...items.slice(first + left)]
}

function pointText({ kind, text }: TurningPoint): string {
  switch (kind) {
    case 'correction':
      return `You objected: “${escapeMarkdown(text, 200)}”`
    case 'commit':
      return commitText(text)
    case 'rollback':
      return 'You took back what was asked and went another way.'
    case 'interrupt':
    case 'denial':
    case 'tests-failed':
    case 'tests-passed':
    case 'compaction':
    case 'error':
      return ''
    default:
      return kind satisfies never
  }
}

const pushedText = 'Pushed.'

/** Takes the message from the shell command, if it is there. */
function commitText(command: string): string {
  const message = commitMessage(command)
  if (/gh pr create/.test(command)) return message ? `Opened a pull request: ${message}` : 'Opened a pull request.'
  if (/gh pr merge/.test(command)) return 'Merged a pull request.'
  if (!/git(?: -C \S+)? commit/.test(command)) return pushedText
  const verb = /--amend/.test(command) ? 'Amended the commit' : 'Committed'
  return message ? `${verb}: ${message}` : `${verb}.`
}

function commitMessage(command: string): string {
  const heredoc = /<<-?\s*['"]?(\w+)['"]?\s+(.+?)(?:\s+\1\b|$)/.exec(command)?.[2]
  const quoted = /(?:\s-\w*m\s*|--message[= ]|--title[= ])(?:"((?:[^"\\]|\\.)+)|'([^']+))/.exec(command)
  const inQuotes = (quoted?.[1] ?? quoted?.[2] ?? '').replace(/^\$\(.*/s, '')
  const message = inQuotes || (heredoc ?? '')
  const subject = message.replace(/\s*(?:Co-Authored-By:|Signed-off-by:|🤖).*/is, '').replace(/\\(["$`\\])/g, '$1')
  return escapeMarkdown(subject.replace(/^#+\s/, ''), 90)
}

/** A push after a commit is not worth a sentence. */
function withoutPushes(sentences: string[]): string[] {
  return sentences.filter((sentence, index) => sentence !== pushedText || index === 0)
}

function changedFiles({ files }: Digest, cwd: string | null): string[] {
  if (files.length === 0) return []
  const max = files.toSorted((a, b) => b.added + b.removed - (a.added + a.removed)).slice(0, maxFiles)
  const names = max.map(({ path, change, added, removed }) => {
    const size = change === 'delete' ? ' (deleted)' : added + removed > 0 ? ` (+${added} −${removed})` : ''
    return `\`${shortPath(path, cwd).replaceAll('`', "'")}\`${size}`
  })
  const more = files.length > max.length ? ` and ${files.length - max.length} more` : ''
  return [`Changed ${plural(files.length, 'file')}: ${names.join(', ')}${more}.`]
}

function shortPath(path: string, cwd: string | null): string {
  const inside = cwd && path.startsWith('/') ? relative(cwd, path) : path
  return oneLine(inside.startsWith('..') ? path : inside)
}

function testRuns({ tests }: Digest): string[] {
  const { runs, failedRuns, lastPassed, lastFailed } = tests
  if (runs === 0) return []
  const last =
    lastFailed > 0
      ? `${lastFailed} of ${plural(lastPassed + lastFailed, 'test')} failed`
      : lastPassed > 0
        ? `${plural(lastPassed, 'test')} passed`
        : ''
  if (runs === 1) return [last ? `Ran the tests: ${last}.` : `Ran the tests${failedRuns > 0 ? ', which failed' : ''}.`]
  const failures = failedRuns > 0 ? `, ${failedRuns} of the runs failed` : ''
  return [`Ran the tests ${timesText(runs)}${failures}${last ? `; the last time ${last}` : ''}.`]
}

function interruptions({ counts }: Digest): string[] {
  const acts = [
    counts.interrupts > 0 && `stopped the agent ${timesText(counts.interrupts)}`,
    counts.denials > 0 && `refused ${plural(counts.denials, 'tool call')}`,
  ].filter((act) => act !== false)
  return acts.length === 0 ? [] : [`You ${acts.join(' and ')}.`]
}

function repeatedError({ errors }: Digest): string[] {
  const [max] = errors.filter(({ message }) => message !== '').toSorted((a, b) => b.count - a.count)
  return max && max.count > 2 ? [`Met ${max.count} times: ${escapeMarkdown(max.message, 160)}`] : []
}

function timesText(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`
}
