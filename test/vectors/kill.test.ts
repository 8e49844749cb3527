// Killed half way, vectors are as they were: search goes on with those that were whole.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fitVectors } from '../../src/search/vectors/fit.ts'
import type { Ledger } from '../../src/store/ledger.ts'
import { countVectors, vectorModel } from '../../src/store/search/vectors.ts'
import { place } from '../models/scripted.ts'
import { found, furniture, remember, withVectors } from './memories.ts'

it('kill -9 while vectors are made', { timeout: 60_000 }, async () => {
  const at = await place([])
  const context = withVectors(at.context, 'own')
  const { ledger } = context
  remember(context, furniture())
  await fitVectors(context)
  const many = Object.entries(furniture()).flatMap(([id, text]) =>
    Array.from({ length: 15 }, (_, copy) => [`${id}-${copy}`, `${text} ${copy}`] as const),
  )
  remember(context, Object.fromEntries(many))
  const before = await found(context, 'couch')

  const child = spawn(process.execPath, [join(import.meta.dirname, 'fit-main.ts'), join(at.root, 'store')], {
    stdio: 'inherit',
  })
  const ended = once(child, 'close')
  await untilHalfMade(ledger)
  // Holding the ledger keeps it from being faster than the kill.
  ledger.raw.exec('BEGIN IMMEDIATE')
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  ledger.raw.exec('ROLLBACK')

  expect(halves(ledger)).toBe(1)
  expect(vectorModel(ledger)).toMatchObject({ id: 1, passages: 360 })
  expect(await found(context, 'couch')).toEqual(before)

  await fitVectors(context)
  expect(halves(ledger)).toBe(0)
  expect(vectorModel(ledger)).toMatchObject({ passages: 5760, seen: 5760 })
  expect(countVectors(ledger, vectorModel(ledger)!.id)).toBe(5760)
  at.remove()
})

async function untilHalfMade(ledger: Ledger): Promise<void> {
  const rows = ledger.raw.prepare('SELECT 1 FROM vector_models m JOIN vectors v ON v.model = m.id WHERE m.is_whole = 0')
  for (let tries = 0; tries < 30_000 && !rows.get(); tries++) await new Promise((resolve) => setTimeout(resolve, 1))
}

function halves(ledger: Ledger): number {
  return Number(ledger.raw.prepare('SELECT count(*) AS count FROM vector_models WHERE is_whole = 0').get()!.count)
}
