// Cost by day and model of the public transcripts, beside what ccusage says of the same files, and the times of both.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createApp } from '../src/app.ts'
import { isoTime } from '../src/core/clock.ts'
import { modelName } from '../src/core/usage/model-names.ts'
import { usageRows } from '../src/store/sessions/usage.ts'
import { addTo, ccusageCommand, type ModelDay, runCcusage } from './ccusage.ts'
import { corpusHome } from './home.ts'
import { measure, median, runNode } from './measure.ts'

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')
/** Costs that differ by less than half a per cent count as equal. */
const tolerance = 0.005

export function cost(): void {
  const laidOut = corpusHome()
  if (!laidOut) return console.log('Not run: the public transcripts are not beside this checkout.')
  try {
    const command = ccusageCommand()
    if (!command)
      return console.log('Not run: ccusage cannot be installed. RECOLLECT_CCUSAGE names a command that is there.')
    const { home, files } = laidOut
    console.log(`${files.length} transcripts, ${restoreSubagents(files)} of subagents restored from their sessions`)
    const env = { HOME: home, RECOLLECT_HOME: join(home, '.recollect'), TZ: 'UTC' }
    const begun = performance.now()
    runNode([cli, 'sweep'], { ...process.env, ...env })
    const sweepMs = performance.now() - begun
    const theirs = runCcusage(command, home)
    compare(ownDays(home), theirs.days)
    const theirMs = median([theirs.ms, ...[1, 2, 3, 4].map(() => runCcusage(command, home).ms)])
    console.log(`\nfirst sweep, which stores everything: ${Math.round(sweepMs)} ms`)
    console.log(`ccusage daily, native, reads every file: ${Math.round(theirMs)} ms`)
    for (const { name, ms } of measure(
      [
        { name: 'node -e 0', args: ['-e', '0'] },
        { name: 'recollect cost', args: [cli, 'cost'], env },
        { name: 'recollect cost --by session', args: [cli, 'cost', '--by', 'session'], env },
        { name: 'recollect statusline', args: [cli, 'statusline'], env },
      ],
      9,
    ))
      console.log(`${name}: ${Math.round(ms)} ms`)
  } finally {
    laidOut.remove()
  }
}

function ownDays(home: string): Map<string, ModelDay> {
  const machine = { home, env: { RECOLLECT_HOME: join(home, '.recollect') }, platform: process.platform }
  const ledger = createApp({ machine }).existingLedger()
  const days = new Map<string, ModelDay>()
  for (const row of usageRows(ledger, {})) {
    const day = isoTime(row.quarter! * 900_000).slice(0, 10)
    addTo(days, `${day} ${row.model === null ? 'unknown' : modelName(row.model)}`, row)
  }
  ledger.close()
  return days
}

function compare(ours: Map<string, ModelDay>, theirs: Map<string, ModelDay>): void {
  const keys = [...new Set([...ours.keys(), ...theirs.keys()])].sort()
  const nothing: ModelDay = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, costUsd: 0 }
  const pairs = keys
    .map((key) => ({ key, own: ours.get(key) ?? nothing, other: theirs.get(key) ?? nothing }))
    .filter(({ own, other }) => tokensOf(own) + tokensOf(other) > 0)
  const different = pairs.filter(({ own, other }) => !isEqual(own, other))
  console.log(`${pairs.length - different.length} of ${pairs.length} days and models are equal within 0.5 %`)
  for (const { key, own, other } of different) {
    console.log(`  ${key}`)
    console.log(`    recollect  ${line(own)}`)
    console.log(`    ccusage    ${line(other)}`)
  }
  const total = (days: Map<string, ModelDay>) => [...days.values()].reduce((sum, { costUsd }) => sum + costUsd, 0)
  console.log(`total: recollect $${total(ours).toFixed(2)}, ccusage $${total(theirs).toFixed(2)}`)
}

function isEqual(own: ModelDay, other: ModelDay): boolean {
  const isNear = (a: number, b: number) => Math.abs(a - b) <= tolerance * Math.max(a, b)
  return isNear(own.costUsd, other.costUsd) && isNear(tokensOf(own), tokensOf(other))
}

function tokensOf({ input, cacheRead, cacheWrite, output }: ModelDay): number {
  return input + cacheRead + cacheWrite + output
}

function line({ input, cacheRead, cacheWrite, output, costUsd }: ModelDay): string {
  return `${input} in, ${cacheRead} from cache, ${cacheWrite} to cache, ${output} out, $${costUsd.toFixed(4)}`
}

interface Progress {
  sessionId?: string
  version?: string
  cwd?: string
  data?: { type?: string; agentId?: string; message?: { type?: string } }
}

/**
 * Claude Code kept the transcripts of subagents beside that of the session (2.1.12 to 2.1.41), and the collection has
 * only the latter. Notes on their progress repeat their records: from these the files are written again, as they are
 * in every real home. Returns how many.
 */
function restoreSubagents(files: readonly string[]): number {
  const restored = new Map<string, string[]>()
  for (const path of files) {
    for (const text of readFileSync(path, 'utf8').split('\n')) {
      if (!text.includes('"agent_progress"')) continue
      const { sessionId, version, cwd, data } = parsed(text)
      if (data?.type !== 'agent_progress' || !data.agentId || !data.message?.type) continue
      const record = { ...data.message, isSidechain: true, agentId: data.agentId, sessionId, version, cwd }
      const to = join(dirname(path), basename(path, '.jsonl'), 'subagents', `agent-${data.agentId}.jsonl`)
      const lines = restored.get(to) ?? []
      lines.push(`${JSON.stringify(record)}\n`)
      restored.set(to, lines)
    }
  }
  for (const [to, lines] of restored) {
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, lines.join(''))
  }
  return restored.size
}

function parsed(text: string): Progress {
  try {
    return JSON.parse(text) as Progress
  } catch {
    return {} // some transcripts are broken on purpose
  }
}
