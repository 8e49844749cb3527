// No way out of the machine: a network with nothing but loopback, mounts and processes that vanish at the end.
import { spawnSync } from 'node:child_process'

/** The command line inside namespaces of its own, or as it is where the system does not allow any. */
export function isolated(command: string[]): string[] {
  for (const flags of ways) {
    // The shell stays, as the parent of orphans: unreaped, an ended process would still look alive to `kill -0`.
    const inside = ['unshare', ...flags, 'sh', '-c', 'ip link set lo up && { "$@"; exit $?; }', 'sh']
    if (spawnSync(inside[0]!, [...inside.slice(1), 'true']).status === 0) return [...inside, ...command]
  }
  console.log('NOT ISOLATED: unshare is not allowed here. The clients are only configured not to use the network.')
  return command
}

/** As root, or with a user namespace; without one for processes where /proc may not be mounted. */
const ways = ['-n', '-rn'].flatMap((network) => [[`${network}mpf`, '--kill-child', '--mount-proc'], [`${network}m`]])
