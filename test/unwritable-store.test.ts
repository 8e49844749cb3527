// A store that cannot be written: what it has can be read, and what would change it says so. Only root may
// make such places, so without it the tests are skipped.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Turn, turnRecords } from './learn-home.ts'
import { type Place, place, recollect, sessionName } from './program.ts'

const mount = (...args: string[]) => spawnSync('mount', args).status === 0
const mounted: string[] = []
const places: Place[] = []
afterEach(() => {
  for (const folder of mounted.splice(0)) spawnSync('umount', ['-l', folder])
  for (const at of places.splice(0)) at.remove()
})

const canMount = (() => {
  const at = place()
  const isDone = process.platform === 'linux' && mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at.home)
  if (isDone) spawnSync('umount', [at.home])
  at.remove()
  return isDone
})()

const turns: Turn[] = [['Why is the build slow?', 'The build is slow because the cache is off.']]

function homeWithSession(): Place {
  const at = place({
    [`.claude/projects/-home-dev-app/${sessionName(1)}.jsonl`]: turnRecords(turns, 0, sessionName(1)),
  })
  places.push(at)
  return at
}

describe.skipIf(!canMount)('a store on a read-only file system', () => {
  function readOnlyStore(): Place {
    const at = homeWithSession()
    expect(recollect(at, 'sweep').status).toBe(0)
    expect(mount('--bind', at.store, at.store)).toBe(true)
    mounted.push(at.store)
    expect(mount('-o', 'remount,ro,bind', at.store)).toBe(true)
    return at
  }

  it.each([
    [['sessions'], 'Why is the build slow?'],
    [['search', 'cache'], 'the cache is off'],
    [['recall', '--all', 'why is the build slow'], 'the cache is off'],
    [['show', sessionName(1)], 'the cache is off'],
    [['status'], '1 session'],
    [['timeline', sessionName(1)], 'Why is the build slow'],
    [['journal'], 'Why is the build slow'],
    [['handoff', sessionName(1), '--packet'], 'Why is the build slow'],
    [[], 'Why is the build slow?'],
  ])('is read by recollect %s', (command, expected) => {
    const { status, out } = recollect(readOnlyStore(), ...command)
    expect(out).toContain(expected)
    expect(status).toBe(0)
  })

  it.each([[['remember', '--global', 'Never deploy on a Friday.']], [['sweep']], [['rebuild']]])(
    'says that it cannot be written to recollect %s',
    (command) => {
      const at = readOnlyStore()
      const { status, err } = recollect(at, ...command)
      expect(status).toBe(3)
      expect(err).toMatch(/cannot be written|read-only file system/)
      expect(err).toContain(at.store)
      expect(err).toContain('Make the folder writable, or set RECOLLECT_HOME to another folder.')
    },
  )
})

describe.skipIf(!canMount)('a store on a file system without inodes', () => {
  it('says that files are in the way, not their size', () => {
    const at = homeWithSession()
    mkdirSync(at.store)
    expect(mount('-t', 'tmpfs', '-o', 'size=50m,nr_inodes=100', 'tmpfs', at.store)).toBe(true)
    mounted.push(at.store)
    expect(recollect(at, 'sweep').status).toBe(0)
    fillWithFiles(at.store)
    const { status, err } = recollect(at, 'remember', '--global', 'Never deploy on a Friday.')
    expect(status).toBe(3)
    expect(err).toContain('has no inodes left')
    expect(err).toContain('df -i')
    expect(recollect(at, 'doctor').out).toContain('no inodes left')
  })
})

/** Until the file system refuses another one. */
function fillWithFiles(folder: string): void {
  for (let index = 0; ; index++) {
    try {
      writeFileSync(join(folder, `file-${index}`), '')
    } catch {
      return
    }
  }
}
