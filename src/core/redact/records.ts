// Fields that are secret because of another field of the same record: the private numbers of a JSON Web Key,
// the data of a Kubernetes Secret, the numbers of a key in XML.
import type { SecretRange } from './units.ts'
import { isPlaceholder } from './values.ts'

/** A record is looked for this far around the field that tells what it is. */
const maxRecord = 12_000

export function recordSecretsIn(text: string): SecretRange[] {
  return [...webKeysIn(text), ...xmlKeysIn(text), ...manifestSecretsIn(text)]
}

/** `kty`, and names that only a private key has: it may have been cut. */
const webKeyField = /["'](?:kty|dp|dq|qi)\\{0,3}["']|\bkty:/g
/** Its private numbers; `k` is the only number of a symmetric key. */
const privateNumber =
  /(?<![\w.-])(?:\\{0,3}["'])?(?:d|p|q|dp|dq|qi|k)(?:\\{0,3}["'])?[ \t]{0,8}[:=]\s{0,40}(?:\\{0,3}["'])?([\w-]{16,3000})(?![\w-])/g

function webKeysIn(text: string): SecretRange[] {
  const found: SecretRange[] = []
  let behind = 0
  for (const { index } of text.matchAll(webKeyField)) {
    if (index < behind) continue
    const start = recordStart(text, behind, index)
    behind = recordEnd(text, index)
    for (const match of text.slice(start, behind).matchAll(privateNumber)) {
      const end = start + match.index + match[0].length
      found.push({ start: end - match[1]!.length, end, kind: 'private-key' })
    }
  }
  return found
}

/** The brace before, or the beginning of the lines that are indented alike. */
function recordStart(text: string, limit: number, at: number): number {
  const from = Math.max(limit, at - maxRecord)
  const near = text.slice(from, at)
  const brace = near.lastIndexOf('{')
  return from + Math.max(0, brace, near.lastIndexOf('\n\n'))
}

function recordEnd(text: string, at: number): number {
  const near = text.slice(at, at + maxRecord)
  const ends = [near.indexOf('}'), near.indexOf('\n\n')].filter((end) => end >= 0)
  return at + (ends.length === 0 ? near.length : Math.min(...ends))
}

const xmlNumber = /<(P|Q|D|DP|DQ|InverseQ)>\s{0,80}([A-Za-z0-9+/=\s]{16,2000}?)\s{0,80}<\/\1>/g

function xmlKeysIn(text: string): SecretRange[] {
  const found: SecretRange[] = []
  let behind = 0
  for (const { index } of text.matchAll(/<RSAKeyValue>/gi)) {
    if (index < behind) continue
    behind = Math.min(text.length, index + maxRecord)
    for (const match of text.slice(index, behind).matchAll(xmlNumber)) {
      const start = index + match.index + match[0].indexOf(match[2]!)
      found.push({ start, end: start + match[2]!.length, kind: 'private-key' })
    }
  }
  return found
}

/** In YAML and JSON, also with escaped quotes. */
const secretKind = /(?:\\{0,3}["'])?\bkind(?:\\{0,3}["'])?[ \t]{0,8}:[ \t]{0,8}(?:\\{0,3}["'])?Secret(?![\w-])/g
const patched = /\bpatch[ \t]{1,4}secrets?\b/g

function manifestSecretsIn(text: string): SecretRange[] {
  const found: SecretRange[] = []
  let behind = 0
  const kinds = [...text.matchAll(secretKind), ...text.matchAll(patched)].toSorted((a, b) => a.index - b.index)
  for (const [number, { index }] of kinds.entries()) {
    if (index < behind) continue
    const start = documentStart(text, behind, index)
    behind = documentEnd(text, index, kinds[number + 1]?.index ?? text.length)
    addData(text, start, behind, found)
  }
  return found
}

const maxManifest = 200_000

function documentStart(text: string, limit: number, at: number): number {
  const from = Math.max(limit, at - maxManifest)
  const near = text.slice(from, at)
  return from + Math.max(0, near.lastIndexOf('\n---'))
}

function documentEnd(text: string, at: number, next: number): number {
  const limit = Math.min(next, at + maxManifest)
  const end = text.slice(at, limit).indexOf('\n---')
  return end < 0 ? limit : at + end
}

const section = /^([ \t]{0,200}(?:- )?)(?:data|stringData):[ \t]{0,8}(?:#[^\n]{0,200})?\r?\n/gm
const jsonSection = /\\{0,3}["'](?:data|stringData)\\{0,3}["']\s{0,8}:\s{0,8}\{/g

function addData(text: string, start: number, end: number, found: SecretRange[]): void {
  const near = text.slice(start, end)
  for (const { index, 0: line, 1: indent } of near.matchAll(section))
    addLines(near, index + line.length, indent!.length, start, found)
  let behind = 0
  for (const { index, 0: open } of near.matchAll(jsonSection)) {
    const from = index + open.length
    if (from < behind) continue
    const close = near.indexOf('}', from)
    behind = close < 0 ? near.length : close
    for (const match of near.slice(from, behind).matchAll(jsonValue))
      addValue(match[1]!, start + from + match.index + match[0].lastIndexOf(match[1]!), found)
  }
}

const jsonValue = /:\s{0,8}\\{0,3}["']([^"'\\]{1,100000})\\{0,3}["']/g
/** A name with its value, or a line of a value that began above. */
const dataLine =
  /([ \t]{0,200})(?:["']?[\w.-]{1,253}["']?:[ \t]{0,8})?(?:[|>][+-]?\d?)?[ \t]{0,8}(["']?)([^\n]*)(?:\n|$)/y

function addLines(text: string, from: number, indent: number, shift: number, found: SecretRange[]): void {
  for (let at = from; at < text.length; ) {
    dataLine.lastIndex = at
    const match = dataLine.exec(text)
    if (!match || (match[1]!.length <= indent && match[0].trim() !== '')) return
    const [line, , quote, value] = match
    const last = value!.trimEnd()
    const plain = quote !== '' && last.endsWith(quote!) ? last.slice(0, -1) : last
    if (plain !== '') addValue(plain, shift + at + line.lastIndexOf(value!), found)
    at = dataLine.lastIndex
    if (line.length === 0) return
  }
}

/** A word such as `true`, and a place for a value, are none. */
function addValue(value: string, start: number, found: SecretRange[]): void {
  if (value.length < 4 || value.startsWith('[secret') || isPlaceholder(value) || /^(?:true|false|null)$/.test(value))
    return
  found.push({ start, end: start + value.length, kind: 'kubernetes-secret' })
}
