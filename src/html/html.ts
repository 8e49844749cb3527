// A template tag for HTML that escapes by default. Texts of sessions are untrusted.
import { html as honoHtml, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { removeControls } from '../text/control-characters.ts'

export type Html = HtmlEscapedString

type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[]

/** Escapes strings; leaves out undefined, null and false. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  // Only promises among the values make the result a promise, and the type excludes them.
  return honoHtml(strings, ...values.map(visible)) as Html
}

export function joinHtml(parts: readonly HtmlValue[], separator: string): Html {
  const present = parts.filter((part) => part !== undefined && part !== false && part !== null && part !== '')
  return html`${present.map((part, at) => (at === 0 ? part : [separator, part]))}`
}

/** HTML from a trusted renderer. */
export function trustedHtml(text: string): Html {
  return raw(text)
}

/** Escapes text for HTML, between tags or in an attribute. */
export function escapeHtml(text: string): string {
  return html`${text}`.toString()
}

function visible(value: HtmlValue): HtmlValue {
  if (typeof value === 'string') return removeControls(value)
  return Array.isArray(value) ? value.map(visible) : value
}

/** Foreign text as it is; parts in backticks become code. */
export function renderProse(text: string): Html {
  const parts = text.split(/(`[^`\n]+`)/)
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part.slice(1, -1)}</code>` : part))}`
}
