// One pass over a text. The last four characters select the places where a rule is tried: hundreds
// of patterns over everything would cost more than reading the transcripts.
import { secretNamedAt } from './assignments.ts'
import { startsWithText } from './encodings.ts'
import type { Heading } from './headings.ts'
import { addKeyLine, mayBeKeyLine } from './key-lines.ts'
import { tokenAt } from './match-token.ts'
import { type Payload, payloadAround, payloadAt } from './opaque.ts'
import { phraseRules } from './phrases.ts'
import {
  beginsMarker,
  endsMarker,
  firstId,
  gramBits,
  gramMask,
  gramTable,
  idOf,
  idsOfPair,
  isEscape,
  mayBeWindow,
  pairTable,
  selectWindow,
  startsWithRun,
  windowMask,
} from './prefilter.ts'
import { endOfRun, minRun, secretRunAt } from './runs.ts'
import { tokenRules } from './tokens.ts'
import { hasClass, isEncodedUnit, pairsOf, type SecretRange } from './units.ts'

/** Words in the names of secrets. A sign at the end only selects where the word is tried. */
const nameWords = (
  'pass pwd kennwort secret token credential creds jwt apikey authorization signature= session= sessionid= salt dsn otp= psw ' +
  'api_key api-key accountkey sharedkey auth" auth= auth: auth\' auth> auth\\ key" key= key: key\' key_ key- key> key] key) key` key* key\\ key| ' +
  'sig= sid= seed= pw= pw: pin= psk= psk" psk: pat= pat" pat: sessid= session_id='
)
  .split(' ')
  .concat('auth ', 'key ', 'pw ', 'api key')

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
const blockMarkers = [
  ...['<private>', 'private key', 'te-lines:', '<rsakeyvalue>', 'kubectl patch', 'kind: secret', 'secret"', "secret'"],
  ...['"kty', "'kty", 'kty:', '"dp"', '"dq"', '"qi"', 'dp\\"', 'dq\\"', 'qi\\"'],
]

interface Trigger {
  /** In lower case. */
  marker: string
  /** Whether the character before must not be a letter or digit. */
  isWordStart: boolean
  find(text: string, start: number, end: number): SecretRange | undefined
  /** Whether the secret ends at the marker, and may begin on the line before. */
  looksBack?: boolean
}

let hasBlocks = false
let headings: Heading[] = []

