// A statement word by word, without what never changes its meaning. Likeness is not enough to merge: `to S3` and `from S3`, `C` and
// `C++`, `or` and `and`, a `was` and an `is` differ in little more than nothing, and mean something else.

export function wordingOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .split(/\s+/)
    .map(bare)
    .flatMap((word) => (isName.test(word) ? word : spelledOut(word.toLowerCase())))
    .filter((word, at) => word !== '' && !fillers.has(word) && !(at === 0 && word === 'we'))
}

/** Without quotes, backticks and brackets around it, and without the end of a sentence. A question is none: its mark stays. */
function bare(word: string): string {
  const inner = word.replace(/[.,;:!。，；：！]+$/u, '').replace(/^["'`]+|["'`]+$/g, '')
  const whole = inner.replace(/[.,;:!。]+$/u, '')
  const isOpened = whole.includes('(')
  return isOpened === whole.includes(')') ? whole : whole.replace(isOpened ? /^\(/ : /\)$/, '')
}

/** `X-Request-Id`, `config/App.json`, `README`: upper case is part of them. */
const isName = /.\p{Lu}|[/\\_$]/u

function spelledOut(word: string): string[] {
  const denied = /^(\w+)n't$/.exec(word)?.[1]
  if (denied !== undefined) return [shortForms[denied] ?? denied, 'not']
  return word === 'cannot' ? ['can', 'not'] : [word]
}

const shortForms: Readonly<Record<string, string>> = { ca: 'can', wo: 'will', sha: 'shall' }

const fillers = new Set(['a', 'an', 'the', 'our', 'please', 'always', '–', '—'])
