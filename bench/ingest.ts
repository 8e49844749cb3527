// Compares a full sweep with reading and parsing every line, and a sweep without changes with a
// bare start of Node plus a stat walk of the same tree. Also measures the size of the store.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filesBelow, makeHome } from './home.ts'
import { measure } from './measure.ts'

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')

export function ingest(): void {
  const { home, files, bytes, source, remove } = makeHome(5)
  const store = mkdtempSync(join(tmpdir(), 'recollect-bench-store-'))
  const list = join(store, 'files.json')
  const env = { HOME: home, RECOLLECT_HOME: join(store, 'home') }
  try {
    writeFileSync(list, JSON.stringify(files))
    console.log(`${files.length} files, ${(bytes / 1e6).toFixed(0)} MB (${source})`)
    const [floor, full] = measure(
      [
        { name: 'read and parse', args: [join(import.meta.dirname, 'floor.mjs'), list] },
        {
          name: 'full sweep',
          args: [cli, 'sweep', '--json'],
          env,
          before: () => rmSync(env.RECOLLECT_HOME, { recursive: true, force: true }),
        },
      ],
      3,
    )
    row('read and parse every line', floor!.ms, `${(bytes / 1e3 / floor!.ms).toFixed(0)} MB/s`)
    row(
      'full sweep',
      full!.ms,
      `${(bytes / 1e3 / full!.ms).toFixed(0)} MB/s, ${(full!.ms / floor!.ms).toFixed(2)} times the floor`,
    )
    printStages(env, floor!.ms)
    const taken = filesBelow(env.RECOLLECT_HOME).reduce((sum, path) => sum + statSync(path).size, 0)
    row(
      'store',
      0,
      `${(taken / 1e6).toFixed(1)} MB, ${((100 * taken) / bytes).toFixed(1)} % of the transcripts (at most 15 %)`,
    )
    measureUnchanged(home, env)
  } finally {
    remove()
    rmSync(store, { recursive: true, force: true })
  }
}

/**
 * Separates capture (read, redact, store, index, digest) from the stages built on it (memories,
 * journal, wiki, brief).
 */
function printStages(env: Record<string, string>, floorMs: number): void {
  rmSync(env.RECOLLECT_HOME!, { recursive: true, force: true })
  const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'stages.ts')], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  const times = JSON.parse(stdout) as Record<string, number>
  const keeping = ['capture', 'commits', 'digest', 'retain'].reduce((sum, name) => sum + (times[name] ?? 0), 0)
  row('  of which keeping', keeping, `${(keeping / floorMs).toFixed(2)} times the floor (at most 5.0)`)
  const others = Object.entries(times).filter(([name, ms]) => ms > 20 && !['capture', 'retain'].includes(name))
  row('  and making', 0, others.map(([name, ms]) => `${name} ${ms} ms`).join(', '))
}

function measureUnchanged(home: string, env: Record<string, string>): void {
  const walk = `const fs=require('fs');const w=(d)=>{for(const e of fs.readdirSync(d,{withFileTypes:true})){const p=d+'/'+e.name;if(e.isDirectory())w(p);else fs.statSync(p)}};w(process.argv[1])`
  const [bare, walked, again] = measure(
    [
      { name: 'bare', args: ['-e', '0'] },
      { name: 'stat walk', args: ['-e', walk, home] },
      { name: 'again', args: [cli, 'sweep', '--json'], env },
    ],
    15,
  )
  const statWalk = Math.max(0, walked!.ms - bare!.ms)
  const allowed = 3 * bare!.ms + 3 * statWalk
  row('node -e 0', bare!.ms, '')
  row('stat walk of the tree', statWalk, 'beyond the bare start')
  row(
    'sweep with nothing changed',
    again!.ms,
    `${(again!.ms / bare!.ms).toFixed(2)} times the bare start (at most ${(allowed / bare!.ms).toFixed(2)})`,
  )
}

function row(name: string, ms: number, note: string): void {
  console.log(`${name.padEnd(28)} ${ms ? `${ms.toFixed(0)} ms`.padStart(9) : ''.padStart(9)}  ${note}`)
}
