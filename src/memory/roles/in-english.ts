// Function words of other languages in English, so that order, roles and denial of a statement are
// read in them too. Content words stay as they are: "Tabs statt Leerzeichen" becomes "tabs instead
// of leerzeichen".
import { cjkInEnglish } from './in-english-cjk.ts'

/** Expects lower case. A text of no known language, or with as many English words, stays as it is. */
export function inEnglish(written: string): string {
  const text = cjkInEnglish(written)
  const language = languageOf(text)
  if (!language) return text
  const said = language.phrases.reduce((result, [phrase, english]) => result.replace(phrase, english), text)
  return said.replace(word, (one) => language.words.get(one) ?? one)
}

interface Language {
  words: ReadonlyMap<string, string>
  phrases: readonly (readonly [RegExp, string])[]
}

const word = /\p{L}+/gu

/** The language with most words of its table; "mit" or "per" alone may be English. */
function languageOf(text: string): Language | undefined {
  const counts = new Map<Language, number>()
  let english = 0
  const seen = new Set<string>()
  for (const [one] of text.matchAll(word)) {
    if (seen.has(one)) continue
    seen.add(one)
    if (englishWords.has(one)) english += ambiguous.has(one) ? 0 : 1
    // A long word is seldom one of English too.
    const weight = one.length >= 6 ? 2 : 1
    for (const language of languagesWith.get(one) ?? []) counts.set(language, (counts.get(language) ?? 0) + weight)
  }
  let best: Language | undefined
  for (const [language, count] of counts)
    if (count > Math.max(1, english, best ? counts.get(best)! : 0)) best = language
  return best
}

const englishWords = new Set(
  `the to is it and you we of for that this with are be not should don our my please i a use never always from must can
  when run no or as at if do an but so was have has by all in on before after first then only instead over`.split(
    /\s+/,
  ),
)

/** English words that are words of other languages too. */
const ambiguous: ReadonlySet<string> = new Set(['a', 'as', 'do', 'no', 'so'])

/** `then: dann danach` says that both mean "then"; a denial denies its whole clause: `never`. */
function language(table: string, phrases: Record<string, string>): Language {
  const words = table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [english, others] = line.split(':') as [string, string]
      return others
        .trim()
        .split(/\s+/)
        .map((other): [string, string] => [other, english === '-' ? '' : english.trim()])
    })
  return {
    words: new Map(words),
    phrases: Object.entries(phrases).map(([phrase, english]) => [
      new RegExp(`(?<!\\p{L})(?:${phrase})(?!\\p{L})`, 'gu'),
      english,
    ]),
  }
}

const german = language(
  `
never: nie niemals nicht kein keine keinen keinem keiner
always: immer stets grundsätzlich
prefer: bevorzugen bevorzuge bevorzugt
write: schreiben schreibe schreibt geschrieben
run: ausführen laufen läuft
replace: ersetzen ersetze ersetzt
call: aufrufen
instead of: statt anstatt anstelle
before: vor bevor ehe
after: nach nachdem
first: zuerst erst zunächst
then: dann danach anschließend hinterher
and: und sowie
or: oder
but: aber sondern
with: mit
without: ohne
for: für
from: von aus
to: zu zum zur
in: im
on: auf
when: wenn falls sobald
until: bis
only: nur ausschließlich
use: verwenden verwende verwendet nutzen nutze nutzt benutzen benutze benutzt nimm nehmen
must: muss müssen
should: soll sollen sollte sollten
may: darf dürfen
is: ist wird
are: sind werden
we: wir
the: der die das den dem des ein eine einen einem einer eines
sometimes: manchmal gelegentlich
all: alle jede jeder jedes jeden
please: bitte
no longer: nimmer
`,
  {
    'nicht mehr|kein\\p{L}* .{1,30} mehr': 'no longer',
    'darf nicht|dürfen nicht': 'must never',
    'auf keinen fall|unter keinen umständen': 'never',
    'ab (?:jetzt|sofort)|von nun an': 'from now on',
    'nach (?=\\p{L}+$)': 'to ',
    '(vor|nach) (\\p{L}+) immer': '$1 $2, immer',
    gegenüber: 'over',
  },
)

