// "Remember that X": the person asks to keep X. Only such a request makes a memory without a model
// or a review, so the grammar is strict: a statement of its own, at the beginning of a sentence,
// that is neither a question nor an order for the work at hand.
import type { Sentence } from './sentences.ts'

/** Whether the person asks to remember what the sentence says. */
export function isRequest({ text, count }: Pick<Sentence, 'text' | 'count'>): boolean {
  const lead = leadOf(text)
  if (lead) return count === 1 || !mayExplain.test(lead)
  return trailing.some((form) => form.test(text)) && isStatement(text)
}

/** Beside a task, "keep in mind that" explains the task. */
const mayExplain =
  /\bin mind\b|im kopf|denke? daran|garde|ten en cuenta|ten presente|em mente|a mente|tieni presente|в виду|учти/i

/** Length of "Please remember that "; 0 if the rest is no sentence, or if it is no request. */
export function requestLength(sentence: string): number {
  const lead = leadOf(sentence)
  return lead && !subordinate.test(lead) ? lead.length : 0
}

/** German puts the verb of such a clause at its end. */
const subordinate = / dass\s*$/i

function leadOf(sentence: string): string | undefined {
  if (!mayAsk.test(sentence)) return undefined
  for (const { lead, statement } of leading) {
    const found = lead.exec(sentence)?.[0]
    if (found && isStatement(sentence.slice(found.length), statement)) return found
  }
  return undefined
}

export function withoutRequest(sentence: string): string {
  return sentence.slice(requestLength(sentence))
}

function isStatement(text: string, form?: RegExp): boolean {
  if (/[?？]\s*$/.test(text) || ofThisTask.test(text)) return false
  const isLong = unspaced.test(text) ? text.length >= 6 : text.split(/\s+/).length >= 3
  return isLong && (form?.test(text) ?? true)
}

const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

const ofThisTask =
  /\bthis (?:task|pr|change|session|time|commit|step|conversation|ticket)\b|\b(?:today|tonight|right now|for now|tomorrow)\b/i

/** A word that every form below has; most sentences have none. */
const mayAsk =
  /remember|in mind|memor|note|future|later|next|merk|behalte|denk|speicher|künftig|spätere|souviens|rappelle|retiens|garde|enregistre|mémoire|prochaine|recuerda|cuenta|presente|sesiones|lembr|mente|sessões|ricorda|sessioni|запомни|виду|учти|памят|сессий|记住|記住|记忆|覚え|記憶|기억/i

interface RequestForm {
  lead: RegExp
  /** What the rest must look like. */
  statement?: RegExp
}

/** "Remember that bug" names a thing; "remember that bugs are filed in Linear" has a verb. */
const hasVerb =
  /\b(?:is|are|was|were|isn't|aren't|has|have|had|must|should|can|can't|cannot|could|do|does|don't|doesn't|never|always|only|will|won't|need|needs|uses?|goes?|runs?|lives?|means?|we|i|you|they|breaks?|requires?|expects?|takes?|costs?|owns?|deploys?|ships?|gets?|stays?|belongs?|works?|prefers?|comes?|supports?|fails?|returns?|reads?|writes?)\b/i

/** Neither "to run the tests" nor "the file above" nor "function we wrote". */
const isNoOrder =
  /^(?!to\b|[a-z]+ (?:we|you|i|from|where|when)\b|when\b|the (?:above|below|following)\b|what\b|how\b|this\b|it\b)/i

const opening = String.raw`^(?:(?:also|and|ok|okay|so|hey|please|pls|one more thing|btw|by the way)[,:]?\s+)*`

