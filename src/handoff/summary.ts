// The words of a summary that an agent wrote when it compacted a conversation, without what its
// program puts around them: that text is for the agent itself, and tells it to go on at once.
export function summaryWords(summary: string): string {
  const inner =
    /<(summary|state_snapshot|compressed_chat_history)>([\s\S]*?)<\/\1>/.exec(
      summary.replace(/^\s*<scratchpad>[\s\S]*?<\/scratchpad>/, ''),
    )?.[2] ?? summary
  const lines = inner
    .replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
    .split('\n')
    .filter((line) => !frame.test(line))
  return lines.join('\n').trim()
}

/** As Claude Code 2.1 and Codex 0.166 write it, a line each. */
const frame =
  /^(?:This session is being continued from a previous conversation|Another language model started to solve this problem|Summary:\s*$|If you need specific details from before compaction|(?:Please c|C)ontinue the conversation from where|The messages after this summary are|Recent messages are preserved verbatim)/
