// Redaction: how many generated secrets it removes, how often it removes something else, and how
// fast it is compared with one bare pass over the same text.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { redact as redactTexts } from '../src/core/redact/redact.ts'
import { secretContexts } from '../test/redaction/contexts.ts'
import { secretKinds } from '../test/redaction/kinds.ts'

export function redact(): void {
  printRecall()
  for (const [name, folder] of [
    ['transcripts', '../../shared/corpus'],
    ['node_modules', '../node_modules'],
  ] as const) {
    const path = join(import.meta.dirname, folder)
    if (existsSync(path)) printAlarms(name, path)
    else console.log(`${name}: skipped, there is no ${path}`)
  }
}

const rounds = 5

function printRecall(): void {
  const random = seededRandom(7)
  const tallies = new Map<string, { found: number; of: number }>()
  for (const { group, make } of secretKinds) {
    for (const { name, write } of secretContexts) {
      for (let round = 0; round < rounds; round++) {
        const { text, leaks } = write(make(random))
        const left = redactTexts([text]).texts[0]!
        const isFound = !leaks.some((leak) => left.includes(leak))
        for (const key of [`group ${group}`, `context ${name}`]) {
          const tally = tallies.get(key) ?? { found: 0, of: 0 }
          tallies.set(key, { found: tally.found + (isFound ? 1 : 0), of: tally.of + 1 })
        }
      }
    }
  }
  console.log(`${secretKinds.length} kinds of secrets in ${secretContexts.length} contexts, ${rounds} of each`)
  for (const [key, { found, of }] of tallies) {
    console.log(`  ${key.padEnd(28)} ${((100 * found) / of).toFixed(1).padStart(6)} % of ${of}`)
  }
}

function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

function printAlarms(name: string, folder: string): void {
  const texts = [...filesOf(folder)].flatMap((path) => textsOf(path))
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  const words = texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0)
  redactTexts(texts.slice(0, 20_000)) // compiles
  const floorMs = cpuMs(() => barePass(texts))
  let counts: Record<string, number> = {}
  const ms = cpuMs(() => {
    counts = redactTexts(texts).counts
  })
  const alarms = Object.values(counts).reduce((sum, count) => sum + count, 0)
  console.log(`${name}: ${(characters / 1e6).toFixed(0)} MB, ${words} words in ${texts.length} texts`)
  console.log(`  ${alarms} removed, ${((1e4 * alarms) / words).toFixed(3)} per 10,000 words: ${JSON.stringify(counts)}`)
  console.log(
    `  ${(characters / 1e3 / ms).toFixed(0)} MB/s of processor time, ${(ms / floorMs).toFixed(1)} times one bare pass`,
  )
}

/** What any scan has to do at least: visit every character. */
function barePass(texts: readonly string[]): number {
  let sum = 0
  for (const text of texts) for (let at = 0; at < text.length; at++) sum = (sum + text.charCodeAt(at)) | 0
  return sum
}

function cpuMs(run: () => void): number {
  const begun = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(begun)
  return (user + system) / 1000
}

const maxFileSize = 8e6

function* filesOf(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesOf(path)
    else if (entry.isFile() && /\.(?:jsonl?|md|[cm]?[jt]s|txt)$/.test(entry.name) && statSync(path).size < maxFileSize)
      yield path
  }
}

/** The strings of a transcript, as events have them; other files are one text. */
function textsOf(path: string): string[] {
  const content = readFileSync(path, 'utf8')
  if (!path.endsWith('.jsonl')) return [content]
  return content.split('\n').flatMap((line) => {
    try {
      return [...stringsIn(JSON.parse(line))]
    } catch {
      return [line]
    }
  })
}

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* stringsIn(item)
}
