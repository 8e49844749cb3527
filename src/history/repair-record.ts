// Repairs lines of a restored transcript: a part from which a secret was removed, but which the model
// service takes only unchanged, gives way to a text. All other lines stay as they are, byte for byte.
import type { RepairedPart, RepairPart } from '../core/conversation/repaired-part.ts'
import { hasMark } from '../core/redact/marks.ts'
import type { Json } from '../core/session.ts'

export type LeftOut = Record<RepairedPart['kind'], number>

const newline = 10

/** Whole lines; `leftOut` counts the parts. */
export function repairLines(bytes: Buffer, repair: RepairPart, leftOut: LeftOut): Buffer {
  const lines: Buffer[] = []
  let isChanged = false
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(newline, from)
    const to = end < 0 ? bytes.length : end
    const line = bytes.subarray(from, to)
    const repaired = repairLine(line, repair, leftOut)
    isChanged ||= repaired !== undefined
    lines.push(repaired ?? line, bytes.subarray(to, to + 1))
    from = to + 1
  }
  return isChanged ? Buffer.concat(lines) : bytes
}

/** Undefined if the line stays. */
function repairLine(line: Buffer, repair: RepairPart, leftOut: LeftOut): Buffer | undefined {
  const text = line.toString('utf8')
  if (!hasMark(text)) return undefined
  let record: Json
  try {
    record = JSON.parse(text) as Json
  } catch {
    return undefined
  }
  const repaired = repairValue(record, repair, leftOut)
  return repaired === record || repaired === undefined ? undefined : Buffer.from(JSON.stringify(repaired))
}

/** The value itself if nothing in it changes; undefined to leave it out. */
function repairValue(value: Json, repair: RepairPart, leftOut: LeftOut): Json | undefined {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => repairValue(item, repair, leftOut))
    return items.every((item, index) => item === value[index]) ? value : items.filter((item) => item !== undefined)
  }
  const found = repair(value)
  if (found) {
    leftOut[found.kind]++
    return found.part
  }
  const entries = Object.entries(value).map(
    ([name, item]) => [name, repairValue(item ?? null, repair, leftOut)] as const,
  )
  return entries.every(([name, item]) => item === value[name]) ? value : Object.fromEntries(entries)
}
