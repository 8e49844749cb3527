// What checkers complain about, by the names of their rules: in what they print, and in the comments
// with which agents silence them.

import { truncate } from '../text/truncate.ts'

export interface Complaint {
  rule: string
  /** A program printed the text, or an agent wrote it. */
  by: 'program' | 'agent'
  /** What it says, or the reason given for silencing it. */
  text: string
}

const maxComplaints = 20
const maxRead = 30_000
const maxText = 160

/** The forms of golangci-lint and pylint, ESLint and Biome, ruff and flake8, mypy, clippy and rustc. */
const printedForms: readonly RegExp[] = [
  /^[ \t]*[\w@./\\-]+\.\w+:\d+(?::\d+)?:? +(?:(?:error|warning|note): +)?([^\n]{4,300}?) \(([a-z][a-z\d]*(?:[-_/][a-z\d]+)*)\)[ \t]*\r?$/gim,
  /^[ \t]*\d+:\d+ +(?:error|warning) +([^\n]{4,300}?) {2,}([@a-z][\w@-]*(?:\/[\w-]+)*)[ \t]*\r?$/gim,
  /^[ \t]*[\w@./\\-]+\.\w+:\d+:\d+:? (?=[A-Z]{1,4}\d{2,4} )()([A-Z]{1,4}\d{2,4}) (?:\[\*\] )?[^\n]{4,300}$/gm,
  /^[ \t]*[\w@./\\-]+\.py:\d+: error: ([^\n]{4,300}?) +\[([a-z][a-z-]+)\][ \t]*\r?$/gm,
  /^[ \t]*= note: ()[^\n]*`#\[(?:warn|deny)\(((?:clippy::)?[a-z_]+)\)\]`/gm,
  /^[\w@./\\-]+\.\w+:\d+:\d+ (lint\/[\w/]+)() /gm,
]

export function complaintsIn(output: string): Complaint[] {
  const text = output.slice(0, maxRead)
  return limited(
    printedForms.flatMap((form) =>
      [...text.matchAll(form)].map(([, said = '', rule = '']) =>
        rule === '' ? { rule: said, text: '' } : { rule, text: said },
      ),
    ),
    'program',
  )
}

const comments: readonly RegExp[] = [
  /\/\/ *nolint: *([\w,-]+)(?: *\/\/ *([^\n]*))?/g,
  /eslint-disable(?:-next-line|-line)? +([@\w/-]+)(?: *-- *([^\n*]*))?/g,
  /biome-ignore +(lint\/[\w/]+)(?:: *([^\n*]*))?/g,
  /# *noqa: *([A-Z]+\d+)()/g,
  /# *type: *ignore\[([\w-]+)\]()/g,
  /#\[allow\(((?:clippy::)?\w+)\)\]()/g,
  /pylint: *disable=([\w-]+)()/g,
]

export function suppressionsIn(added: string): Complaint[] {
  const text = added.slice(0, maxRead)
  return limited(
    comments.flatMap((form) =>
      [...text.matchAll(form)].flatMap(([, rules = '', reason = '']) =>
        rules.split(',').map((rule) => ({ rule: rule.trim(), text: reason.trim() })),
      ),
    ),
    'agent',
  )
}

function limited(found: readonly Omit<Complaint, 'by'>[], by: Complaint['by']): Complaint[] {
  return found
    .filter(({ rule }) => rule.length > 2 && rule.length < 60)
    .slice(0, maxComplaints)
    .map(({ rule, text }) => ({ rule, by, text: truncate(text, maxText) }))
}
