// What Recollect itself gave to a session (briefs, recalled text) comes back in that session's transcript. It is taken out
// where events come in: a memory must never learn from itself.

export const ownWordsMark = '[recalled by Recollect]'

/** A block that was cut off goes to the end of the text. Hosts wrap it in a block of their own, which goes with it. */
const blocks =
  /(?:<hook_context>\s*)?<recollect-(brief|evidence)\b[^>]*>[\s\S]*?(?:<\/recollect-\1>|$)(?:\s*<\/hook_context>)?/g

export function withoutOwnWords(text: string): string {
  return text.includes('<recollect-') ? text.replace(blocks, ownWordsMark) : text
}
