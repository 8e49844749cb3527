// A machine in a process of its own, to be killed: writes memories and exchanges them with a server, over and over.
import { parseConfig } from '../src/core/config.ts'
import { layoutOf } from '../src/core/paths.ts'
import { redact } from '../src/core/redact.ts'
import { changeMemories } from '../src/store/changes.ts'
import { openLedger } from '../src/store/ledger.ts'
import { sync } from '../src/sync/run.ts'
import { sampleMemory } from './sample-memory.ts'

const [root, server, key, round] = process.argv.slice(2) as [string, string, string, string]
const ledger = openLedger(layoutOf(root))
const config = parseConfig(`[sync]\nserver = "${server}"`, 'config.toml')
const context = { ledger, clock: { nowMs: () => 0 }, config, origin: 'child', redact }
const change = { at: '2026-09-01T10:00:00.000Z', kind: 'remembered' as const, about: 'a test' }

if (round === 'last') {
  const { failures } = await sync(context, { key, isForced: true })
  ledger.close()
  process.exit(failures.length)
}
for (let count = 0; ; count++) {
  const memories = Array.from({ length: 10 }, (_, n) => {
    const name = `${round}-${count}-${n}`
    return sampleMemory({ id: `m-${name}`, text: `Statement ${name}` })
  })
  ledger.transaction(() => changeMemories(ledger, change, memories))
  if (count === 0) process.stdout.write('writing\n')
  await sync(context, { key, isForced: count % 2 === 0 })
}
