// What Anthropic Messages refuses: an empty list for a request that it accepts.
import { imageProblem } from './images.ts'
import {
  type Fields,
  fieldsOf,
  isBlank,
  isObject,
  listOf,
  type Report,
  reportRepeated,
  violationsOf,
} from './reading.ts'
import { isSealed } from './seals.ts'

export function anthropicViolations(body: object): string[] {
  return violationsOf(body, (report) => {
    const { model, system, tools, messages } = fieldsOf(body)
    if (isBlank(model)) report('model', 'missing')
    const all = listOf(messages).map(fieldsOf)
    checkTools(tools, report)
    for (const [index, block] of blocksOf(system).entries()) checkText(block, `system[${index}]`, report)
    for (const [index, message] of all.entries()) checkMessage(message, `messages[${index}]`, report)
    checkOrder(all, report)
    checkCalls(all, report)
    checkCache(body, report)
  })
}

function checkTools(tools: unknown, report: Report): void {
  const all = listOf(tools).map(fieldsOf)
  for (const [index, { name }] of all.entries()) {
    if (!namePattern.test(String(name))) report(`tools[${index}]`, `name ${String(name)}`)
  }
  reportRepeated(
    all.map(({ name }) => name),
    'tools',
    report,
  )
}

const namePattern = /^[A-Za-z0-9_-]{1,200}$/

/** A text stands for one block of text. */
function blocksOf(content: unknown): Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return listOf(content).map(fieldsOf)
}

/** What each role may say. Claude Code 2.1.325 puts texts of the system, and tools that it adds, between messages. */
const blockTypes: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image', 'document', 'tool_result'],
  assistant: ['text', 'tool_use', 'thinking', 'redacted_thinking'],
  system: ['text', 'tool_addition'],
}

function checkMessage({ role, content, output_config }: Fields, where: string, report: Report): void {
  const allowed = blockTypes[String(role)]
  if (!allowed) return report(where, `role ${String(role)}`)
  // Claude Code 2.1.325 says so from where on another effort holds.
  if (role === 'system' && isObject(output_config)) return
  const blocks = blocksOf(content)
  if (blocks.length === 0) report(where, 'no content')
  for (const [index, block] of blocks.entries()) {
    const place = `${where}.content[${index}]`
    if (!allowed.includes(String(block.type))) report(place, `${String(block.type)} of ${String(role)}`)
    else checkBlock(block, place, report)
  }
  const last = String(blocks.at(-1)?.type)
  if (last.endsWith('thinking')) report(where, 'ends with thinking')
}

function checkBlock(block: Fields, where: string, report: Report): void {
  switch (block.type) {
    case 'text':
      return checkText(block, where, report)
    case 'image':
    case 'document':
      return checkSource(block, where, report)
    case 'thinking':
      if (!isSealed(block.signature, String(block.thinking)))
        report(where, 'the signature was not issued for this text')
      if (block.cache_control) report(where, 'cache_control of thinking')
      return
    case 'redacted_thinking':
      if (!isSealed(block.data)) report(where, 'data that was not issued')
      return
    case 'tool_use':
      if (!/^[A-Za-z0-9_-]+$/.test(String(block.id))) report(where, `id ${String(block.id)}`)
      if (!namePattern.test(String(block.name))) report(where, `name ${String(block.name)}`)
      if (!isObject(block.input)) report(where, 'input is not an object')
      return
    case 'tool_result':
      return checkResult(block, where, report)
    default:
      return
  }
}

function checkText({ text }: Fields, where: string, report: Report): void {
  if (isBlank(text)) report(where, 'text without content')
}

function checkSource({ type, source }: Fields, where: string, report: Report): void {
  const { type: form, media_type, data, url } = fieldsOf(source)
  if (form === 'url' || form === 'file')
    return isBlank(url ?? fieldsOf(source).file_id) ? report(where, 'no address') : undefined
  if (type === 'document') return data ? undefined : report(where, 'no data')
  const problem = form === 'base64' ? imageProblem(media_type, data) : `source ${String(form)}`
  if (problem) report(where, problem)
}

function checkResult({ content, is_error }: Fields, where: string, report: Report): void {
  const blocks = content === '' || content === undefined ? [] : blocksOf(content)
  for (const [index, block] of blocks.entries()) {
    const place = `${where}.content[${index}]`
    const isKnown = ['text', 'image', 'document', 'search_result', 'tool_reference'].includes(String(block.type))
    if (!isKnown) report(place, `${String(block.type)} in a result`)
    else checkBlock(block, place, report)
  }
  if (is_error !== true) return
  if (blocks.length === 0) report(where, 'an error without content')
  if (blocks.some(({ type }) => type !== 'text')) report(where, 'an error with more than text')
}

function checkOrder(messages: readonly Fields[], report: Report): void {
  const said = messages.filter(({ role }) => role !== 'system')
  if (messages.length === 0) report('messages', 'none')
  if (messages[0] && messages[0].role !== 'user') report('messages[0]', `begins with ${String(messages[0].role)}`)
  if (said.at(-1) && said.at(-1)!.role !== 'user') report('messages', `ends with ${String(said.at(-1)!.role)}`)
}

/** Each call is answered in the very next message, once, before anything else in it; nothing else is answered. */
function checkCalls(messages: readonly Fields[], report: Report): void {
  const ids: unknown[] = []
  for (const [index, message] of messages.entries()) {
    const before = index > 0 ? callsOf(messages[index - 1]!) : []
    const where = `messages[${index}]`
    const blocks = message.role === 'user' ? blocksOf(message.content) : []
    const answered = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id)
    reportRepeated(answered, where, report)
    for (const id of answered) if (!before.includes(id)) report(where, `result of ${String(id)}, which was not called`)
    for (const id of before) if (!answered.includes(id)) report(where, `no result of ${String(id)}`)
    const others = blocks.findIndex(({ type }) => type !== 'tool_result')
    if (others >= 0 && others < answered.length) report(where, 'other content before a result')
    ids.push(...callsOf(message))
  }
  reportRepeated(ids, 'messages', report)
  for (const id of callsOf(messages.at(-1) ?? {})) report('messages', `no result of ${String(id)}`)
}

function callsOf({ role, content }: Fields): unknown[] {
  if (role !== 'assistant') return []
  return blocksOf(content).flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []))
}

function checkCache(body: object, report: Report): void {
  const count = JSON.stringify(body).match(/"cache_control":\{"type":"ephemeral"/g)?.length ?? 0
  if (count > 4) report('request', `${count} times cache_control`)
}
