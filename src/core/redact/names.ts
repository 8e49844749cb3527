// Decides whether the name of a variable, field, flag or header says that its value is a secret.
import type { SecretNoun } from './values.ts'

/** Null for a name that was looked at and says nothing. */
const known = new Map<string, SecretNoun | null>()
const maxKnown = 4096

/** Undefined if values under this name are no secrets. The same few names occur again and again. */
export function nounOf(name: string): SecretNoun | undefined {
  const before = known.get(name)
  if (before !== undefined) return before ?? undefined
  if (known.size >= maxKnown) known.clear()
  const noun = findNoun(name)
  known.set(name, noun ?? null)
  return noun
}

function findNoun(name: string): SecretNoun | undefined {
  const words = wordsOf(name)
  if (words.join('').endsWith('secretstring')) return 'password' // of AWS: anything may be in it
  while (words.length > 1 && isSuffix(words.at(-1)!)) words.pop()
  const last = words.at(-1)
  if (last === undefined) return undefined
  const before = words.at(-2) ?? ''
  if (passwordEnd.test(last)) return 'password'
  if (last === 'pass' || last === 'psw') return 'password'
  if (last === 'pw') return /(?:^|[_.-])pw$/i.test(name) ? 'password' : undefined
  if (last === 'passe' || last === 'passord') return 'password'
  if (last.endsWith('pass') && passPrefixes.has(last.slice(0, -4))) return 'password'
  if (last === 'key' || last === 'keys') return keyNoun(before)
  if (last.endsWith('key') && last.length > 3) return keyWords.has(last.slice(0, -3)) ? 'key' : undefined
  if (before === 'public' || before === 'csrf' || before === 'xsrf') return undefined
  if (keyEnd.test(last)) return 'key'
  if (last === 'id') return before === 'secret' ? 'key' : before === 'key' || before === 'session' ? 'loose' : undefined
  if (/sess(?:ion)?id$/.test(last)) return 'loose'
  return looseWords.has(last) ? 'loose' : undefined
}

function keyNoun(before: string): SecretNoun | undefined {
  if (keyWords.has(before)) return 'key'
  return otherKeys.has(before) ? undefined : 'loose'
}

/** Splits `dbPassword`, `DB_PASSWORD`, `db-password` and `spring.db.password`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

const passwordEnd =
  /(?:passwor[dt]|passwd|passphrase|passcode|pwd|pword|kennwort|userpw|rootpw|adminpw|dbpw|storepass|keypass|srcstorepass|credentials?|creds|psk)$/
const passPrefixes = new Set(
  'db ssh user admin root my mysql pg postgres redis mongo smtp mail imap ftp ldap key store http proxy login wifi sudo vnc'.split(
    ' ',
  ),
)
const keyEnd = /(?:secret|secrets|token|apikey|jwt|bearer|auth|authorization|dsn|^pat)$/

/** `<word> key` is a secret. */
const keyWords = new Set(
  (
    'api access secret private priv auth authentication master encryption encrypt decryption cipher crypto signing sign signature ' +
    'license licence account shared sharedaccess storage subscription admin deploy service ssh client app application consumer ' +
    'server hmac aes rsa jwt session token security role write read ingest ingestion integration webhook function functions ' +
    'connection wallet rpc product sdk user team org project bot stripe openai anthropic sendgrid twilio datadog algolia ' +
    'mailgun mailchimp aws azure gcp google github gitlab gemini groq cohere mistral fastly cloudflare deepseek rest rapidapi ' +
    'preshared psk tls ssl pgp gpg wireguard host maps x deployment functionskey activation publish'
  ).split(' '),
)

/** `<word> key` is no secret. */
const otherKeys = new Set(
  (
    'public pub publishable cache primary foreign sort partition object idempotency react query map dict row group i18n translation ' +
    'lookup hash unique index natural composite candidate registry hot shortcut press down up sub parent child item data json ' +
    'config option property field column table locale message label message dedupe route event feature flag ' +
    'module dependency bundle chunk file path node tree any every each this that next prev previous first last which same'
  ).split(' '),
)

const looseWords = new Set('sig signature session sid sessionid cookie salt seed otp pin assertion ticket'.split(' '))

/** Words behind the noun that do not change what the value is. */
function isSuffix(word: string): boolean {
  return suffixes.has(word)
}

const suffixes = new Set(
  (
    'value val string str text plain plaintext raw data base hex encoded prod production dev development staging stage test ' +
    'live main primary secondary new old current default env here is b s json bytes content prd stg uat sandbox temp tmp local ' +
    'first second one two backup'
  ).split(' '),
)
