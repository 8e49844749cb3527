// Decides by the text of a value alone: generated, a placeholder, a name, or code.

/** Pairs of letters that make up nine tenths of English text and identifiers. */
const commonPairs = new Uint8Array(26 * 26)
for (const pair of (
  'in er on re st te or th en es de ar ti he co at al pe se nt ec tr ex ed ns io ng le ct ri an is ra ro nd to it me ' +
  'od pa ty et rt ne ma ce li un as nc ss ch yp ta ea pr po om fi em xp no be ue ll ul ve ge ef am op rr ur id ac si ' +
  'va rs ca nu ut na ts il la um of so pt lu ou fo su ad di ke lo ha sc fa im mi if ot ol cl hi ic mb tt zo ob mp xt ' +
  'us ds ck tu rn lt el ep do sa ag ap oc ru pl fe fu da ay wi ni ig gi tp ai js ev ie ba ow je bl bo ho ab pu bu qu ' +
  'oo bj ht mo ly sp cr ls os sh rm rc ff rg ey oi eq ps fr ee tc ry bi ny sy rf au vo nl cu iv eo ip eg ms rd ir ui'
).split(' ')) {
  commonPairs[(pair.charCodeAt(0) - 97) * 26 + pair.charCodeAt(1) - 97] = 1
}

interface Shape {
  length: number
  digits: number
  uppers: number
  lowers: number
  /** Neither letters nor digits. */
  others: number
  /** Letters g to z. */
  beyondHex: number
  pairs: number
  rarePairs: number
  distinct: number
  /** Groups of digits, and changes between small and capital letters. */
  digitGroups: number
  caseChanges: number
}

const measuredLength = 256
const digitBefore = -2

function shapeOf(value: string): Shape {
  const length = Math.min(value.length, measuredLength)
  const shape: Shape = {
    length,
    digits: 0,
    uppers: 0,
    lowers: 0,
    others: 0,
    beyondHex: 0,
    pairs: 0,
    rarePairs: 0,
    distinct: 0,
    digitGroups: 0,
    caseChanges: 0,
  }
  let seenLow = 0
  let seenHigh = 0
  let before = -1
  for (let at = 0; at < length; at++) {
    const code = value.charCodeAt(at)
    const letter = (code | 32) - 97
    if (code < 64) seenLow |= 1 << (code & 31)
    else seenHigh |= 1 << (code & 31)
    if (letter >= 0 && letter < 26 && code > 64) {
      if (code < 97) shape.uppers++
      else shape.lowers++
      if (letter > 5) shape.beyondHex++
      if (before >= 0) {
        shape.pairs++
        if (commonPairs[before * 26 + letter] === 0) shape.rarePairs++
        if (((code ^ value.charCodeAt(at - 1)) & 32) !== 0) shape.caseChanges++
      }
      before = letter
    } else {
      if (code >= 48 && code <= 57) {
        shape.digits++
        if (before !== digitBefore) shape.digitGroups++
        before = digitBefore
      } else {
        shape.others++
        before = -1
      }
    }
  }
  shape.distinct = countBits(seenLow) + countBits(seenHigh)
  return shape
}

function countBits(bits: number): number {
  let left = bits
  let count = 0
  while (left !== 0) {
    left &= left - 1
    count++
  }
  return count
}

/** Whether a machine made the value: random letters and digits, not words. */
export function looksGenerated(value: string): boolean {
  if (value.startsWith('0x')) return looksGenerated(value.slice(2))
  const shape = shapeOf(value)
  const { length, digits, uppers, lowers, others, beyondHex, pairs, rarePairs, distinct } = shape
  const letters = uppers + lowers
  if (length < 12 || distinct < 6 || letters === 0) return false
  if (others * 3 > length || (length >= 40 && distinct < 10)) return false
  if (shape.digitGroups >= 4 && length >= 16 && others * 12 <= length && /^[A-Za-z0-9+/]+=*$/.test(value)) return true
  if (digits === 0) {
    if (length < 16 || pairs < 8) return false
    if (others === 0 && shape.caseChanges * 2.4 >= length && rarePairs > pairs * 0.25) return true
    return rarePairs > pairs * (uppers >= 3 && lowers >= 3 && others === 0 ? 0.42 : 0.55)
  }
  if (beyondHex === 0) return digits >= 3 && letters >= 2 && length >= 16
  if (digits === 1 && pairs >= 6) return rarePairs > pairs * 0.45
  if (pairs < 4) return digits >= 3 && !/^\w{1,6}(?:[.:/-]\w{1,6})*$/.test(value)
  return rarePairs > pairs * 0.32
}

