// Renders commands and their real output as an SVG of a terminal, for the README. The commands run
// on the demo home in a temporary store, so that the picture can be made again after a change:
// node scripts/build.mjs && node scripts/terminal-svg.mjs
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const pictures = [
  {
    file: 'docs/images/terminal.svg',
    title: 'Recollect in a terminal: sweep, recall, search, blame and cost on the demo data',
    commands: [
      ['sweep'],
      ['recall', 'why is there no service worker'],
      ['search', 'Invalid time value', '--limit', '2'],
      ['blame', 'src/cache.ts', '--project', 'tidepool'],
      ['cost', '--by', 'agent'],
    ],
  },
]

const maxColumns = 96
const charWidth = 8.43
const lineHeight = 20
const margin = 20
const barHeight = 36
const colours = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#f2cc60',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#76e3ea',
}

for (const picture of pictures) {
  const path = join(root, picture.file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, renderSvg(picture.title, runCommands(picture.commands)))
  console.log(picture.file)
}

/** Lines of styled parts: each command after a prompt, then what it printed. */
function runCommands(commands) {
  const store = mkdtempSync(join(tmpdir(), 'recollect-picture-'))
  const cwd = join(store, 'empty')
  mkdirSync(cwd)
  try {
    return commands.flatMap((args, index) => [
      ...(index > 0 ? [[]] : []),
      promptLine(args),
      ...outputOf(args, store, cwd)
        .split('\n')
        .flatMap((line) => wrapLine(parseAnsi(line))),
    ])
  } finally {
    rmSync(store, { recursive: true, force: true })
  }
}

function outputOf(args, store, cwd) {
  const { stdout, stderr, error } = spawnSync(process.execPath, [join(root, 'dist', 'cli.js'), ...args], {
    cwd,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: join(root, 'demo', 'home'),
      RECOLLECT_HOME: store,
      FORCE_COLOR: '1',
      TZ: 'UTC',
    },
  })
  if (error) throw error
  return `${stdout}${stderr}`.trimEnd()
}

function promptLine(args) {
  const words = args.map((arg, index) => (index > 0 && arg.includes(' ') ? `"${arg}"` : arg))
  return [
    { text: '$ ', style: { colour: colours[32], isBold: true } },
    { text: `recollect ${words.join(' ')}`, style: { colour: '#ffffff', isBold: true } },
  ]
}

function parseAnsi(line) {
  const parts = []
  let style = {}
  // The escape character comes from a string: a control character in a pattern is a lint error.
  for (const [index, piece] of line.split(new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m`)).entries()) {
    if (index % 2 === 0) {
      if (piece) parts.push({ text: piece, style })
    } else for (const code of piece.split(';')) style = restyle(style, Number(code))
  }
  return parts
}

function restyle(style, code) {
  if (code === 0) return {}
  if (code === 1) return { ...style, isBold: true }
  if (code === 2) return { ...style, colour: '#8b949e' }
  return colours[code] ? { ...style, colour: colours[code] } : style
}

/** Breaks at the last blank that fits and repeats the indentation. */
function wrapLine(parts) {
  const chars = parts.flatMap(({ text, style }) => [...text].map((char) => ({ char, style })))
  const indent = chars.findIndex(({ char }) => char !== ' ')
  const lines = []
  let rest = chars
  while (rest.length > maxColumns) {
    const blank = rest.slice(0, maxColumns + 1).findLastIndex(({ char }) => char === ' ')
    const end = blank > indent ? blank : maxColumns
    lines.push(rest.slice(0, end))
    const next = rest.slice(end).findIndex(({ char }) => char !== ' ')
    rest = [...chars.slice(0, Math.max(indent, 0)), ...rest.slice(next < 0 ? rest.length : end + next)]
  }
  return [...lines, rest].map(joinChars)
}

function joinChars(chars) {
  const parts = []
  for (const { char, style } of chars) {
    if (parts.at(-1)?.style === style) parts.at(-1).text += char
    else parts.push({ text: char, style })
  }
  return parts
}

function renderSvg(title, lines) {
  const width = Math.ceil(maxColumns * charWidth + 2 * margin)
  const height = barHeight + lines.length * lineHeight + margin
  const dots = ['#ff5f56', '#ffbd2e', '#27c93f'].map(
    (fill, index) => `<circle cx="${margin + index * 20}" cy="${barHeight / 2}" r="6" fill="${fill}"/>`,
  )
  const rows = lines.map((parts, index) => renderLine(parts, barHeight + (index + 0.75) * lineHeight))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escapeXml(title)}</title>
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
${dots.join('\n')}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3" xml:space="preserve">
${rows.filter(Boolean).join('\n')}
</g>
</svg>
`
}

/** Each part has its own x and length, so that columns stay aligned in any monospaced font. */
function renderLine(parts, y) {
  let column = 0
  return parts
    .map(({ text, style }) => {
      const length = [...text].length
      const x = margin + column * charWidth
      column += length
      if (!text.trim()) return ''
      const look = `${style.colour ? ` fill="${style.colour}"` : ''}${style.isBold ? ' font-weight="bold"' : ''}`
      return `<text x="${x.toFixed(1)}" y="${y}" textLength="${(length * charWidth).toFixed(1)}"${look}>${escapeXml(text)}</text>`
    })
    .join('')
}

function escapeXml(text) {
  return text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char])
}
