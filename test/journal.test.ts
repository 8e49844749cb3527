// The journal: one file per day, which users edit too, written by concurrent processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { capture } from '../src/capture/capture.ts'
import { fixedClock } from '../src/core/clock.ts'
import { zoneOf } from '../src/core/units.ts'
import { digest } from '../src/digest/digest.ts'
import type { AskModel, JournalContext } from '../src/journal/context.ts'
import { entriesIn } from '../src/journal/day-file.ts'
import { writeJournal } from '../src/journal/journal.ts'
import { excerptOf } from '../src/journal/question.ts'
import { writeEntriesToFile } from '../src/journal/write-day.ts'
import type { Memory } from '../src/memory/memory.ts'
import type { ModelQuestion, ModelResponse } from '../src/models/context.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { changeMemories } from '../src/store/memories/changes.ts'
import { listDeadLetters } from '../src/store/memories/dead-letters.ts'
import { type TestHome, testHome } from './corpus/home.ts'
import { lines } from './program.ts'
import { isProof, scaled } from './proof.ts'
import { randomNumbers } from './random.ts'
import { sampleMemory } from './sample-memory.ts'

const homes: TestHome[] = []
const ledgers: Ledger[] = []
afterEach(() => {
  for (const ledger of ledgers.splice(0)) ledger.close()
  for (const home of homes.splice(0)) home.remove()
})

describe('writeJournal from digests', () => {
  it('writes the request, the activity, what was learned and what is open', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-30T09:00:00Z', [
      ['Add a retry to the webhook', 'I added it with a back-off.'],
      ['no, use the queue for that', 'Moved it to the queue.'],
      ['and the docs?', undefined],
    ])
    remember(context.ledger, 'claude-code:a', 'decision', 'Webhooks are retried by the queue')
    remember(context.ledger, 'claude-code:a', 'debugging', 'The proxy drops idle connections after 30 s')
    expect(await writeJournal(context)).toEqual({ entries: 1 })
    expect(read('2026-10-30').replace(/ [0-9a-f]{12} /g, ' hash ')).toBe(`# Friday, 2026-10-30

<!-- recollect:totals hash -->
_1 session_
<!-- /recollect:totals -->

## Sessions

<!-- recollect:entry claude-code:a 2026-10-30T09:00:00.000Z hash -->
### 09:00 Add a retry to the webhook (no answer)

_claude-code · app (main) · 3 prompts · 2 min · \`a\`_

**Asked**

- Add a retry to the webhook
- no, use the queue for that
- and the docs?

**Answer:** Moved it to the queue.

**Decided:** Webhooks are retried by the queue

**Found:** The proxy drops idle connections after 30 s

**Left open:** No answer to: “and the docs?”
<!-- /recollect:entry -->
`)
  })

  it('leaves nothing open if nothing shows whether the answer was right', async () => {
    const { session, context, read } = await made()
    await session('a', '2025-10-30T09:00:00Z', [
      ['Explain how the queue retries a webhook', 'It retries three times, then gives up.'],
    ])
    await writeJournal(context)
    expect(read('2025-10-30')).toContain('### 09:00 Explain how the queue retries a webhook\n')
    expect(read('2025-10-30')).toContain('**Answer:** It retries three times, then gives up.\n<!--')
  })

  it('tells decisions, options and what was put off', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-30T09:00:00Z', [
      ['Where should retries live?', 'Two ways:\n\n1. In the handler.\n2. In the queue.\n\nWhich one?'],
      ['option 2. We can fix the date format later.', 'The queue retries webhooks now.'],
    ])
    await writeJournal(context)
    expect(read('2026-10-30')).toContain('**Decided:** Option 2: In the queue.')
    expect(read('2026-10-30')).toContain('**Left open:** “We can fix the date format later.”')
  })

  it('links to the memories of the project if their page exists', async () => {
    const { session, context, read } = await made()
    const { projectFolder } = await import('../src/core/vault/files.ts')
    const page = join(context.ledger.layout.vault, 'memory', projectFolder('/home/dev/app'), 'MEMORY.md')
    mkdirSync(dirname(page), { recursive: true })
    writeFileSync(page, '')
    await session('a', '2026-10-30T09:00:00Z', [['one', 'two']])
    await writeJournal(context)
    expect(read('2026-10-30')).toContain(`[[memory/${projectFolder('/home/dev/app')}/MEMORY|app]] (main)`)
  })

  it('counts health checks and tells an unanswered prompt', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-30T09:00:00Z', [['ping', 'pong']])
    await session('b', '2026-10-30T10:00:00Z', [['Add a retry to the webhook', undefined]])
    expect(await writeJournal(context)).toEqual({ entries: 1 })
    expect(read('2026-10-30')).toContain('_1 session · 1 short or failed start_')
    expect(read('2026-10-30').match(/^(?:###|\*\*).*/gm)).toEqual([
      '### 10:00 Add a retry to the webhook (no answer)',
      '**Left open:** No answer to: “Add a retry to the webhook”',
    ])
    expect(context.ledger.sql('SELECT count(*) AS due FROM sessions WHERE journaled_through <> events').get()).toEqual({
      due: 0,
    })
  })
})

