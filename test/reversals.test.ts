// Rules that a user states and later reverses or takes back, judged by rules alone.
import { afterEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { listCandidates } from '../src/store/memories/memories.ts'
import { sweep } from '../src/sweep.ts'
import { type Place, place } from './program.ts'

const places: Place[] = []
afterEach(() => {
  for (const at of places.splice(0)) at.remove()
})

const did = 'I added moment to package.json, ran npm install and wrote formatDate with tabs.'

describe('candidates after a reversal', () => {
  it.each([
    [
      'No, never use moment, use date-fns because moment is deprecated.',
      'No, never use date-fns, use moment because we know it.',
    ],
    ['No, use date-fns.', 'No, use moment instead of date-fns.'],
    ['Never use moment.', 'You can use moment again.'],
    ['Please use date-fns for dates from now on.', 'Please use moment for dates from now on.'],
    ["Don't use npm, use pnpm.", "Don't use pnpm, use npm."],
    ['Always use pnpm, never npm.', 'Always use npm, never pnpm.'],
    ['We never use npm in this project, only pnpm.', 'From now on use npm in this project.'],
    ['Use pnpm instead of npm.', 'Use npm instead of pnpm.'],
    ['Please stop using semicolons.', 'Please use semicolons again from now on.'],
    ['Never deploy on Fridays.', 'From now on deploy on Fridays.'],
    ['Always use tabs for indentation.', 'Never use tabs for indentation.'],
    ['Always run the tests before committing.', "From now on don't run the tests before committing."],
    ['From now on write commit messages in German.', "Please don't write commit messages in German from now on."],
  ])('are only the later rule: %s, then %s', async (rule, reversal) => {
    const rules = await rulesAfter(rule, reversal)
    expect(rules).toHaveLength(1)
    expect(rules[0]!.toLowerCase()).toContain(reversal.replace(/^No, /, '').slice(0, -1).toLowerCase())
  })

  it('are nothing of what the user took back', async () => {
    expect(await rulesAfter('Never use moment, use date-fns.', 'never mind what I said about date-fns')).toEqual([])
  })
})

/** What rules propose after two sessions of a project. */
async function rulesAfter(first: string, second: string): Promise<string[]> {
  const at = place({ ...session(1, first), ...session(2, second) })
  places.push(at)
  const machine = { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' as const }
  const clock = fixedClock('2026-09-10T12:00:00Z')
  const app = createApp({ machine, clock })
  await sweep(app)
  const ledger = app.existingLedger()
  try {
    return listCandidates(ledger).map(({ text }) => text)
  } finally {
    ledger.close()
  }
}

/** As Claude Code 2.1.300 writes it: a task, what the agent did, what the user says to it. */
function session(day: number, said: string): Record<string, object[]> {
  const name = `${day}`.repeat(8)
  const records = [
    { type: 'user', text: 'Format the dates of the report.' },
    { type: 'assistant', text: did },
    { type: 'user', text: said },
    { type: 'assistant', text: 'Understood. I changed it.' },
  ].map(({ type, text }, step) => ({
    type,
    uuid: `${name}-${step}`,
    sessionId: name,
    cwd: '/home/dev/app',
    version: '2.1.300',
    timestamp: `2026-09-0${day}T10:0${step}:00.000Z`,
    message: {
      id: `m-${name}-${step}`,
      role: type,
      model: 'claude-opus-4-6',
      content: type === 'user' ? text : [{ type: 'text', text }],
    },
  }))
  return { [`.claude/projects/-home-dev-app/${name}.jsonl`]: records }
}
