// Removes characters that a terminal or a page would act on instead of showing: escape sequences
// (titles, clipboard, cursor), other control characters, marks that reorder a line, and invisible
// characters that make two names look the same.

/**
 * The text as it may be shown. Keeps line ends and tabs, and the joiners of emoji and of scripts
 * that need them.
 */
export function removeControls(text: string): string {
  // Most texts have nothing to remove.
  if (!suspicious.test(text)) return text
  return text.replace(/\r\n/g, '\n').replace(sequences, '').replace(controls, '').replace(latinJoiners, '')
}

/** JSON text in which no character that `removeControls` removes stands unescaped. */
export function escapeControlsInJson(json: string): string {
  return json.replace(unescapedInJson, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** One class for all: C0 without tab and line end, DEL, C1, direction marks, invisible characters. */
const removed = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}`
const controls = new RegExp(`[${removed}]`, 'gu')
const suspicious = new RegExp(`[${removed}\u200c\u200d]`, 'u')

/** Between Latin letters and digits a joiner is invisible and joins nothing. */
const latinJoiners = /(?<=[\p{Script=Latin}\p{N}])[\u200c\u200d]+/gu

/**
 * Whole escape sequences, in their forms of seven and of eight bits: strings up to their end (OSC,
 * DCS, SOS, PM, APC; at most one line if the end is missing), CSI, and two-character sequences.
 */
const sequences =
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]{0,4096}(?:\u0007|\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,16}[@-~]?|\u001b[ -/]{0,16}[0-~]?/g

const unescapedInJson = new RegExp(`(?!\\n)[${removed}]`, 'gu')
