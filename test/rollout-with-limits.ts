/** A session of Codex 0.142 with one response and the rate limits after it. */
export function rolloutWithLimits(
  day: string,
  number: number,
  usedPercent: number,
  model = 'gpt-5.5',
): Record<string, object[]> {
  const id = `019f220e-7280-7000-8000-00000000000${number}`
  const path = `.codex/sessions/${day.replaceAll('-', '/')}/rollout-${day}T08-00-00-${id}.jsonl`
  const line = (second: number, type: string, payload: object) => ({
    timestamp: `${day}T08:00:0${second}.000Z`,
    type,
    payload,
  })
  const tokens = { input_tokens: 9000, cached_input_tokens: 7000, output_tokens: 300, total_tokens: 9300 }
  const info = { total_token_usage: tokens, last_token_usage: tokens }
  const limits = { primary: { used_percent: usedPercent, window_minutes: 300, resets_at: 1_783_036_800 } }
  return {
    [path]: [
      line(0, 'session_meta', { id, timestamp: `${day}T08:00:00.000Z`, cwd: '/srv/app', cli_version: '0.142.4' }),
      line(1, 'turn_context', { turn_id: 't1', cwd: '/srv/app', model }),
      line(2, 'event_msg', { type: 'user_message', message: 'fix the bug' }),
      line(3, 'event_msg', { type: 'token_count', info, rate_limits: limits }),
    ],
  }
}
