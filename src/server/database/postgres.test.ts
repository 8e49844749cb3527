import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parsePostgresUrl } from './postgres.ts'

describe('DATABASE_URL', () => {
  it.each([
    ['postgres://a:b@h/d', 'postgres://a:b@h/d', undefined],
    ['postgres://a:b@h/d?sslmode=require', 'postgres://a:b@h/d?sslmode=require', undefined],
    ['postgres://a@h/d?sslmode=require&channel_binding=require', 'postgres://a@h/d?sslmode=require', undefined],
    ['postgres://a@h:6543/d?pgbouncer=true&connection_limit=1', 'postgres://a@h:6543/d', false],
    ['postgres://a@h:6432/d?pgbouncer=true&prepare=true', 'postgres://a@h:6432/d', true],
    ['postgres://a@h:6432/d?prepare=false&application_name=x', 'postgres://a@h:6432/d?application_name=x', false],
    [
      'postgres://a@one:1,two:2/d?target_session_attrs=primary',
      'postgres://a@one:1,two:2/d?target_session_attrs=primary',
      undefined,
    ],
  ])('%s', (text, url, prepares) => {
    expect(parsePostgresUrl(text)).toEqual({ url, ...(prepares === undefined ? {} : { prepares }) })
  })

  it('reads certificates from files and verifies with them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'recollect-url-'))
    const file = join(folder, 'root.crt')
    writeFileSync(file, 'made up')
    const full = parsePostgresUrl(`postgres://a@h/d?sslmode=verify-full&sslrootcert=${file}`)
    expect(full).toEqual({ url: 'postgres://a@h/d', ssl: { ca: Buffer.from('made up') } })
    const ca = parsePostgresUrl(`postgres://a@h/d?sslmode=verify-ca&sslrootcert=${file}`)
    expect(ca.ssl?.checkServerIdentity?.()).toBeUndefined()
    expect(ca.ssl).toHaveProperty('checkServerIdentity')
    rmSync(folder, { recursive: true })
    expect(() => parsePostgresUrl(`postgres://a@h/d?sslrootcert=${file}`)).toThrow('cannot be read')
  })
})
