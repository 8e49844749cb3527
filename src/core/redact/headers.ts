// Values of headers and cookies: credentials that are written in several fields, or in a form of their own.
import type { PhraseRule, SecretRange } from './units.ts'
import { isPlaceholder, isSecret, looksGenerated } from './values.ts'

const token = /[ \t]{0,2}:?[ \t]{1,4}\\{0,3}["']?([A-Za-z0-9+/._~%|:=-]{8,4000})/y

function authorizationAt(text: string, start: number, end: number): SecretRange | undefined {
  if (/[A-Za-z0-9]/.test(text.charAt(start - 1))) return undefined
  token.lastIndex = end
  const value = token.exec(text)?.[1]
  if (value === undefined || isPlaceholder(value)) return undefined
  const from = token.lastIndex - value.length
  const isBasic = (text.charCodeAt(start) | 32) === 98 && (text.charCodeAt(start + 1) | 32) === 97
  if (isBasic ? !isUserAndPassword(value) && !looksGenerated(value) : !isBearer(value)) return undefined
  return { start: from, end: from + value.length, kind: 'authorization' }
}

function isBearer(value: string): boolean {
  return value.length >= 16
    ? looksGenerated(value) || /\d/.test(value)
    : /\d/.test(value) && isSecret(value, 'key', 'bare')
}

/** Base64 of `user:password`, as in Basic authentication and Docker's configuration. */
export function isUserAndPassword(value: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{6,}={0,2}$/.test(value)) return false
  const decoded = Buffer.from(value, 'base64').toString('latin1')
  return /^[\x20-\x7e]{1,200}:[\x20-\x7e]{1,2000}$/.test(decoded)
}

/** The values of a Cookie or Set-Cookie header. */
function cookieAt(text: string, start: number, end: number): SecretRange | undefined {
  const match =
    /["']?[ \t]{0,3}[:=][ \t]{0,3}\\{0,3}["']?([\w.%-]{1,80}=)([^\s;"'\\]{6,4000})((?:;[ \t]?[\w.%-]{1,80}=[^\s;"'\\]{0,4000}){0,30})/y
  match.lastIndex = end
  const found = match.exec(text)
  if (!found) return undefined
  const [, name, value, rest] = found
  if (isPlaceholder(value!) || (!looksGenerated(value!) && !/\d/.test(value!))) return undefined
  const from = match.lastIndex - rest!.length - value!.length
  const isSetCookie = /set-?$/i.test(text.slice(Math.max(0, start - 4), start))
  return name === undefined
    ? undefined
    : { start: from, end: isSetCookie ? from + value!.length : match.lastIndex, kind: 'cookie' }
}

/** Schemes that have several fields: only one of them proves something. */
const schemes = /\b(?:digest|hawk|oauth|mac|wsse|usernametoken|signature)\b/i
const proof = /\\{0,3}["']?[ \t]{0,3}[=:][ \t]{0,3}\\{0,3}["']?([A-Za-z0-9+/=%_-]{16,2000})/y

/** `response` of Digest, `mac` of Hawk, `PasswordDigest` of WSSE. */
function proofAt(text: string, start: number, end: number): SecretRange | undefined {
  proof.lastIndex = end
  const value = proof.exec(text)?.[1]
  if (value === undefined || !(looksGenerated(value) || /^[0-9a-f]{32,}$/i.test(value))) return undefined
  const near = text.slice(Math.max(0, start - 1000), start)
  if (!schemes.test(near.slice(near.lastIndexOf('\n') + 1))) return undefined
  return { start: proof.lastIndex - value.length, end: proof.lastIndex, kind: 'authorization' }
}

const assertion =
  /[ \t]{0,3}(?:[-_]?(?:response|request|assertion|token|artifact|art|credentials?))?\\{0,3}["']?(?:[ \t]{0,3}[:=][ \t]{0,3}|[ \t]{1,3}|[ \t]{1,3}value[ \t]{0,3}=[ \t]{0,3})\\{0,3}["']?([A-Za-z0-9+/=%_-]{40,300})/iy

/** Only read behind what is known to be an assertion. */
const assertionRest = /[A-Za-z0-9+/=%_-]*/y

/** `SAMLResponse=…`, `Authorization: SAML …`, a field of a form. */
function assertionAt(text: string, _: number, end: number): SecretRange | undefined {
  assertion.lastIndex = end
  const value = assertion.exec(text)?.[1]
  if (value === undefined || !looksGenerated(value)) return undefined
  assertionRest.lastIndex = assertion.lastIndex
  assertionRest.test(text)
  return { start: assertion.lastIndex - value.length, end: assertionRest.lastIndex, kind: 'saml' }
}

const message = /[ \t]{1,3}((?:TlRMTVNTUAAD|Y[A-Z])[A-Za-z0-9+/]{30,20000}={0,2})/y

/** The messages of NTLM and Kerberos that prove who somebody is. */
function negotiationAt(text: string, _: number, end: number): SecretRange | undefined {
  message.lastIndex = end
  const value = message.exec(text)?.[1]
  return value === undefined
    ? undefined
    : { start: message.lastIndex - value.length, end: message.lastIndex, kind: 'authorization' }
}

const rule = (markers: string[], find: PhraseRule['find']): PhraseRule[] => markers.map((marker) => ({ marker, find }))

export const headerRules: PhraseRule[] = [
  ...rule(['bearer', 'basic'], authorizationAt),
  ...rule(['cookie'], cookieAt),
  ...rule(['response=', 'mac="', 'passworddigest'], (text, start, end) =>
    proofAt(text, start, start + text.slice(start, end).replace(/[="]+$/, '').length),
  ),
  ...rule(['saml'], assertionAt),
  ...rule(['ntlm', 'negotiate'], negotiationAt),
]
