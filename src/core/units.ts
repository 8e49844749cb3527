// Parses and formats sizes, money and times.

const sizeUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

export function parseSize(value: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?\s*$/i.exec(value)
  if (!match) return undefined
  const power = ['', 'K', 'M', 'G', 'T'].indexOf(match[2]!.toUpperCase())
  return Math.round(Number(match[1]) * (match[3] || power === 0 ? 1024 : 1000) ** power)
}

export function formatSize(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < sizeUnits.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${sizeUnits[unit]}`
}

export function formatCount(value: number): string {
  if (value < 10_000) return Number.isInteger(value) ? groupDigits(value) : value.toLocaleString('en-US')
  if (value < 999_500) return `${Math.round(value / 1000)}k`
  return value < 999_950_000 ? `${(value / 1e6).toFixed(1)}M` : `${(value / 1e9).toFixed(2)}G`
}

/** `9,999` without `toLocaleString`, whose first call takes milliseconds. */
function groupDigits(value: number): string {
  return String(value).replace(/(?<=\d)\d{3}$/, ',$&')
}

/** `1 prompt`, `2 prompts`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

export function formatUsd(value: number | null, isLowerBound = false): string {
  if (value === null) return 'unknown'
  const amount = value !== 0 && value < 0.01 ? `$${value.toFixed(4)}` : `$${value.toFixed(2)}`
  return isLowerBound ? `≥ ${amount}` : amount
}

export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

/** How long something took: `125 ms`, `22.8 s`, `2 min 5 s`. */
export function formatElapsed(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : formatDuration(ms)
}

export interface Zone {
  /** `2026-09-01 10:00` in the zone. */
  minute(iso: string): string
  /** `2026-09-01` in the zone. */
  day(iso: string): string
  /** Time in milliseconds at which a day such as `2026-09-01` begins in the zone. */
  startOfDay(day: string): number
}

/** The formatter is created on first use, because that takes milliseconds; the zone of the machine needs none. */
export function zoneOf(name: string | undefined): Zone {
  let format: Intl.DateTimeFormat | undefined
  const minute = (iso: string) => {
    if (name === undefined) return localMinute(new Date(iso))
    format ??= new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: name })
    return format.format(new Date(iso))
  }
  const day = (iso: string) => minute(iso).slice(0, 10)
  const startOfDay = (name: string) => {
    // Zones are at most 14 hours from UTC, in steps of a quarter of an hour.
    const noon = Date.parse(`${name}T00:00:00Z`)
    for (let ms = noon - 14 * 3_600_000; ms <= noon + 14 * 3_600_000; ms += 900_000) {
      if (day(new Date(ms).toISOString()) === name) return ms
    }
    return Number.NaN
  }
  return { minute, day, startOfDay }
}

function localMinute(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('sv-SE', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Parses `7d`, `24h`, or a date, which begins at midnight of the zone; NaN for anything else. */
export function parseSince(value: string, { nowMs, zone }: { nowMs: number; zone: Zone }): number {
  const span = /^(\d+)\s*([hdwm])$/.exec(value)
  if (span) {
    const hours = { h: 1, d: 24, w: 168, m: 720 }[span[2] as 'h' | 'd' | 'w' | 'm']
    return nowMs - Number(span[1]) * hours * 3_600_000
  }
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return zone.startOfDay(value)
  return /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN
}
