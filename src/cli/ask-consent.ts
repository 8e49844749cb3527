// A model that costs money is never chosen silently: a person at a terminal is asked, once.
import type { App } from '../app.ts'
import { formatUsd, plural } from '../core/units.ts'
import { modelsMayJudge } from '../learn/context.ts'
import { answerTo } from './consent.ts'
import type { Terminal } from './terminal.ts'

export async function askForModels(app: App, { say }: Terminal): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY || !modelsMayJudge(app)) return
  const [{ setConsent, undecided }, { modelContext }] = await Promise.all([
    import('../models/consent.ts'),
    import('../models/context.ts'),
  ])
  const ledger = app.ledger()
  try {
    const { dailyUsd, dailyCalls } = app.config.models
    for (const name of await undecided(await modelContext({ ...app, ledger }))) {
      say(
        `Recollect can ask ${name} what in your sessions is worth remembering, with secrets removed, for at most ${formatUsd(dailyUsd)} and ${plural(dailyCalls, 'call')} a day. Without it, rules decide.`,
      )
      const isYes = /^\s*y(?:es)?\s*$/i.test(await answerTo(`May it ask ${name}? [y/N] `))
      setConsent(ledger, app.clock, name, isYes ? 'allowed' : 'refused')
      say(`You can change that: recollect models ${isYes ? 'deny' : 'allow'} ${name}`)
    }
  } finally {
    ledger.close()
  }
}
