// A process that learns the vectors of a ledger anew; to be killed.
import { fixedClock } from '../../src/core/clock.ts'
import { parseConfig } from '../../src/core/config.ts'
import { layoutOf } from '../../src/core/paths.ts'
import { zoneOf } from '../../src/core/units.ts'
import { fitVectors } from '../../src/search/vectors/fit.ts'
import { openLedger } from '../../src/store/ledger.ts'

await fitVectors(
  {
    ledger: openLedger(layoutOf(process.argv[2]!)),
    clock: fixedClock('2026-09-01T12:00:00Z'),
    config: parseConfig('[recall]\nvectors = "own"\n', 'config.toml'),
    machine: { home: process.argv[2]!, env: {}, platform: process.platform },
    zone: zoneOf('UTC'),
  },
  { isAnew: true },
)