/** Whether letters of the value form words, as in a name or a path. */
export function looksLikeWords(value: string): boolean {
  const { pairs, rarePairs } = shapeOf(value)
  return pairs > 0 && rarePairs <= pairs * 0.35
}

const placeholderWords = new Set(
  (
    'your my the some a an any our his its example examples dummy fake mock mocked test tests testing sample insert enter ' +
    'replace change changeme changeit me this that here with actual real own key keys api apikey token tokens secret secrets ' +
    'password passwords passwd pass pwd pw passphrase credential credentials creds value values string text placeholder default ' +
    'none null nil undefined true false empty unset unknown todo tbd redacted hidden masked removed required optional user ' +
    'username name admin root access client private public auth bearer basic jwt oauth id hash salt db database server host ' +
    'in from for of to and or new old super strong random generated long safe secure dev local login account app service ' +
    'env var variable config settings xxx xxxx foo bar baz qux abc set get only ' +
    'valid invalid wrong correct bad good missing expired passwort kennwort number str bytes int bool boolean object type'
  ).split(' '),
)

const notAValue =
  /\[secret|\[private|redacted|example|placeholder|\.\.\.|…|xxxx|\*\*\*|•••|\$\{|\{\{|<%|%\(|#\{|^[<{[(]|^\$[A-Za-z_({]|^%[A-Za-z_]+%$|^@\w+\(|^process\.env|^os\.environ|^(?:secrets?|vars|env|config|settings|import\.meta|System|Deno|Bun)\./i

/** `your-api-key`, `<token>`, `${VAR}`, `xxxx`, `changeme`, `password123`. */
export function isPlaceholder(value: string): boolean {
  const start = value.length > measuredLength ? value.slice(0, measuredLength) : value
  if (notAValue.test(start)) return true
  if (shapeOf(start).distinct < 3) return true
  const words = start
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+|(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])/)
    .filter((word) => word !== '')
  if (/[^\w\s.:/-]/.test(start)) return false
  return words.every((word) => placeholderWords.has(word) || isCounting(word))
}

function isCounting(digits: string): boolean {
  return '0123456789'.includes(digits) || '00000000'.includes(digits)
}

/**
 * What the name before a value says. `password`: chosen by people, so it can be short. `key`: made
 * by machines. `loose`: names such as `key` or `signature`, which mostly have other values.
 */
export type SecretNoun = 'password' | 'key' | 'loose'

/**
 * How the value is written. `quoted`; `tight`: directly behind `=`, as in `DB_PASSWORD=x`; `bare`:
 * without quotes and after a space, as in code and prose.
 */
export type ValueSyntax = 'quoted' | 'tight' | 'bare'

/** Whether a value that follows a name is a secret. */
export function isSecret(value: string, noun: SecretNoun, syntax: ValueSyntax): boolean {
  if (value.length < minLengths[noun] || isPlaceholder(value)) return false
  const hasSpace = /\s/.test(value)
  if (/^0x[0-9a-f]{1,12}$|^\d{4}-\d\d-\d\d/i.test(value)) return false // a number, a date
  if (noun === 'loose') return !hasSpace && value.length >= 16 && looksGenerated(value) && !isUuid.test(value)
  if (syntax !== 'quoted' && isCode(value)) return false
  if (hasSpace)
    return noun === 'password' && value.length <= maxPhrase && (isPhraseWithDigits(value) || isPassphrase(value))
  const { digits, uppers, lowers, others, pairs, rarePairs, caseChanges } = shapeOf(value)
  const letters = uppers + lowers
  if (letters === 0) return noun === 'password' && syntax !== 'bare' && (digits >= 6 || (digits >= 3 && others >= 1))
  if (noun === 'key' && digits > 0 && /^[A-Za-z0-9/+]{40}$/.test(value)) return true // the secret of an AWS key
  if (isPath(value)) return false
  if (digits === 0 && /^[\w.:/-]+$/.test(value)) {
    // Letters alone are mostly the name of something.
    if (syntax === 'tight' && noun === 'password' && /^[a-z]{6,}$/i.test(value)) return true
    return value.length >= 10 && pairs >= 6 && rarePairs > pairs * 0.5
  }
  if (isNameWithNumber(value)) return noun === 'password' && syntax !== 'bare' && /^[A-Za-z]{3,}\d+$/.test(value)
  if (noun === 'password') {
    if (/[^\w.:/-]/.test(value))
      return others <= letters + digits && (digits > 0 || syntax !== 'bare' || uppers * lowers > 0)
    return digits > 0
  }
  if (digits > 0 && others === 0 && caseChanges * 3 >= value.length) return true
  return looksGenerated(value) || (value.length >= 8 && digits >= 2 && letters >= 2 && !looksLikeWords(value))
}

const minLengths: Record<SecretNoun, number> = { password: 5, key: 8, loose: 16 }
const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Calls, member access, operators and literals of programming languages. */
function isCode(value: string): boolean {
  if (/^[A-Za-z0-9+/_-]{12,}={1,2}$/.test(value)) return false // base64
  if (/^[!&*]?[A-Za-z_$][\w$.?]*[([]|=>|==|&&|\|\||::|->|^`|\+\+|<\w+>|^[[{(]/.test(value)) return true
  if (
    /^!?[A-Za-z_$][\w$]*(?:pass|password|key|token|secret|credentials?)\d*[)\]:;,]*$/i.test(value) &&
    looksLikeWords(value)
  )
    return true
  return /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$#][\w$]*)+$/.test(value) && looksLikeWords(value)
}

/** A path or an address without anything generated in it. */
function isPath(value: string): boolean {
  if (/^(?:https?|wss?|file|urn|ftp):/i.test(value)) return true
  if (!value.includes('/') && !value.includes('\\')) return false
  if (!/^[\w.@~%+:/\\ -]+$/.test(value)) return false
  return !value.split(/[/\\]/).some((part) => looksGenerated(part)) && looksLikeWords(value)
}

/** `sha256`, `key_1`, `utf8`, `oauth2-token`, `v2.tokens`. */
function isNameWithNumber(value: string): boolean {
  return (
    /^[A-Za-z]*\d{0,4}(?:[_.:/-][A-Za-z]*\d{0,4})*$/.test(value) &&
    /^\D*\d{0,4}\D*$/.test(value) &&
    looksLikeWords(value)
  )
}

function isPhraseWithDigits(value: string): boolean {
  const words = value.split(/\s+/)
  return words.length <= 5 && words.some((word) => /\d/.test(word) && /[A-Za-z]/.test(word) && word.length >= 5)
}

const maxPhrase = 90

/** Words of labels and messages, and words that make a sentence. */
const sentenceWords = new Set(
  (
    'the and for with from you your are was not has have been will must should which when where into then than them they this ' +
    'that these those there here each any but can may use used using set get how what who why does did all only also more too ' +
    'its our out off over under same such very was were would could one two three per via without within between before after ' +
    'reset change forgot enter confirm invalid incorrect wrong required missing login logout user username account email mail ' +
    'sign field update updated updates please contain contains characters letters digits numbers least match matches long short ' +
    'strong weak remember show hide link expired sent success successfully error failed failure type string value name read ' +
    'manager auth authentication authorization api key keys token tokens secret secrets password passwords passphrase credential ' +
    'credentials stored store hash hashed plain text file files default optional code access server client database connection'
  ).split(' '),
)

/** `correct horse battery staple`, and the four groups of letters of an app password. */
export function isPassphrase(value: string): boolean {
  if (value.length > maxPhrase) return false
  if (/^[a-z]{4}(?: [a-z]{4}){3}$/.test(value) && !looksLikeWords(value.replaceAll(' ', ''))) return true
  const words = value.split(' ')
  if (words.length < 4 || words.length > 10 || new Set(words).size < words.length) return false
  return words.every((word) => /^[a-z]{3,10}$/.test(word) && !sentenceWords.has(word))
}