describe('a start without a result', () => {
  it('is a day with nothing else, and an entry once the session goes on', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-30T09:00:00Z', [['ping', 'pong']])
    expect(await writeJournal(context)).toEqual({ entries: 0 })
    expect(read('2026-10-30')).toContain('_1 short or failed start_')
    await session('a', '2026-10-30T09:00:00Z', [
      ['ping', 'pong'],
      ['Explain how the queue retries a webhook', 'The queue retries three times.'],
    ])
    expect(await writeJournal(context)).toEqual({ entries: 1 })
    expect(read('2026-10-30')).toContain('_1 session_')
    expect(read('2026-10-30')).toContain('### 09:00 Explain how the queue retries a webhook')
  })

  it('leaves nothing open if the next session was asked the same', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-30T09:00:00Z', [['Add a retry to the webhook of the shop', undefined]])
    await writeJournal(context)
    expect(read('2026-10-30')).toContain('No answer to')
    await session('b', '2026-10-30T09:01:00Z', [['Add a retry to the webhook of the shop', 'The queue retries now.']])
    expect(await writeJournal(context)).toEqual({ entries: 2 })
    expect(read('2026-10-30')).not.toContain('No answer to')
  })
})

describe('writeJournal of a session that grows', () => {
  it('updates the entry in place and is idempotent', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-30T09:00:00Z', [['First thing to do', 'That part works.']])
    await session('b', '2026-10-30T09:30:00Z', [['Another thing', 'Done too.']])
    await writeJournal(context)
    await session('a', '2026-10-30T09:00:00Z', [
      ['First thing to do', 'That part works.'],
      ['Second thing to do', 'And that as well.'],
    ])
    expect(await writeJournal(context)).toEqual({ entries: 1 })
    const content = read('2026-10-30')
    expect(content.match(/^### .*/gm)).toEqual(['### 09:00 First thing to do', '### 09:30 Another thing'])
    expect(content).toContain('**Answer:** And that as well.')
    expect(await writeJournal(context)).toEqual({ entries: 0 })
    expect(read('2026-10-30')).toBe(content)
  })

  it('SPEC A.18: loses no new exchange, however soon it follows the last', async () => {
    const { session, context, read } = await made()
    const turns: Turn[] = []
    for (let turn = 0; turn < 3; turn++) {
      turns.push([`Do part ${turn} of it`, `Part ${turn} is done.`])
      await session('a', '2026-10-30T09:00:00Z', turns)
      await writeJournal(context)
      await session(`other-${turn}`, '2026-10-30T09:10:00Z', [['Something else', 'Done.']])
      await writeJournal(context)
    }
    expect(read('2026-10-30')).toContain('**Answer:** Part 2 is done.')
    expect(read('2026-10-30').match(/^### /gm)).toHaveLength(4)
  })

  it('does not change an entry that a person has edited', async () => {
    const { session, context, read, path } = await made()
    await session('a', '2026-10-30T09:00:00Z', [['First thing to do', 'That part works.']])
    await writeJournal(context)
    const edited = read('2026-10-30').replace('That part works.', 'That part works. (It was not.)')
    writeFileSync(path('2026-10-30'), edited)
    await session('a', '2026-10-30T09:00:00Z', [
      ['First thing to do', 'That part works.'],
      ['Second thing to do', 'And that as well.'],
    ])
    expect(await writeJournal(context)).toEqual({ entries: 0 })
    expect(read('2026-10-30')).toBe(edited)
  })

  it('does not restore an entry or file that a person has deleted', async () => {
    const { session, context, path, days } = await made()
    await session('a', '2026-10-30T09:00:00Z', [['First thing to do', 'That part works.']])
    await writeJournal(context)
    rmSync(path('2026-10-30'))
    await session('a', '2026-10-30T09:00:00Z', [
      ['First thing to do', 'That part works.'],
      ['Second thing to do', 'And that as well.'],
    ])
    await writeJournal(context)
    expect(days()).toEqual([])
  })
})

describe('day of an entry', () => {
  it.each([
    ['UTC', '2026-10-30T23:59:00Z', '2026-10-30', '23:59'],
    ['Pacific/Auckland', '2026-10-30T23:59:00Z', '2026-10-31', '12:59'],
    ['America/Los_Angeles', '2026-10-30T05:00:00Z', '2026-10-29', '22:00'],
    ['Europe/Berlin', '2026-03-28T23:30:00Z', '2026-03-29', '00:30'],
    ['Europe/Berlin', '2026-03-29T22:30:00Z', '2026-03-30', '00:30'],
  ])('SPEC A.33: is the day in the configured time zone (%s, %s)', async (zone, start, day, time) => {
    const { session, context, read, days } = await made({ zone })
    await session('a', start, [['What day is it?', 'A good one.']])
    await writeJournal(context)
    expect(days()).toEqual([`${day}.md`])
    expect(read(day)).toContain(`### ${time} What day is it?`)
  })

  it('orders entries by time when clocks go back', async () => {
    const { session, context, read } = await made({ zone: 'Europe/Berlin' })
    await session('later', '2026-10-25T01:10:00Z', [['After the clock went back', 'Yes.']])
    await writeJournal(context)
    await session('earlier', '2026-10-25T00:50:00Z', [['Before the clock went back', 'Yes.']])
    await writeJournal(context)
    expect(read('2026-10-25').match(/^### .*/gm)).toEqual([
      '### 02:50 Before the clock went back',
      '### 02:10 After the clock went back',
    ])
  })

  it('stays when the time zone changes; what follows has the day of the new zone', async () => {
    const { session, context, days, read } = await made()
    await session('a', '2026-10-30T23:30:00Z', [['First thing to do', 'That part works.']])
    await writeJournal(context)
    await session('a', '2026-10-30T23:30:00Z', [
      ['First thing to do', 'That part works.'],
      ['Second', 'Done.'],
    ])
    await writeJournal({ ...context, zone: zoneOf('Asia/Tokyo') })
    expect(days()).toEqual(['2026-10-30.md', '2026-10-31.md'])
    expect(read('2026-10-30')).toContain('First thing to do (continued 2026-10-31)')
    expect(read('2026-10-30')).not.toContain('Second')
  })

  it('keeps what a person saves while an entry is written', async () => {
    const { path } = await made()
    const file = path('2026-10-30')
    mkdirSync(dirname(file), { recursive: true })
    let tries = 0
    const text = () => {
      if (tries++ === 0) writeFileSync(file, '# Saved just now\n')
      return '### 09:00 Entry'
    }
    writeEntriesToFile(file, '2026-10-30', [
      { session: 'codex:1', start: '2026-10-30T09:00:00.000Z', isKnown: false, text },
    ])
    expect(readFileSync(file, 'utf8').startsWith('# Saved just now\n\n## Sessions\n')).toBe(true)
  })

  it('keeps the text of a file that a person created', async () => {
    const { session, context, read, path } = await made()
    const own = '---\ntags: [daily]\n---\n# Freitag\n\nGut geschlafen.\n\n## Aufgaben\n\n- [ ] Steuer\n'
    mkdirSync(dirname(path('2026-10-30')), { recursive: true })
    writeFileSync(path('2026-10-30'), own)
    await session('a', '2026-10-30T09:00:00Z', [['First thing to do', 'That part works.']])
    await writeJournal(context)
    expect(read('2026-10-30').startsWith(`${own}\n## Sessions\n\n<!-- recollect:entry claude-code:a `)).toBe(true)
  })

  it('reports a file that cannot be written, writes the others and retries later', async () => {
    const { session, context, path, days } = await made()
    mkdirSync(path('2026-10-30'), { recursive: true })
    await session('a', '2026-10-30T09:00:00Z', [['First thing to do', 'That part works.']])
    await session('b', '2026-10-31T09:00:00Z', [['Another thing', 'Done too.']])
    expect(await writeJournal(context)).toEqual({ entries: 1 })
    expect(context.ledger.sql('SELECT path FROM problems').all()).toEqual([{ path: path('2026-10-30') }])
    rmSync(path('2026-10-30'), { recursive: true })
    expect(await writeJournal(context)).toEqual({ entries: 1 })
    expect(days()).toEqual(['2026-10-30.md', '2026-10-31.md'])
    expect(context.ledger.sql('SELECT path FROM problems').all()).toEqual([])
  })
})

describe('a session over several days', () => {
  const night: Turn[] = [
    ['Move the webhooks to the queue', 'The queue takes them now.'],
    ['Now write the docs of the queue', 'The docs describe retries.'],
    ['Also mention the limits', 'The limits are in the table.'],
  ]

  it('has an entry on each day with what was asked then', async () => {
    const { session, context, read, days } = await made()
    await session('a', '2026-10-29T23:59:00Z', night)
    expect(await writeJournal(context)).toEqual({ entries: 2 })
    expect(days()).toEqual(['2026-10-29.md', '2026-10-30.md'])
    expect(read('2026-10-29')).toContain('### 23:59 Move the webhooks to the queue (continued 2026-10-30)')
    expect(read('2026-10-29')).not.toContain('docs')
    expect(read('2026-10-30')).toContain('### 00:00 Move the webhooks to the queue')
    expect(read('2026-10-30')).toContain('· since 2026-10-29 23:59 ·')
    expect(read('2026-10-30')).toContain('- Now write the docs of the queue\n- Also mention the limits')
    expect(read('2026-10-30')).not.toContain('The queue takes them now.')
    expect(await writeJournal(context)).toEqual({ entries: 0 })
  })

  it('names the request of the day before if the answer comes after midnight', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-29T23:59:30Z', night.slice(0, 2))
    await writeJournal(context)
    expect(read('2026-10-30')).toContain(
      '- Move the webhooks to the queue (asked on 2026-10-29)\n- Now write the docs of the queue\n',
    )
  })

  it('is the same whether the days come at once or one after the other', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-29T23:59:00Z', night.slice(0, 1))
    await writeJournal(context)
    expect(read('2026-10-29')).not.toContain('continued')
    await session('a', '2026-10-29T23:59:00Z', night)
    expect(await writeJournal(context)).toEqual({ entries: 2 })
    const grown = [read('2026-10-29'), read('2026-10-30')]
    const atOnce = await made()
    await atOnce.session('a', '2026-10-29T23:59:00Z', night)
    await writeJournal(atOnce.context)
    expect([atOnce.read('2026-10-29'), atOnce.read('2026-10-30')]).toEqual(grown)
  })

  it('keeps the edits of a person on one day and writes the other', async () => {
    const { session, context, read, path } = await made()
    await session('a', '2026-10-29T23:59:00Z', night.slice(0, 1))
    await writeJournal(context)
    const edited = read('2026-10-29').replace('The queue takes them now.', 'Late, but it works.')
    writeFileSync(path('2026-10-29'), edited)
    await session('a', '2026-10-29T23:59:00Z', night)
    await writeJournal(context)
    expect(read('2026-10-29')).toBe(edited)
    expect(read('2026-10-30')).toContain('Now write the docs of the queue')
  })

  it('keeps entries of earlier versions and adds the missing days', async () => {
    const { session, context, read, path } = await made()
    await session('a', '2026-10-29T23:59:00Z', night)
    await writeJournal(context)
    const edited = read('2026-10-29').replace('The queue takes them now.', 'Late, but it works.')
    writeFileSync(path('2026-10-29'), edited)
    rmSync(path('2026-10-30'))
    context.ledger.sql("DELETE FROM journal_entries WHERE day = '2026-10-30'").run()
    context.ledger.sql('UPDATE journal_entries SET through = NULL').run()
    context.ledger.sql('UPDATE sessions SET journaled_through = 0').run()
    await writeJournal(context)
    expect(read('2026-10-29')).toBe(edited)
    expect(read('2026-10-30')).toContain('Now write the docs of the queue')
  })

  it('divides its cost among the days', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-29T23:59:00Z', night)
    const spend = (key: string, at: string, costUsd: number | null) =>
      context.ledger
        .sql(
          `INSERT INTO usage (key, session, ts, input, cache_read, cache_write, cache_write_1h, output, reasoning,
             cost_usd, is_agent_cost, is_lower_bound)
           SELECT CAST(? AS BLOB), id, ?, 1, 0, 0, 0, 1, 0, ?, 0, 0 FROM sessions WHERE uid = 'claude-code:a'`,
        )
        .run(key, Date.parse(at), costUsd)
    spend('one', '2026-10-29T23:59:40Z', 1.5)
    spend('two', '2026-10-30T00:00:40Z', 98)
    spend('three', '2026-10-31T08:00:00Z', 2)
    spend('four', '2026-10-31T08:01:00Z', null)
    expect(await writeJournal(context)).toEqual({ entries: 3 })
    expect(read('2026-10-29')).toContain('_1 session · $1.50_')
    expect(read('2026-10-30')).toContain('_1 session · $98.00_')
    expect(read('2026-10-31')).toContain('_1 session · at least $2.00_')
    const days = [...'901'].map((digit) => `2026-10-${digit === '9' ? 29 : `3${digit}`}`)
    const { root } = context.ledger.layout
    const shown = await Promise.all(days.map(async (day) => (await journal(root, day)).out.split('\n')[1]))
    expect(shown).toEqual(['1 session · $1.50', '1 session · $98.00', '1 session · at least $2.00'])
  })
})

