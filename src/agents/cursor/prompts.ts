// Extracts typed text and times from user turns, which contain tags that the program added.
import { asIsoTime } from '../json-values.ts'

/** The text, and whether it was typed. */
export function parsePrompt(said: string): { kind: 'prompt' | 'context'; text: string } {
  const queries = [...said.matchAll(/<user_query>([\s\S]*?)<\/user_query>/g)].map((found) => found[1]!.trim())
  const images = said.match(/^\[image .*\]$/gm) ?? []
  if (queries.length > 0) return { kind: 'prompt', text: [...queries, ...images].join('\n').trim() }
  const rest = said.replace(addedParts, '').trim()
  return rest ? { kind: 'prompt', text: rest } : { kind: 'context', text: said.trim() }
}

/** Only at the start: further inside, the same tags were pasted by the user. */
const addedParts =
  /^(?:\s*<(timestamp|external_links|attached_files|system_reminder|system-reminder|open_and_recently_viewed_files|user_info|git_status|rules|project_layout|agent_skills|agent_transcripts|mcp_file_system|additional_data|manually_attached_skills)\b[^>]*>[\s\S]*?<\/\1>)+/

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** `<timestamp>Tuesday, Sep 1, 2026, 10:00 AM (UTC-7)</timestamp>` */
export function promptTime(said: string): string | null {
  const stamp = /<timestamp>([^<]*)<\/timestamp>/.exec(said)?.[1]
  const found =
    stamp && /([A-Z][a-z]{2})[a-z]* (\d+), (\d{4}),? (\d+):(\d\d) ([AP])M \(UTC(?:([+-]\d+)(?::(\d\d))?)?\)/.exec(stamp)
  if (!found) return null
  const [, month, day, year, hour, minute, half, offset, offsetMinutes] = found
  const at = months.indexOf(month!)
  if (at < 0) return null
  const hours = (Number(hour) % 12) + (half === 'P' ? 12 : 0)
  const zone = Number(offset ?? 0) * 60 + Math.sign(Number(offset ?? 0)) * Number(offsetMinutes ?? 0)
  return asIsoTime(Date.UTC(Number(year), at, Number(day), hours, Number(minute) - zone))
}
