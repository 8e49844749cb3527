// The texts about storage that `sweep`, `status`, `doctor` and briefs share.
import { isoTime } from '../core/clock.ts'
import { type Config, defaultHardBytes } from '../core/config/config.ts'
import { formatSize, plural, type Zone } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'
import { retainedSizes, storeSizes, totalBytes } from '../store/sizes.ts'
import { type RetentionHold, readRetentionState } from './state.ts'

export interface StorageState {
  usedBytes: number
  softBytes: number
  hardBytes: number
  hold: RetentionHold | null
}

export function storageState(
  ledger: Ledger,
  { retain }: Pick<Config, 'retain'>,
  sizes = storeSizes(ledger),
): StorageState {
  const { softBytes, hardBytes } = retain
  const usedBytes = totalBytes(retainedSizes(ledger, sizes))
  return { usedBytes, softBytes, hardBytes, hold: readRetentionState(ledger).hold ?? null }
}

/** `3.1 MiB of 4.0 GiB (0 %)`. */
export function storageUse({ usedBytes, softBytes }: Pick<StorageState, 'usedBytes' | 'softBytes'>): string {
  const share = softBytes > 0 ? ` (${Math.round((100 * usedBytes) / softBytes)} %)` : ''
  return `${formatSize(usedBytes)} of ${formatSize(softBytes)}${share}`
}

/** Lines of at most 64 columns, so that they fit beside the name of a check. */
export interface StorageWarning {
  problem: string[]
  /** How to raise the limits. */
  keep: string[]
  /** How a person has the deletions done; not for agents. */
  confirm: string[]
}

/** What a person should know about storage; undefined below the limits. */
export function storageWarning({ hold, ...state }: StorageState, zone: Zone): StorageWarning | undefined {
  if (hold) return holdWarning(hold, state, zone)
  if (state.usedBytes <= state.softBytes) return undefined
  const keep = ['To keep more conversations,', ...raisedLimits(state)]
  return { problem: ['The store is over its limit.'], keep, confirm: [] }
}

/** The warning for briefs, from the ledger alone; undefined when nothing waits. */
export function announcement(ledger: Ledger, zone: Zone): string | undefined {
  const { hold, measured } = readRetentionState(ledger)
  if (!hold || !measured) return undefined
  const { problem, keep } = holdWarning(hold, { usedBytes: measured.bytes, ...measured.limits }, zone)
  return `Tell the user: ${[...problem, ...keep].join(' ')} More: "recollect status".`
}

export function holdWarning(hold: RetentionHold, state: Omit<StorageState, 'hold'>, zone: Zone): StorageWarning {
  const minute = (ms: number) => zone.minute(isoTime(ms))
  switch (hold.kind) {
    case 'announced': {
      const isOver = state.usedBytes > state.softBytes
      return {
        problem: [
          ...(isOver ? [`The store is over its limit: ${storageUse(state)}.`] : []),
          ...(hold.aged > 0 ? [`${plural(hold.aged, 'conversation')} reached the age of max_age_days.`] : []),
          `From ${minute(hold.fromMs)} on, the oldest conversations are`,
          'deleted. Digests and memories stay.',
        ],
        keep: [
          ...(isOver ? ['To keep them,', ...raisedLimits(state)] : []),
          ...(hold.aged > 0 ? ['To keep them at any age,', 'set max_age_days = 0 under [retain] in config.toml.'] : []),
        ],
        confirm: ['To delete them now: recollect sweep --evict'],
      }
    }
    case 'clock':
      return {
        problem: [
          `The clock moved from ${minute(hold.lastMs)} to ${minute(hold.nowMs)}.`,
          'Conversations above the limits are kept until you confirm it.',
        ],
        keep: [],
        confirm: ['If the clock is right: recollect sweep --evict'],
      }
    default:
      return hold satisfies never
  }
}

/**
 * How to raise the limits to about twice what is used. A hard limit in config.toml must not be lower
 * than the soft one.
 */
function raisedLimits({ usedBytes, softBytes, hardBytes }: Omit<StorageState, 'hold'>): string[] {
  const wanted = 2 * usedBytes
  const isHardGiven = hardBytes !== defaultHardBytes(softBytes)
  const hard = isHardGiven && wanted > hardBytes ? ` and hard = "${wholeUnits(1.5 * wanted)}"` : ''
  const setting = `set soft = "${wholeUnits(wanted)}"${hard}`
  return hard === '' ? [`${setting} under [retain] in config.toml.`] : [setting, 'under [retain] in config.toml.']
}

function wholeUnits(bytes: number): string {
  const [unit, name] = bytes >= 2 ** 30 ? [2 ** 30, 'GiB'] : [2 ** 20, 'MiB']
  return `${Math.max(1, Math.round(bytes / unit))} ${name}`
}
