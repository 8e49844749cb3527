// Recognises commits and other published results in shell lines, and the subject of a commit.
import { splitCommands } from '../core/commands.ts'

export interface PublishedWork {
  /** What was published, for people: the subject of a commit, or `pushed`. */
  text: string
  /** Subject of the commit; empty for an amended commit, a push or a pull request. */
  subject: string
  /** Of a commit that the agent itself records. */
  hash?: string | undefined
}

/** Undefined if the shell line neither commits, nor pushes, nor opens or merges a pull request. */
export function publicationIn(line: string): PublishedWork | undefined {
  const parts = splitCommands(line).filter((part) => !/--dry-run/.test(part))
  const has = (pattern: RegExp) => parts.some((part) => pattern.test(part))
  if (has(commit)) {
    const subject = subjectIn(line)
    return { subject, text: subject || (/--amend/.test(line) ? 'amended the commit' : 'committed') }
  }
  if (has(/^gh pr create\b/)) return { subject: '', text: 'opened a pull request' }
  if (has(/^gh pr merge\b/)) return { subject: '', text: 'merged the pull request' }
  if (has(/^gh release create\b|^(?:npm|pnpm|yarn|cargo|twine) publish\b/)) return { subject: '', text: 'released' }
  return has(push) ? { subject: '', text: 'pushed' } : undefined
}

const commit = /^(?:\w+=\S*\s+)*git(?:\s+-[cC]\s+\S+|\s+--\S+)*\s+commit\b/
const push = /^(?:\w+=\S*\s+)*git(?:\s+-[cC]\s+\S+|\s+--\S+)*\s+push\b/

/** Number of the latest commits that a shell line takes back: `git reset HEAD~2`, `git revert HEAD`. */
export function undoneCommitsIn(line: string): number {
  if (!/\bgit\b[^\n]*\b(?:reset|revert)\b/.test(line)) return 0
  for (const part of splitCommands(line)) {
    const [, back] = /^git(?:\s+-C\s+\S+)?\s+reset\b.*\sHEAD(~\d*|\^+)/.exec(part) ?? []
    if (back) return back.startsWith('^') ? back.length : Number(back.slice(1) || 1)
    if (/^git(?:\s+-C\s+\S+)?\s+revert\b.*\sHEAD\b(?![~^])/.test(part)) return 1
  }
  return 0
}

/** The first line of the message given by `-m`, also in a here-document. */
function subjectIn(line: string): string {
  const message = /\bcommit\b[^|;&\n]*?\s(?:-\w*m|--message)[= ]?\s*(?=["'$@])([\s\S]{1,600})/.exec(line)?.[1] ?? ''
  const inner =
    /^"\$\(cat <<-?\s*['"]?(\w+)['"]?\s*\n([\s\S]+)/.exec(message)?.[2] ??
    /^@?"((?:[^"\\]|\\.)+)/.exec(message)?.[1] ??
    /^[@$]?'([^']+)/.exec(message)?.[1] ??
    ''
  const first = inner.split(/\n|\\n/).find((text) => text.trim() !== '') ?? ''
  const subject = first.replace(/\\(["`$\\])/g, '$1').trim()
  return /^[$@({<]/.test(subject) ? '' : subject.slice(0, 120)
}