describe('a session of which only usage is recorded', () => {
  it('has a line on each day with its cost', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-30T09:00:00Z', [['First thing to do', 'That part works.']])
    const { ledger } = context
    ledger
      .sql(
        `INSERT INTO sessions (uid, agent, kind, captured_at, digested_through, events)
         VALUES ('codex:quiet', 'codex', 'main', '2026-10-30T10:00:00.000Z', -1, 0)`,
      )
      .run()
    for (const time of ['2026-10-27T10:00:00Z', '2026-10-28T10:00:00Z'])
      ledger
        .sql(
          `INSERT INTO usage (key, session, ts, input, cache_read, cache_write, cache_write_1h, output, reasoning,
             cost_usd, is_agent_cost, is_lower_bound)
           SELECT CAST($time AS BLOB), id, $ms, 1, 0, 0, 0, 1, 0, 0.5, 0, 0 FROM sessions WHERE uid = 'codex:quiet'`,
        )
        .run({ time, ms: Date.parse(time) })
    digest(context)
    expect(await writeJournal(context)).toEqual({ entries: 3 })
    expect(read('2026-10-27')).toContain('_1 session · $0.50_')
    expect(read('2026-10-28')).toContain('_1 session · $0.50_')
    expect(read('2026-10-28')).toContain('### 10:00 No messages recorded\n\n_codex · under a minute · $0.50 · `quiet`_')
    expect(await writeJournal(context)).toEqual({ entries: 0 })
  })
})

