// How soon a first sweep answers: a home with a gigabyte of transcripts, of which a week is recent. Measures the time
// from the start of `recollect` to its first screen, and whether the recent sessions can be searched then.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filesBelow, layOut } from './home.ts'
import { median, randomFrom, runNode } from './measure.ts'

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')
const rounds = 5
const dayMs = 86_400_000

export async function firstAnswer(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-first-'))
  try {
    const home = join(root, 'home')
    const { recent, bytes, recentBytes } = makeHistory(home, 20)
    console.log(
      `${(bytes / 1e6).toFixed(0)} MB, of which ${(recentBytes / 1e6).toFixed(0)} MB in ${recent} recent sessions`,
    )
    const screens: number[] = []
    const ends: number[] = []
    const missing: number[] = []
    for (let round = 0; round < rounds; round++) {
      const env = { ...process.env, HOME: home, RECOLLECT_HOME: join(root, 'store') }
      rmSync(env.RECOLLECT_HOME, { recursive: true, force: true })
      const { screenMs, endMs, unread, of } = await timeFirstScreen(env)
      screens.push(screenMs)
      ends.push(endMs)
      missing.push(Math.max(0, recent - (of - unread)))
    }
    const floorList = join(root, 'files.json')
    writeFileSync(floorList, JSON.stringify(filesBelow(home)))
    const begun = performance.now()
    runNode([join(import.meta.dirname, 'floor.mjs'), floorList])
    const floorMs = performance.now() - begun
    console.log(
      `first screen after ${median(screens).toFixed(0)} ms (goal: 5,000), ${Math.max(...screens).toFixed(0)} at most`,
    )
    console.log(`recent sessions that could not be searched then: ${Math.max(...missing)}`)
    console.log(
      `everything after ${median(ends).toFixed(0)} ms, ${(median(ends) / floorMs).toFixed(2)} times the floor`,
    )
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** The first copy of the transcripts is of the last week, each other one twelve days older. */
function makeHistory(home: string, copies: number): { recent: number; bytes: number; recentBytes: number } {
  const random = randomFrom(copies)
  const known = new Set<string>()
  const sums = { recent: 0, bytes: 0, recentBytes: 0 }
  for (let copy = 0; copy < copies; copy++) {
    layOut(home, copy)
    for (const path of filesBelow(home).filter((one) => !known.has(one))) {
      known.add(path)
      const seconds = (Date.now() - (copy * 12 + random() * 6) * dayMs) / 1000
      utimesSync(path, seconds, seconds)
      const { size } = statSync(path)
      sums.bytes += size
      if (copy > 0) continue
      sums.recent++
      sums.recentBytes += size
    }
  }
  return sums
}

interface FirstScreen {
  screenMs: number
  endMs: number
  /** Transcripts that were not read when the screen was shown, and all of them. */
  unread: number
  of: number
}

async function timeFirstScreen(env: NodeJS.ProcessEnv): Promise<FirstScreen> {
  const begun = performance.now()
  const child = spawn(process.execPath, [cli], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let screenMs = 0
  let said = ''
  child.stdout.on('data', () => {
    screenMs ||= performance.now() - begun
  })
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  await new Promise((resolve) => child.on('exit', resolve))
  const [, unread = '0', of = '0'] = /Still to be read: ([\d,k]+) of ([\d,k]+) transcripts/.exec(said) ?? []
  return { screenMs, endMs: performance.now() - begun, unread: count(unread), of: count(of) }
}

function count(text: string): number {
  return Number(text.replaceAll(',', ''))
}
