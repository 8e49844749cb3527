// What OpenAI Responses refuses: an empty list for a request that it accepts.
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

export function responsesViolations(body: object): string[] {
  return violationsOf(body, (report) => {
    const { model, input, store } = fieldsOf(body)
    if (isBlank(model)) report('model', 'missing')
    if (typeof input === 'string') return
    const items = listOf(input).map(fieldsOf)
    if (items.length === 0) report('input', 'none')
    for (const [index, item] of items.entries()) checkItem(item, { where: `input[${index}]`, store }, report)
    checkCalls(items, report)
    checkReasoning(items, report)
  })
}

const namePattern = /^[A-Za-z0-9_-]{1,64}$/

/** How the service's own ids begin. */
const prefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
}

function checkItem(item: Fields, { where, store }: { where: string; store: unknown }, report: Report): void {
  const { id, call_id, name, summary, encrypted_content } = item
  const type = String(item.type ?? 'message')
  const prefix = prefixes[type]
  if (typeof id === 'string' && prefix && (!id.startsWith(prefix) || id.length > 64)) report(where, `id ${id}`)
  if (encrypted_content !== undefined && encrypted_content !== null && !isSealed(encrypted_content, '', 'fernet'))
    report(where, 'encrypted_content that was not issued')
  switch (type) {
    case 'message':
      return checkMessage(item, where, report)
    case 'reasoning':
      if (!Array.isArray(summary)) report(where, 'no summary')
      if (store === false && !encrypted_content) report(where, 'no encrypted_content, and nothing is stored')
      return
    case 'function_call':
    case 'custom_tool_call':
      if (!namePattern.test(String(name))) report(where, `name ${String(name)}`)
      if (isBlank(call_id) || String(call_id).length > 64) report(where, `call_id ${String(call_id)}`)
      if (type === 'function_call' && !isJsonObject(item.arguments))
        report(where, 'arguments are not the JSON of an object')
      if (type === 'custom_tool_call' && typeof item.input !== 'string') report(where, 'input is not a text')
      return
    case 'function_call_output':
    case 'custom_tool_call_output':
      if (typeof item.output === 'string') return
      if (!Array.isArray(item.output)) return report(where, 'no output')
      return checkContent(item.output, inputTypes, where, report)
    default:
      return
  }
}

const inputTypes = ['input_text', 'input_image', 'input_file']

const contentTypes: Readonly<Record<string, readonly string[]>> = {
  user: inputTypes,
  developer: inputTypes,
  system: inputTypes,
  assistant: ['output_text', 'refusal'],
}

function checkMessage({ role, content }: Fields, where: string, report: Report): void {
  const allowed = contentTypes[String(role)]
  if (!allowed) return report(where, `role ${String(role)}`)
  if (typeof content === 'string') return isBlank(content) ? report(where, 'no content') : undefined
  if (listOf(content).length === 0) report(where, 'no content')
  checkContent(listOf(content), allowed, where, report)
}

function checkContent(content: readonly unknown[], allowed: readonly string[], where: string, report: Report): void {
  for (const [index, part] of content.map(fieldsOf).entries()) {
    const place = `${where}.content[${index}]`
    if (!allowed.includes(String(part.type))) report(place, `${String(part.type)} is not allowed here`)
    else if (/_text$/.test(String(part.type)) && typeof part.text !== 'string') report(place, 'no text')
    const problem = part.type === 'input_image' && !part.file_id ? imageUrlProblem(part.image_url) : undefined
    if (problem) report(place, problem)
  }
}

/** Each call has one output after it, of its kind; nothing else has one. */
function checkCalls(items: readonly Fields[], report: Report): void {
  const open = new Map<unknown, string>()
  const seen: unknown[] = []
  for (const [index, { type, call_id }] of items.entries()) {
    const [, kind, output] = /^(\w+_call)(_output)?$/.exec(String(type)) ?? []
    if (kind === undefined || call_id === undefined) continue
    if (output === undefined) {
      open.set(call_id, kind)
      seen.push(call_id)
    } else if (open.get(call_id) !== kind)
      report(`input[${index}]`, `output of ${String(call_id)}, which is not awaited`)
    else open.delete(call_id)
  }
  for (const id of open.keys()) report('input', `no output of ${String(id)}`)
  reportRepeated(seen, 'input', report)
}

/** Reasoning stands before what came of it. Codex puts what a subagent says where it arrives, also between them. */
function checkReasoning(items: readonly Fields[], report: Report): void {
  for (const [index, { type }] of items.entries()) {
    if (type !== 'reasoning') continue
    const next = items.slice(index + 1).find((item) => item.type !== 'reasoning' && item.type !== 'agent_message')
    const isOwn = next?.role === 'assistant' || /_call$/.test(String(next?.type))
    if (!isOwn) report(`input[${index}]`, 'reasoning without what came of it')
  }
}
