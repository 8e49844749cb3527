// One pass over a text. The last four characters select the places where a rule is tried: hundreds
// of patterns over everything would cost more than reading the transcripts.
import { secretNamedAt } from './assignments.ts'
import { startsWithText } from './encodings.ts'
import { tokenAt } from './match-token.ts'
import { type PhraseRule, phraseRules } from './phrases.ts'
import { secretRunAt } from './runs.ts'
import { tokenRules } from './tokens.ts'
import { endOf, isEncodedUnit, type SecretRange, unitsOf } from './units.ts'

/** Words in the names of secrets. A sign at the end only selects where the word is tried. */
const nameWords = (
  'pass pwd kennwort secret token credential creds jwt apikey authorization signature= session= sessionid= salt dsn otp= psw ' +
  'accountkey sharedkey auth" auth= auth: auth\' auth> auth\\ key" key= key: key\' key_ key- key> key] key) key` key* key\\ key| ' +
  'sig= sid= seed= pw= pw: pin= psk= psk" psk: pat= pat" pat: sessid= session_id='
)
  .split(' ')
  .concat('auth ', 'key ', 'pw ')

/** Words that tell something about a run behind them, and escapes that hide a marker. */
const plainMarkers = [
  'schlüssel',
  'clave',
  'ключ',
  '密钥 ',
  '密钥:',
  '密钥：',
  '密钥是',
  ':\\/',
  '\\u00',
  '\\x3',
  '\\x2',
]

/** These tell that the whole text has to be searched. */
const blockMarkers = ['<private>', 'private key', 'putty-user-key-file']

interface Trigger {
  /** In lower case. */
  marker: string
  /** Whether the character before must not be a letter or digit. */
  isWordStart: boolean
  find(text: string, start: number, end: number): SecretRange | undefined
}

let hasBlocks = false

const triggers: Trigger[] = [
  ...nameWords.map((word) => ({
    marker: word,
    isWordStart: false,
    find: (text: string, start: number) => secretNamedAt(text, start, start + word.replace(/[^a-z]+$/, '').length),
  })),
  ...phraseRules.map(({ marker, find }: PhraseRule) => ({ marker: marker.toLowerCase(), isWordStart: false, find })),
  ...tokenRules.map((rule) => ({
    marker: rule.marker.toLowerCase(),
    isWordStart: rule.border === 'word',
    find: (text: string, start: number) => tokenAt(text, start, rule),
  })),
  ...plainMarkers.map((marker) => ({ marker, isWordStart: false, find: () => undefined })),
  ...blockMarkers.map((marker) => ({
    marker,
    isWordStart: false,
    find: () => {
      hasBlocks = true
      return undefined
    },
  })),
]

/**
 * What the scan has to know of a character, by its unit: six bits that tell characters of markers
 * apart (0 for all others), a bit for runs, and one for signs that may begin an escape.
 */
const idBits = 63
const runShift = 6
const runBit = 1 << runShift
const escapeBit = 128
const backslashBit = 256
const characterTable = new Uint16Array(65536)
const otherId = 0
fillTable()

function fillTable(): void {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const signs = '_-.$:/+!~%="\'>])`*\\|{@( '
  for (const [index, letter] of [...letters].entries()) {
    characterTable[letter.charCodeAt(0)] = (index + 1) | runBit
    characterTable[letter.toUpperCase().charCodeAt(0)] = (index + 1) | runBit
  }
  for (const [index, digit] of [...'0123456789'].entries()) characterTable[digit.charCodeAt(0)] = (27 + index) | runBit
  for (const [index, sign] of [...signs].entries()) {
    characterTable[sign.charCodeAt(0)] = (37 + index) | ('_-+/'.includes(sign) ? runBit : 0)
  }
  for (const { marker } of triggers) {
    for (const character of marker) {
      const unit = character.charCodeAt(0)
      if (unit < 128) continue
      for (const variant of [character, character.toUpperCase()])
        characterTable[variant.charCodeAt(0)] = (unit % 26) + 1
    }
  }
  for (const sign of ['\u001b', '%', '&', '\u200b', '\u00ad', '\u2060'])
    characterTable[sign.charCodeAt(0)]! |= escapeBit
  characterTable[92]! |= backslashBit
}

/** A line end or tab may be written as a backslash and a letter. */
const escapeIds = [...'nrt'].map((letter) => characterTable[letter.charCodeAt(0)]! & idBits)

interface PlacedTrigger extends Trigger {
  /** The selected characters, as the scan sees them, and which of its bits they are. */
  window: number
  mask: number
  /** Characters of the marker behind the selected ones. */
  rest: number
}

const windowMask = 0xffffff
const slots = 1 << 18
const slotOf = (window: number) => Math.imul(window, 0x9e3779b1) >>> 14
/** A bit for every slot: 32 kB stay in the cache of the processor. */
const selected = new Int32Array(slots >> 5)
/** The same with another hash: both together are hardly ever wrong. */
const confirmed = new Int32Array(slots >> 5)
const checkOf = (window: number) => Math.imul(window, 0x85ebca6b) >>> 14
const bySlot = new Map<number, PlacedTrigger[]>()
for (const trigger of triggers) place(trigger)

/**
 * Registers the four characters of the marker that are least frequent in texts. A shorter marker is
 * registered with every character that may stand before it.
 */
