// Runs the health checks. Each returns what it found and, if something is wrong, how to fix it.
import { existsSync } from 'node:fs'
import type { App } from '../app.ts'
import { hintOf, messageOf, UserError } from '../core/errors.ts'
import type { HookProgram } from '../hook/script.ts'
import type { Ledger } from '../store/ledger.ts'
import { failedCheck, type HealthCheck } from './check.ts'
import { hookChecks } from './hooks.ts'
import { machineChecks } from './machine.ts'
import { storeChecks } from './store.ts'
import { syncChecks } from './sync.ts'

export interface CheckOptions {
  /** Read every body completely. */
  isDeep?: boolean
}

export function runChecks(app: App, program: HookProgram, options: CheckOptions = {}): HealthCheck[] {
  const around = Object.entries(machineChecks).map(([name, check]) => runCheck(name, app.layout.root, () => check(app)))
  if (!existsSync(app.layout.ledger)) {
    const none = failedCheck('ledger', 'nothing has been captured yet', 'recollect sweep')
    return [...around, ...runHookChecks(app, program, undefined), none]
  }
  let ledger: Ledger
  try {
    ledger = app.existingLedger()
  } catch (error) {
    const ledgerCheck = runCheck('ledger', app.layout.root, () => {
      throw error
    })
    return [...around, ...runHookChecks(app, program, undefined), ledgerCheck]
  }
  try {
    const inside = Object.entries({ ...storeChecks, ...syncChecks }).map(([name, check]) =>
      runCheck(name, app.layout.root, () => check(app, ledger, options)),
    )
    return [...around, ...runHookChecks(app, program, ledger), ...inside]
  } finally {
    ledger.close()
  }
}

function runHookChecks(app: App, program: HookProgram, ledger: Ledger | undefined): HealthCheck[] {
  try {
    return hookChecks(app, program, ledger)
  } catch (error) {
    return [failedCheck('hooks', messageOf(error), 'recollect install')]
  }
}

/** An error in one check must not stop the others. */
function runCheck(name: string, folder: string, check: () => HealthCheck): HealthCheck {
  try {
    return check()
  } catch (error) {
    const hint = error instanceof UserError ? error.hint : hintOf(error, folder)
    return failedCheck(name, messageOf(error), hint ?? 'Make it readable and run the command again')
  }
}
