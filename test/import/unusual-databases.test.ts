// Databases of other programs with values and tables that these programs do not write.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/core/sqlite.ts'
import { claudeSession, type Place, place, recollect, sessionName } from '../program.ts'
import { fixtures } from './fixtures.ts'

const places: Place[] = []
afterEach(() => {
  for (const at of places.splice(0)) at.remove()
})

/** A home with the database of claude-mem, changed by this SQL. */
function homeWith(sql: string): Place {
  const at = place({ [`.claude/projects/-home-dev-app/${sessionName(1)}.jsonl`]: claudeSession(sessionName(1), 1) })
  places.push(at)
  const folder = join(at.home, '.claude-mem')
  fixtures['claude-mem']!(folder)
  const { raw, close } = openDatabase(join(folder, 'claude-mem.db'))
  raw.exec(sql)
  close()
  expect(recollect(at, 'sweep').status).toBe(0)
  return at
}

describe('capture of a database', () => {
  it('ends although a view in it has no end, and says why nothing was read', () => {
    const at = place()
    places.push(at)
    const folder = join(at.home, '.local/share/opencode')
    mkdirSync(folder, { recursive: true })
    const { raw, close } = openDatabase(join(folder, 'opencode.db'))
    raw.exec(`CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
      CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
      CREATE VIEW session AS
        WITH RECURSIVE endless(id, directory, title, time_created, time_updated) AS
          (SELECT 1, '/', 'x', 1, 1 UNION ALL SELECT id + 1, '/', 'x', 1, 1 FROM endless)
        SELECT * FROM endless`)
    close()
    expect(recollect(at, 'sweep', '--json').json().skipped).toEqual([
      expect.objectContaining({ reason: 'the database could not be read: session is a view, not a table' }),
    ])
  })
})

describe('import of a database', () => {
  it('reads everything although an integer is above 2^53', () => {
    const usual = recollect(homeWith(''), 'import', 'claude-mem', '--json').json()
    const at = homeWith('UPDATE observations SET created_at_epoch = 9007199254740993')
    const { sessions, problems } = recollect(at, 'import', 'claude-mem', '--json').json()
    expect(sessions).toEqual(usual.sessions)
    expect(sessions.written).toBeGreaterThan(0)
    expect(problems).toEqual([])
  })

  it('ends although a view in it has no end', () => {
    const at = homeWith(
      `DROP TABLE session_summaries;
       CREATE VIEW session_summaries AS
         WITH RECURSIVE endless(id, memory_session_id, created_at_epoch) AS
           (SELECT 1, 'x', 1 UNION ALL SELECT id + 1, memory_session_id, 1 FROM endless)
         SELECT * FROM endless`,
    )
    const { status, err } = recollect(at, 'import', join(at.home, '.claude-mem', 'claude-mem.db'))
    expect(status).not.toBe(0)
    expect(err).toContain('has no memories of a known form')
  })

  it('reads the tables of a database that has views besides', () => {
    const at = homeWith(
      'CREATE VIEW recent AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT * FROM n',
    )
    expect(recollect(at, 'import', 'claude-mem', '--json').json().sessions.written).toBe(3)
  })
})
