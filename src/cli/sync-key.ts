// A secret from a person at a terminal: nothing of it is shown.
import { UserError } from '../core/errors.ts'

export async function askSecretly(question: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY)
    throw new UserError('There is no terminal to ask for the key', 'Set RECOLLECT_KEY, or give --key-file <file>.')
  // Before the question: what is pasted at once would be shown.
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.resume()
  stderr.write(question)
  try {
    return await new Promise<string>((resolve, reject) => {
      let typed = ''
      stdin.on('data', (piece: string) => {
        for (const character of piece) {
          if (character === '\r' || character === '\n') return resolve(typed)
          if (character === '\u0003' || character === '\u0004')
            return reject(new UserError('Nothing was done', 'It was ended before a key was given.', 1))
          typed = character === '\u007f' || character === '\b' ? typed.slice(0, -1) : typed + character
        }
      })
    })
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stdin.removeAllListeners('data')
    stderr.write('\n')
  }
}
