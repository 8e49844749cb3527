import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const module = join(import.meta.dirname, 'output-stream.ts')

/** A program that writes this many characters, and says whether it needed a stream. */
const program = (length: number, blocks = true) => `
  import { openOutput } from ${JSON.stringify(module)}
  const out = openOutput(1, () => { console.error('streamed'); return process.stdout })
  out.onError((error) => { console.error(error.code); process.exit(7) })
  ${blocks ? '' : 'process.stdout._handle.setBlocking(false)'}
  out.write('x'.repeat(${length}))
`
const args = (code: string) => ['--input-type=module', '-e', code]

describe('openOutput', () => {
  it('writes all of a text to a pipe without a stream', () => {
    const { stdout, stderr } = spawnSync(process.execPath, args(program(300_000)), { encoding: 'utf8' })
    expect([stdout.length, stderr]).toEqual([300_000, ''])
  })

  it('writes to a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'recollect-output-'))
    const file = join(folder, 'out')
    spawnSync(process.execPath, args(program(1000)), { stdio: ['ignore', openSync(file, 'w'), 'inherit'] })
    expect(readFileSync(file, 'utf8')).toBe('x'.repeat(1000))
    rmSync(folder, { recursive: true })
  })

  it('leaves the rest to a stream if the pipe is full and does not block', async () => {
    const child = spawn(process.execPath, args(program(3_000_000, false)), { stdio: ['ignore', 'pipe', 'pipe'] })
    let [length, said] = [0, '']
    child.stderr.on('data', (chunk) => (said += chunk))
    await once(child.stderr, 'data')
    child.stdout.on('data', (chunk: Buffer) => (length += chunk.length))
    await once(child, 'close')
    expect([length, said]).toEqual([3_000_000, 'streamed\n'])
  })

  it('reports a reader that has ended', () => {
    const run = `"$0" "$@" | :`
    const { stderr } = spawnSync('sh', ['-c', run, process.execPath, ...args(program(300_000))], { encoding: 'utf8' })
    expect(stderr).toBe('EPIPE\n')
  })
})
