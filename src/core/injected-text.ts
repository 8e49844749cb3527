// What Recollect itself gave to a session (briefs, recalled text) comes back in that session's transcript. It is taken out
// where events come in: a memory must never learn from itself.

export const injectedTextMark = '[recalled by Recollect]'

/**
 * Only a whole opening tag with its attributes is ours: people write about the tag, too. A block that was cut off goes to the
 * end of the text. Hosts wrap it in a block of their own, which goes with it; Gemini CLI 0.61 also escapes what is in it.
 */
const blocks =
  /(?:<hook_context>\s*)?(?:<|&lt;)recollect-(brief|evidence)\s+\w+=(?:"|&quot;)[^<>]{0,600}?(?:>|&gt;)[\s\S]*?(?:(?:<|&lt;)\/recollect-\1(?:>|&gt;)|$)(?:\s*<\/hook_context>)?/g

export function stripInjected(text: string): string {
  return text.includes('recollect-') ? text.replace(blocks, injectedTextMark) : text
}
