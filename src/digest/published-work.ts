// Recognises commits and other published results in shell lines and what they printed, and commits that
// were taken back.
import { splitCommands } from '../core/commands.ts'
import { reportedCommits, reportedPullRequest } from '../core/git-output.ts'

export interface PublishedWork {
  /** What was published, for people: the subject of a commit, or `pushed`. */
  text: string
  /** Subject of the commit; empty if it is not known, for a push and for a pull request. */
  subject: string
  /** Of a commit whose output is known. */
  hash?: string
  /** The commit replaces the one before it. */
  isAmended?: boolean
}

/** Undefined if the shell line neither commits, nor pushes, nor opens or merges a pull request. */
export function publicationIn(line: string): PublishedWork | undefined {
  return publicationsIn(line, '').at(-1)
}

/** All that a shell line published. A commit that the output names counts, also if the line failed later. */
export function publicationsIn(line: string, output: string, isOk = true): PublishedWork[] {
  if (!mayPublish(line)) return []
  const parts = splitCommands(line).filter((part) => !/--dry-run/.test(part))
  const has = (pattern: RegExp) => parts.some((part) => pattern.test(part))
  if (has(commits)) {
    const isAmended = has(amends)
    const reported = reportedCommits(output)
    if (reported.length > 0) {
      const written = reported.length === 1 ? subjectIn(line) : ''
      return reported.map(({ hash, subject: printed }) => {
        // A shell may have left marks of its own around the message.
        const subject = written !== '' && printed.endsWith(written) ? written : printed
        return { text: subject, subject, hash, isAmended }
      })
    }
    if (isOk && has(commit)) return [unreportedCommit(line, isAmended)]
  }
  const other = isOk ? otherPublication(parts, line, output) : undefined
  return other ? [{ subject: '', text: other }] : []
}

/** Whether a shell line names a program or a command that publishes; most lines do not. */
export function mayPublish(line: string): boolean {
  return line.includes('git') || line.includes('gh') || line.includes('publish')
}

function unreportedCommit(line: string, isAmended: boolean): PublishedWork {
  const subject = subjectIn(line)
  return { subject, isAmended, text: subject || (isAmended ? 'amended the commit' : 'committed') }
}

