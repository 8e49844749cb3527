// Entry point of every npm script: prepares the checkout, then runs the tool under the project's
// own Node.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { build, install, nodeBinary, root } from './setup.mjs'

const [command, ...args] = process.argv.slice(2)
const tool = (name, file) => join(root, 'node_modules', name, file)
const vitest = (...projects) => [
  tool('vitest', 'vitest.mjs'),
  'run',
  ...projects.flatMap((project) => ['--project', project]),
  ...args,
]

install()
if (!['check', 'format', 'build', 'train', 'packaging'].includes(command) || args.includes('--bundle')) build()

const runs = {
  start: [[join(root, 'dist', 'cli.js'), ...args]],
  test: [vitest('unit', 'integration')],
  unit: [vitest('unit')],
  proof: [vitest('proof')],
  page: [vitest('page')],
  coverage: [[...vitest('unit', 'integration'), '--coverage']],
  clients: [[join(root, 'test', 'clients', 'run.ts'), ...args]],
  check: [
    [tool('typescript', 'bin/tsc'), '--noEmit'],
    [tool('typescript', 'bin/tsc'), '--noEmit', '-p', join('src', 'web', 'client')],
    [tool('@biomejs/biome', 'bin/biome'), 'check', ...args],
  ],
  format: [[tool('@biomejs/biome', 'bin/biome'), 'check', '--write', ...args]],
  build: [[join(root, 'scripts', 'build.mjs'), ...args]],
  bench: [[join(root, 'bench', 'main.ts'), ...args]],
  train: [[join(root, 'scripts', 'train', 'main.ts'), ...args]],
  packaging: [[join(root, 'scripts', 'packaging', 'main.ts'), ...args]],
}
if (!runs[command]) {
  console.error(`Unknown script "${command}". Known: ${Object.keys(runs).join(', ')}`)
  process.exit(2)
}
// Our Node comes first on the PATH, so that whatever the tools start runs on it too.
const env = {
  ...process.env,
  PATH: `${join(nodeBinary(), '..')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
}
// Keeps the user's working directory, so that relative paths on the command line work.
const cwd = command === 'start' ? (process.env.INIT_CWD ?? process.cwd()) : root
let child
// The terminal sends Ctrl-C to the tool as well; other signals reach only this process.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child?.kill(signal))
for (const run of runs[command]) {
  child = spawn(nodeBinary(), run, { cwd, stdio: 'inherit', env })
  const [status, signal] = await once(child, 'exit')
  if (status !== 0) process.exit(status ?? (signal === 'SIGINT' ? 130 : 1))
}
