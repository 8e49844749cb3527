// A process that is killed while it makes vectors: those that were stored are used, and the rest is made later.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { updateVectors } from '../../src/search/vectors/embed-passages.ts'
import { vectorsDue } from '../../src/search/vectors/state.ts'
import { countVectors, vectorModel } from '../../src/store/search/vectors.ts'
import { place } from '../models/scripted.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { furniture, remember, withVectors } from './memories.ts'

it('kill -9 while vectors are made', { timeout: 60_000 }, async () => {
  const server = await endpoint()
  const at = await place([], { env: { OLLAMA_HOST: server.url } })
  const context = withVectors(at.context, 'ollama:scripted')
  const { ledger } = context
  remember(context, furniture())

  // Answers the probe and two batches, then no more.
  server.script({ kind: 'embeds' }, { after: 3, act: { kind: 'silence' } })
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'update-main.ts'), join(at.root, 'store'), server.url],
    {
      stdio: 'inherit',
    },
  )
  const ended = once(child, 'close')
  await untilAsked(server, 4)
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])

  expect(vectorModel(ledger)).toMatchObject({ id: 1, passages: 360, seen: 0 })
  const stored = countVectors(ledger, 1)
  expect(stored).toBeGreaterThan(0)
  expect(stored).toBeLessThan(360)
  expect(vectorsDue(context)).toBe(true)

  server.script({ kind: 'embeds' })
  expect(await updateVectors(context)).toBe(360 - stored)
  expect(vectorModel(ledger)).toMatchObject({ id: 1, seen: 360 })
  expect(countVectors(ledger, 1)).toBe(360)
  at.remove()
  await server.close()
})

async function untilAsked(server: Endpoint, times: number): Promise<void> {
  for (let tries = 0; tries < 30_000 && server.asked.length < times; tries++)
    await new Promise((resolve) => setTimeout(resolve, 1))
}
