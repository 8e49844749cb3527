// A process that makes the vectors of a ledger with an Ollama server; to be killed.
import { fixedClock } from '../../src/core/clock.ts'
import { parseConfig } from '../../src/core/config/config.ts'
import { layoutOf } from '../../src/core/paths.ts'
import { zoneOf } from '../../src/core/units.ts'
import { updateVectors } from '../../src/search/vectors/embed-passages.ts'
import { openLedger } from '../../src/store/ledger.ts'

const [root, ollama] = process.argv.slice(2) as [string, string]
await updateVectors({
  ledger: openLedger(layoutOf(root)),
  clock: fixedClock('2026-09-01T12:00:00Z'),
  config: parseConfig('[recall]\nvectors = "ollama:scripted"\n', 'config.toml'),
  machine: { home: root, env: { OLLAMA_HOST: ollama }, platform: process.platform },
  zone: zoneOf('UTC'),
})
