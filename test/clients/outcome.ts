// What a user sees of a run: exit code and output, without what differs from one run to the next.
import type { Home, Ran } from './client.ts'

export interface Outcome {
  status: number | null
  out: string
  err: string
}

export function outcome({ status, out, err }: Ran, at: Home): Outcome {
  return { status, out: lasting(out, at), err: lasting(err, at) }
}

function lasting(output: string, at: Home): string {
  return output
    .replaceAll(at.root, '<root>')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replace(/"(\w*(?:_ms|Ms|_usd|USD))":\s*[\d.e-]+/g, '"$1":0')
    .replace(/^Duration .*$/m, 'Duration 0s')
    .replace(/^\[STARTUP\].*\n/gm, '')
}
