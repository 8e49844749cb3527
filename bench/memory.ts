// Sweeps one gigabyte of transcripts with lines of ten megabytes: memory must not grow with the
// input.
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measure, peakMemoryArgs } from './measure.ts'

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')

export function memory(): void {
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-memory-'))
  try {
    const home = join(root, 'home')
    writeHome(home)
    const [swept] = measure(
      [
        {
          name: 'sweep',
          args: [...peakMemoryArgs, cli, 'sweep', '--json'],
          env: { HOME: home, RECOLLECT_HOME: join(root, 'store') },
        },
      ],
      1,
    )
    console.log(
      `1 GB with 10 MB lines: ${swept!.maxRssMb} MB at most (at most 300), ${(swept!.ms / 1000).toFixed(1)} s`,
    )
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Half of the long lines are images, half tool output, with ordinary records in between. */
function writeHome(home: string): void {
  const folder = join(home, '.claude/projects/-bench')
  mkdirSync(folder, { recursive: true })
  const image = 'iVBORw0KGgoAAAANSUhEUg'.repeat(454_545)
  const output = Array.from(
    { length: 90_000 },
    (_, line) => `line ${line}: compiled module number ${line * 7919} in ${line % 97} ms with café and no warnings`,
  )
    .join('\n')
    .slice(0, 10_000_000)
  for (let file = 0; file < 10; file++) {
    const session = `${file.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
    const handle = openSync(join(folder, `${session}.jsonl`), 'w')
    for (let line = 0; line < 10; line++) {
      const base = {
        uuid: `${session}-${line}`,
        timestamp: '2026-09-01T10:00:00.000Z',
        sessionId: session,
        cwd: '/home/dev/app',
        version: '2.1.219',
      }
      const block =
        line % 2 === 0
          ? { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } }
          : { type: 'tool_result', tool_use_id: `t${line}`, content: output }
      writeSync(
        handle,
        `${JSON.stringify({ ...base, type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'look' }, block] } })}\n`,
      )
    }
    closeSync(handle)
  }
}
