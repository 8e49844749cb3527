import type { SpawnSyncOptions, SpawnSyncReturns } from 'node:child_process'

/** Runs a program and waits for it. The module is loaded here: it would cost every command a tenth of its start. */
export function runProgram(program: string, args: string[], options: SpawnSyncOptions): SpawnSyncReturns<Buffer> {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  return spawnSync(program, args, options) as SpawnSyncReturns<Buffer>
}
