// Hints: what the hook tells an agent after an error that was fixed before, and before it edits a file
// that a settled memory names. They are prepared as flat files, one per project beside its brief,
// that a few lines of awk can search: fields are separated by tabs, the last one is JSON.
import { createHash } from 'node:crypto'
import type { Zone } from '../core/units.ts'
import { errorShape } from '../digest/fingerprint.ts'
import { wrapEvidence } from '../gate/evidence.ts'
import { tellFix, tellMemory } from '../gate/gate.ts'
import { ageText } from '../memory/age.ts'
import type { Memory } from '../memory/memory.ts'
import { filesOfMemory, isCommonName } from '../memory/named-files.ts'
import type { StoredFix } from '../store/fixes/fixes.ts'
import { ellipsize, oneLine } from '../text/truncate.ts'
import { isTelling, programWords, ruleOf } from './find-fixes.ts'

/** One line that an agent may be told, once per session. */
export interface Hint {
  /** The same for the same answer, to tell it once. */
  id: string
  /** What must be in the payload: see `hook.sh`. */
  keys: string[]
  answer: string
}

const maxHints = 200
const maxAnswer = 700
const maxError = 140

/** Of fixes of the same error only the first is told; those that name something go first. */
export function fixHints(fixes: readonly StoredFix[], zone: Zone): Hint[] {
  const seen = new Set<string>()
  return fixes
    .filter(({ shape }) => isTelling(shape))
    .flatMap((fix) => phrasesOf(fix).map((phrases) => ({ fix, phrases })))
    .filter(({ phrases }) => isDistinctive(phrases))
    .toSorted((a, b) => Number(isExact(b.fix)) - Number(isExact(a.fix)))
    .flatMap(({ fix, phrases }) => {
      const answer = fixAnswer(fix, zone)
      return answer === undefined ? [] : [{ keys: [hintProgram(fix), phrases.join(separator)], answer }]
    })
    .filter(({ keys }) => !seen.has(keys.join()) && seen.add(keys.join()))
    .slice(0, maxHints)
    .map((hint) => ({ id: hintId(hint.answer), ...hint }))
}

/** A linter may run as a part of something else. */
function hintProgram(fix: StoredFix): string {
  return (fix.kind === 'edit' ? fix.program.split(' ')[0]! : programWords(fix)).toLowerCase()
}

function hintId(answer: string): string {
  return createHash('sha1').update(answer).digest('hex').slice(0, 12)
}

/** Between the parts of a message that must all be there. */
const separator = '\u0001'

/** A rule of a linter is recognised by its form; any other error also by the names in it. */
function isExact({ kind, shape, details }: StoredFix): boolean {
  return details.length > 0 && !(kind === 'edit' && ruleOf(shape))
}

/** The fixed parts of a message in lower case, as JSON has them. git words the same reason in two ways. */
function phrasesOf(fix: StoredFix): string[][] {
  if (fix.shape.includes('(behind)')) return ['(fetch first)', '(non-fast-forward)'].map((why) => ['[rejected]', why])
  const fixed = errorShape(fix.error)
    .split(/<\w+>|["\\…]|[^ -~]/)
    .map((part) => part.trim())
    .filter((part) => part.length >= minPhrase)
  const rule = fix.kind === 'edit' ? /\([a-z@][\w@/-]*\)$/.exec(fix.shape)?.[0] : undefined
  // What a linter says in between differs.
  const head = rule && fixed.find((part) => part.replace(/[^a-z]/g, '').length >= minLetters)
  if (rule && head && ruleOf(fix.shape)) return [[...new Set([head, rule])]]
  const names = isExact(fix) ? fix.details.map((name) => JSON.stringify(name).slice(1, -1).toLowerCase()) : []
  return [[...new Set([...fixed, ...names])]]
}

const minPhrase = 4
const minLetters = 10

function isDistinctive(phrases: readonly string[]): boolean {
  return phrases.join('').replace(/[^a-z]/g, '').length >= minLetters && !phrases.some((part) => /[\t\n]/.test(part))
}

/** Names the error, because an output may have several. Undefined if the gate holds it back. */
function fixAnswer(fix: StoredFix, zone: Zone): string | undefined {
  const { kind, file, session, at } = fix
  const one = tellFix(fix)
  if ('held' in one) return undefined
  const { command, error, remedy, diff } = one.told
  const what = kind === 'edit' ? `It passed after this edit of ${file}: ${diff.replace(/\n\s*/g, ' ')}` : remedy
  const message = error === '' ? 'with this error' : ellipsize(error, maxError).replace(/[.:]+$/, '')
  const text = `Recorded, as evidence: \`${command}\` failed before: ${message}. ${what}`
  return evidence({ source: 'fix', session, date: at ? zone.day(at) : null }, text)
}

/** On one line: what an agent is told while it works must be short. */
function evidence(source: Record<string, string | null>, text: string): string {
  return wrapEvidence(source, ellipsize(oneLine(text), maxAnswer)).replaceAll('\n', ' ')
}

/** For each file that settled memories name. `memories` are in the order in which they are told. */
export function fileHints(memories: readonly Memory[], zone: Zone, nowMs: number): Hint[] {
  const byFile = new Map<string, Memory[]>()
  for (const memory of memories.filter(isTold))
    for (const name of filesOfMemory(memory)) byFile.set(name, [...(byFile.get(name) ?? []), memory])
  return [...byFile].slice(0, maxHints).map(([name, about]) => ({
    id: hintId(name),
    keys: [isCommonName(name) ? 'root' : 'any', name],
    answer: fileAnswer(name, about.slice(0, maxPerFile), zone, nowMs),
  }))
}

const maxPerFile = 2

function fileAnswer(name: string, memories: readonly Memory[], zone: Zone, nowMs: number): string {
  const told = memories.map(
    ({ id, kind, text, confirmedAt }) =>
      `${[kind, zone.day(confirmedAt), ageText(confirmedAt, nowMs)].filter(Boolean).join(', ')}: ${ellipsize(oneLine(text), maxStatement)} [${id}]`,
  )
  return evidence({ source: 'memories', file: name }, `Recorded about ${name}, as evidence: ${told.join('; ')}`)
}

const maxStatement = 260

/** What the user said and a person or a model kept. */
function isTold(memory: Memory): boolean {
  return memory.status !== 'hypothetical' && memory.trust === 'user said' && 'told' in tellMemory(memory)
}

/** The content of a file of hints; one line each. */
export function hintLines(hints: readonly Hint[]): string {
  return hints.map(({ id, keys, answer }) => `${[id, ...keys, JSON.stringify(answer)].join('\t')}\n`).join('')
}
