// The contract of every client: Recollect captures its sessions, and the client behaves as without it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recollect } from '../program.ts'
import { type Api, type Purpose, run, serve, text } from './api.ts'
import { type Client, type Home, makeHome, type Ran, removeHome, runClient } from './client.ts'
import { isInstalled } from './install-clients.ts'
import { heldSince, sessions } from './ledger.ts'
import { type Outcome, outcome } from './outcome.ts'
import { canSeeProcesses, ours } from './processes.ts'
import type { StoreFault } from './store-faults.ts'

/** What a client's own tests go on with: Recollect is installed, and one session of the project was captured. */
export interface Stage {
  api: Api
  at: Home
}

export function clientContract(client: Client, faults: StoreFault[], itsOwn?: (stage: Stage) => void): void {
  describe.skipIf(!isInstalled(client.name))(client.name, () => {
    const stage = {} as Stage
    let without: Home
    let plain: Outcome
    const homes: Home[] = []
    const newHome = () => {
      const at = makeHome(client, stage.api.url)
      homes.push(at)
      return at
    }
    beforeAll(async () => {
      stage.api = await serve(client.protocol)
      without = newHome()
      plain = outcome(await talk(client, stage.api, without), without)
    })
    afterAll(async () => {
      await Promise.all(homes.map(removeHome))
      await stage.api.close()
    })

    it('answers without Recollect', () => {
      expect(plain).toMatchObject({ status: 0, out: expect.stringContaining(answer) })
    })

    describe('with Recollect installed', () => {
      let before: string | undefined
      let first: Ran
      beforeAll(async () => {
        stage.at = newHome()
        before = hooksOf(client, stage.at)
        install(client, stage.at)
        first = await talk(client, stage.api, stage.at)
      })

      it('answers as it does without', () => {
        expect(outcome(first, stage.at)).toEqual(plain)
      })

      it('has its turn in the ledger soon after', async () => {
        const since = await heldSince(client, stage.at, [prompt, answer])
        expect(since, 'no session with prompt and answer').toBeDefined()
        const after = (ms: number) => `${since! - ms} ms after`
        console.log(
          `${client.name}: in the ledger ${after(first.endedAtMs)} the client ended, ${after(stage.api.answeredAtMs)} its last answer`,
        )
      })

      it.skipIf(!canSeeProcesses)('leaves no process behind', async () => {
        expect(await lingering(stage.at)).toEqual([])
      })

      it('is given the brief when the next session of the project starts', async () => {
        stage.api.says(text('Welcome back.'))
        await runClient(client, stage.at, stage.api.url, 'Where were we?')
        expect(given(stage.api)).toEqual([{ purpose: 'main', brief: true }])
        expect(stage.api.asked.at(-1)!.text.includes(prompt), 'the brief says what was asked before').toBe(true)
      })

      it('does not take the brief for something that was said', async () => {
        expect(await heldSince(client, stage.at, ['Where were we?', 'Welcome back.'])).toBeDefined()
        const second = sessions(client, stage.at).find((session) => session.includes('Where were we?'))!
        const { events } = JSON.parse(second) as { events: { kind: string; text: string }[] }
        expect(events.filter(({ kind }) => kind === 'prompt').map(({ text }) => text)).toEqual(['Where were we?'])
        expect(second.includes(answer), 'text of the brief is not stored again').toBe(false)
      })

      if (itsOwn) describe('and', () => itsOwn(stage))

      it('has its settings back after uninstalling', async () => {
        await lingering(stage.at)
        const { status, err } = recollect(stage.at, 'uninstall', client.agent, '--yes')
        expect({ status, err }).toMatchObject({ status: 0 })
        // A client may rewrite its settings; then it did the same in the home without Recollect.
        const itsOwn = hooksOf(client, without)
        const after = hooksOf(client, stage.at)
        if (itsOwn === before) expect(after).toBe(before)
        else expect(parsed(after)).toEqual(parsed(itsOwn))
      })
    })

    it.for(faults)(
      'answers as it does without Recollect, and leaves no process behind, with $name',
      async (fault, test) => {
        const at = newHome()
        test.onTestFinished(() => fault.undo?.(at))
        if (fault.prepare?.(at) === false) {
          console.log(`SKIPPED ${client.name} with ${fault.name}: not allowed here`)
          test.skip()
        }
        install(client, at)
        fault.inject(at)
        expect(outcome(await talk(client, stage.api, at), at)).toEqual(plain)
        if (fault.passes) {
          expect((await lingering(at, 1)).length, 'more than one worker waits').toBeLessThanOrEqual(1)
          fault.undo?.(at)
          expect(await heldSince(client, at, [prompt, answer]), 'no session with prompt and answer').toBeDefined()
        }
        expect(await lingering(at)).toEqual([])
      },
    )
  })
}

const prompt = 'What does the shell say about lighthouses?'
const answer = 'The shell says that lighthouses blink.'

/** One turn with a tool call in it. */
function talk(client: Client, api: Api, at: Home): Promise<Ran> {
  api.says(run('echo lighthouses blink'), text(answer))
  return runClient(client, at, api.url, prompt)
}

function install(client: Client, at: Home): void {
  const { status, err } = recollect(at, 'install', client.agent, '--yes', '--json')
  expect({ status, err }).toMatchObject({ status: 0 })
}

/** What is still running five seconds after the end; does not wait longer than until no more than `most` are left. */
async function lingering(at: Home, max = 0): Promise<string[]> {
  if (!canSeeProcesses) await sleep(5000)
  for (let waitedMs = 0; waitedMs < 5000 && ours(at).length > max; waitedMs += 50) await sleep(50)
  return ours(at).map(({ command }) => command)
}

/** Who asked the model, in order, and whether the brief was in the question. Questions beside the conversation are left out. */
export function given(api: Api): { purpose: Purpose; brief: boolean }[] {
  // Gemini CLI escapes what a hook says.
  return api.asked
    .filter(({ purpose }) => purpose !== 'side')
    .map(({ purpose, text }) => ({ purpose, brief: /(?:<|&lt;)recollect-brief/.test(text) }))
}

function hooksOf(client: Client, at: Home): string | undefined {
  const path = join(at.home, client.hooksFile)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function parsed(settings: string | undefined): unknown {
  return settings === undefined ? undefined : JSON.parse(settings)
}
