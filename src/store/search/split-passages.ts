// A long message is several passages: what answers stands in one of them, and a short message must not drown beside it.

/** About this many words each. */
const wordsPerPassage = 120

/** Cut between lines or sentences; a line without sentences between words. */
export function splitPassages(text: string, max: number): string[] {
  const passages: string[] = []
  let current = ''
  let count = 0
  for (const piece of piecesOf(text)) {
    const words = countWords(piece)
    if (count > 0 && count + words > wordsPerPassage) {
      passages.push(current)
      if (passages.length === max) return passages
      current = ''
      count = 0
    }
    current += piece
    count += words
  }
  if (current.trim() !== '') passages.push(current)
  return passages
}

function piecesOf(text: string): string[] {
  if (text.length < shortText) return [text]
  const sentences = text.split(/(?<=[.!?]["')\]]?\s)|(?<=\n)|(?<=[。！？])/)
  return sentences.flatMap((sentence) => (sentence.length > shortText ? chunks(sentence) : sentence))
}

/** So few characters are hardly more than a passage. */
const shortText = 500

/** A log or a list of names has no sentences. */
function chunks(text: string): string[] {
  return text.match(/[\s\S]{1,400}(?:\s+|$)|[\s\S]{1,400}/g) ?? []
}

/** Two characters of a script without spaces are about a word. */
function countWords(text: string): number {
  const dense = text.match(/[\u0e00-\u0fff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0
  return (text.match(/\S+/g)?.length ?? 0) + dense / 2
}
