// Starts the process that owns the temporary folder and the databases of this test run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the process in test/test-resources.ts. */
    databasesUrl: string
    /** Whether this is `npm run test:proof`. */
    isProof: boolean
    /** Of every random test. */
    seed: number
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // In a process group of its own: Ctrl-C ends the test run, whose end closes standard input here.
  const child = spawn(process.execPath, [join(import.meta.dirname, 'test-resources.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data) => resolve(String(data)))
    child.once('exit', (code) => reject(new Error(`test/test-resources.ts ended with ${code}`)))
  })
  const { folder, url } = JSON.parse(line) as { folder: string; url: string }
  project.provide('databasesUrl', url)
  project.provide('seed', seedOf(process.env.RECOLLECT_TEST_SEED))
  // Workers start later and inherit it: os.tmpdir() is this folder in every test.
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  return async () => {
    const exited = once(child, 'exit')
    child.stdin.end()
    await exited
  }
}

function seedOf(text = '7718'): number {
  if (text === 'random') return Math.floor(Math.random() * 2 ** 31)
  const seed = Number(text)
  if (!Number.isSafeInteger(seed))
    throw new Error(`RECOLLECT_TEST_SEED is "${text}"; it takes a whole number or "random"`)
  return seed
}
