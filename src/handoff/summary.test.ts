import { describe, expect, it } from 'vitest'
import { summaryWords } from './summary.ts'

describe('summaryWords', () => {
  it.each([
    [
      'Claude Code',
      `This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.

<system-reminder>
<tools-used-before-summary>Bash</tools-used-before-summary>
</system-reminder>
Summary:
1. Request: count the crabs.
2. Done: the north shore.

If you need specific details from before compaction (like exact code snippets), read the full transcript at: /home/dev/a.jsonl
Continue the conversation from where it left off without asking the user any further questions.

The messages after this summary are the most recent messages from before compaction, kept verbatim.`,
      '1. Request: count the crabs.\n2. Done: the north shore.',
    ],
    [
      'Codex',
      'Another language model started to solve this problem and produced a summary:\n<summary>\nCrabs: 12.\n</summary>',
      'Crabs: 12.',
    ],
    [
      'Gemini CLI',
      '<scratchpad>\nWhat matters?\n</scratchpad>\n<state_snapshot>\n<goal>Count crabs.</goal>\n</state_snapshot>',
      '<goal>Count crabs.</goal>',
    ],
    ['any other agent', '## Goal\nCount crabs.\n', '## Goal\nCount crabs.'],
  ])('leaves what %s itself said', (_, summary, words) => {
    expect(summaryWords(summary)).toBe(words)
  })
})
