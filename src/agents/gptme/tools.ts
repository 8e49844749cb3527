// Finds calls of tools in the text of an answer of gptme, in its three formats: fenced blocks whose
// language is a tool, `@tool(id): {…}`, and `<tool-use><tool>…</tool></tool-use>`.
import type { FileChange, Json, ToolError } from '../../core/session.ts'
import { absolutePath, editBlocks, lineCount } from '../file-changes.ts'
import { asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'

export interface ToolUse {
  tool: string
  /** Only the format with `@` has ids. */
  call?: string
  input: { [name: string]: Json | undefined }
}

interface ParsedReply {
  thinking: string
  /** The text without thinking and calls. */
  reply: string
  uses: ToolUse[]
}

/** `followedBy` is the text of the next message: it decides whether some blocks were run. */
export function parseReply(content: string, followedBy: string): ParsedReply {
  const thoughts: string[] = []
  const text = content.replace(/<(think|thinking)>([\s\S]*?)(?:<\/\1>|$)/g, (_, _tag, thought: string) => {
    thoughts.push(thought.trim())
    return ''
  })
  const uses: ToolUse[] = []
  const keep: string[] = []
  for (const part of splitFences(text.replace(/\r\n?/g, '\n'))) {
    const use = part.fence === undefined ? undefined : blockUse(part.fence, part.text, followedBy)
    if (use) uses.push(use)
    else keep.push(part.fence === undefined ? withoutCalls(part.text, uses) : part.source)
  }
  return { thinking: thoughts.join('\n').trim(), reply: keep.join('\n').trim(), uses }
}

interface ReplyPart {
  /** The text after the opening fence; undefined for text outside of blocks. */
  fence?: string
  text: string
  source: string
}

/** A fence closes with as many backticks; a block inside, which has a language, closes first. */
function splitFences(text: string): ReplyPart[] {
  const parts: ReplyPart[] = []
  let plain: string[] = []
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const [, ticks, fence] = /^(`{3,})([^`]*)$/.exec(lines[at]!) ?? []
    const end = ticks === undefined ? -1 : closingFence(lines, at + 1, ticks)
    if (end < 0) {
      plain.push(lines[at]!)
      continue
    }
    parts.push(...plainPart(plain))
    plain = []
    const source = lines.slice(at, end + 1).join('\n')
    parts.push({ fence: fence!.trim(), text: lines.slice(at + 1, end).join('\n'), source })
    at = end
  }
  return [...parts, ...plainPart(plain)]
}

function plainPart(lines: string[]): ReplyPart[] {
  const text = lines.join('\n')
  return text === '' ? [] : [{ text, source: text }]
}

function closingFence(lines: string[], from: number, ticks: string): number {
  let depth = 1
  for (let at = from; at < lines.length; at++) {
    const line = lines[at]!.trimEnd()
    if (line === ticks && --depth === 0) return at
    if (line.length > ticks.length && line.startsWith(ticks) && /^[\w.+-]/.test(line.slice(ticks.length))) depth++
  }
  return -1
}

/** Names of tools in the source of August 2026; `py` is the tool ipython. */
const tools = new Set(
  `append choice clarify complete elicit form gh hashline_edit ipython mcp morph patch patch_anchored patch_many
  progress py read restart save shell subagent tmux todo vent view_anchored`.split(/\s+/),
)

/** Were tools in earlier versions, and are often only shown. */
const formerTools = /^(?:bash|sh|python|python3)$/
const results = /^(?:result$|Ran (?:allowlisted )?command|Command (?:timed out|interrupted)|Executed code block)/

function blockUse(fence: string, body: string, followedBy: string): ToolUse | undefined {
  const [tag = '', ...words] = fence.split(/\s+/)
  const isUsed = tools.has(tag) || (formerTools.test(tag) && results.test(followedBy))
  return isUsed ? useOf(tag, words.join(' '), body) : undefined
}

