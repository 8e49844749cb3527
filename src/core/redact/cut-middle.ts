// Shortens a long text to its beginning and its end.
import { payloadsIn } from './redact.ts'

/** States how much was cut. A payload is cut as a whole: half of an image is of no use. */
export function cutMiddle(text: string, { max, end }: { max: number; end: number }): string {
  const payloads = payloadsIn(text)
  const around = (at: number) => payloads.find((payload) => payload.start < at && at < payload.end)
  const [first, last] = [max - end, text.length - end]
  const from = around(first)?.start ?? first
  const to = around(last)?.end ?? last
  return `${text.slice(0, from)}\n[${to - from} characters cut]\n${text.slice(to)}`
}
