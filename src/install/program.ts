import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { App } from '../app.ts'
import type { HookProgram } from '../hook/script.ts'

/** How hooks and the scheduler start this program. */
export function programOf({ layout, machine }: App): HookProgram {
  return {
    root: resolve(layout.root),
    platform: machine.platform,
    node: process.execPath,
    cli: realpathSync(process.argv[1]!),
  }
}