const french = language(
  `
never: jamais pas
always: toujours
prefer: préférer préfère préférez préférons
switch: passer passe passez migrer
replace: remplacer remplace remplacez
run: lancer lance lancez exécuter exécute
write: écrire écris écrivez
before: avant
after: après
first: abord premièrement
then: puis ensuite
and: et
or: ou
but: mais
with: avec
without: sans
for: pour
from: depuis
to: vers à au aux
in: dans
on: sur
by: par
when: si quand lorsque
only: seulement uniquement
use: utiliser utilise utilisez utilisons
must: doit doivent
is: est
are: sont
we: nous on
the: le la les l un une des
of: de du d
sometimes: parfois
-: ne n se s
`,
  {
    'au lieu de?|plutôt que(?: de)?': 'instead of',
    'avant de?': 'before',
    'il faut': 'must',
    'doit être|doivent être': 'must be',
    'ne (?=\\p{L}+ (?:pas|jamais))': '',
  },
)

const spanish = language(
  `
never: nunca jamás no
always: siempre
prefer: preferir prefiere preferimos
switch: cambiar cambia migrar migra pasar
replace: reemplazar reemplaza sustituir sustituye
run: ejecutar ejecuta correr lanzar
write: escribir escribe
before: antes
after: después tras
first: primero
then: luego entonces
and: y e
or: o u
but: pero sino
with: con
without: sin
for: para
from: desde
to: a al hasta hacia
in: en
by: por
when: si cuando
only: solo sólo solamente
use: usar usa use utilizar utiliza
must: debe deben
-: hay que van va
is: es está
are: son están
the: el la los las un una
of: de del
sometimes: veces
-: se
`,
  { '(?:en lugar|en vez) del?': 'instead of', 'antes del?': 'before', 'después del?': 'after', después: 'then' },
)

const portuguese = language(
  `
never: nunca jamais não
always: sempre
prefer: preferir prefira preferimos
switch: mudar trocar migrar passar
replace: substituir substitua
run: executar execute rodar
write: escrever escreva
before: antes
after: depois após
first: primeiro
then: então seguida
and: e
or: ou
but: mas
with: com
without: sem
for: para
from: desde
to: ao à até
in: em no na nos nas
by: por pelo pela
when: se quando
only: só somente apenas
use: usar usa use utilizar utilize
must: deve devem
is: é está
are: são estão
the: o a os as um uma
of: de do da dos das
`,
  {
    'em vez d[eoa]s?|ao invés d[eoa]s?': 'instead of',
    'antes d[eoa]s?': 'before',
    'depois d[eoa]s?': 'after',
    depois: 'then',
  },
)

const italian = language(
  `
never: mai non
always: sempre
prefer: preferire preferisci
switch: passare passa migrare
replace: sostituire sostituisci
run: eseguire esegui lanciare
write: scrivere scrivi
before: prima
after: dopo
then: poi quindi
and: e ed
or: o oppure
but: ma
with: con
without: senza
for: per
from: da dal dalla
to: a al alla verso
in: nel nella
on: su sul sulla
when: se quando
only: solo soltanto
use: usare usa utilizzare
must: deve devono
is: è viene
are: sono vengono
the: il lo la i gli le un uno una
of: di del della dei delle
`,
  {
    '(?:invece|al posto) d(?:i|el|ella|ei)': 'instead of',
    'prima d(?:i|el|ella|ei)': 'before',
    'prima(?=[^.;]{1,80}\\spoi(?!\\p{L}))': 'first',
  },
)

const russian = language(
  `
never: никогда не нельзя
always: всегда
instead of: вместо
before: перед до прежде
after: после
first: сначала сперва
then: потом затем
and: и
or: или
but: но а
with: с со
without: без
for: для
from: из от
to: в к на
when: если когда
only: только
use: использовать используй используйте
must: должен должна должны
we: мы
`,
  {},
)

const languages = [german, french, spanish, portuguese, italian, russian]

const languagesWith = new Map<string, Language[]>()
for (const one of languages)
  for (const [foreign] of one.words)
    if (!englishWords.has(foreign)) languagesWith.set(foreign, [...(languagesWith.get(foreign) ?? []), one])
