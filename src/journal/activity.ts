// Describes from the digest what was done: commits, what was published, changed files, test runs.

import { plural } from '../core/units.ts'
import type { Digest } from '../digest/digest.ts'
import { escapeMarkdown } from '../text/markdown.ts'
import { oneLine } from '../text/truncate.ts'

const maxCommits = 8
const maxFiles = 4
const maxFolders = 3

export interface ActivityPlace {
  cwd: string | null
  /** Whether the last test run passed; undefined if there was none. */
  isTested: boolean | undefined
}

export function describeActivity(digest: Digest, { cwd, isTested }: ActivityPlace): string[] {
  return [...commitLines(digest), ...publications(digest), ...changedFiles(digest, cwd), ...testRuns(digest, isTested)]
}

/** Those at the end are kept, because they tell where the work got to. */
function commitLines({ commits: subjects, reverted, commitCount }: Digest): string[] {
  const commits = subjects.filter((subject) => !isProvisionalCommit.test(subject))
  const shown = commits.length > maxCommits ? commits.slice(1 - maxCommits) : commits
  const earlier = commitCount - (subjects.length - commits.length) - shown.length
  return [
    ...reverted.map((subject) => `Committed and reverted: ${escapeMarkdown(subject, 200)}`),
    ...shown.map((subject) => `Committed: ${escapeMarkdown(subject, 200)}`),
    ...(earlier > 0 ? [`${plural(earlier, 'more commit')} before these.`] : []),
  ]
}

/** Commits that are folded into others, and subjects that a script puts together. */
export const isProvisionalCommit = /^(?:wip|tmp|temp|fixup!|squash!|amend!)(?:\W|$)|\$[\w({]/i

const isPullRequest = /^(?:opened|merged) (?:a |the )?pull request/

/** What was published besides commits. A pull request that has a number is told by it. */
function publications({ turningPoints, commits }: Digest): string[] {
  const texts = [...new Set(turningPoints.filter(({ kind }) => kind === 'commit').map(({ text }) => text))]
  const requests = texts.filter((text) => isPullRequest.test(text))
  const named = requests.filter((text) => text.includes('#'))
  const acts = requests.filter((text) => !text.includes('#') && !named.some((other) => verbOf(other) === verbOf(text)))
  if (texts.includes('released')) acts.push('published a release')
  if (texts.includes('pushed') && acts.length + named.length === 0) acts.push('pushed')
  const isUntold = commits.length === 0 && texts.some((text) => text === 'committed' || text === 'amended the commit')
  if (isUntold) acts.unshift('committed')
  const lines = named.map((text) => sentence(escapeMarkdown(text, 200)))
  return acts.length === 0 ? lines : [...lines, sentence(listed(acts))]
}

function verbOf(text: string): string {
  return text.split(' ')[0]!
}

/** Temporary files outside of the session's folder are no result. */
function changedFiles(digest: Digest, cwd: string | null): string[] {
  const isResult = (path: string) =>
    !isTemporary.test(path.replaceAll('\\', '/')) || !pathInFolder(path, cwd).startsWith('…')
  const files = digest.files.filter(({ path }) => isResult(path))
  if (files.length === 0) return []
  const size = ({ added, removed }: (typeof files)[number]) => added + removed
  const isElsewhere = ({ path }: (typeof files)[number]) => Number(pathInFolder(path, cwd).startsWith('…'))
  const ordered = files.toSorted((a, b) => isElsewhere(a) - isElsewhere(b) || size(b) - size(a) || b.times - a.times)
  const paths = ordered.map(({ path, change }) => ({ path: pathInFolder(path, cwd), isDeleted: change === 'delete' }))
  const name = (path: string) => `\`${path.replaceAll('`', "'")}\``
  if (paths.length <= maxFiles) {
    const names = paths.map(({ path, isDeleted }) => `${name(path)}${isDeleted ? ' (deleted)' : ''}`)
    return [`Changed ${listed(names)}.`]
  }
  const folders = largestFolders(paths.map(({ path }) => path))
  const most = paths.slice(0, maxFiles - 1).map(({ path }) => name(path))
  const place = folders.length === 0 ? '' : ` in ${listed(folders.map(name))}`
  return [`Changed ${plural(files.length, 'file')}${place}, most of all ${listed(most)}.`]
}

const isTemporary = /^(?:\/private)?\/(?:tmp|var\/folders)\/|\/AppData\/Local\/Temp\/|\/scratchpad\//i

/** The folders with most of the files, by their first two names. */
function largestFolders(paths: readonly string[]): string[] {
  const folders = Map.groupBy(paths, (path) => path.split('/').slice(0, -1).slice(0, 2).join('/'))
  const ordered = [...folders].filter(([folder]) => folder !== '').sort((a, b) => b[1].length - a[1].length)
  return ordered.slice(0, maxFolders).map(([folder]) => folder)
}

/** Relative to the folder of the session, with slashes; of a path elsewhere, its end. */
function pathInFolder(path: string, cwd: string | null): string {
  const parts = partsOf(path)
  const folder = cwd === null ? [] : partsOf(cwd)
  const isAbsolute = /^(?:[\\/]|[A-Za-z]:)/.test(path)
  if (!isAbsolute) return oneLine(parts.join('/'))
  const isInside = folder.length > 0 && folder.every((part, at) => part.toLowerCase() === parts[at]?.toLowerCase())
  if (isInside && parts.length > folder.length) return oneLine(parts.slice(folder.length).join('/'))
  return oneLine(parts.length <= 2 ? path : `…/${parts.slice(-2).join('/')}`)
}

function partsOf(path: string): string[] {
  return path.split(/[\\/]+/).filter((part) => part !== '' && part !== '.')
}

function testRuns({ tests }: Digest, isTested: boolean | undefined): string[] {
  const { runs, lastPassed, lastFailed } = tests
  if (runs === 0) return []
  const often = runs === 1 ? 'Ran the tests' : `Ran the tests ${timesText(runs)}`
  const last = runs === 1 ? '' : ' in the last run'
  if (lastFailed > 0) return [`${often}: ${lastFailed} of ${plural(lastPassed + lastFailed, 'test')} failed${last}.`]
  if (!isTested) return [runs === 1 ? 'Ran the tests, which failed.' : `${often}; the last run failed.`]
  if (lastPassed > 0) return [`${often}: ${plural(lastPassed, 'test')} passed${last}.`]
  return [runs === 1 ? 'Ran the tests, which passed.' : `${often}; the last run passed.`]
}

export function timesText(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`
}

/** `a, b and c`. */
function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`
}