function otherPublication(parts: readonly string[], line: string, output: string): string | undefined {
  const find = (pattern: RegExp) => parts.find((part) => pattern.test(part))
  if (find(/^gh pr create\b/)) return openedText(reportedPullRequest(output), titleIn(line))
  const merge = find(/^gh pr merge\b/)
  if (merge) return mergedText(/\s#?(\d+)\b|\/pull\/(\d+)/.exec(merge))
  if (find(/^gh release create\b|^(?:npm|pnpm|yarn|cargo|twine) publish\b/)) return 'released'
  return find(push) ? 'pushed' : undefined
}

function openedText(number: string, title: string): string {
  const name = number === '' ? 'a pull request' : `pull request #${number}`
  return `opened ${name}${title === '' ? '' : `: ${title}`}`
}

function mergedText(found: RegExpExecArray | null): string {
  const number = found?.[1] ?? found?.[2]
  return number ? `merged pull request #${number}` : 'merged the pull request'
}

const git = String.raw`^(?:(?:do|then|else)\s+)?(?:\w+=\S*\s+)*git(?:\s+-[cC]\s+\S+|\s+--\S+)*\s+`
const commit = new RegExp(`${git}commit\\b`)
const commits = new RegExp(`${git}(?:commit|revert|cherry-pick)\\b`)
const amends = new RegExp(`${git}commit\\b.*\\s--amend\\b`)
const push = new RegExp(`${git}push\\b`)
const revert = new RegExp(`${git}revert\\b(?!.*\\s--(?:abort|quit|skip))(.*)`)
/** Without paths, which reset only files. */
const reset = new RegExp(`${git}reset((?:\\s+-\\S+)*)\\s+(\\S+)\\s*$`)

/** Commits that a shell line takes back: by their hashes or subjects, or as many as the number says. */
export type TakenBack =
  | { kind: 'revert'; hashes: string[]; subjects: string[]; isLast: boolean }
  | { kind: 'reset'; steps: number }
  | { kind: 'reset to'; hash: string }
  | { kind: 'undo'; hash: string }

export function takenBackIn(line: string, output: string): TakenBack | undefined {
  if (!line.includes('git') || !(line.includes('revert') || line.includes('reset'))) return undefined
  for (const part of splitCommands(line)) {
    const reverted = revert.exec(part)?.[1]
    if (reverted !== undefined) return revertOf(reverted, output)
    const target = reset.exec(part)?.[2] ?? ''
    const back = /^(?:HEAD|@)(?:~(\d*)|(\^+))$/.exec(target)
    if (back) return { kind: 'reset', steps: back[2]?.length ?? Number(back[1] || 1) }
    if (/^[0-9a-f]{7,40}$/.test(target)) return { kind: 'reset to', hash: target }
  }
  return undefined
}

function revertOf(args: string, output: string): TakenBack {
  const subjects = reportedCommits(output).flatMap(({ subject }) => /^Revert "(.+)"$/.exec(subject)?.[1] ?? [])
  const hashes = args.match(/(?<=\s)[0-9a-f]{7,40}(?=\s|$)/g) ?? []
  return { kind: 'revert', hashes, subjects, isLast: /\s(?:HEAD|@)(?=\s|$)/.test(args) }
}

/** The first line of the message given by `-m` or as a here-document. */
function subjectIn(line: string): string {
  const message = /\bcommit\b[^|;&\n]*?\s(?:-\w*m|--message)[= ]?\s*(?=["'$@])([\s\S]{1,600})/.exec(line)?.[1] ?? ''
  const fromInput = /\bcommit\b[^|;&\n]*?\s(?:-F|--file)[= ]?\s*-[^\n]*<<-?\s*['"]?(\w+)['"]?[^\n]*\n([\s\S]+)/.exec(
    line,
  )
  const inner =
    fromInput?.[2] ??
    /^"\$\(cat <<-?\s*['"]?(\w+)['"]?\s*\n([\s\S]+)/.exec(message)?.[2] ??
    /^@?"((?:[^"\\]|\\.)+)/.exec(message)?.[1] ??
    /^[@$]?'([^']+)/.exec(message)?.[1] ??
    ''
  return firstLine(inner)
}

/** The title of a pull request as it stands in the command. */
function titleIn(line: string): string {
  const title = /\s(?:-t|--title)[= ]\s*(?:"((?:[^"\\]|\\.)+)"|'([^']+)')/.exec(line)
  return firstLine(title?.[1] ?? title?.[2] ?? '')
}

function firstLine(text: string): string {
  const first = text.split(/\n|\\n/).find((part) => part.trim() !== '') ?? ''
  const line = first.replace(/\\(["`$\\])/g, '$1').trim()
  return /^[$@({<]/.test(line) ? '' : line.slice(0, 120)
}

/**
 * Aider records its commits as `Commit 0a1b2c3 subject`. Claude Code repeats those of its shell, with
 * a verb instead of the subject.
 */
export function recordedCommit(text: string): PublishedWork | undefined {
  const [, hash, rest = ''] =
    /^Commit ([0-9a-f]{7,40})\b(?! (?:committed|amended|pushed|created)\b)([\s\S]*)/.exec(text) ?? []
  return hash === undefined ? undefined : { subject: rest.trim(), text: rest.trim() || 'committed', hash }
}

/** Aider records the commits that its `/undo` removes. */
export function recordedUndo(text: string): TakenBack | undefined {
  const hash = /^Undone: ([0-9a-f]{7,40})\b/.exec(text)?.[1]
  return hash === undefined ? undefined : { kind: 'undo', hash }
}
