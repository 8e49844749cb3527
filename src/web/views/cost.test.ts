import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SweptPage, sweptPage } from '../../../test/page/swept-page.ts'
import { claudeSession, sessionName } from '../../../test/program.ts'
import { rolloutWithLimits } from '../../../test/rollout-with-limits.ts'

describe('cost', () => {
  let home: SweptPage
  beforeAll(async () => {
    const one = sessionName(1)
    home = await sweptPage(
      {
        [`.claude/projects/-home-dev-app/${one}.jsonl`]: claudeSession(one, 3),
        ...rolloutWithLimits('2026-08-03', 1, 40),
        ...rolloutWithLimits('2026-08-04', 2, 61, 'a-model-without-price'),
      },
      '2026-09-01T12:00:00Z',
    )
  })
  afterAll(() => home.remove())

  it.each([
    ['day', ['2026-09-01', '2026-08-04', '2026-08-03']],
    ['week', ['Week of 2026-08-31', 'Week of 2026-08-03']],
    ['month', ['2026-09', '2026-08']],
    ['agent', ['codex', 'claude-code']],
  ])('lists usage by %s, with links to the sessions', async (by, expected) => {
    const { text } = await home.get(`/cost?by=${by}`)
    const names = [...text.matchAll(/<tr data-row><td><a href="[^"]*by=session[^"]*">(.*?)<\/a>/g)]
    expect(names.map(([, name]) => name!.replace(/<[^>]*>/g, '').trim())).toEqual(expected)
  })

  it.each(['session', 'project', 'model', 'block'])('lists usage by %s', async (by) => {
    const { status, text } = await home.get(`/cost?by=${by}`)
    expect(status).toBe(200)
    expect(text).toContain('<tr data-row>')
    expect(text.length).toBeLessThan(150_000)
  })

  it('says where prices are not known', async () => {
    const { text } = await home.get('/cost?by=model')
    expect(text).toContain('at least: 1 response without a known price')
    expect(text).toMatch(/a-model-without-price<\/td>.*unknown/)
  })

  it('filters by agent and days', async () => {
    const { text } = await home.get('/cost?by=day&agent=codex&from=2026-08-04&to=2026-08-31')
    expect([...text.matchAll(/<tr data-row>/g)]).toHaveLength(1)
    expect((await home.get('/cost?from=2027-01-01')).text).toContain('No tokens were recorded for this choice')
  })

  it('projects the block that is not over', async () => {
    const { text } = await home.get('/cost?by=block')
    expect(text).toContain('<span class="chip good">active</span>')
    expect(text).toContain('at its end, if it goes on like this')
  })

  it('shows the latest rate limits', async () => {
    const { text } = await home.get('/cost')
    expect(text).toContain('61 % used')
    expect(text).toContain('5 hours')
  })

  it('saves the table as CSV', async () => {
    const { text, headers } = await home.get('/cost.csv?by=model&agent=codex')
    expect(headers.get('content-disposition')).toBe('attachment; filename="recollect-cost-by-model.csv"')
    const [head, ...rows] = text.trim().split('\r\n')
    expect(head).toBe(
      'model,sessions,responses,input,cached,cache_writes,output,cost_usd,responses_without_price,cache_share,responses_with_unknown_tokens',
    )
    expect(rows.map((row) => row.split(',').slice(0, 7))).toEqual([
      ['gpt-5.5', '1', '1', '2000', '7000', '0', '300'],
      ['a-model-without-price', '1', '1', '2000', '7000', '0', '300'],
    ])
    expect((await home.get('/cost.csv?by=session')).text).toContain('claude-code:')
    expect((await home.get('/cost.csv?by=block')).text).toMatch(/^start,end,/)
  })
})