describe('concurrent writers of the journal', () => {
  it.runIf(isProof)(
    'SPEC A.25: eight processes with 25 entries each leave 200 complete entries',
    async () => {
      const { context, path } = await made()
      const { root } = context.ledger.layout
      const children = Array.from({ length: 8 }, (_, index) => run(writer, root, path('2026-10-30'), String(index)))
      expect(await Promise.all(children.map(ended))).toEqual(children.map(() => 0))
      const entries = entriesIn(readFileSync(path('2026-10-30')))
      expect(entries.filter(({ isEdited }) => isEdited)).toEqual([])
      expect(new Set(entries.map(({ session }) => session)).size).toBe(200)
      expect(entries.length).toBe(200)
      expect(entries.map(({ start }) => start)).toEqual(entries.map(({ start }) => start).toSorted())
    },
    120_000,
  )

  it('four processes write every entry once', async () => {
    const { layOut, captureAll, context, read } = await made()
    for (let index = 0; index < 30; index++)
      layOut(`s${index}`, `2026-10-30T09:${String(index).padStart(2, '0')}:00Z`, [['Do it', 'Done.']])
    await captureAll()
    const children = Array.from({ length: 4 }, () => run(journalist, context.ledger.layout.root))
    expect(await Promise.all(children.map(ended))).toEqual([0, 0, 0, 0])
    expect(read('2026-10-30').match(/^### /gm)).toHaveLength(30)
    expect(await writeJournal(context)).toEqual({ entries: 0 })
  }, 120_000)

  it('lose and duplicate nothing when killed at random moments and run again', async () => {
    const { layOut, captureAll, context, days, read } = await made()
    for (let index = 0; index < 200; index++) {
      const start = new Date(Date.UTC(2026, 5, 1) + index * 43_200_000).toISOString()
      layOut(`s${index}`, start, [[`Do part ${index} of it`, 'Done.']])
    }
    await captureAll()
    const contents = () => days().map((day) => read(day.slice(0, 10)))
    await writeJournal(context)
    const calm = contents()
    expect(calm.length).toBe(100)
    const { layout } = context.ledger
    const random = randomNumbers()
    // One that is faster than the kill proves nothing, and is not counted.
    for (let cutShort = 0; cutShort < scaled(1, 8); ) {
      context.ledger.sql('UPDATE sessions SET journaled_through = 0').run()
      context.ledger.sql('DELETE FROM journal_entries').run()
      rmSync(layout.vault, { recursive: true })
      const enough = random() * 90
      await killedOnce(run(journalist, layout.root), () => days().length > enough)
      if (days().length < 100) cutShort++
      await writeJournal(context)
      expect(contents()).toEqual(calm)
      expect(await writeJournal(context)).toEqual({ entries: 0 })
    }
  })
})

describe('writeJournal after a kill between file and ledger', () => {
  it('updates the entry without a duplicate and removes temporary files', async () => {
    const { session, context, read, path } = await made()
    await session('a', '2026-10-30T09:00:00Z', [['First thing to do', 'That part works.']])
    await writeJournal(context)
    context.ledger.sql('UPDATE sessions SET journaled_through = 0').run()
    context.ledger.sql('DELETE FROM journal_entries').run()
    writeFileSync(`${path('2026-10-30')}.4711.tmp`, 'half an ent')
    await session('a', '2026-10-30T09:00:00Z', [
      ['First thing to do', 'That part works.'],
      ['Second thing to do', 'And that as well.'],
    ])
    expect(await writeJournal(context)).toEqual({ entries: 1 })
    expect(read('2026-10-30').match(/^### /gm)).toHaveLength(1)
    expect(read('2026-10-30')).toContain('And that as well.')
    expect(readdirSync(dirname(path('2026-10-30')))).toEqual(['2026-10-30.md'])
  })
})

describe('recollect journal', () => {
  it('shows the last or the given day', async () => {
    const { session, context, path } = await made()
    await session('a', '2026-10-30T09:00:00Z', [['First thing to do', 'That part works.']])
    await session('b', '2026-10-31T09:00:00Z', [['Another thing', 'Done too.']])
    await writeJournal(context)
    const { root } = context.ledger.layout
    expect((await journal(root)).out).toContain('09:00 Another thing')
    const shown = await journal(root, '2026-10-30')
    expect(shown).toMatchObject({ code: 0 })
    expect(shown.out).toBe(`Friday, 2026-10-30
1 session

09:00 First thing to do

claude-code · app (main) · 1 prompt · 1 min · \`a\`

Answer: That part works.
`)
    const totals = { sessions: 1, starts: 0, costUsd: 0, responses: 0, unpriced: 0 }
    expect(JSON.parse((await journal(root, '2026-10-30', '--json')).out)).toEqual({
      day: '2026-10-30',
      path: join(root, 'vault/journal/2026-10-30.md'),
      text: expect.stringContaining('## Sessions'),
      entries: [
        {
          session: 'claude-code:a',
          title: 'First thing to do',
          start: '2026-10-30T09:00:00.000Z',
          text: expect.stringContaining('**Answer:** That part works.'),
          isEdited: false,
        },
      ],
      totals,
      wentOn: [],
    })
    expect((await journal(root, '2026-10-31', '--path')).out).toBe(`${join(root, 'vault/journal/2026-10-31.md')}\n`)
    expect(JSON.parse((await journal(root, '--list', '--json')).out)).toEqual(
      ['2026-10-30', '2026-10-31'].map((day) => expect.objectContaining({ day, entries: 1 })),
    )
    rmSync(path('2026-10-30'))
    const deleted = await journal(root, '2026-10-30')
    expect(deleted).toMatchObject({ code: 0 })
    expect(deleted.out).toContain('Active without an entry: 1 session\n- First thing to do (a)')
  })

  it('wraps at 80 columns without marks of Markdown', async () => {
    const { session, context } = await made()
    const long = 'The queue keeps every webhook until the service has answered, and tries again with a growing pause.'
    await session('a', '2026-10-30T09:00:00Z', [
      ['Add a retry to the webhook <script>', long],
      ['Now write down how it works and why it is in the queue and not in the handler', `${long} ${long}`],
    ])
    await writeJournal(context)
    const { out } = await journal(context.ledger.layout.root, '2026-10-30')
    expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80)
    expect(out).not.toMatch(/<!--|^#|\*\*|&lt;/m)
    expect(out).toContain('- Add a retry to the webhook <script>')
  })

  it('fails for a day without journal and for an invalid day', async () => {
    const { session, context } = await made()
    const { root } = context.ledger.layout
    expect(await journal(root)).toMatchObject({ code: 1, err: 'The journal is empty. Run: recollect sweep\n' })
    await session('a', '2026-10-30T09:00:00Z', [['First thing to do', 'That part works.']])
    await writeJournal(context)
    expect(await journal(root, '2026-10-12')).toMatchObject({
      code: 1,
      err: 'No entry for 2026-10-12. The nearest days with entries: 2026-10-30.\n',
    })
    expect(await journal(root, 'today', '--json')).toMatchObject({ code: 1 })
    expect(await journal(root, '2026-02-30')).toMatchObject({
      code: 2,
      err: expect.stringContaining('"2026-02-30" is not a day'),
    })
  })
})

describe('writeJournal with a model', () => {
  const summary = {
    nothingWorthKeeping: false,
    context: 'The webhook lost events when the proxy restarted.',
    keyExchanges: ['A retry in the handler was tried first and dropped.'],
    decisions: [{ what: 'Retry in the queue', why: 'the handler has no memory' }],
    lessons: ['The proxy drops idle connections\n<!-- /recollect:entry -->\n## Forged'],
    actionItems: ['Write the docs'],
  }

  const failed: ModelResponse<never> = { kind: 'failed', reasons: [{ provider: 'ollama', reason: 'timeout' }] }
  const talk: Turn[] = [
    ['Add a retry', 'Added to the handler.'],
    ['Rather in the queue', 'That part works.'],
  ]

  it('keeps decisions that were learned, beside those of the model', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-31T09:00:00Z', talk)
    remember(context.ledger, 'claude-code:a', 'decision', 'Webhooks of partners are signed with their own key')
    remember(context.ledger, 'claude-code:a', 'decision', 'Retry in the queue, the handler has no memory')
    await writeJournal({ ...context, ask: scripted([answered(summary)]) })
    expect(read('2026-10-31')).toContain(
      '- Retry in the queue. Why: the handler has no memory.\n- Webhooks of partners are signed with their own key\n\n',
    )
  })

  it('writes about the last day of a session', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-30T23:59:00Z', talk)
    await writeJournal(context)
    const first = read('2026-10-30')
    await writeJournal({ ...context, ask: scripted([answered(summary)]) })
    expect(read('2026-10-30')).toBe(first)
    expect(read('2026-10-31')).toContain('**About:** The webhook lost events')
  })

  it('replaces the entry from the digest when the session is idle', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-31T09:00:00Z', talk)
    const asked: ModelQuestion<unknown>[] = []
    const ask = scripted([answered(summary)], asked)
    expect(await writeJournal({ ...context, ask })).toEqual({ entries: 1 })
    const content = read('2026-10-31')
    expect(content).toContain('· written by ollama small_')
    expect(content).toContain('**About:** The webhook lost events when the proxy restarted.')
    expect(content).toContain('**Decided:** Retry in the queue. Why: the handler has no memory.')
    expect(content).toContain('**Found:** The proxy drops idle connections &lt;!-- /recollect:entry -->\n')
    expect(content).not.toContain('Forged')
    expect(entriesIn(Buffer.from(content))).toEqual([expect.objectContaining({ isEdited: false })])
    expect(asked.map(({ purpose, session }) => [purpose, session])).toEqual([['journal', 'claude-code:a']])
    expect(asked[0]!.text).toContain('USER:\nAdd a retry')
    await writeJournal({ ...context, ask })
    expect(asked).toHaveLength(1)
  })

  it('does not ask about active sessions, old sessions and single replies', async () => {
    const { session, context } = await made()
    await session('single', '2026-10-31T09:00:00Z', [['What is a queue?', 'A line of things.']])
    await session('running', '2026-11-01T11:50:00Z', talk)
    await session('old', '2026-09-01T09:00:00Z', talk)
    const asked: ModelQuestion<unknown>[] = []
    expect(await writeJournal({ ...context, ask: scripted([], asked) })).toEqual({ entries: 3 })
    expect(asked).toEqual([])
    context.ledger
      .sql("INSERT INTO hook_events VALUES ('claude-code:running', 'SessionEnd', 'end', '', ?)")
      .run(Date.parse('2026-11-01T11:55:00Z'))
    await writeJournal({ ...context, ask: scripted([answered(summary)], asked) })
    expect(asked.map(({ session }) => session)).toEqual(['claude-code:running'])
  })

  it('asks again an hour after no model was available', async () => {
    const { session, context } = await made()
    await session('a', '2026-11-01T09:00:00Z', talk)
    const asked: ModelQuestion<unknown>[] = []
    for (const time of ['12:00', '12:59', '13:00']) {
      const clock = fixedClock(`2026-11-01T${time}:00Z`)
      await writeJournal({ ...context, clock, ask: scripted([], asked) })
    }
    expect(asked).toHaveLength(2)
  })

  it('keeps the text of the model while the session grows and asks again when it is idle', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-11-01T09:00:00Z', talk)
    await writeJournal({ ...context, ask: scripted([answered(summary)]) })
    await session('a', '2026-11-01T09:00:00Z', [...talk, ['And the docs', 'Written.']])
    await writeJournal(context)
    expect(read('2026-11-01')).toContain('3 prompts')
    expect(read('2026-11-01')).toContain('written by ollama small, went on since_')
    expect(read('2026-11-01')).toContain('**About:** The webhook lost events')
    await writeJournal({ ...context, ask: scripted([answered({ ...summary, context: 'Now with docs.' })]) })
    expect(read('2026-11-01')).toContain('written by ollama small_')
    expect(read('2026-11-01')).toContain('**About:** Now with docs.')
  })

  it('SPEC A.22: keeps the entry from the digest after a failure and retries later', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-31T09:00:00Z', talk)
    await writeJournal({ ...context, ask: scripted([failed]) })
    const fromDigest = read('2026-10-31')
    expect(fromDigest).toContain('**Answer:** That part works.')
    expect(listDeadLetters(context.ledger)).toEqual([
      expect.objectContaining({ purpose: 'journal', session: 'claude-code:a', reason: 'ollama: timeout', rounds: 1 }),
    ])
    const asked: ModelQuestion<unknown>[] = []
    await writeJournal({ ...context, ask: scripted([], asked) })
    expect(asked).toEqual([])
    const later = { ...context, clock: fixedClock('2026-11-01T20:00:00Z') }
    await writeJournal({ ...later, ask: scripted([answered(summary)], asked) })
    expect(asked).toHaveLength(1)
    expect(read('2026-10-31')).toContain('**About:**')
    expect(listDeadLetters(context.ledger)).toEqual([])
  })

  it('SPEC A.22: stops after three failures until a person retries or the session grows', async () => {
    const { session, context } = await made()
    await session('a', '2026-10-31T09:00:00Z', talk)
    const asked: ModelQuestion<unknown>[] = []
    for (const hour of ['12', '19', '20']) {
      const clock = fixedClock(`2026-11-0${hour === '20' ? 2 : 1}T${hour}:00:00Z`)
      await writeJournal({ ...context, clock, ask: scripted([failed], asked) })
    }
    expect(asked).toHaveLength(3)
    expect(listDeadLetters(context.ledger)).toMatchObject([{ isQuarantined: true, rounds: 3 }])
    const clock = fixedClock('2026-11-03T09:00:00Z')
    await writeJournal({ ...context, clock, ask: scripted([], asked) })
    expect(asked).toHaveLength(3)
    await session('a', '2026-10-31T09:00:00Z', [...talk, ['And the docs', 'Written.']])
    await writeJournal({ ...context, clock, ask: scripted([answered(summary)], asked) })
    expect(asked).toHaveLength(4)
    expect(listDeadLetters(context.ledger)).toEqual([])
  })

  it('SPEC A.23: accepts "nothing worth keeping", keeps the file and does not ask again', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-31T09:00:00Z', talk)
    await writeJournal(context)
    const before = read('2026-10-31')
    const empty = {
      nothingWorthKeeping: true,
      context: '',
      keyExchanges: [],
      decisions: [],
      lessons: [],
      actionItems: [],
    }
    const asked: ModelQuestion<unknown>[] = []
    const ask = scripted([answered(empty)], asked)
    expect(await writeJournal({ ...context, ask })).toEqual({ entries: 0 })
    expect(await writeJournal({ ...context, ask })).toEqual({ entries: 0 })
    expect(read('2026-10-31')).toBe(before)
    expect(asked).toHaveLength(1)
  })

  it('SPEC A.23: writes no entry from an empty answer', async () => {
    const { session, context, read } = await made()
    await session('a', '2026-10-31T09:00:00Z', talk)
    await session('b', '2026-10-30T09:00:00Z', talk)
    const empty = {
      nothingWorthKeeping: false,
      context: ' ',
      keyExchanges: [''],
      decisions: [],
      lessons: [],
      actionItems: [],
    }
    const about = { ...empty, context: 'How nothingWorthKeeping: true is told from a text that says FLUSH_OK.' }
    await writeJournal({ ...context, ask: scripted([answered(empty), answered(about)]) })
    expect(read('2026-10-31')).toContain('**Answer:** That part works.')
    expect(read('2026-10-30')).toContain('**About:** How nothingWorthKeeping: true is told')
  })

  it('does not ask about an entry that a person has edited', async () => {
    const { session, context, read, path } = await made()
    await session('a', '2026-10-31T09:00:00Z', talk)
    await writeJournal(context)
    const edited = read('2026-10-31').replace('That part works.', 'I did that.')
    writeFileSync(path('2026-10-31'), edited)
    await writeJournal({ ...context, ask: scripted([answered(summary)]) })
    expect(read('2026-10-31')).toBe(edited)
    const asked: ModelQuestion<unknown>[] = []
    await writeJournal({ ...context, ask: scripted([], asked) })
    expect(asked).toEqual([])
  })
})

