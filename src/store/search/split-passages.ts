// Splits long messages into passages, so that the passage that answers is found and short messages
// are not outweighed by long ones.

const wordsPerPassage = 120

/** Splits between lines or sentences; a long line without sentences is split between words. */
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

/** Shorter texts are about one passage. */
const shortText = 500

/** Logs and lists of names have no sentences. */
function chunks(text: string): string[] {
  return text.match(/[\s\S]{1,400}(?:\s+|$)|[\s\S]{1,400}/g) ?? []
}

/** In scripts without spaces, two characters count as about one word. */
function countWords(text: string): number {
  const dense = text.match(/[\u0e00-\u0fff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0
  return (text.match(/\S+/g)?.length ?? 0) + dense / 2
}
