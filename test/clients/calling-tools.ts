import { expect } from 'vitest'
import type { Protocol } from './api.ts'

/** Codex 0.166 calls a tool of a server by its own name in a namespace. */
export function callingTools(protocol: Protocol): Protocol {
  return {
    ...protocol,
    reply(answer, body, number) {
      const plain = protocol.reply(answer, body, number)
      if (answer.kind !== 'run' || !answer.calls) return plain
      const { name, input } = answer.calls[0]!
      const shell = { name: 'exec_command', arguments: JSON.stringify({ cmd: '' }) }
      const ours = { name, namespace: 'mcp__recollect', arguments: JSON.stringify(input) }
      const [from, to] = [shell, ours].map((one) => JSON.stringify(one).slice(1, -1)) as [string, string]
      expect(plain.text).toContain(from)
      return { ...plain, text: plain.text.replace(from, () => to) }
    },
  }
}