describe('excerptOf', () => {
  const exchange = (index: number, reply: string) => ({ at: null, prompt: `Question ${index}`, replies: [reply] })

  it('SPEC A.15: cuts between exchanges, never at bold text inside of one', () => {
    const bold = `Before.\n**User:** is what I would call it.\n${'word '.repeat(100)}`
    const exchanges = [1, 2, 3, 4].map((index) => exchange(index, `${bold}${index}`))
    const text = excerptOf(exchanges, 1300)
    expect(text.startsWith('(2 earlier exchanges are left out)\n\nUSER:\nQuestion 3\n\nAGENT:\nBefore.')).toBe(true)
    expect(text.endsWith('4')).toBe(true)
    expect(text.length).toBeLessThanOrEqual(1300)
  })

  it('SPEC A.15: includes the newest exchange even if it alone is too long', () => {
    const text = excerptOf([exchange(1, 'short'), exchange(2, `BEGIN ${'x'.repeat(50_000)} END`)], 15_000)
    expect(text).toContain('Question 2')
    expect(text).toContain('BEGIN')
    expect(text).toContain('END')
    expect(text.length).toBeLessThanOrEqual(15_000)
  })

  it('SPEC A.15: has a summary of the whole session above the excerpt', async () => {
    const { session, context } = await made()
    const turns = Array.from({ length: 40 }, (_, index): Turn => [`Ask ${index}`, 'A long answer. '.repeat(60)])
    await session('a', '2026-10-31T09:00:00Z', turns)
    const asked: ModelQuestion<unknown>[] = []
    await writeJournal({ ...context, ask: scripted([{ kind: 'unavailable', reasons: [] }], asked) })
    expect(asked[0]!.text.length).toBeLessThanOrEqual(15_000)
    expect(asked[0]!.text).toContain('Asked (first): Ask 0')
    expect(asked[0]!.text).toContain('USER:\nAsk 39')
  })
})

