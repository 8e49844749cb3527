// Runs the built program without blocking, since the server runs in the same process as the test.
import { once } from 'node:events'
import { type Place, start } from '../program.ts'

export interface ProgramResult {
  status: number
  out: string
  err: string
}

export async function runProgram(at: Place, ...args: string[]): Promise<ProgramResult> {
  const child = start(at, ...args)
  let out = ''
  let err = ''
  child.stdout!.setEncoding('utf8').on('data', (piece: string) => (out += piece))
  child.stderr!.setEncoding('utf8').on('data', (piece: string) => (err += piece))
  const [status] = (await once(child, 'close')) as [number | null]
  return { status: status ?? -1, out, err }
}
