// Cost by five-hour block, with the state of the block that is not over and the rate limits that agents recorded.
import { isoTime } from '../../core/clock.ts'
import { formatCount, formatDuration, type Zone } from '../../core/units.ts'
import { windowText } from '../../core/usage/rate-limits.ts'
import { blockCsv, blocksOf, type UsageBlock } from '../../store/cost/blocks.ts'
import { addUsage, costText, noUsage, tokensOf } from '../../store/cost/counts.ts'
import { type AccountLimit, accountLimits } from '../../store/sessions/rate-limits.ts'
import { usageRows } from '../../store/sessions/usage.ts'
import { csvOf } from '../../text/csv.ts'
import type { Column } from '../column-widths.ts'
import { table } from '../terminal.ts'
import { type CostOutput, costColumn } from './cost-output.ts'

/** Returns whether there was nothing to print. */
export function printBlocks({ terminal, app, ledger, options, filter }: CostOutput): boolean {
  const { sinceMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY, ...whose } = filter
  const nowMs = app.clock.nowMs()
  // A block depends on those before it, so all are made before some are chosen.
  const blocks = blocksOf([...usageRows(ledger, whose)], nowMs)
    .filter(({ startMs, burn }) => (startMs >= sinceMs || burn) && startMs < untilMs)
    .reverse()
  const limits = accountLimits(ledger, nowMs).filter(({ agent }) => whose.agent === undefined || agent === whose.agent)
  if (options.json) terminal.json({ by: 'block', rows: blocks.map(jsonRow), total: totalOf(blocks), limits })
  else if (options.csv) terminal.print(csvOf(blocks.map((block) => blockCsv(block, isoTime))).trimEnd())
  else {
    if (blocks.length > 0) terminal.print(blockTable(blocks, app.zone, terminal.columns))
    for (const block of blocks) if (block.burn) terminal.print(`\n${activeText(block, app.zone, nowMs)}`)
    const current = limitTable(limits, app.zone, terminal.columns)
    if (current) terminal.print(`\n${current}`)
  }
  return blocks.length === 0
}

/** Only windows that were not reset since; undefined without one. */
function limitTable(limits: readonly AccountLimit[], zone: Zone, width: number): string | undefined {
  const current = limits.filter((limit) => !limit.isOver)
  if (current.length === 0) return undefined
  return table(
    [
      { title: 'limit' },
      { title: 'window' },
      { title: 'used', align: 'right' },
      { title: 'resets' },
      { title: 'recorded' },
    ],
    current.map((limit) => [
      limit.limit === limit.agent ? limit.agent : `${limit.agent}: ${limit.limit}`,
      windowText(limit),
      `${Math.round(limit.usedPercent)} %`,
      limit.resetsAt === null ? 'unknown' : zone.minute(limit.resetsAt),
      zone.minute(limit.at),
    ]),
    width,
  )
}

function blockTable(blocks: readonly UsageBlock[], zone: Zone, width: number): string {
  const agents = new Set(blocks.map(({ agent }) => agent))
  const right = { align: 'right' as const }
  const columns: Column[] = [
    { title: 'start' },
    { title: 'end', rank: 5 },
    ...(agents.size > 1 ? [{ title: 'agent', rank: 2 }] : []),
    { title: 'idle before', ...right, rank: 4 },
    { title: 'sessions', ...right, rank: 6 },
    { title: 'responses', ...right, rank: 7 },
    { title: 'tokens', ...right, rank: 1 },
    { title: 'output', ...right, rank: 3 },
    costColumn,
    { title: '' },
  ]
  const total = totalOf(blocks)
  const cells = blocks.map((block) => [
    zone.minute(isoTime(block.startMs)),
    zone.minute(isoTime(block.endMs)).slice(11),
    ...(agents.size > 1 ? [block.agent] : []),
    block.gapMs === null ? '' : idleText(block.gapMs),
    formatCount(block.sessions),
    formatCount(block.responses),
    formatCount(tokensOf(block)),
    formatCount(block.output),
    costText(block),
    block.burn ? 'active' : '',
  ])
  const sums = [formatCount(total.responses), formatCount(tokensOf(total)), formatCount(total.output), costText(total)]
  return table(columns, [...cells, ['total', '', ...(agents.size > 1 ? [''] : []), '', '', ...sums, '']], width)
}

/** `9 h`, `3 days`. */
function idleText(ms: number): string {
  const hours = Math.floor(ms / 3_600_000)
  return hours < 48 ? `${hours} h` : `${formatCount(Math.floor(hours / 24))} days`
}

function activeText(block: UsageBlock, zone: Zone, nowMs: number): string {
  const { costPerHour, tokensPerMinute, projectedUsd, projectedTokens } = block.burn!
  const textOf = (costUsd: number) => costText({ ...block, costUsd })
  const end = zone.minute(isoTime(block.endMs)).slice(11)
  return [
    `Active block of ${block.agent} until ${end}: ${formatDuration(block.endMs - nowMs)} left`,
    `  so far      ${costText(block)}, ${formatCount(tokensOf(block))} tokens`,
    `  burn rate   ${textOf(costPerHour)} an hour, ${formatCount(Math.round(tokensPerMinute))} tokens a minute`,
    `  at its end  ${textOf(projectedUsd)}, ${formatCount(Math.round(projectedTokens))} tokens at this rate`,
  ].join('\n')
}

function totalOf(blocks: readonly UsageBlock[]) {
  const total = { name: 'total', ...noUsage() }
  for (const block of blocks) addUsage(total, block)
  return total
}

function jsonRow({ startMs, endMs, firstMs, lastMs, gapMs, burn, ...block }: UsageBlock): object {
  return {
    name: isoTime(startMs),
    ...block,
    start: isoTime(startMs),
    end: isoTime(endMs),
    first: isoTime(firstMs),
    last: isoTime(lastMs),
    idleBeforeMs: gapMs,
    isActive: burn !== undefined,
    burn: burn ?? null,
  }
}
