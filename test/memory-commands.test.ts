// Commands that correct memories: review without a terminal, keep, edit, move, forget, undo --list,
// history.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claudeSession, type Place, place, recollect } from './program.ts'

const session = '11111111-1111-4111-8111-111111111111'
let at: Place
/** Candidates of the session, by their first word. */
const ids: Record<string, string> = {}

beforeAll(() => {
  const said = [
    'Never commit generated files to the repository.',
    'Always name branches after the ticket.',
    'From now on use the real database in integration tests.',
  ]
  const path = `.claude/projects/-home-dev-app/${session}.jsonl`
  at = place({ [path]: claudeSession(session, said.length, { says: (turn) => said[turn] }) })
  expect(recollect(at, 'sweep').status).toBe(0)
  for (const { id, text } of recollect(at, 'memories', '--candidates', '--json').json()) ids[text.split(' ')[0]] = id
})
afterAll(() => at.remove())

describe('recollect memories', () => {
  it('lists candidates, and says how many there are', () => {
    expect(Object.keys(ids).sort()).toEqual(['Always', 'From', 'Never'])
    const { out } = recollect(at, 'memories', '--candidates', '--project', 'app')
    expect(out).toMatch(/^m-\S+ {2}2026-09-01 .*app {2}claude-code 11111111-1111$/m)
    const list = recollect(at, 'memories')
    expect([list.status, list.err]).toEqual([1, expect.stringContaining('3 candidates: recollect memories review')])
  })

  it('names the other commands where there is no terminal', () => {
    const { status, err } = recollect(at, 'memories', 'review', '--limit', '2')
    expect(status).toBe(2)
    expect(err).toContain('A review needs a terminal')
    for (const command of ['memories --candidates', 'memories keep <id...>', 'forget <id...>', 'inbox <id> keep'])
      expect(err).toContain(`recollect ${command}`)
  })
})

describe('corrections', () => {
  it('keep, edit, move and forget, each as one change that the list explains', () => {
    const wide = { ...at, env: { ...at.env, COLUMNS: '140' } }
    recollect(at, 'memories', 'keep', ids.Never!, ids.Always!)
    const edited = recollect(at, 'edit', ids.Always!, 'Name branches after the issue', '--tags', 'git', '--json').json()
    expect(edited).toMatchObject([{ text: 'Name branches after the issue', tags: ['git'], because: 'person' }])
    expect(recollect(at, 'move', ids.Always!, ids.Never!, '--everywhere').status).toBe(0)
    expect(recollect(at, 'forget', '--query', 'branches', '--dry-run', '--json').json()).toMatchObject([
      { id: ids.Always },
    ])
    const refused = recollect(at, 'forget', '--session', '1111')
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('To forget: 2 memories.')])
    expect(recollect(at, 'forget', '--session', '1111', '--yes').err).toContain('2 memories forgotten.')
    const list = recollect(wide, 'undo', '--list').out.split('\n')
    expect(list.map((line) => line.replace(/^ *\d+ {2}\S+ \S+ {2}/, '')).slice(0, 4)).toEqual([
      expect.stringMatching(/^forgot 2 memories: (?:Never|Name)/),
      expect.stringMatching(/^moved 2 memories: .* \(applies everywhere\)$/),
      'edited: Always name branches after the ticket. -> Name branches after the issue',
      expect.stringMatching(/^kept 2 memories: (?:Never|Always)/),
    ])
    expect(recollect(at, 'undo').out).toContain(`${ids.Never} restored: Never commit generated files`)
    expect(recollect(wide, 'history', ids.Always!).out).toMatch(/edited by you: "Always .*" -> "Name .*"; tags git\n/)
    expect(recollect(at, 'memories', '--json').json()).toHaveLength(2)
  })

  it.each([
    [['forget'], 'Missing id or filter'],
    [['forget', 'm-a', '--candidates'], 'Ids and a filter cannot be combined'],
    [['edit', 'm-a'], 'There is no memory m-a'],
    [['move', 'm-a'], 'Give either --project or --everywhere'],
  ])('%s: %s', (args, message) => {
    const { status, err } = recollect(at, ...args)
    expect([status > 0, err]).toEqual([true, expect.stringContaining(message)])
  })

  it('removes secrets from what is typed, and says so', () => {
    const { err, out } = recollect(
      at,
      'edit',
      ids.From!,
      'The database of the tests has the password=hunter2hunter2 here',
    )
    expect(err).toContain('looks like a secret: password')
    expect(out).toContain('password=[secret: password] here')
  })
})
