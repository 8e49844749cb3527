// Tables for the fast pass over a text. It reads two characters at a time, by their low bytes, and
// selects the places where three characters in a row belong to a marker or to an escape. What it
// selects is compared exactly afterwards, so it may select too much, never too little.

/** By a pair of bytes: the ids of both, and whether they belong to runs. */
export const pairTable = new Int16Array(65536)
export const idsOfPair = 0xfff
/** Both bytes; the sign bit, so that `>> 31` is a mask. */
const isRunPair = 1 << 15
export const startsWithRun = 1 << 14

export const firstId = (bits: number) => (bits >>> 6) & 63

/** A bit for the ids of three bytes: whether there may be anything. It fits into the cache of a processor. */
export const gramBits = new Int32Array(1 << 13)
/** What may be there. */
export const gramTable = new Uint8Array(1 << 18)
export const gramMask = 0x3ffff
/** The selected characters of a marker end with the three, or one character behind them. */
export const endsMarker = 1
export const beginsMarker = 2
/** An escape, or a backslash at the end of a line, begins with the three or is within them. */
export const isEscape = 4
/** The three are a whole marker. */
const isWholeMarker = 8

const byteIds = new Uint8Array(256)
const allIds = Array.from({ length: 64 }, (_, id) => id)
/** Each has an id; those that stand together share one. */
const idGroups = [
  ...'abcdefghijklmnopqrstuvwxyz0123456789',
  ...'_-.$:/+!~%=\\>`{@( &',
  '"\'',
  '])',
  '*|',
  '\n\r',
  '\u001b\u000b\u00ad', // the low byte of a zero-width space is that of a vertical tab
]
for (const [index, group] of idGroups.entries()) {
  for (const character of group) {
    byteIds[character.charCodeAt(0)] = index + 1
    byteIds[character.toUpperCase().charCodeAt(0)] = index + 1
  }
}
for (let byte = 0; byte < 32; byte++) byteIds[byte] ||= 61
for (let byte = 128; byte < 256; byte++) byteIds[byte] ||= byte < 192 ? 62 : 63

const isRunByte = new Uint8Array(256)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/') {
  isRunByte[character.charCodeAt(0)] = 1
}

fillPairs()

/** Row by row, because most bytes share an id with others: this runs whenever the program starts. */
function fillPairs(): void {
  const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
  const rows = new Map<number, Int16Array>()
  for (let high = 0; high < 256; high++) {
    const key = byteIds[high]! | (isRunByte[high]! << 6)
    let row = rows.get(key)
    if (!row) {
      row = new Int16Array(256)
      for (let low = 0; low < 256; low++) row[low] = isLittleEndian ? bitsOf(low, high) : bitsOf(high, low)
      rows.set(key, row)
    }
    pairTable.set(row, high << 8)
  }
}

function bitsOf(first: number, second: number): number {
  const ids = (byteIds[first]! << 6) | byteIds[second]!
  if (isRunByte[first] === 0) return ids
  return ids | startsWithRun | (isRunByte[second] === 0 ? 0 : isRunPair)
}

addEscapes()

/** Signs that begin an escape, and backslashes before the end of a line. */
function addEscapes(): void {
  addGram(allIds, idsOf('\\'), idsOf('\n'), isEscape)
  // The low byte of U+2060 is that of a backquote.
  for (const id of idsOf('\u001b\u2060')) for (let gram = id; gram <= gramMask; gram += 64) addBits(gram, isEscape)
  addGram(idsOf('%'), idsOf('0123456789abcdef'), idsOf('0123456789abcdef'), isEscape)
  for (const name of ['qu', 'am', 'ap', 'lt', 'gt'])
    addGram(idsOf('&'), idsOf(name.charAt(0)), idsOf(name.charAt(1)), isEscape)
  addGram(idsOf('&'), idsOf('#'), idsOf('0123456789x'), isEscape)
}

/**
 * Has the pass stop at these characters, which are four, or three if the marker is not longer. Returns
 * the ids of their bytes, in every way in which they may be written.
 */
export function selectWindow(window: string): number[] {
  const ids = [...window].map((character) => idsOf(character + character.toUpperCase().charAt(0)))
  if (ids.length === 3) addGram(ids[0]!, ids[1]!, ids[2]!, endsMarker | isWholeMarker)
  else if (frequency(window.slice(1)) <= frequency(window.slice(0, 3))) addGram(ids[1]!, ids[2]!, ids[3]!, endsMarker)
  else addGram(ids[0]!, ids[1]!, ids[2]!, beginsMarker)
  const windows: number[] = []
  addWindows(ids, 0, 0, windows)
  return windows
}

function addWindows(ids: number[][], from: number, begun: number, windows: number[]): void {
  if (from < ids.length) {
    for (const id of ids[from]!) addWindows(ids, from + 1, (begun << 6) | id, windows)
    return
  }
  windows.push(begun)
  const slot = slotOf(begun)
  if (ids.length === 4) windowBits[slot >>> 5]! |= 1 << slot
}

/** A bit for every hash of the ids of four bytes: 32 kB stay in the cache of the processor. */
const windowBits = new Int32Array(1 << 13)
export const windowMask = 0xffffff
const slotOf = (window: number) => Math.imul(window & windowMask, 0x9e3779b1) >>> 14

/** Whether the last four of these ids may be those of a marker. */
export function mayBeWindow(ids: number): boolean {
  const slot = slotOf(ids)
  return ((windowBits[slot >>> 5]! >>> slot) & 1) !== 0 || (gramTable[ids & gramMask]! & isWholeMarker) !== 0
}

export function idOf(unit: number): number {
  return byteIds[unit & 255]!
}

function idsOf(characters: string): number[] {
  const ids: number[] = []
  for (const character of characters) {
    const id = idOf(character.charCodeAt(0))
    if (!ids.includes(id)) ids.push(id)
  }
  return ids
}

function addGram(first: number[], second: number[], third: number[], bit: number): void {
  for (const a of first) for (const b of second) for (const c of third) addBits((a << 12) | (b << 6) | c, bit)
}

function addBits(gram: number, bit: number): void {
  gramTable[gram]! |= bit
  gramBits[gram >>> 5]! |= 1 << gram
}

/** By decreasing frequency in transcripts; all others are rare. */
const frequent = ' etnsiaroc"dl\\pumhg/:f,-.byk'
/** More frequent in transcripts than their characters let expect. */
const frequentGrams = new Set(
  'con ken ut_ ver par dev pat ack ook log has ang bas fig st. 000 ida eed web ign hes ad_ lag api key uth aut'.split(
    ' ',
  ),
)

/** A rough measure: to stop at a frequent trigram costs time. */
function frequency(gram: string): number {
  if (frequentGrams.has(gram)) return Number.POSITIVE_INFINITY
  let product = 1
  for (const character of gram) {
    const rank = frequent.indexOf(character)
    product *= rank < 0 ? 1 : 30 - rank
  }
  return product
}
