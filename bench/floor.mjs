// Lower bound of a sweep: reads every file in chunks and parses every line as JSON.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

const files = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const chunk = Buffer.allocUnsafe(1 << 20)
let records = 0
for (const path of files) {
  const file = openSync(path, 'r')
  let rest = Buffer.alloc(0)
  for (let got = readSync(file, chunk); got > 0; got = readSync(file, chunk)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk.subarray(0, got)]) : chunk.subarray(0, got)
    let start = 0
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
      parse(bytes, start, at)
      start = at + 1
    }
    rest = Buffer.from(bytes.subarray(start))
  }
  if (rest.length > 0) parse(rest, 0, rest.length)
  closeSync(file)
}
console.log(records)

function parse(bytes, start, end) {
  try {
    JSON.parse(bytes.toString('utf8', start, end))
    records++
  } catch {}
}