const leading: RequestForm[] = [
  {
    lead: new RegExp(
      String.raw`${opening}(?:remember|keep in mind|bear in mind|make a note)(?: for (?:later|the future|next time|future sessions))?,?\s+that\s+`,
      'i',
    ),
    statement: new RegExp(`${isNoOrder.source}.*${hasVerb.source}`, 'is'),
  },
  {
    lead: new RegExp(
      String.raw`${opening}(?:(?:remember|keep in mind|bear in mind|note for later|note to self)(?: (?:this|the following|for (?:later|the future|next time|future sessions)))?|(?:save|add|write|put|store|commit) (?:this|that|it|the following )?\s*(?:to|in|into) (?:your |the |project )?(?:long-term )?memory|for (?:all )?(?:future|later|next) (?:sessions?|conversations?|chats?))(?::| that\b)\s*`,
      'i',
    ),
    statement: isNoOrder,
  },
  {
    lead: /^for (?:all )?(?:future|later) (?:sessions?|conversations?|chats?),\s+(?!(?:can|could|should|do|what|how)\b)/i,
  },
  // German, French, Spanish, Portuguese, Italian, Russian
  {
    lead: /^(?:bitte )?(?:merk(?:e|t)? (?:dir|euch)(?: bitte)?|behalte im (?:kopf|gedächtnis)|denk(?:e)? daran)(?:\s*:|,? dass(?=\s))\s*/i,
  },
  {
    lead: /^(?:bitte )?(?:speicher(?:e)? (?:das|dies|folgendes) (?:in deinem|im|in deinen) (?:gedächtnis|speicher)|für (?:künftige|zukünftige|spätere) (?:sitzungen|sessions))\s*:\s*/i,
  },
  {
    lead: /^(?:souviens-toi|rappelle-toi|retiens(?: bien)?|garde (?:en tête|à l'esprit))(?:\s*:|\s+que(?=\s)|\s+qu')\s*/i,
  },
  {
    lead: /^(?:(?:enregistre|note|sauvegarde) (?:ceci|ça|cela) (?:en|dans ta|dans la) mémoire|pour les (?:prochaines|futures) sessions)\s*:\s*/i,
  },
  { lead: /^(?:por favor,? )?(?:recuerda|ten en cuenta|ten presente)(?:\s*:|\s+que(?=\s))\s*/i },
  {
    lead: /^(?:por favor,? )?(?:guarda esto en (?:tu|la) memoria|para (?:las )?(?:futuras|próximas) sesiones)\s*:\s*/i,
  },
  {
    lead: /^(?:por favor,? )?(?:lembre-se(?: de)?|lembra(?:-te)?(?: de)?|tenha em mente)(?:\s*:|\s+que(?=\s))\s*/i,
  },
  {
    lead: /^(?:por favor,? )?(?:(?:guarde|salve|guarda|salva) isso na (?:sua |tua )?memória|para (?:as )?(?:próximas|futuras) sessões)\s*:\s*/i,
  },
  { lead: /^(?:per favore,? )?(?:ricorda(?:ti)?|tieni (?:a mente|presente))(?:\s*:|\s+che(?=\s))\s*/i },
  {
    lead: /^(?:per favore,? )?(?:salva (?:questo )?(?:in|nella) (?:tua )?memoria|per le (?:prossime|future) sessioni)\s*:\s*/i,
  },
  {
    lead: /^(?:пожалуйста,? )?(?:запомни(?:те)?|име(?:й|йте) в виду|учти(?:те)?)(?:\s*:|,? что(?=\s))\s*/i,
  },
  {
    lead: /^(?:пожалуйста,? )?(?:сохрани(?:те)? (?:это )?в памят[ьи]|для (?:будущих|следующих) сессий)\s*:\s*/i,
  },
  // Chinese, Japanese, Korean
  { lead: /^(?:请|請)?(?:帮我|幫我)?(?:记住|記住)\s*[：:，,]?\s*(?!了|要|去|那|这个|這個)/ },
  {
    lead: /^(?:请|請)?(?:把)?(?:这个|这条|这|以下|此)?(?:内容)?(?:保存|存|记|写)(?:到|入|进)(?:你的)?(?:长期)?记忆(?:里|中)?\s*[：:]\s*/,
  },
  { lead: /^(?:次のことを|以下を|これを)?(?:覚えておいて|覚えて|記憶して)(?:ください|下さい|ね)?\s*[：:、。]\s*/ },
  { lead: /^(?:다음을 |이걸 |이것을 )?기억해\s?(?:줘|주세요|둬|두세요)?\s*[：:,]\s*/ },
]

/** The request comes behind the statement. */
const trailing = [
  /(?:ということ|こと|と)を?(?:覚えておいて|記憶しておいて)(?:ください|下さい|ね)?[。！!]?$/,
  /(?:다는|라는|는) (?:것을|걸|점을|것|점) 기억해\s?(?:줘|주세요|둬|두세요)[.!]?$/,
]
