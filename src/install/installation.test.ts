import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installationOf, repository } from './installation.ts'

const latest = `<the archive from ${repository}/releases/latest>`

describe('installationOf', () => {
  it.each([
    ['/home/dev/.npm/_npx/ab12/node_modules/recollect/dist/cli.js', 'npx', `npx -y ${latest}`],
    [
      '/opt/homebrew/Cellar/recollect/0.1.0/libexec/lib/node_modules/recollect/dist/cli.js',
      'Homebrew',
      'brew upgrade recollect',
    ],
    ['/home/dev/.local/share/pnpm/global/5/node_modules/recollect/dist/cli.js', 'pnpm', `pnpm add -g ${latest}`],
    ['/home/dev/.bun/install/global/node_modules/recollect/dist/cli.js', 'Bun', `bun add -g ${latest}`],
    ['/usr/local/lib/node_modules/recollect/dist/cli.js', 'npm', `npm install -g ${latest}`],
    ['C:\\Users\\dev\\AppData\\npm-cache\\_npx\\ab\\recollect\\dist\\cli.js', 'npx', `npx -y ${latest}`],
  ])('%s', (cli, by, upgrade) => expect(installationOf(cli)).toMatchObject({ by, upgrade }))

  it('names the archive of a release, never a package on npm', () =>
    expect(installationOf('/usr/local/lib/node_modules/recollect/dist/cli.js', '1.2.3').upgrade).toBe(
      `npm install -g ${repository}/releases/download/v1.2.3/recollect-1.2.3.tgz`,
    ))

  describe('tells by files', () => {
    let root: string
    beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'recollect-installation-'))))
    afterEach(() => rmSync(root, { recursive: true }))
    const put = (path: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), '')
    }

    it('a checkout', () => {
      put('src/cli/main.ts')
      expect(installationOf(join(root, 'dist', 'cli.js'))).toEqual({
        by: 'a checkout of the repository',
        upgrade: `git -C ${root} pull && npm --prefix ${root} run build`,
        hasHooks: true,
      })
    })

    it('a dependency of a project', () => {
      put('package.json')
      const cli = join(root, 'node_modules', 'recollect', 'dist', 'cli.js')
      expect(installationOf(cli).upgrade).toBe(`npm install --prefix ${root} ${latest}`)
    })
  })
})
