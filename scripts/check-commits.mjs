// Checks the commits since a base: a subject of at most 72 characters that starts with a capital
// letter and has no full stop, and a body that says why. Usage: node scripts/check-commits.mjs BASE
import { execFileSync } from 'node:child_process'

const [base = 'origin/main'] = process.argv.slice(2)
const log = execFileSync('git', ['log', '--no-merges', '--format=%h%x00%s%x00%b%x01', `${base}..HEAD`], {
  encoding: 'utf8',
})
const problems = log
  .split('\u0001')
  .map((entry) => entry.trim())
  .filter((entry) => entry !== '')
  .flatMap((entry) => {
    const [hash, subject, body = ''] = entry.split('\0')
    return [
      subject.length > 72 && `${hash} has a subject of ${subject.length} characters; the limit is 72: ${subject}`,
      !/^\p{Lu}/u.test(subject) && `${hash}: start the subject with a capital letter: ${subject}`,
      subject.endsWith('.') && `${hash}: remove the full stop at the end of the subject: ${subject}`,
      body.trim() === '' && `${hash} has no body: say why the change is made: ${subject}`,
    ].filter(Boolean)
  })
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)