type Turn = [prompt: string, reply: string | undefined]

interface Made {
  context: JournalContext
  /** Lays out a session as Claude Code would, and captures it. */
  session(name: string, start: string, turns: Turn[]): Promise<void>
  /** The same without capturing it yet. */
  layOut(name: string, start: string, turns: Turn[]): void
  captureAll(): Promise<void>
  path(day: string): string
  read(day: string): string
  days(): string[]
}

async function made(options: { zone?: string } = {}): Promise<Made> {
  const home = testHome()
  homes.push(home)
  const clock = fixedClock('2026-11-01T12:00:00Z')
  const app = createApp({ machine: home.machine, clock })
  const ledger = app.ledger()
  ledgers.push(ledger)
  const folder = join(ledger.layout.vault, 'journal')
  const captureAll = async () => {
    await capture(app.context(ledger), {})
    digest({ ledger, clock })
  }
  return {
    context: { ledger, clock, zone: zoneOf(options.zone ?? 'UTC') },
    captureAll,
    async session(name, start, turns) {
      home.write(`.claude/projects/-home-dev-app/${name}.jsonl`, transcript(name, start, turns))
      await captureAll()
    },
    layOut: (name, start, turns) =>
      void home.write(`.claude/projects/-home-dev-app/${name}.jsonl`, transcript(name, start, turns)),
    path: (day) => join(folder, `${day}.md`),
    read: (day) => readFileSync(join(folder, `${day}.md`), 'utf8'),
    days: () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : []),
  }
}

