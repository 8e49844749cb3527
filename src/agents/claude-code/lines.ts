// What can be said of a line before it is parsed: whole lines and long fields that carry nothing which the rest does not.

const progress = Buffer.from('"type":"progress","data":{"type":"')
const progressEnd = Buffer.from('"toolUseID":"')
const request = Buffer.from('{"type":"api-request')
const chained = Buffer.from('{"parentUuid":')

/**
 * To 2.1.8x a third of all records were progress notes that repeat what the results say; 2.1.28x writes every request
 * with its whole body. A torn one may have another record glued to it, so its end is looked at too.
 */
export function isNoise(line: Buffer): boolean {
  if (line.subarray(0, request.length).equals(request)) return line.indexOf(chained, 1) < 0
  return line.subarray(0, 1500).includes(progress) && line.subarray(-800).includes(progressEnd)
}

const result = Buffer.from(',"toolUseResult":{')
const worthIt = 4000

/** Long values of a tool result, from the key before to the key behind them: the file before an edit, and the file read. */
const copies = [
  { before: Buffer.from('"originalFile":"'), behind: Buffer.from('","structuredPatch":') },
  { before: Buffer.from('","content":"'), behind: Buffer.from('","numLines":') },
]

/** What no JSON string holds unescaped: where one of these stands, a value has ended. */
const endings = [Buffer.from('","'), Buffer.from('{"')]

/**
 * A quarter of the bytes are copies of files inside tool results. A quote inside a value is always escaped, so the keys
 * around it are found without parsing, and the value is cut out.
 */
export function withoutCopies(line: Buffer): Buffer {
  if (line.length < worthIt) return line
  const at = line.indexOf(result)
  if (at < 0) return line
  for (const { before, behind } of copies) {
    const start = line.indexOf(before, at)
    const end = start < 0 ? -1 : line.indexOf(behind, start + before.length)
    if (end < 0) continue
    const value = line.subarray(start + before.length, end)
    if (endings.some((ending) => value.includes(ending))) continue // the second key belongs to another object
    return Buffer.concat([line.subarray(0, start + before.length), line.subarray(end)])
  }
  return line
}
