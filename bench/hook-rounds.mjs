// Runs the commands in a JSON file in turn and prints their times as JSON. A process of its own with
// no modules, because every start includes the fork of the process that starts, which takes half a
// millisecond longer if that has loaded the benchmarks.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const { commands, rounds, cwd, env, running } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const times = commands.map(() => [])
for (let round = 0; round < rounds; round++) {
  for (const [index, { command, input }] of commands.entries()) {
    await workerExit()
    const begun = performance.now()
    const { status } = spawnSync('/bin/sh', ['-c', command], { cwd, env, input, encoding: 'utf8' })
    times[index].push(performance.now() - begun)
    if (status !== 0) throw new Error(`${command} ended with ${status}`)
  }
}
await workerExit()
console.log(JSON.stringify(times))

/** Turns of an agent are seconds apart. */
async function workerExit() {
  while (existsSync(running)) await new Promise((resolve) => setTimeout(resolve, 20))
  await new Promise((resolve) => setTimeout(resolve, 60))
}
