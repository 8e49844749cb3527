// The border: secrets and private spans are taken out of a text before anything else sees it.
// Our own rules catch what people paste into a conversation; secretlint's maintained list catches the tokens of services.
import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'

export interface Redaction {
  texts: string[]
  /** What was removed, by kind. */
  counts: Record<string, number>
}

interface Range {
  start: number
  end: number
  kind: string
}

/**
 * Redacts many texts at once: a rule costs little per byte and much per call, so they are joined and cut apart again.
 */
export async function redact(texts: readonly string[]): Promise<Redaction> {
  const counts: Record<string, number> = {}
  const joined = texts.join(separator)
  const ranges = merge([...ownRanges(joined), ...(await secretlintRanges(joined))])
  if (ranges.length === 0) return { texts: [...texts], counts }
  const result: string[] = []
  let start = 0
  let next = 0
  for (const text of texts) {
    const end = start + text.length
    const parts: string[] = []
    let from = start
    while (next < ranges.length && ranges[next]!.start < end) {
      const range = ranges[next]!
      if (range.end > start) {
        parts.push(joined.slice(from, Math.max(from, range.start)), placeholder(range.kind))
        counts[range.kind] = (counts[range.kind] ?? 0) + 1
        from = Math.min(end, range.end)
      }
      if (range.end > end) break // it reaches into the next text
      next++
    }
    result.push(parts.length === 0 ? text : parts.join('') + joined.slice(from, end))
    start = end + separator.length
  }
  return { texts: result, counts }
}

/** A character that ends every token, so that no rule reads two texts as one. */
const separator = '\n\u0000\n'

function placeholder(kind: string): string {
  return kind === 'private' ? '[private]' : `[secret: ${kind}]`
}

interface Rule {
  kind: string
  pattern: RegExp
  /** The capture group that holds the secret; the whole match without one. */
  group?: number
  /** Says no to what only looks like a secret. */
  isReal?(value: string): boolean
}

/** Tokens that name their service in their first letters. One pattern for all: a pass over the text costs more than a rule. */
const tokens: [prefix: RegExp, kind: string][] = [
  [/^A/, 'aws-key'],
  [/^gl/, 'gitlab-token'],
  [/^g/, 'github-token'],
  [/^xox/, 'slack-token'],
  [/^xai/, 'xai-key'],
  [/^sk-ant/, 'anthropic-key'],
  [/^sk-/, 'openai-key'],
  [/^[rs]k_/, 'stripe-key'],
  [/^npm/, 'npm-token'],
  [/^hf/, 'huggingface-token'],
  [/^SG/, 'sendgrid-key'],
  [/^eyJ/, 'jwt'],
]

const rules: Rule[] = [
  { kind: 'private', pattern: /<private>(?:(?!\u0000)[\s\S])*?(?:<\/private>|(?=\n\u0000)|$(?![\s\S]))/gi },
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:(?!\u0000)[\s\S]){0,20000}?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|(?=\n\u0000)|$(?![\s\S]))/g,
  },
  {
    kind: 'token',
    pattern:
      /\b(?:A(?:KIA|SIA|BIA|CCA)[0-9A-Z]{16}\b|AIza[0-9A-Za-z_-]{35}|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,}|glpat-[A-Za-z0-9_-]{20,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|xai-[A-Za-z0-9]{40,}|sk-(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{20,}|[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{30,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})/g,
  },
  {
    kind: 'authorization',
    pattern: /\b(?:Bearer|Basic)\s+([A-Za-z0-9+/_.~-]{16,}={0,2})/g,
    group: 1,
    isReal: looksRandom,
  },
  {
    kind: 'url-password',
    pattern: /:\/\/[^\s:@/"'<>]{1,80}:([^\s@/"'<>]{3,120})@/g,
    group: 1,
    isReal: isNoPlaceholder,
  },
  {
    kind: 'password',
    pattern:
      /(?:pass(?:word|wd|phrase)|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)[\w-]{0,30}["']?\s{0,3}(?:[:=]|=>)\s{0,3}["'`]([^"'`\s\u0000]{8,200})["'`]/gi,
    group: 1,
    isReal: looksLikeValue,
  },
  {
    kind: 'password',
    pattern:
      /(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY)[A-Z0-9_]{0,20}=([^\s"'`$<>{}()[\],;\u0000]{8,200})/g,
    group: 1,
    isReal: looksLikeValue,
  },
]

function ownRanges(text: string): Range[] {
  const found: Range[] = []
  for (const { kind, pattern, group, isReal } of rules) {
    for (const match of text.matchAll(pattern)) {
      const value = group === undefined ? match[0] : match[group]!
      if (isReal && !isReal(value)) continue
      const start = match.index + (group === undefined ? 0 : match[0].lastIndexOf(value))
      found.push({ start, end: start + value.length, kind: kind === 'token' ? tokenKind(value) : kind })
    }
  }
  return found
}

function tokenKind(value: string): string {
  if (value.startsWith('AIza')) return 'google-key'
  return tokens.find(([prefix]) => prefix.test(value))![1]
}

/** Digits and letters mixed, as generated secrets are and words are not. */
function looksRandom(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) && isNoPlaceholder(value)
}

function looksLikeValue(value: string): boolean {
  if (!isNoPlaceholder(value)) return false
  if (/^[a-z]+(?:[._-][a-z]+)*$/i.test(value)) return false // a name: process.env, user-password
  return /\d/.test(value) || /[^\w.-]/.test(value) || value.length >= 24
}

function isNoPlaceholder(value: string): boolean {
  return !/^(?:\W*|x+|\*+|\.+)$|^(?:your|my|the|some|example|dummy|fake|mock|test|change|placeholder|redacted|process\.env|os\.environ|env\.|\$|%|<|\{)|example|placeholder|\.\.\.|…|xxxx|\*\*\*|\[secret/i.test(
    value,
  )
}

const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }] }

async function secretlintRanges(content: string): Promise<Range[]> {
  const { messages } = await lintSource({
    source: { content, filePath: 'transcript.txt', ext: '.txt', contentType: 'text' },
    options: { config, noPhysicFilePath: true },
  })
  return messages.map(({ range, ruleId }) => ({
    start: range[0],
    end: range[1],
    kind: ruleId.replace('@secretlint/secretlint-rule-', ''),
  }))
}

/** In order and without overlap; where two rules found the same place the first named kind stays. */
function merge(ranges: Range[]): Range[] {
  ranges.sort((a, b) => a.start - b.start || b.end - a.end)
  const merged: Range[] = []
  for (const range of ranges) {
    const last = merged.at(-1)
    if (last && range.start < last.end) last.end = Math.max(last.end, range.end)
    else merged.push({ ...range })
  }
  return merged
}
