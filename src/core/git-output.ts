// What git and gh print about their results. The digest reads commits and pull requests from it, because
// a command does not always contain the message, and a line may make several commits.

export interface ReportedCommit {
  hash: string
  subject: string
}

/** `[main 0a1b2c3] Subject`, also of a root commit and without a branch. */
const commitLine = /^\[(?:detached HEAD|[^\s\]]+)(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.+)$/gm
const pullRequestLine = /^https:\/\/[^\s/]+\/[^\s/]+\/[^\s/]+\/(?:pull|-\/merge_requests)\/(\d+)$/m
const reports = /^(?:\[[^\]\n]{1,200} [0-9a-f]{7,40}\] |https:\/\/\S+\/(?:pull|merge_requests)\/\d+$).*$/gm

export function reportedCommits(output: string): ReportedCommit[] {
  return [...output.matchAll(commitLine)].map(([, hash, subject]) => ({ hash: hash!, subject: subject!.trim() }))
}

/** The number of the pull request that a command printed the address of; empty if there is none. */
export function reportedPullRequest(output: string): string {
  return pullRequestLine.exec(output)?.[1] ?? ''
}

const maxReports = 20

/** Only the lines that name a commit or a pull request: all that is needed of the output of a command that worked. */
export function gitReports(output: string): string {
  const lines = output.match(reports) ?? []
  return lines
    .slice(-maxReports)
    .map((line) => line.trimEnd().slice(0, 300))
    .join('\n')
}
