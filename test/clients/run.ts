// The suite that drives the real clients: installs them, then runs the tests where nothing can leave the machine.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { clientsFolder, installClients } from './install-clients.ts'
import { isolated } from './isolate.ts'

const root = join(import.meta.dirname, '..', '..')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const config = join(import.meta.dirname, 'vitest.config.ts')

installClients()
const [command, ...args] = isolated([process.execPath, vitest, 'run', '--config', config, ...process.argv.slice(2)])
const env = { ...process.env, RECOLLECT_TEST_CLIENTS: clientsFolder }
const { status } = spawnSync(command!, args, { cwd: root, stdio: 'inherit', env })
process.exit(status ?? 1)
