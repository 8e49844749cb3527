import { describe, expect, it } from 'vitest'
import type { Practice } from '../types.ts'
import { renderRules, renderSkill, sanitiseForSharing, skillName } from './render.ts'
import { sizeWarnings } from './size-warnings.ts'

const around = { home: '/home/dev', root: '/home/dev/app' }

describe('renderRules', () => {
  it('renders title and rule without provenance', () => {
    const practices = [
      practice({ title: 'Read before editing', rule: 'Read a file before you change it.' }),
      practice({ title: 'Use pnpm.', rule: 'use pnpm' }),
      practice({ title: 'Two lines', rule: 'First:\n\n- one\r\n- two' }),
    ]
    expect(renderRules(practices, around)).toBe(
      [
        '## Practices',
        '',
        '- **Read before editing.** Read a file before you change it.',
        '- use pnpm',
        '- **Two lines.** First:',
        '',
        '  - one',
        '  - two',
      ].join('\n'),
    )
  })
})

describe('published text', () => {
  it.each([
    ['a secret', 'Log in with ghp_abcdefghijklmnopqrstuvwxyz0123456789.', 'Log in with [secret: github-token].'],
    ['a private span', 'Say <private>no</private> word.', 'Say [private] word.'],
    ['a path of the project', 'See /home/dev/app/src/a.ts in /home/dev/app.', 'See ./src/a.ts in ..'],
    ['a path of a neighbour', 'See /home/dev/app2/a.ts.', 'See ~/app2/a.ts.'],
    ['the home of somebody else', 'See /Users/mary/x and C:\\Users\\mary\\x.', 'See ~/x and ~\\x.'],
    ['a folder below another one', 'See docs/home/index.md.', 'See docs/home/index.md.'],
    [
      'a marker',
      'Write <!-- recollect:practices end --> never.',
      'Write &lt;!-- recollect:practices end --&gt; never.',
    ],
  ])('contains no %s', (_, text, expected) => {
    expect(sanitiseForSharing(text, around)).toBe(expected)
  })
})

describe('renderSkill', () => {
  it('renders the frontmatter and the steps', () => {
    const release = practice({
      path: 'practices/make-a-release',
      title: 'Make a "release"',
      rule: 'Releases are made from main.',
      steps: ['npm test', 'npm publish:\nwith a tag'],
    })
    expect(renderSkill(release, around)).toBe(
      [
        '---',
        'name: recollect-make-a-release',
        'description: "Make a \\"release\\". Releases are made from main."',
        '---',
        '',
        '# Make a "release"',
        '',
        'Releases are made from main.',
        '',
        '1. npm test',
        '2. npm publish:',
        '   with a tag',
      ].join('\n'),
    )
  })

  it.each([
    ['practices/make-a-release', 'recollect-make-a-release'],
    ['practices/größe', 'recollect-ca978112ca1b'],
    [`practices/${'long-'.repeat(20)}name`, 'recollect-ca978112ca1b'],
  ])('uses a name that every agent accepts: %s', (path, name) => {
    expect(skillName(practice({ path, id: 'a' }))).toBe(name)
  })
})

describe('sizeWarnings', () => {
  const many = Array.from({ length: 40 }, (_, index) =>
    practice({ title: `Rule ${index}`, rule: 'word '.repeat(60), sessions: index }),
  )
  const render = (practices: readonly Practice[]) => renderRules(practices, around)

  it('suggests the practices with the least evidence', () => {
    const [warning, ...more] = sizeWarnings(many, render, 'short\n')
    expect(more).toEqual([])
    expect(warning).toMatch(/tokens; 2000 are enough\. Seen least, and so the first to retire: Rule 0, Rule 1, /)
    const left = many.filter(({ title }) => !warning!.split(': ')[1]!.split(', ').includes(title))
    expect(left.length).toBeLessThan(many.length)
    expect(sizeWarnings(left, render, 'short\n')).toEqual([])
    expect(sizeWarnings(many.slice(many.length - left.length - 1), render, 'short\n')).toHaveLength(1)
  })

  it('warns of a long file', () => {
    expect(sizeWarnings(many.slice(0, 1), render, 'line\n'.repeat(201))).toEqual([expect.stringMatching(/201 lines/)])
    expect(sizeWarnings(many.slice(0, 1), render, 'line\n'.repeat(200))).toEqual([])
  })
})

function practice({ sessions = 3, ...fields }: Partial<Practice> & { sessions?: number }): Practice {
  return {
    id: 'p1',
    path: 'practices/one',
    title: 'One',
    version: '1.0.0',
    status: 'approved',
    problem: '',
    rule: 'Do it.',
    agents: [],
    projects: [],
    steps: [],
    provenance: { frequency: sessions, sessions, agents: [], evidence: '', examples: [] },
    history: [],
    ...fields,
  }
}
