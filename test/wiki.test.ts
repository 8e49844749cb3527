// The wiki as people have it: built by the program from what sessions said, edited by hand, killed, locked, on a bad disk.
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { keepCandidates } from './keep-candidates.ts'
import { killAfter, type Place, place, recollect, start } from './program.ts'
import { scaled } from './proof.ts'

const places: Place[] = []
afterEach(() => {
  for (const one of places.splice(0)) one.remove()
})

/** Two projects with sessions in which something was decided; swept. */
function made(sessions = 6): Place {
  const at = place(
    Object.fromEntries(
      Array.from({ length: sessions }, (_, number) => [
        `.claude/projects/-home-dev-${number % 2 ? 'shop' : 'site'}/${uuid(number)}.jsonl`,
        session(number, number % 2 ? 'shop' : 'site'),
      ]),
    ),
  )
  places.push(at)
  expect(recollect(at, 'sweep', '--json').status).toBe(0)
  keepCandidates(at)
  expect(recollect(at, 'sweep', '--json').status).toBe(0)
  return at
}

function uuid(number: number): string {
  return `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
}

const modules = ['orders', 'stock', 'prices', 'mailer', 'search', 'catalogue']

function session(number: number, project: string): object[] {
  const name = modules[number % modules.length]!
  const record = (type: string, second: number, content: unknown) => ({
    type,
    uuid: `${uuid(number)}-${second}`,
    timestamp: `2026-10-${String(1 + number).padStart(2, '0')}T09:00:${String(second).padStart(2, '0')}.000Z`,
    sessionId: uuid(number),
    cwd: `/home/dev/${project}`,
    version: '2.1.219',
    message: { id: `msg_${number}_${second}`, role: type, model: 'claude-opus-4-6', content },
  })
  return [
    record('user', 0, `Please look at src/${name}.py: the ${name} test is slow`),
    record('assistant', 5, [{ type: 'text', text: `I put a cache in front of src/${name}.py.` }]),
    record(
      'user',
      9,
      `No, never cache in src/${name}.py. We decided that ${name} always reads from the database, because stale rows cost us a customer.`,
    ),
    record('assistant', 12, [{ type: 'text', text: `Understood: src/${name}.py reads from the database.` }]),
  ]
}

function wiki(at: Place): Record<string, string> {
  const folder = join(at.store, 'vault/wiki')
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && name !== 'log.md')
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}

/** An article that says a rule of a session. */
function articleOf(at: Place, name: string): string {
  const found = Object.entries(wiki(at)).find(
    ([path, text]) => path.startsWith('concepts') && text.includes(`title: "${name}"`),
  )
  if (!found) throw new Error(`no article ${name}: ${Object.keys(wiki(at)).join(', ')}`)
  return join(at.store, 'vault/wiki', found[0])
}

describe('recollect wiki', () => {
  it('is built by a sweep with what was decided, and lint finds nothing', () => {
    const at = made()
    const site = Object.values(wiki(at)).join('\n')
    for (const name of modules) expect(site).toContain(`${name} always reads from the database`)
    expect(wiki(at)['index.md']).toContain('[[wiki/concepts/shop\\|shop: rules and decisions]]')
    const lint = recollect(at, 'wiki', 'lint', '--json')
    expect([lint.json().findings, lint.status]).toEqual([[], 0])
  })

  it('has no articles about what nobody has confirmed', () => {
    const at = place({ [`.claude/projects/-home-dev-site/${uuid(0)}.jsonl`]: session(0, 'site') })
    places.push(at)
    recollect(at, 'sweep')
    const { status, err } = recollect(at, 'wiki')
    expect(status).toBe(1)
    expect(err).toMatch(/No articles yet: .*\n\d+ candidates? to confirm: recollect memories review/)
    for (const text of ['Deploys go out on Tuesdays', 'Times are in UTC']) recollect(at, 'remember', text, '--global')
    expect(recollect(at, 'wiki').err).toContain('To build them now: recollect wiki build')
  })

  it('is shown without markup, in 80 columns, or raw', () => {
    const at = made()
    const { out } = recollect(at, 'wiki', 'show', 'site')
    expect(out).toMatch(/^site: rules and decisions\n\n/)
    expect(out).not.toMatch(/^---|\[\[|<!--|^#/m)
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(recollect(at, 'wiki', 'show', 'site', '--raw').out).toMatch(/^---\ntitle: "site: rules and decisions"\n/)
    expect(recollect(at, 'wiki').out).toMatch(/^ {2}site: rules and decisions \(site\)\n {4}\S/m)
  })

  it('is unchanged by another build and by a full build', () => {
    const at = made()
    const before = wiki(at)
    expect(recollect(at, 'wiki', 'build', '--json').json()).toMatchObject({ created: [], updated: [], removed: [] })
    expect(recollect(at, 'wiki', 'build', '--all', '--json').json()).toMatchObject({
      created: [],
      updated: [],
      removed: [],
    })
    expect(wiki(at)).toEqual(before)
  })

  it('is found by search, shown, and answers with sessions', () => {
    const at = made()
    const found = recollect(at, 'search', 'site rules', '--in', 'wiki', '--json').json()
    expect(found.results[0]).toMatchObject({ kind: 'article', title: 'site: rules and decisions' })
    expect(recollect(at, 'show', found.results[0].id).out).toMatch(/reads\s+from\s+the\s+database/)
    const answer = recollect(at, 'wiki', 'ask', 'may I cache in the orders module?', '--file-back', '--json').json()
    expect(answer.known).toBe(true)
    expect(answer.sessions[0]).toBe(`claude-code:${uuid(0)}`)
    expect(wiki(at)[`${answer.filed.replace('wiki/', '')}.md`]).toContain('may I cache in the orders module?')
    expect(wiki(at)['index.md']).toContain(answer.filed)
    expect(recollect(at, 'wiki', 'lint', '--json').status).toBe(0)
    const unknown = recollect(at, 'wiki', 'ask', 'zzyzx quuxification', '--json')
    expect([unknown.status, unknown.json().known]).toEqual([1, false])
  })

  it('keeps text of a person through every kind of build', () => {
    const at = made()
    const path = articleOf(at, 'site: rules and decisions')
    const title = '# site: rules and decisions\n'
    writeFileSync(path, readFileSync(path, 'utf8').replace(title, `${title}\nAsk Ann before you touch this.\n`))
    expect(recollect(at, 'remember', 'Answers are always in English', '--project', 'site').status).toBe(0)
    expect(recollect(at, 'wiki', 'build', '--json').json().updated).toContain('wiki/concepts/site')
    for (const args of [['wiki', 'build', '--all'], ['rebuild']]) recollect(at, ...args)
    const now = readFileSync(path, 'utf8')
    expect(now).toContain('Ask Ann before you touch this.')
    expect(now).toContain('Answers are always in English')
    expect(recollect(at, 'search', 'Ann', 'touch', '--in', 'wiki', '--json').json().results[0].id).toBe(
      'wiki/concepts/site',
    )
  })

  it('finds text of a person in the journal', () => {
    const at = made()
    appendFileSync(join(at.store, 'vault/journal/2026-10-01.md'), '\nThe zeppelin deployment was postponed.\n')
    recollect(at, 'wiki', 'build')
    const { results } = recollect(at, 'search', 'zeppelin', '--json').json()
    expect(results[0]).toMatchObject({ kind: 'journal', id: 'journal/2026-10-01' })
  })
})

describe('recollect wiki build', () => {
  it('is exclusive: of two at once, one works', async () => {
    const at = made(40)
    rmSync(join(at.store, 'vault/wiki'), { recursive: true })
    const ends = [start(at, 'wiki', 'build', '--all', '--json'), start(at, 'wiki', 'build', '--all', '--json')].map(
      (child) => new Promise<number | null>((resolve) => child.once('close', resolve)),
    )
    const codes = await Promise.all(ends)
    expect(codes).toContain(0)
    for (const code of codes) expect([0, 3]).toContain(code)
    expect(recollect(at, 'wiki', 'lint', '--json').status).toBe(0)
    expect(recollect(at, 'wiki', 'build', '--all', '--json').json()).toMatchObject({ created: [], updated: [] })
  })

  it('is completed by the next build after a kill at any moment', async () => {
    const at = made(24)
    const wanted = wiki(at)
    const begun = performance.now()
    recollect(at, 'wiki', 'build', '--all')
    const fullMs = performance.now() - begun
    const rounds = scaled(1, 8)
    for (let round = 0; round < rounds; round++) {
      rmSync(join(at.store, 'vault/wiki'), { recursive: true, force: true })
      await killAfter(start(at, 'wiki', 'build', '--all'), fullMs * (0.2 + (0.8 * (round + 0.5)) / rounds))
      expect(recollect(at, 'wiki', 'build', '--all').status, `round ${round}`).toBe(0)
      expect(wiki(at), `round ${round}`).toEqual(wanted)
      expect(existsSync(join(at.store, 'run/wiki-build'))).toBe(false)
    }
  })

  it('leaves everything unchanged if the disk cannot be written', () => {
    const at = made()
    recollect(at, 'remember', 'Answers are always in English', '--project', 'site')
    const before = wiki(at)
    const folder = join(at.store, 'vault/wiki')
    // As root a folder without permission can still be written: a file in its place cannot.
    renameSync(folder, `${folder}.aside`)
    writeFileSync(folder, 'no folder')
    chmodSync(folder, 0o400)
    const failed = recollect(at, 'wiki', 'build')
    expect(failed.status).toBe(3)
    expect(failed.err).toMatch(/wiki/)
    rmSync(folder)
    renameSync(`${folder}.aside`, folder)
    expect(wiki(at)).toEqual(before)
    expect(recollect(at, 'wiki', 'build', '--json').json().updated).toContain('wiki/concepts/site')
  })
})
