// Restarts the program with limits on its memory, which Node only takes at its start: by default the
// heap of a server grows to several times what it holds. The process is replaced, so no second one
// waits for it.
import type { App } from '../app.ts'
import { programOf } from '../install/program.ts'

const nodeFlags = ['--max-semi-space-size=1', '--heap-growing-percent=10']
/** glibc gives memory of large buffers back at once; other systems ignore it. */
const allocator = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

/** Returns if the limits are in force, or cannot be set: on Windows, and in a process of another program. */
export function restartWithSmallHeap(app: App, args: readonly string[]): void {
  const { cli } = programOf(app)
  if (!process.execve || process.platform === 'win32' || !/[\\/](?:cli\.js|main\.ts)$/.test(cli)) return
  if (process.execArgv.includes(nodeFlags[0]!)) return
  const warn = process.emitWarning
  process.emitWarning = () => {} // that it is experimental
  try {
    process.execve(process.execPath, [process.execPath, ...nodeFlags, cli, ...args], {
      ...app.machine.env,
      ...allocator,
    })
  } finally {
    process.emitWarning = warn
  }
}
