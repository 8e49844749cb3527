// Writes a made-up session as Aider 0.86 does: a part of a Markdown file in the repository, without ids and times.

export type AiderStep =
  | { do: 'say'; text: string }
  | { do: 'reply'; text: string }
  | { do: 'edit'; path: string; from?: string; to?: string }
  | { do: 'commit'; hash: string; subject: string }
  /** A slash command of the person with what it printed. */
  | { do: 'command'; text: string; output?: string }

export interface AiderScript {
  agent: 'aider'
  project: string
  startedMs: number
  steps: AiderStep[]
}

/** The native id that a reader gives the session. */
export function aiderSessionId({ project, startedMs }: AiderScript): string {
  return `${project}@${stampOf(startedMs).replace(' ', 'T')}`
}

export function aiderHistory({ project, startedMs, steps }: AiderScript): { path: string; text: string } {
  const head = [
    '',
    `# aider chat started at ${stampOf(startedMs)}`,
    '',
    ...[
      'Aider v0.86.0',
      'Main model: claude-sonnet-4-5 with diff edit format, infinite output',
      'Git repo: .git with 14 files',
      'Repo-map: using 4096 tokens, auto refresh',
      `Git working dir: /home/dev/${project}`,
    ].map(status),
    '',
  ]
  return { path: `src/${project}/.aider.chat.history.md`, text: [...head, ...steps.flatMap(linesOf)].join('\n') }
}

/** Local time without a zone; the tests run in UTC. */
function stampOf(startedMs: number): string {
  return new Date(startedMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** Lines that Aider writes itself end with two spaces. */
function status(text: string): string {
  return `> ${text}  `
}

function linesOf(step: AiderStep): string[] {
  switch (step.do) {
    case 'say':
      return [...step.text.split('\n').map((line) => `#### ${line}  `), '']
    case 'reply':
      return [step.text, '']
    case 'edit': {
      const { path, from = 'a', to = 'b' } = step
      const block = ['```', '<<<<<<< SEARCH', from, '=======', to, '>>>>>>> REPLACE', '```']
      const tokens = status('Tokens: 4.1k sent, 380 received. Cost: $0.02 message, $0.05 session.')
      return [path, ...block, '', tokens, status(`Applied edit to ${path}`)]
    }
    case 'commit':
      return [
        status(`Commit ${step.hash} ${step.subject}`),
        status('You can use /undo to undo and discard each aider commit.'),
        '',
      ]
    case 'command':
      return [`#### ${step.text}  `, ...(step.output ? [status(step.output)] : []), '']
    default:
      return step satisfies never
  }
}
