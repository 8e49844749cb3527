// Amounts in statements in one form, so that "90 s" and "1.5 minutes" are equal and "30 s" and "60 s"
// are two values of the same kind.

export type QuantityKind = 'time' | 'size' | 'percent' | 'clock' | 'day' | 'number'

/** Replaces amounts by marks that `quantityKind` reads. Expects lower case. */
export function unifyQuantities(text: string): string {
  return text
    .replace(numberWord, (word) => String(numberWords.indexOf(word) + 2))
    .replace(clock, (whole, hour: string, minute: string | undefined, half: string | undefined) => {
      if (minute === undefined && half === undefined) return whole
      const hours = (Number(hour) % (half ? 12 : 24)) + (half?.startsWith('p') ? 12 : 0)
      return `§clock:${hours * 60 + Number(minute ?? 0)}`
    })
    .replace(amount, (_, digits: string, unit: string) => {
      const [kind, factor] = units.find(([, , name]) => name.test(unit))!
      return `§${kind}:${Number(digits.replace(',', '.')) * factor}`
    })
    .replace(weekday, (_, day: string) => `§day:${day}`)
    .replace(bare, (digits) => `§number:${digits}`)
}

export function quantityKind(token: string): QuantityKind | undefined {
  return token.startsWith('§') ? (token.slice(1, token.indexOf(':')) as QuantityKind) : undefined
}

const numberWords = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const numberWord = new RegExp(`\\b(?:${numberWords.join('|')})\\b`, 'g')

const clock = /(?<![\w.,:])(\d{1,2})(?::(\d\d))?(?:\s?([ap]m)\b)?(?![\w:])/g
const weekday = /\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b/g
/** Not a part of a name, a path or an address. */
const bare = /(?<![\w./:@§-])\d+(?:[.,]\d+)*(?![\w:@/-]|\.\w)/g

type Unit = readonly [kind: QuantityKind, factor: number, name: RegExp]

const units: readonly Unit[] = [
  ['time', 0.001, /^(?:ms|millis(?:econds?)?|milliseconds?)$/],
  ['time', 1, /^s(?:ecs?|econds?)?$/],
  ['time', 60, /^min(?:s|utes?)?$/],
  ['time', 3600, /^h(?:rs?|ours?)?$/],
  ['time', 86_400, /^days?$/],
  ['time', 604_800, /^weeks?$/],
  ['time', 2_592_000, /^months?$/],
  ['time', 31_536_000, /^years?$/],
  ['size', 1, /^(?:b|bytes?)$/],
  ['size', 1e3, /^ki?b$/],
  ['size', 1e6, /^mi?b$/],
  ['size', 1e9, /^gi?b$/],
  ['size', 1e12, /^ti?b$/],
  ['percent', 1, /^(?:%|percent)$/],
]
const amount = new RegExp(
  `(?<![\\w./:@§-])(\\d+(?:[.,]\\d+)?)[ -]?(%|${units
    .slice(0, -1)
    .map(([, , { source }]) => source.slice(1, -1))
    .join('|')}|percent)(?![\\w/-])`,
  'g',
)
