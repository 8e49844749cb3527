// Published practices: the model of a real client reads each of them, once, and none after they were taken out.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recollect } from '../program.ts'
import { claude } from './agents/claude.ts'
import { codex } from './agents/codex.ts'
import { continueDev } from './agents/continue.ts'
import { copilot } from './agents/copilot.ts'
import { gemini } from './agents/gemini.ts'
import { type Api, serve, text } from './api.ts'
import { type Client, type Home, makeHome, removeHome, runClient } from './client.ts'
import { isInstalled } from './install-clients.ts'

const rules = {
  project: 'Lighthouses are painted before they are lit.',
  everywhere: 'Foghorns are tested on Mondays.',
  skill: 'Boats are launched from the northern slip.',
}

describe.each([claude, codex, gemini, copilot, continueDev])('$name', (client) => {
  it.skipIf(!isInstalled(client.name))('receives published practices, and no removed ones', async () => {
    const api = await serve(client.protocol)
    const at = makeHome(client, api.url)
    try {
      await ask(client, api, at)
      expect(recollect(at, 'sweep').status).toBe(0)
      practise(at, 'paint', rules.project, { projects: [at.project] })
      practise(at, 'foghorn', rules.everywhere, {})
      practise(at, 'launch', rules.skill, { projects: [at.project], steps: '## Steps\n\n1. Open the gate.\n' })
      expect(recollect(at, 'patterns', 'publish', '--apply').status).toBe(0)
      const received = await ask(client, api, at)
      expect(Object.values(rules).map((rule) => received.split(rule).length - 1)).toEqual([1, 1, 1])
      expect(recollect(at, 'patterns', 'publish', '--remove', '--apply').status).toBe(0)
      const after = await ask(client, api, at)
      expect(Object.values(rules).filter((rule) => after.includes(rule))).toEqual([])
      expect(
        ['CLAUDE.md', 'AGENTS.md', 'GEMINI.md', '.claude'].filter((name) => existsSync(join(at.project, name))),
      ).toEqual([])
    } finally {
      await removeHome(at)
      await api.close()
    }
  })
})

/** The whole of the first question of a new session. */
async function ask(client: Client, api: Api, at: Home): Promise<string> {
  api.says(text('Aye.'))
  const ran = await runClient(client, at, api.url, 'Is the harbour open?')
  expect(ran).toMatchObject({ status: 0, out: expect.stringContaining('Aye.') })
  return api.asked.find(({ purpose }) => purpose === 'main')!.text
}

function practise(
  at: Home,
  name: string,
  rule: string,
  { projects = [], steps = '' }: { projects?: string[]; steps?: string },
): void {
  const folder = join(at.store, 'vault', 'practices')
  mkdirSync(folder, { recursive: true })
  const head = `---\nprojects: ${JSON.stringify(projects)}\n---\n`
  writeFileSync(join(folder, `${name}.md`), `${head}\n# About the ${name}\n\n## Rule\n\n${rule}\n\n${steps}`)
}
