// Memories at a prompt: the model of a real client reads them beside it, and the ledger does not take them for something said.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recollect } from '../program.ts'
import { claude } from './agents/claude.ts'
import { codex } from './agents/codex.ts'
import { gemini } from './agents/gemini.ts'
import { serve, text } from './api.ts'
import { makeHome, removeHome, runClient } from './client.ts'
import { isInstalled } from './install-clients.ts'
import { heldSince, sessions } from './ledger.ts'

const memory = 'Releases go out with pnpm publish from the branch called lighthouse.'
const prompt = 'From which branch do we publish releases?'
const answer = 'From the one you named.'

describe.each([claude, codex, gemini])('$name', (client) => {
  it.skipIf(!isInstalled(client.name))('receives memories about a prompt', async () => {
    const api = await serve(client.protocol)
    const at = makeHome(client, api.url)
    try {
      mkdirSync(at.store, { recursive: true })
      writeFileSync(join(at.store, 'config.toml'), '[recall]\nper_prompt = true\n')
      expect(recollect(at, 'remember', memory, '--global').status).toBe(0)
      expect(recollect(at, 'install', client.agent, '--yes', '--json').status).toBe(0)
      api.says(text(answer))
      const ran = await runClient(client, at, api.url, prompt)
      expect(ran).toMatchObject({ status: 0, out: expect.stringContaining(answer) })
      const [asked] = api.asked.filter(({ purpose }) => purpose === 'main')
      // Gemini CLI escapes what a hook says.
      expect(asked!.text).toMatch(/(?:<|&lt;)recollect-evidence source=/)
      expect(asked!.text).toContain(memory)
      expect(await heldSince(client, at, [prompt, answer])).toBeDefined()
      const session = sessions(client, at).find((one) => one.includes(prompt))!
      expect(session).not.toContain(memory)
    } finally {
      await removeHome(at)
      await api.close()
    }
  })
})
