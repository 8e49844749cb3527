import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { loadPglite } from './pglite.ts'

describe('loadPglite, of a program that was installed without it,', () => {
  let packages: string
  beforeEach(() => (packages = mkdtempSync(join(tmpdir(), 'recollect-packages-'))))
  afterEach(() => rmSync(packages, { recursive: true }))

  const notBeside = () => Promise.reject(Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' }))

  it('says how to install it', async () => {
    const version = manifest.peerDependencies['@electric-sql/pglite']
    await expect(loadPglite(packages, notBeside)).rejects.toMatchObject({
      message: expect.stringContaining('DATABASE_URL is not set'),
      hint: expect.stringContaining(`npm install --prefix ${packages} @electric-sql/pglite@${version}`),
    })
  })

  it('finds it there', async () => {
    const installed = join(packages, 'node_modules', '@electric-sql', 'pglite')
    mkdirSync(dirname(installed), { recursive: true })
    symlinkSync(join(dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite'))), '..'), installed)
    const { PGlite } = await loadPglite(packages, notBeside)
    expect(PGlite).toBeTypeOf('function')
  })

  it('passes on any other error', () =>
    expect(loadPglite(packages, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken'))
})
