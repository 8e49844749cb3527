import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { forCron, forEnvFile, forShell, forSystemd, forSystemdArgument, forWindows, forXml } from './quote.ts'

const odd = [
  '/usr/bin/node',
  '/home/dev/my tools/node',
  "/home/o'brien/node",
  '/home/50%/a%%b/node',
  '/home/$HOME/`date`/"x"/a\\b;c&d|e>f*?#!~/ü',
]

describe('quoting for foreign formats', () => {
  it.each([
    [forShell, '/usr/bin/node', '/usr/bin/node'],
    [forShell, "/a b/o'c", `'/a b/o'"'"'c'`],
    [forCron, '/a/50%/b', `'/a/50'\\%'/b'`],
    [forSystemd, '/a b/"c"\\$d/50%', '"/a b/\\"c\\"\\\\$d/50%%"'],
    [forSystemdArgument, '/a/$b', '"/a/$$b"'],
    [forXml, 'a & <b>', 'a &amp; &lt;b&gt;'],
    [forWindows, 'C:\\Program Files\\', '"C:\\Program Files\\\\"'],
    [forEnvFile, 'C:\\new', "'C:\\new'"],
    [forEnvFile, "C:\\o'c", "`C:\\o'c`"],
  ])('%o(%s)', (quote, text, expected) => {
    expect(quote(text)).toBe(expected)
  })
})

describe.skipIf(process.platform === 'win32')('sh', () => {
  const words = (line: string) => spawnSync('sh', ['-c', `printf %s ${line}`], { encoding: 'utf8' }).stdout
  it.each(odd)('reads %s back', (text) => {
    expect(words(forShell(text))).toBe(text)
  })
  it.each(odd)('reads %s back from a crontab, whether or not cron has taken the backslash before %% away', (text) => {
    expect(words(forCron(text))).toBe(text)
    expect(words(forCron(text).replaceAll('\\%', '%'))).toBe(text)
    expect(forCron(text)).not.toMatch(/(?<!\\)%/)
  })
})

describe('node --env-file', () => {
  it.each(['C:\\new folder\\table', "C:\\Users\\o'brien", '/home/dev/#1/x', '/home/$dev/"x"'])(
    'reads %s back',
    (text) => {
      const folder = mkdtempSync(join(tmpdir(), 'recollect-env-'))
      writeFileSync(join(folder, 'env'), `# a comment\nRECOLLECT_HOME=${forEnvFile(text)}\n`)
      const { stdout } = spawnSync(
        process.execPath,
        [`--env-file=${join(folder, 'env')}`, '-p', 'process.env.RECOLLECT_HOME'],
        { encoding: 'utf8', env: {} },
      )
      rmSync(folder, { recursive: true })
      expect(stdout).toBe(`${text}\n`)
    },
  )
})
