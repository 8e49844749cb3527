import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { redact } from '../core/redact/redact.ts'
import { openDatabase } from '../core/sqlite.ts'
import type { Ledger } from '../store/ledger.ts'
import { readSchema } from '../store/ledger.ts'
import { addJsonFunctions } from '../store/packed-json.ts'
import { bestPassages } from '../store/search/passage-search.ts'
import { passageSource } from '../store/search/passages.ts'
import { commitsAfter, commitsByNumber } from '../store/sessions/commits.ts'
import { termsOf } from '../text/terms.ts'
import { captureCommits } from './commits.ts'

const env = { PATH: process.env.PATH, HOME: '/nonexistent' }
let folder: string
let ledger: Ledger

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recollect-commits-'))
  const database = openDatabase(':memory:')
  addJsonFunctions(database)
  database.raw.exec(readSchema())
  ledger = { ...database, layout: undefined as never }
  git('init', '-q', '-b', 'main')
})
afterEach(() => {
  ledger.close()
  rmSync(folder, { recursive: true })
})

function git(...args: string[]): string {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  return execFileSync('git', [...author, ...args], { cwd: folder, env, encoding: 'utf8' })
}

function commit(message: string, ...files: string[]): void {
  for (const file of files) writeFileSync(join(folder, file), `${message}\n${Math.random()}`)
  git('add', '-A')
  git('commit', '-q', '--allow-empty', '-m', message)
}

const capture = (max = 1000) => captureCommits({ ledger, redact, env, max }, folder, 'shop')
const found = (word: string) => {
  const match = { any: [], phrases: [termsOf(word)] }
  const numbers = bestPassages(ledger, match, { kinds: ['commit'], project: 'shop' }, 10).map(
    (id) => (passageSource(id) as { number: number }).number,
  )
  return [...commitsByNumber(ledger, numbers).values()]
}

describe('captureCommits', () => {
  it('captures message, date and files of the whole history', async () => {
    commit('Cap the weight\n\nThe courier refuses more than 30 kilos.', 'weight.ts', 'größe.md')
    commit('Second', 'other.ts')
    expect(await capture()).toEqual({ added: 2, isWhole: true })
    expect(found('courier')).toMatchObject([
      { message: 'Cap the weight\n\nThe courier refuses more than 30 kilos.', files: ['größe.md', 'weight.ts'] },
    ])
    expect(found('courier')[0]!.hash).toBe(git('rev-parse', 'HEAD~1').trim())
  })

  it('captures only new commits the next time', async () => {
    commit('First', 'a.ts')
    await capture()
    expect(await capture()).toEqual({ added: 0, isWhole: true })
    commit('Second', 'a.ts')
    expect(await capture()).toEqual({ added: 1, isWhole: true })
  })

  it('reads older history with every pass', async () => {
    for (const name of ['one', 'two', 'three', 'four', 'five']) commit(name, 'a.ts')
    expect(await capture(2)).toEqual({ added: 2, isWhole: false })
    commit('six', 'a.ts')
    expect(await capture(2)).toEqual({ added: 3, isWhole: false })
    expect(await capture(2)).toEqual({ added: 1, isWhole: true })
    expect(ledger.sql('SELECT count(*) AS count FROM commits').get()!.count).toBe(6)
  })

  it('recognises a rebased commit by its new hash', async () => {
    commit('Base', 'a.ts')
    git('checkout', '-q', '-b', 'topic')
    commit('Topic', 'b.ts')
    await capture()
    git('checkout', '-q', 'main')
    commit('Main', 'c.ts')
    git('checkout', '-q', 'topic')
    git('rebase', '-q', 'main')
    expect(await capture()).toEqual({ added: 1, isWhole: true })
    expect(found('topic')[0]!.hash).toBe(git('rev-parse', 'HEAD').trim())
  })

  it('reads everything again if the known head is gone', async () => {
    commit('Base', 'a.ts')
    commit('Gone', 'a.ts')
    await capture()
    git('reset', '-q', '--hard', 'HEAD~1')
    commit('Instead', 'a.ts')
    git('reflog', 'expire', '--expire=now', '--all')
    git('gc', '-q', '--prune=now')
    expect(await capture()).toEqual({ added: 1, isWhole: true })
  })

  it('removes secrets, mail addresses and merges without a message', async () => {
    commit(`Use the new key\n\nIt was ghp_${'a1B2'.repeat(9)} before.\n\nCo-authored-by: Bob <bob@example.com>`, 'a.ts')
    git('checkout', '-q', '-b', 'topic')
    commit('Topic', 'b.ts')
    git('checkout', '-q', 'main')
    git('merge', '-q', '--no-ff', 'topic', '-m', "Merge branch 'topic'")
    await capture()
    const [secret] = found('key')
    expect(secret!.message).toContain('[secret: github-token]')
    expect(secret!.message).not.toContain('bob')
    expect(found('merge')).toEqual([])
  })

  it('runs no program that the repository configures', async () => {
    const trap = join(folder, 'trap.sh')
    writeFileSync(trap, `#!/bin/sh\ntouch "${folder}/sprung"\n`)
    chmodSync(trap, 0o755)
    for (const name of ['core.fsmonitor', 'core.pager', 'diff.external', 'gpg.program']) git('config', name, trap)
    git('config', 'log.showSignature', 'true')
    git('-c', 'core.fsmonitor=false', 'commit', '-q', '--allow-empty', '-m', 'First')
    rmSync(join(folder, 'sprung'), { force: true })
    expect(await capture()).toEqual({ added: 1, isWhole: true })
    expect(existsSync(join(folder, 'sprung'))).toBe(false)
  })

  it('captures nothing without a commit, a repository or git', async () => {
    expect(await capture()).toEqual({ added: 0, isWhole: true })
    const nowhere = { ledger, redact, env: { PATH: '/nonexistent' }, max: 10 }
    expect(await captureCommits(nowhere, folder, 'shop')).toEqual({ added: 0, isWhole: true })
    expect(await captureCommits({ ledger, redact, env, max: 10 }, tmpdir(), 'shop')).toEqual({
      added: 0,
      isWhole: true,
    })
  })

  it('finds later commits on the same files', async () => {
    commit('Cap the weight', 'weight.ts')
    commit('Other', 'other.ts')
    commit('simplify weight', 'weight.ts')
    await capture()
    // Commits of one second have no order by date.
    ledger.raw.exec('UPDATE commits SET at = at - number * 1000')
    expect(commitsAfter(ledger, 'shop', found('cap')[0]!, 10).map(({ message }) => message)).toEqual([
      'simplify weight',
    ])
  })
})
