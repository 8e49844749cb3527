// The exchange with the server as a stage: bounded in time, and whatever goes wrong is told in `status` while the sweep goes on.
import { messageOf } from '../core/errors.ts'
import type { Machine } from '../core/machine.ts'
import { keyOf } from './key.ts'
import { nothingSynced, type SyncReport } from './report.ts'
import { sync } from './run.ts'
import { failed, newState, readState, writeState } from './state.ts'
import type { TravelContext } from './traveller.ts'

const maxMs = 20_000

export interface SweepContext extends Omit<TravelContext, 'redact'> {
  machine: Machine
  loadTools(): Promise<Pick<TravelContext, 'redact'>>
}

export async function syncInSweep(context: SweepContext): Promise<SyncReport> {
  const { ledger, clock, config, origin, machine } = context
  const { redact } = await context.loadTools()
  try {
    const key = keyOf({ machine, layout: ledger.layout })
    const context = { ledger, clock, config, origin, home: machine.home, redact }
    const { pushed, pulled, conflicts, refused, restored } = await sync(context, { key, maxMs })
    return { pushed, pulled, conflicts, refused, restored }
  } catch (error) {
    const state = readState(ledger) ?? newState(config.sync.server, '')
    const later = (lane: typeof state.pull) => failed(lane, messageOf(error), clock.nowMs())
    writeState(ledger, { ...state, pull: later(state.pull), push: later(state.push) })
    return nothingSynced()
  }
}
