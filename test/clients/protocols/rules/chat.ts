// What services of chat completions refuse, the strictest of them: an empty list for a request that all accept.
import { imageUrlProblem } from './images.ts'
import {
  type Fields,
  fieldsOf,
  isBlank,
  isJsonObject,
  listOf,
  type Report,
  reportRepeated,
  violationsOf,
} from './reading.ts'
import { isSealed } from './seals.ts'

export function chatViolations(body: object): string[] {
  return violationsOf(body, (report) => {
    const { model, tools, messages } = fieldsOf(body)
    if (isBlank(model)) report('model', 'missing')
    checkTools(tools, report)
    const all = listOf(messages).map(fieldsOf)
    if (all.length === 0) report('messages', 'none')
    if (all.length > 0 && all.every(({ role }) => role === 'system')) report('messages', 'nothing but the system')
    for (const [index, message] of all.entries()) checkMessage(message, `messages[${index}]`, report)
    checkCalls(all, report)
  })
}

const namePattern = /^[A-Za-z0-9_-]{1,64}$/

function checkTools(tools: unknown, report: Report): void {
  const names = listOf(tools).map((tool) => fieldsOf(fieldsOf(tool).function).name)
  for (const [index, name] of names.entries())
    if (!namePattern.test(String(name))) report(`tools[${index}]`, `name ${String(name)}`)
  reportRepeated(names, 'tools', report)
}

function checkMessage(message: Fields, where: string, report: Report): void {
  switch (message.role) {
    case 'system':
    case 'developer':
    case 'user':
      if (isEmpty(message.content)) report(where, 'no content')
      return checkParts(message, ['text', 'image_url'], where, report)
    case 'assistant':
      return checkReply(message, where, report)
    case 'tool':
      if (message.content === null || message.content === undefined) report(where, 'content null')
      else if (isEmpty(message.content)) report(where, 'no content')
      return checkParts(message, ['text'], where, report)
    default:
      return report(where, `role ${String(message.role)}`)
  }
}

function isEmpty(content: unknown): boolean {
  return Array.isArray(content) ? content.length === 0 : isBlank(content)
}

function checkParts({ content, role }: Fields, types: readonly string[], where: string, report: Report): void {
  for (const [index, part] of listOf(content).map(fieldsOf).entries()) {
    const place = `${where}.content[${index}]`
    if (!types.includes(String(part.type))) report(place, `${String(part.type)} of ${String(role)}`)
    else if (part.type === 'text' && isBlank(part.text)) report(place, 'text without content')
    const problem = part.type === 'image_url' ? imageUrlProblem(fieldsOf(part.image_url).url) : undefined
    if (problem) report(place, problem)
  }
}

function checkReply(message: Fields, where: string, report: Report): void {
  const { content, tool_calls, reasoning_opaque } = message
  const calls = listOf(tool_calls).map(fieldsOf)
  if (isEmpty(content) && calls.length === 0) report(where, 'neither content nor calls')
  if (Array.isArray(tool_calls) && calls.length === 0) report(where, 'an empty list of calls')
  if (reasoning_opaque && !isSealed(reasoning_opaque)) report(where, 'reasoning_opaque that was not issued')
  checkParts(message, ['text'], where, report)
  for (const [index, call] of calls.entries()) {
    const place = `${where}.tool_calls[${index}]`
    const { name, arguments: given } = fieldsOf(call.function)
    if (isBlank(call.id) || String(call.id).length > 40) report(place, `id ${String(call.id)}`)
    if (call.type !== 'function') report(place, `type ${String(call.type)}`)
    if (!namePattern.test(String(name))) report(place, `name ${String(name)}`)
    if (!isJsonObject(given)) report(place, 'arguments are not the JSON of an object')
  }
}

/** The messages after calls answer all of them, each once, before anything else; nothing else is answered. */
function checkCalls(messages: readonly Fields[], report: Report): void {
  let open: unknown[] = []
  const ids: unknown[] = []
  for (const [index, { role, tool_call_id, tool_calls }] of messages.entries()) {
    const where = `messages[${index}]`
    if (role === 'tool') {
      if (!open.includes(tool_call_id)) report(where, `result of ${String(tool_call_id)}, which is not awaited`)
      open = open.filter((id) => id !== tool_call_id)
      continue
    }
    for (const id of open) report(where, `no result of ${String(id)}`)
    open = role === 'assistant' ? listOf(tool_calls).map((call) => fieldsOf(call).id) : []
    ids.push(...open)
  }
  for (const id of open) report('messages', `no result of ${String(id)}`)
  reportRepeated(ids, 'messages', report)
}
