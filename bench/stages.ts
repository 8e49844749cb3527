// Runs a first sweep stage by stage in its own process, and prints the milliseconds of each as JSON,
// and how long the writing thread was busy while it captured.
import { createApp } from '../src/app.ts'
import { pipeline, runStages } from '../src/pipeline.ts'

const app = createApp()
const ledger = app.ledger()
const context = app.context(ledger)
const times: Record<string, number> = {}
for (const stage of pipeline) {
  const begun = performance.now()
  const before = performance.eventLoopUtilization()
  await runStages([stage], context)
  times[stage.name] = Math.round(performance.now() - begun)
  if (stage.name === 'capture') times.writerMs = Math.round(performance.eventLoopUtilization(before).active)
}
ledger.close()
console.log(JSON.stringify(times))
