// Health of the whole: each check says what it saw and, where something is wrong, what to do.
import { existsSync } from 'node:fs'
import type { App } from '../app.ts'
import { messageOf } from '../core/errors.ts'
import type { HookProgram } from '../hook/script.ts'
import type { Ledger } from '../store/ledger.ts'
import { bad, type Check } from './check.ts'
import { hookChecks } from './hooks.ts'
import { machineChecks } from './machine.ts'
import { storeChecks } from './store.ts'

export function examine(app: App, program: HookProgram): Check[] {
  const checks = machineChecks.map((check) => check(app))
  if (!existsSync(app.layout.ledger)) {
    const none = bad('ledger', 'nothing has been captured yet', 'recollect sweep')
    return [...checks, ...hookChecks(app, program, undefined), none]
  }
  let ledger: Ledger | undefined
  try {
    const open = app.existingLedger()
    ledger = open
    return [...checks, ...hookChecks(app, program, open), ...storeChecks.map((check) => check(app, open))]
  } catch (error) {
    const fix = `Move ${app.layout.ledger} away and run: recollect sweep --full`
    return [...checks, bad('ledger', messageOf(error), fix)]
  } finally {
    ledger?.close()
  }
}
