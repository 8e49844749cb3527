// Captures and digests the home in the environment; a child process of growth.ts, whose memory is
// measured. Learning from tens of thousands of sessions takes much longer and is left out.
import { createApp } from '../src/app.ts'
import { captureAndDigest } from './pile.ts'

const ledger = await captureAndDigest(createApp())
ledger.raw.exec(
  `UPDATE sessions SET learned_through = events, judged_through = events, journaled_through = events,
     fixes_through = events`,
)
ledger.close()