function place(trigger: Trigger): void {
  const { marker, isWordStart } = trigger
  const size = Math.min(4, marker.length)
  const from = size < 4 ? 0 : rarestWindow(marker)
  let window = 0
  for (let at = from; at < from + size; at++) window = (window << 6) | (characterTable[marker.charCodeAt(at)]! & idBits)
  const placed = { ...trigger, window, mask: 2 ** (6 * size) - 1, rest: marker.length - from - size }
  if (size < 3) throw new Error(`The marker ${marker} is too short`)
  for (const before of size === 4 ? [0] : charactersBefore(isWordStart)) {
    const slot = slotOf((before << (6 * size)) | window)
    selected[slot >>> 5]! |= 1 << slot
    const check = checkOf((before << (6 * size)) | window)
    confirmed[check >>> 5]! |= 1 << check
    const known = bySlot.get(slot)
    if (!known) bySlot.set(slot, [placed])
    else if (!known.some((other) => other.marker === marker && other.find === trigger.find)) known.push(placed)
  }
}

function charactersBefore(isWordStart: boolean): number[] {
  const ids = Array.from({ length: 64 }, (_, id) => id)
  return ids.filter((id) => !isWordStart || id === otherId || id > 36 || escapeIds.includes(id))
}

function rarestWindow(marker: string): number {
  let best = 0
  let bestScore = -1
  for (let from = 0; from + 4 <= marker.length; from++) {
    const window = marker.slice(from, from + 4)
    if (/\.com|com\/|http|api/.test(window)) continue
    const score = [...window].filter((character) => !/[aeioulnrstcdmp]/.test(character)).length
    if (score > bestScore) {
      best = from
      bestScore = score
    }
  }
  return best
}

/** Shorter runs are found by their name alone. */
const minRun = 20

export interface TextScan {
  ranges: SecretRange[]
  /** Long runs of letters and digits, which may be encoded texts. */
  runs: { start: number; end: number }[]
  /** Places where a marker was found, in ascending order: what is near may be escaped. */
  hits: number[]
  /** Whether there may be private keys or spans. */
  hasBlocks: boolean
  /** Whether there is a backslash, or another sign that may begin an escape. */
  hasBackslash: boolean
  hasEscape: boolean
}

export function scan(text: string): TextScan {
  const units = unitsOf(text)
  const length = text.length
  const result: TextScan = { ranges: [], runs: [], hits: [], hasBlocks: false, hasBackslash: false, hasEscape: false }
  hasBlocks = false
  let window = 0
  let run = 0
  let seen = 0
  for (let at = 0; at < length; at++) {
    const character = characterTable[units[at]!]!
    seen |= character
    window = ((window << 6) | (character & idBits)) & windowMask
    run = Math.imul(run + 1, (character >> runShift) & 1) // without a branch: mispredictions dominate here
    const slot = Math.imul(window, 0x9e3779b1) >>> 14
    if (((selected[slot >>> 5]! >>> slot) & 1) !== 0 && isConfirmed(window)) {
      const end = tryTriggers(text, at, window, result)
      if (end > at) {
        // What was found is not searched again: a secret may consist of prefixes of tokens.
        at = end - 1
        window = 0
        run = 0
      }
    }
    if (run === minRun) addRun(text, at - run + 1, result)
  }
  result.hasBlocks = hasBlocks
  result.hasBackslash = (seen & backslashBit) !== 0
  result.hasEscape = (seen & escapeBit) !== 0
  return result
}

function isConfirmed(window: number): boolean {
  const check = Math.imul(window, 0x85ebca6b) >>> 14
  return ((confirmed[check >>> 5]! >>> check) & 1) !== 0
}

function addRun(text: string, start: number, { ranges, runs, hits }: TextScan): void {
  if (text.charCodeAt(start - 1) === 92) hits.push(start)
  const end = endOf(text, start + minRun, isEncodedUnit)
  const range = secretRunAt(text, start, end, hits.at(-1) ?? Number.NEGATIVE_INFINITY)
  if (range) ranges.push(range)
  else if (startsWithText(text, start)) runs.push({ start, end })
}

/** Returns where the scan goes on; 0 if nothing was found that it may skip. */
function tryTriggers(text: string, at: number, window: number, { ranges, hits }: TextScan): number {
  let skip = 0
  const candidates = bySlot.get(slotOf(window)) ?? []
  for (let index = 0; index < candidates.length; index++) {
    const trigger = candidates[index]!
    if ((window & trigger.mask) !== trigger.window) continue
    const { marker, rest } = trigger
    const end = at + rest + 1
    const start = end - marker.length
    if (start < 0 || end > text.length || !isMarkerAt(text, start, marker)) continue
    hits.push(start)
    const range = trigger.find(text, start, end)
    if (!range) continue
    ranges.push(range)
    if (range.start <= end || range.end - range.start > maxRescanned) skip = Math.max(skip, range.end)
  }
  return skip
}

/** Inside of a longer value nothing else is searched, so that the time stays linear. */
const maxRescanned = 2000

function isMarkerAt(text: string, start: number, marker: string): boolean {
  for (let at = 0; at < marker.length; at++) {
    const unit = text.charCodeAt(start + at)
    const wanted = marker.charCodeAt(at)
    if (unit === wanted || (unit >= 65 && unit <= 90 && unit + 32 === wanted)) continue
    if (unit < 128 || text.charAt(start + at).toLowerCase() !== marker.charAt(at)) return false
  }
  return true
}