/** Each exchange takes a minute; an answer comes after half of one. */
function transcript(name: string, start: string, turns: readonly Turn[]): string {
  const base = { sessionId: name, cwd: '/home/dev/app', version: '2.1.219', gitBranch: 'main', isSidechain: false }
  const at = (turn: number, seconds: number) =>
    new Date(Date.parse(start) + turn * 60_000 + seconds * 1000).toISOString()
  const records = turns.flatMap(([prompt, reply], turn) => [
    {
      ...base,
      type: 'user',
      uuid: `${name}-${turn}-prompt`,
      timestamp: at(turn, 0),
      message: { role: 'user', content: prompt },
    },
    ...(reply === undefined
      ? []
      : [
          {
            ...base,
            type: 'assistant',
            uuid: `${name}-${turn}-reply`,
            timestamp: at(turn, 30),
            message: { role: 'assistant', content: [{ type: 'text', text: reply }] },
          },
        ]),
  ])
  return lines(records)
}

function remember(ledger: Ledger, session: string, kind: Memory['kind'], text: string): void {
  const at = '2026-10-30T10:00:00.000Z'
  const memory = sampleMemory({
    id: `memory of ${text}`,
    kind,
    text,
    importance: 0.5,
    evidence: [{ session, event: null, quote: text }],
    at,
  })
  ledger.transaction(() => changeMemories(ledger, { at, kind: 'learned', about: text }, [memory]))
}

