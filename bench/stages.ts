// Runs a first sweep stage by stage in its own process, and prints the milliseconds of each as
// JSON.
import { createApp } from '../src/app.ts'
import { pipeline, runStages } from '../src/pipeline.ts'

const app = createApp()
const ledger = app.ledger()
const context = app.context(ledger)
const times: Record<string, number> = {}
for (const stage of pipeline) {
  const begun = performance.now()
  await runStages([stage], context)
  times[stage.name] = Math.round(performance.now() - begun)
}
ledger.close()
console.log(JSON.stringify(times))
