import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { commandNames } from '../src/cli/commands.ts'
import { type Place, place, recollect } from './program.ts'

let at: Place
beforeAll(() => (at = place()))
afterAll(() => at.remove())

describe('help --man', () => {
  it('is the page that the package installs', () => {
    const page = readFileSync(join(import.meta.dirname, '..', manifest.man[0]!), 'utf8')
    expect(recollect(at, 'help', '--man').out).toBe(page)
  })

  it.skipIf(spawnSync('groff', ['--version']).status !== 0)('is printed by groff without a warning', () => {
    const input = recollect(at, 'help', '--man').out
    const plain = ['-man', '-Tascii', '-ww', '-P-c', '-rLL=80n']
    const { stdout, stderr } = spawnSync('groff', plain, { input, encoding: 'utf8' })
    expect(stderr).toBe('')
    const text = stdout.replaceAll(/.\u0008/g, '')
    for (const name of commandNames) expect(text).toMatch(new RegExp(`^ {7}${name}\\b`, 'm'))
    expect(text).toContain('--outcome outcome')
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})
