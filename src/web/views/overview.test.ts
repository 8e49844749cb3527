import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SweptPage, sweptPage } from '../../../test/page/swept-page.ts'
import { claudeSession, sessionName } from '../../../test/program.ts'
import { rolloutWithLimits } from '../../../test/rollout-with-limits.ts'

describe('overview', () => {
  let home: SweptPage
  beforeAll(async () => {
    const [one, two] = [sessionName(1), sessionName(2)]
    home = await sweptPage(
      {
        [`.claude/projects/-home-dev-app/${one}.jsonl`]: claudeSession(one, 3),
        [`.claude/projects/-home-dev-app/${two}.jsonl`]: claudeSession(two, 2, { says: () => 'say <b>hello</b>' }),
        ...rolloutWithLimits('2026-08-03', 1, 40),
      },
      '2026-09-02T12:00:00Z',
    )
  })
  afterAll(() => home.remove())

  it('shows a year of activity with days to choose', async () => {
    const { status, text } = await home.get('/')
    expect(status).toBe(200)
    expect(text).toContain('<title>2026-09-01: 2 sessions')
    expect(text).toContain('href="/?day=2026-08-03"')
    expect(text).toContain('2025-09-01 to 2026-09-02, all agents')
    expect(text).toContain('<h2>Sessions</h2><div class="stat"><b>3</b>')
    expect(text).toContain('claude-opus-4-6')
    expect(text.length).toBeLessThan(150_000)
  })

  it('is filtered by day and agent through the address, and keeps one while the other changes', async () => {
    const { text } = await home.get('/?day=2026-08-03&agent=codex')
    expect(text).toContain('<h2>Sessions</h2><div class="stat"><b>1</b>')
    expect(text).not.toContain('claude-opus-4-6')
    expect(text).toContain('href="/?day=2026-08-03&amp;agent=claude-code"')
    expect(text).toContain('class="h1 is-current"')
    expect(text).toContain('href="/sessions?day=2026-08-03"')
  })

  it('counts outcomes of work and links the sessions', async () => {
    const { text } = await home.get('/')
    expect(text).toMatch(/href="\/sessions\?outcome=success&amp;kind=work"/)
    expect(text).toContain('Needs you')
  })

  it('ignores a day that is none, and escapes an agent that is none', async () => {
    const { status, text } = await home.get('/?day=2026-13-99&agent=%3Cscript%3E')
    expect(status).toBe(200)
    expect(text).not.toContain('<script>')
    expect(text).toContain('2025-09-01 to 2026-09-02, &lt;script&gt;')
  })
})

it('an empty ledger says what to run', async () => {
  const home = await sweptPage({}, '2026-09-02T12:00:00Z')
  const { text } = await home.get('/')
  expect(text).toContain('Nothing has been captured yet')
  expect(text).toContain('<code>recollect sweep</code>')
  home.remove()
})
