// What Gemini's generateContent refuses: an empty list for a request that it accepts.
import { bytesOf, imageProblem } from './images.ts'
import { type Fields, fieldsOf, isBlank, isObject, listOf, type Report, violationsOf } from './reading.ts'
import { isSealed } from './seals.ts'

export function geminiViolations(body: object): string[] {
  return violationsOf(body, (report) => {
    const { contents, systemInstruction } = fieldsOf(body)
    const all = listOf(contents).map(fieldsOf)
    if (all.length === 0) report('contents', 'none')
    if (all[0] && all[0].role !== 'user') report('contents[0]', `begins with ${String(all[0].role)}`)
    if (all.at(-1)?.role === 'model') report('contents', 'ends with model')
    if (systemInstruction) checkParts(fieldsOf(systemInstruction), 'systemInstruction', report)
    for (const [index, content] of all.entries()) {
      const where = `contents[${index}]`
      if (content.role !== 'user' && content.role !== 'model') report(where, `role ${String(content.role)}`)
      checkParts(content, where, report)
    }
    checkCalls(all, report)
  })
}

const kinds = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
]

function checkParts({ parts, role }: Fields, where: string, report: Report): void {
  const all = listOf(parts).map(fieldsOf)
  if (all.length === 0) report(where, 'no parts')
  for (const [index, part] of all.entries()) {
    const place = `${where}.parts[${index}]`
    const given = kinds.filter((kind) => part[kind] !== undefined)
    if (given.length !== 1) report(place, given.length === 0 ? 'empty' : `${given.join(' and ')} in one part`)
    // The service itself sends a signature with an empty text, and wants it back so.
    if (part.text === '' && !part.thoughtSignature) report(place, 'text without content')
    if (part.inlineData) checkData(fieldsOf(part.inlineData), place, report)
    if (part.thoughtSignature && !isIssued(part)) report(place, 'a thoughtSignature that was not issued')
    if (part.thoughtSignature && role !== 'model') report(place, `thoughtSignature of ${String(role)}`)
    if (part.functionCall) checkCall(fieldsOf(part.functionCall), role, place, report)
    if (part.functionResponse) checkResponse(fieldsOf(part.functionResponse), role, place, report)
  }
}

function checkData({ mimeType, data }: Fields, where: string, report: Report): void {
  const isImage = String(mimeType).startsWith('image/')
  const problem = isImage ? imageProblem(mimeType, data) : bytesOf(String(data ?? '')) ? undefined : 'not base64'
  if (problem) report(where, problem)
}

/** A signature belongs to its part. The documented words stand for a call that another model made. */
function isIssued({ thoughtSignature, functionCall, text }: Fields): boolean {
  if (thoughtSignature === 'skip_thought_signature_validator') return functionCall !== undefined
  const call = functionCall ? fieldsOf(functionCall) : undefined
  return isSealed(thoughtSignature, call ? signedCall(String(call.name), call.args) : String(text ?? ''))
}

/** What the signature of a call is for. */
export function signedCall(name: string, args: unknown): string {
  return `${name} ${JSON.stringify(args)}`
}

function checkCall({ name, args }: Fields, role: unknown, where: string, report: Report): void {
  if (role !== 'model') report(where, `functionCall of ${String(role)}`)
  if (!/^[A-Za-z_][\w.:-]{0,127}$/.test(String(name))) report(where, `name ${String(name)}`)
  if (args !== undefined && !isObject(args)) report(where, 'args are not an object')
}

function checkResponse({ name, response, parts }: Fields, role: unknown, where: string, report: Report): void {
  if (role !== 'user' && role !== 'function') report(where, `functionResponse of ${String(role)}`)
  if (isBlank(name)) report(where, 'no name')
  if (!isObject(response)) report(where, 'response is not an object')
  for (const part of listOf(parts)) checkData(fieldsOf(fieldsOf(part).inlineData), where, report)
}

/**
 * Calls follow the user or responses, and the next content has a response to each of them, in any order, and no other. Gemini
 * CLI 0.61 repeats all of them, word for word, when it continues a session of its own.
 */
function checkCalls(contents: readonly Fields[], report: Report): void {
  for (const [index, content] of contents.entries()) {
    const where = `contents[${index}]`
    const before = contents[index - 1]
    const calls = before ? partsOf(before, 'functionCall') : []
    const responses = withoutRepeated(partsOf(content, 'functionResponse'))
    if (calls.length !== responses.length) report(where, `${responses.length} responses to ${calls.length} calls`)
    const left = [...calls]
    for (const { name, id } of responses) {
      const at = left.findIndex((call) => call.name === name && call.id === id)
      if (at < 0) report(where, `response of ${String(name)} ${String(id)}, which was not called`)
      else left.splice(at, 1)
    }
    if (partsOf(content, 'functionCall').length > 0 && before?.role === 'model')
      report(where, 'calls that do not follow the user')
  }
  if (partsOf(contents.at(-1) ?? {}, 'functionCall').length > 0) report('contents', 'ends with calls')
}

function withoutRepeated(responses: readonly Fields[]): Fields[] {
  return [...new Map(responses.map((one) => [JSON.stringify(one), one])).values()]
}

function partsOf({ parts }: Fields, kind: 'functionCall' | 'functionResponse'): Fields[] {
  return listOf(parts).flatMap((part) => {
    const found = fieldsOf(part)[kind]
    return found === undefined ? [] : [fieldsOf(found)]
  })
}
