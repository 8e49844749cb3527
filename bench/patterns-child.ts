// One run over the store of bench/patterns.ts: `floor` reads and parses the rows, `detect` detects
// patterns.
import { createApp } from '../src/app.ts'
import { workSessions } from '../src/store/patterns/patterns.ts'

const [what, home] = process.argv.slice(2) as ['floor' | 'detect', string]
const ledger = createApp({
  machine: { home, env: { RECOLLECT_HOME: `${home}/.recollect` }, platform: process.platform },
}).existingLedger()
if (what === 'floor') {
  let calls = 0
  for (const { state } of workSessions(ledger, { minCalls: 3 })) calls += JSON.parse(state).kinds.tool_call
  console.log(calls)
} else {
  const { detect } = await import('../src/patterns/detect/detect.ts')
  const { sessions, patterns } = detect(ledger)
  console.log(`${sessions} sessions, ${patterns.length} patterns`)
}
ledger.close()
