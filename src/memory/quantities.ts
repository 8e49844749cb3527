// Amounts in statements in one form, so that "90 s" and "1.5 minutes" are equal and "30 s" and "60 s"
// are two values of the same kind.

export type QuantityKind = 'time' | 'size' | 'percent' | 'clock' | 'day' | 'date' | 'month' | 'number'

/** Replaces amounts by marks that `quantityKind` reads. Expects lower case. */
export function unifyQuantities(text: string): string {
  return text
    .replace(isoDate, '§date:$1$2$3')
    .replace(month, (name) => `§month:${months.indexOf(name.slice(0, 3)) + 1}`)
    .replace(counted, '$1 ')
    .replace(versionMark, '')
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

const isoDate = /(?<![\w./:@-])(\d{4})-(\d\d)-(\d\d)(?![\w/:-])/g
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** "In May", but not "you may" and no day of a month. */
const month =
  /(?<=\b(?:in|by|until|since|from|before|after|for|every) )(?:january|february|march|april|may|june|july|august|september|october|november|december)\b(?! \d)/g
/** "A 2-space indent". */
const counted = /(?<=\b(?:an?|the|with|use|of) )(\d+)-(?=[a-z]{3,}\b)/g
const versionMark = /(?<=\b(?:is|version|at|to|on) )v(?=\d+(?:\.\d+)*(?:$|[\s,;]))/g

const clock = /(?<![\w.,:])(\d{1,2})(?::(\d\d))?(?:\s?([ap]m)\b)?(?![\w:])/g
const weekday = /\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b/g
/** Not a part of a name, a path or an address. */
const bare = /(?<![\w./:@§-])\d+(?:[.,]\d+)*(?![\w:@/-]|\.\w)/g

type Unit = readonly [kind: QuantityKind, factor: number, name: RegExp]

const units: readonly Unit[] = [
  ['time', 0.001, /^(?:ms|millis(?:econds?)?|milliseconds?)$/],
  ['time', 1, /^(?:s(?:ecs?|econd[eo]?s?|egundos?|ekunden?)?|秒)$/],
  ['time', 60, /^(?:min(?:s|ut[eo]?[sn]?)?|分钟|分)$/],
  ['time', 3600, /^(?:h(?:rs?|ours?|eures?|oras?)?|stunden?|小时|時間)$/],
  ['time', 86_400, /^(?:days?|tage?n?|jours?|d[ií]as?|天|日)$/],
  ['time', 604_800, /^(?:weeks?|wochen?|semaines?|semanas?)$/],
  ['time', 2_592_000, /^(?:months?|monate?n?|mois|mes(?:es)?)$/],
  ['time', 31_536_000, /^(?:years?|jahre?n?|a[nñ]os?|ans)$/],
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
    .join('|')}|percent)(?![\\p{L}\\w/-])`,
  'gu',
)