function useOf(tag: string, argument: string, body: string): ToolUse {
  if (/^(?:shell|bash|sh|gh|tmux)$/.test(tag)) {
    const tool = tag === 'bash' || tag === 'sh' ? 'shell' : tag
    const command = [...(tag === 'gh' ? ['gh'] : []), argument, body].filter(Boolean).join(tag === 'gh' ? ' ' : '\n')
    return { tool, input: { command } }
  }
  if (/^(?:ipython|py|python3?)$/.test(tag)) return { tool: 'ipython', input: { code: body } }
  const path = optionalString(argument)
  if (tag === 'patch') return { tool: tag, input: { path, patch: body } }
  return { tool: tag, input: { path, content: body } }
}

/** Removes calls of the other two formats and adds them to `uses`. */
function withoutCalls(text: string, uses: ToolUse[]): string {
  const plain = text.replace(
    /<tool-use>\s*<([\w-]+)((?:\s[^>]*)?)>([\s\S]*?)<\/\1>\s*<\/tool-use>|<invoke name="([\w-]+)"((?:\s[^>]*)?)>([\s\S]*?)<\/invoke>/g,
    (_, name, values, body, invoked, invokedValues, invokedBody) => {
      const argument = /="([^"]*)"/.exec(asString(values ?? invokedValues))?.[1] ?? ''
      uses.push(useOf(asString(name ?? invoked), argument, asString(body ?? invokedBody).trim()))
      return ''
    },
  )
  const kept: string[] = []
  let rest = plain
  for (let found = atCall.exec(rest); found; found = atCall.exec(rest)) {
    const start = found.index + found[0].length - 1
    const end = jsonEnd(rest, start)
    if (end < 0) break
    uses.push({ tool: found[1]!, call: found[2]!, input: asObject(parseJson(rest.slice(start, end))) })
    kept.push(rest.slice(0, found.index))
    rest = rest.slice(end)
  }
  return [...kept, rest].join('').replace(/<\/?function_calls>/g, '')
}

const atCall = /^@([\w.]+)\(([\w\-:.]+)\):\s*\{/m

function jsonEnd(text: string, from: number): number {
  let depth = 0
  let isString = false
  for (let at = from; at < text.length; at++) {
    const letter = text[at]
    if (letter === '\\') at++
    else if (letter === '"') isString = !isString
    else if (!isString && letter === '{') depth++
    else if (!isString && letter === '}' && --depth === 0) return at + 1
  }
  return -1
}

export function resultOf(text: string): { error?: ToolError; exit?: number } {
  if (/^Execution declined by user/.test(text) || /^\w+ aborted: user refused/.test(text)) return { error: 'denied' }
  if (/^Command denied:/.test(text)) return { error: 'denied' }
  if (/^Command interrupted/.test(text)) return { error: 'interrupted' }
  const printed = /(?:^|\n)Return code: (-?\d+)\s*$/.exec(text)?.[1]
  const exit = printed === undefined ? undefined : Number(printed)
  const isFailure =
    exit || /^(?:Error\b|Command timed out|Shell error|Save aborted|Append aborted|No content provided)/.test(text)
  return { exit, error: isFailure ? 'failed' : undefined }
}

/** The change of a call that its result confirms. */
export function changedFiles({ tool, input }: ToolUse, result: string, cwd: string | undefined): FileChange[] {
  const path = optionalString(input.path)
  if (!path) return []
  const place = absolutePath(path, cwd)
  const added = lineCount(asString(input.content))
  if (tool === 'save' && result.startsWith('Saved to'))
    return [{ path: place, change: /\(overwritten\)/.test(result) ? 'update' : 'add', added }]
  if (tool === 'append' && result.startsWith('Appended to'))
    return [{ path: place, change: 'update', added, removed: 0 }]
  if (!/^(?:patch|morph|hashline_edit|patch_anchored)$/.test(tool) || !/\b(?:applied|edited|patched)\b/i.test(result))
    return []
  return [{ path: place, change: 'update', ...patchCounts(input) }]
}

function patchCounts(input: JsonObject): { added: number; removed: number } {
  const blocks = editBlocks(asString(input.patch) || asString(input.content))
  return {
    added: blocks.reduce((sum, block) => sum + block.added, 0),
    removed: blocks.reduce((sum, block) => sum + block.removed, 0),
  }
}