/** A model that gives these answers in turn; what it was asked is kept. */
function scripted(answers: ModelResponse<unknown>[], asked: ModelQuestion<unknown>[] = []): AskModel {
  const left = [...answers]
  return async (question) => {
    asked.push(question)
    const answer = left.shift() ?? { kind: 'unavailable', reasons: [] }
    if (answer.kind !== 'answered') return answer
    return { ...answer, value: question.schema.parse(answer.value) }
  }
}

function answered(value: unknown): ModelResponse<unknown> {
  return { kind: 'answered', value, provider: 'ollama', model: 'small', costUsd: 0 }
}

const source = (path: string) => pathToFileURL(join(import.meta.dirname, '../src', path)).href

/** Twenty-five entries, one after the other: each takes the lock again. */
const writer = `
  import { writeEntriesToFile, withJournalLock } from '${source('journal/write-day.ts')}'
  import { systemClock } from '${source('core/clock.ts')}'
  import { layoutOf } from '${source('core/paths.ts')}'
  const [root, path, name] = process.argv.slice(1)
  for (let index = 0; index < 25; index++) {
    const start = new Date(Date.UTC(2026, 9, 30, index % 24, Number(name))).toISOString()
    const text = '### Entry ' + index + ' of ' + name + '\\n\\n' + 'A line of it.\\n'.repeat(20)
    const wanted = { session: 'codex:' + name + '-' + index, start, isKnown: false, text: () => text }
    await withJournalLock(layoutOf(root), systemClock, () => writeEntriesToFile(path, '2026-10-30', [wanted]))
  }`

const journalist = `
  import { writeJournal } from '${source('journal/journal.ts')}'
  import { fixedClock } from '${source('core/clock.ts')}'
  import { layoutOf } from '${source('core/paths.ts')}'
  import { zoneOf } from '${source('core/units.ts')}'
  import { openLedger } from '${source('store/ledger.ts')}'
  const ledger = openLedger(layoutOf(process.argv[1]))
  await writeJournal({ ledger, clock: fixedClock('2026-11-01T12:00:00Z'), zone: zoneOf('UTC') })
  ledger.close()`

/** The command as the program has it. */
const command = `
  import { Command } from 'commander'
  import { addJournal } from '${source('cli/wiki/journal.ts')}'
  import { createTerminal } from '${source('cli/terminal.ts')}'
  const terminal = createTerminal(process.stdout, process.stderr, { colour: false, columns: 80 })
  const program = new Command('recollect')
  addJournal({ program, terminal, exit: (code) => { process.exitCode = code } })
  try {
    await program.parseAsync(['journal', ...process.argv.slice(1)], { from: 'user' })
  } catch (error) {
    terminal.say(error.message + ' ' + error.hint)
    process.exitCode = error.exitCode
  }`

async function journal(root: string, ...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', command, '--', ...args], {
    env: { ...process.env, RECOLLECT_HOME: root, TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: import.meta.dirname,
  })
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended(child)])
  return { code, out, err }
}

function run(code: string, ...args: string[]): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', code, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on('exit', (code) => resolve(code)))
}

async function killedOnce(child: ChildProcess, isTime: () => boolean): Promise<void> {
  const end = ended(child)
  const timer = setInterval(() => isTime() && child.kill('SIGKILL'), 1)
  await end
  clearInterval(timer)
}