const triggers: Trigger[] = [
  ...nameWords.map((word) => {
    const length = word.replace(/[^a-z]+$/, '').length
    const find = (text: string, start: number) => {
      const found = secretNamedAt(text, start, start + length)
      if (found === undefined || !('noun' in found)) return found
      headings.push(found)
      return undefined
    }
    return { marker: word, isWordStart: false, find }
  }),
  ...phraseRules.map((rule) => ({ ...rule, marker: rule.marker.toLowerCase(), isWordStart: false })),
  ...tokenRules.map((rule) => ({
    marker: rule.marker.toLowerCase(),
    isWordStart: rule.border === 'word',
    find: (text: string, start: number) => tokenAt(text, start, rule),
    looksBack: rule.before !== undefined,
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

interface PlacedTrigger extends Trigger {
  /** Characters of the marker behind the selected ones. */
  rest: number
  /** Whether the marker has three characters, so that the one before it is not selected. */
  isShort: boolean
}

/** They occur in other words more often than in the marker. */
const frequentWindows =
  /\.com|com\/|http|api|cont|ontr|ntra|ckag|hook|back|arch|open|pens|_tok| log|man |an l|n lo|ed w|d wi|ed b|d by|ion_|very|figu|log |oks\.|\/web|ker | wit|with|ith |prod|d: s|ery |dify|odif|modi/

/** By the ids of the bytes that are selected: four, or three of markers that are not longer. */
const byWindow = new Map<number, PlacedTrigger[]>()
const byShortWindow = new Map<number, PlacedTrigger[]>()
placeAll()

/** Selects the four characters of a marker that are least frequent in texts. */
function placeAll(): void {
  for (const trigger of triggers) {
    const { marker } = trigger
    if (marker.length < 3) throw new Error(`The marker ${marker} is too short`)
    const isShort = marker.length === 3
    const from = isShort ? 0 : rarestWindow(marker)
    const selected = marker.slice(from, from + 4)
    const placed = { ...trigger, rest: marker.length - from - selected.length, isShort }
    const known = isShort ? byShortWindow : byWindow
    for (const window of selectWindow(selected)) known.set(window, [...(known.get(window) ?? []), placed])
  }
  // Both may be found at once, and rules are tried in their order.
  const order = new Map(triggers.map(({ find }, index) => [find, index]))
  for (const [window, list] of byWindow) {
    const short = byShortWindow.get(window & gramMask)
    if (short) list.push(...short)
    if (short) list.sort((a, b) => order.get(a.find)! - order.get(b.find)!)
  }
}

function rarestWindow(marker: string): number {
  let best = 0
  let bestScore = -1
  for (let from = 0; from + 4 <= marker.length; from++) {
    const window = marker.slice(from, from + 4)
    if (frequentWindows.test(window)) continue
    const score = [...window].filter((character) => !/[aeioulnrstcdmp]/.test(character)).length
    if (score > bestScore) {
      best = from
      bestScore = score
    }
  }
  return best
}

/** A run of this length has at least so many whole pairs before its last character. */
const pairsOfRun = 9

export interface TextScan {
  ranges: SecretRange[]
  /** Long runs of letters and digits, which may be encoded texts. */
  runs: { start: number; end: number }[]
  /** Runs that have the width of a line of a key. */
  keyLines: number[]
  /** What is kept as it is, in order: it is not searched. */
  payloads: Payload[]
  /** Places where a marker was found: what is near may be escaped. */
  hits: number[]
  /** Names whose values are elsewhere. */
  headings: readonly Heading[]
  /** Whether there may be private keys or spans. */
  hasBlocks: boolean
  /** Whether there may be a backslash at the end of a line. */
  hasContinued: boolean
  /** Where the first other sign may be that begins an escape; -1 if there is none. */
  firstEscape: number
}

/** Where the pass over a text is. */
interface ScanState extends TextScan {
  text: string
  /** What was found ends here: the scan went on behind it. */
  from: number
  /** The last position at which markers were looked for. */
  checked: number
  /** Whether there are characters that the low byte does not tell; undefined if that is not known. */
  isWide: boolean | undefined
  /** Whole pairs of the present run. */
  run: number
}

/** Undefined if there is nothing to look at. */
export function scan(text: string): TextScan | undefined {
  const pairs = pairsOf(text)
  const table = pairTable // locals: a loop reads an import anew each time
  const grams = gramBits
  const count = (text.length + 1) >> 1
  let state: ScanState | undefined
  let pair = 0
  let bits = 0
  let ids = 0
  let run = 0
  while (pair < count) {
    // A loop of its own, because a loop without calls is several times faster.
    for (; pair < count; pair++) {
      bits = table[pairs[pair]!]!
      ids = (ids << 12) | (bits & idsOfPair)
      const before = ids >>> 6
      const found = (grams[(ids & gramMask) >>> 5]! >>> ids) | (grams[(before & gramMask) >>> 5]! >>> before)
      if ((found & 1) !== 0 || (run === pairsOfRun && (bits & startsWithRun) !== 0)) break
      run = (run + 1) & (bits >> 31)
    }
    if (pair >= count) break
    state ??= startScan(text)
    state.run = run
    if (inspect(state, 2 * pair, ids, bits, table[pairs[pair + 1]!]!)) {
      // What was found is not searched again: a secret may consist of prefixes of tokens.
      pair = state.from >> 1
      ids = 0
      run = (state.from & 1) === 0 ? 0 : -1 // the pair in which it ends is not part of a run
    } else {
      pair++
      run = (state.run + 1) & (bits >> 31)
    }
  }
  if (state) {
    state.hasBlocks = hasBlocks
    state.headings = headings
  }
  return state
}

/** Most texts have nothing, so what was made for one is used for the next. */
let unused: ScanState | undefined

/** What `scan` returned is not needed any more, and has nothing in it. */
export function releaseScan(state: TextScan): void {
  unused = state as ScanState
}

function startScan(text: string): ScanState {
  hasBlocks = false
  if (headings.length > 0) headings = []
  const state = unused
  if (state) {
    unused = undefined
    state.text = text
    state.from = 0
    state.checked = -1
    state.isWide = undefined
    state.run = 0
    return state
  }
  return {
    text,
    ranges: [],
    runs: [],
    keyLines: [],
    payloads: [],
    hits: [],
    headings,
    hasBlocks: false,
    hasContinued: false,
    firstEscape: -1,
    from: 0,
    checked: -1,
    isWide: undefined,
    run: 0,
  }
}

/**
 * Looks at the pair at `at` in the order of positions. `next` are the bits of the pair behind it.
 * Returns true if something was found that the scan has to skip.
 */
function inspect(state: ScanState, at: number, ids: number, bits: number, next: number): boolean {
  const odd = gramTable[ids & gramMask]! // ends at `at + 1`
  const even = gramTable[(ids >>> 6) & gramMask]! // ends at `at`
  if (((odd | even) & isEscape) !== 0) findEscapes(state, at)
  const runEnd = state.run === pairsOfRun && (bits & startsWithRun) !== 0 ? runEndAt(state, at, bits) : -1
  if ((even & endsMarker) !== 0 && findMarkers(state, at, ids >>> 6)) return true
  if (runEnd === at && skipsRun(state, at - minRun + 1)) return true
  if ((((even >> 1) | odd) & endsMarker) !== 0 && findMarkers(state, at + 1, ids)) return true
  if (runEnd === at + 1 && skipsRun(state, at - minRun + 2)) return true
  return (odd & beginsMarker) !== 0 && findMarkers(state, at + 2, (ids << 6) | firstId(next))
}

/** `at` is the position of the pair in which the sign is, or of the next. */
function findEscapes(state: ScanState, at: number): void {
  for (let sign = Math.max(0, at - 2); sign < at + 2; sign++) {
    const code = state.text.charCodeAt(sign)
    if (code === 92) state.hasContinued ||= isLineEnd(state.text.charCodeAt(sign + 1))
    else if (state.firstEscape < 0 && isEscapeUnit(code)) state.firstEscape = sign
  }
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13
}

function isEscapeUnit(code: number): boolean {
  return code === 27 || code === 37 || code === 38 || code === 0xad || code === 0x200b || code === 0x2060
}

/**
 * Nine pairs before `at` and the byte at `at` look like a run. Returns the position of its 20th
 * character, which is there or behind it, and -1 if it has fewer, or more.
 */
function runEndAt(state: ScanState, at: number, bits: number): number {
  const { text, from } = state
  state.isWide ??= /[\u0100-\uffff]/.test(text)
  if (!state.isWide) {
    const isOneLonger = at - minRun + 1 >= from && hasClass(text, at - minRun + 1, isEncodedUnit)
    return isOneLonger ? at : bits < 0 ? at + 1 : -1
  }
  let start = at + 1
  while (start > from && start > at - minRun && hasClass(text, start - 1, isEncodedUnit)) start--
  if (start > at - minRun + 2) {
    state.run = (at >> 1) - ((start + 1) >> 1)
    return -1
  }
  state.run = 0 // to look again: a character of which only the low byte looks so may end the run
  if (start === at - minRun + 1) return at
  if (start < at - minRun + 1) return -1
  if (hasClass(text, at + 1, isEncodedUnit)) return at + 1
  state.run = -1
  return -1
}

/** Returns true if the scan has to skip the run, because it is a payload. */
function skipsRun(state: ScanState, start: number): boolean {
  const { text, ranges, runs, keyLines, hits } = state
  const payload = payloadAt(text, start)
  if (payload) return skipPayload(state, payload)
  if (text.charCodeAt(start - 1) === 92) hits.push(start)
  if (mayBeKeyLine(text, start)) addKeyLine(text, start, keyLines, hits)
  const range = secretRunAt(text, start, hits.length === 0 ? Number.NEGATIVE_INFINITY : hits[hits.length - 1]!)
  if (range) ranges.push(range)
  else if (startsWithText(text, start)) runs.push({ start, end: endOfRun(text, start) })
  return false
}

function skipPayload(state: ScanState, payload: Payload): true {
  state.payloads.push(payload)
  state.from = payload.end
  return true
}

/** Tries the rules of markers whose selected characters end at `at`. Returns true if the scan has to skip. */
function findMarkers(state: ScanState, at: number, ids: number): boolean {
  if (!mayBeWindow(ids)) return false
  if (at <= state.checked || at >= state.text.length) return false
  state.checked = at
  const end = tryTriggers(state, at, ids & windowMask)
  if (end <= at) return false
  skipTo(state, end)
  return true
}

/**
 * What precedes `from` does not count any more, so the next marker may be found where the pass over
 * the text does not expect it.
 */
function skipTo(state: ScanState, from: number): void {
  state.from = from
  state.hasContinued = true // there may be escapes within what is skipped
  state.firstEscape = 0
  for (let at = from; at < Math.min(state.from + 4, state.text.length); at++) {
    state.checked = at
    let window = 0
    for (let index = at - 3; index <= at; index++)
      window = (window << 6) | (index < state.from ? 0 : idOf(state.text.charCodeAt(index)))
    const end = tryTriggers(state, at, window)
    if (end <= at) continue
    state.from = end
    at = end - 1
  }
}

/** `window` are the ids of the four bytes that end at `at`. Returns where the scan goes on, or 0. */
function tryTriggers({ text, from, ranges, payloads, hits }: ScanState, at: number, window: number): number {
  const candidates = byWindow.get(window) ?? byShortWindow.get(window & gramMask)
  if (!candidates) return 0
  let skip = 0
  for (let index = 0; index < candidates.length; index++) {
    const { marker, rest, isShort, isWordStart, find, looksBack } = candidates[index]!
    const end = at + rest + 1
    const start = end - marker.length
    if (start < 0 || !isMarkerAt(text, start, marker)) continue
    if (isShort && isWordStart && start > from && isWordUnit(text.charCodeAt(start - 1))) continue
    hits.push(looksBack ? Math.max(from, start - maxBefore) : start)
    const range = find(text, start, end)
    if (!range) continue
    const payload = payloadAround(text, range, marker)
    if (payload) {
      payloads.push(payload)
      return payload.end
    }
    ranges.push(range)
    if (range.start <= end || range.end - range.start > maxRescanned) skip = Math.max(skip, range.end)
  }
  return skip
}

const maxBefore = 90

/** A letter or digit, without n, r and t: a line end or tab may be written as a backslash and a letter. */
function isWordUnit(code: number): boolean {
  const letter = code | 32
  if (letter === 110 || letter === 114 || letter === 116) return false
  return (code >= 48 && code <= 57) || (letter >= 97 && letter <= 122 && code < 128)
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
