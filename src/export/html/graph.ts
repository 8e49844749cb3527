// A picture of pages and their links: placed by forces, always the same for the same links. The links in it stand in lists as
// well, so it is a picture to whoever cannot see it.
import { escaped } from './escape.ts'

export interface Node {
  id: string
  label: string
  url: string
  /** How it is drawn. */
  kind: string
  isCentre?: boolean
}

export interface Graph {
  nodes: Node[]
  /** By their places among the nodes. */
  edges: [number, number][]
}

/** Between these pages, each pair once; places are those among the paths. */
export function edgesAmong(
  paths: readonly string[],
  outgoing: ReadonlyMap<string, readonly string[]>,
): [number, number][] {
  const places = new Map(paths.map((path, at) => [path, at]))
  const edges = new Map<string, [number, number]>()
  for (const [path, at] of places) {
    for (const to of outgoing.get(path) ?? []) {
      const other = places.get(to)
      if (other !== undefined && other !== at) edges.set([Math.min(at, other), Math.max(at, other)].join(), [at, other])
    }
  }
  return [...edges.values()]
}

interface Place {
  x: number
  y: number
}

const width = 720
const margin = 40

/** At most so many are named, where there is room for their names; on a small screen only the first few. */
export function drawGraph({ nodes, edges }: Graph, caption: string, maxLabels: number): string {
  if (nodes.length < 3) return ''
  const height = Math.min(420, 140 + nodes.length * 20)
  const places = placed(nodes.length, edges, height)
  const degrees = nodes.map((_, at) => edges.filter((edge) => edge.includes(at)).length)
  const ordered = nodes
    .map((node, at) => ({ at, weight: node.isCentre ? Number.POSITIVE_INFINITY : degrees[at]! }))
    .sort((a, b) => b.weight - a.weight || a.at - b.at)
    .map(({ at }) => at)
  const labels = placeLabels(nodes, places, ordered, maxLabels)
  const lines = edges.map(([a, b]) => {
    const [from, to] = [places[a]!, places[b]!]
    return `<line x1="${from.x}" y1="${from.y}" x2="${to.x}" y2="${to.y}"/>`
  })
  const dots = nodes.map(({ label, url, kind, isCentre }, at) => {
    const { x, y } = places[at]!
    const radius = (isCentre ? 9 : 4 + Math.min(6, Math.sqrt(degrees[at]!) * 1.5)).toFixed(1)
    return `<a href="${escaped(url)}" tabindex="-1" class="${kind}${isCentre ? ' centre' : ''}"><title>${escaped(label)}</title><circle cx="${x}" cy="${y}" r="${radius}"/>${labels.get(at) ?? ''}</a>`
  })
  return `<figure class="graph"><svg viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false"><g>${lines.join('')}</g>${dots.join('')}</svg><figcaption>${escaped(caption)}</figcaption></figure>`
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

const letterWidth = 7.2
const firstLabels = 6

/** Beside, below or above its dot, wherever it covers no other name and no dot; else not at all. */
function placeLabels(
  nodes: readonly Node[],
  places: readonly Place[],
  ordered: readonly number[],
  max: number,
): Map<number, string> {
  const taken: Box[] = places.map(({ x, y }) => ({ left: x - 8, right: x + 8, top: y - 8, bottom: y + 8 }))
  const labels = new Map<number, string>()
  for (const at of ordered) {
    if (labels.size === max) break
    const words = short(nodes[at]!.label)
    const length = [...words].length * letterWidth
    const { x, y } = places[at]!
    const choices = [
      { anchor: 'start', left: x + 13, dy: 4 },
      { anchor: 'end', left: x - 13 - length, dy: 4 },
      { anchor: 'middle', left: x - length / 2, dy: 24 },
      { anchor: 'middle', left: x - length / 2, dy: -15 },
    ]
    const boxOf = ({ left, dy }: (typeof choices)[number]) => ({
      left,
      right: left + length,
      top: y + dy - 12,
      bottom: y + dy + 4,
    })
    const choice = choices.find((one) => isFree(boxOf(one), taken))
    if (!choice) continue
    taken.push(boxOf(choice))
    const from = { start: choice.left, middle: x, end: x - 13 }[choice.anchor]!
    const minor = labels.size < firstLabels ? '' : ' class="minor"'
    labels.set(
      at,
      `<text x="${from.toFixed(1)}" y="${(y + choice.dy).toFixed(1)}" text-anchor="${choice.anchor}"${minor}>${escaped(words)}</text>`,
    )
  }
  return labels
}

function isFree(box: Box, taken: readonly Box[]): boolean {
  if (box.left < 4 || box.right > width - 4) return false
  return taken.every(
    (other) => box.right < other.left || box.left > other.right || box.bottom < other.top || box.top > other.bottom,
  )
}

function short(label: string): string {
  const letters = [...label]
  return letters.length > 26 ? `${letters.slice(0, 25).join('')}…` : label
}

const maxRounds = 150

/** Everything pushes everything away, links pull; the steps become smaller. */
function placed(count: number, edges: readonly [number, number][], height: number): Place[] {
  const ideal = Math.sqrt((width * height) / count)
  const rounds = Math.min(maxRounds, 30 + count * 2) // few find their places soon
  const places = Array.from({ length: count }, (_, at) => {
    const angle = at * 2.399963 // the golden angle: no two in a line
    const radius = Math.sqrt((at + 0.5) / count)
    return { x: Math.cos(angle) * radius * width * 0.5, y: Math.sin(angle) * radius * height * 0.5 }
  })
  for (let round = 0; round < rounds; round++) {
    const moves = places.map((one) => pushed(one, places, ideal))
    for (const [a, b] of edges) pull(places[a]!, places[b]!, moves[a]!, moves[b]!, ideal)
    const step = ideal * 0.5 * (1 - round / rounds)
    for (const [at, move] of moves.entries()) {
      const length = Math.hypot(move.x, move.y) || 1
      places[at]!.x += (move.x / length) * Math.min(length, step)
      places[at]!.y += (move.y / length) * Math.min(length, step)
    }
  }
  return fitted(places, height)
}

function pushed(one: Place, places: readonly Place[], ideal: number): Place {
  // Toward the middle a little: what is linked to nothing would fly away.
  const move = { x: -one.x * 0.08, y: -one.y * 0.16 }
  for (const other of places) {
    if (other === one) continue
    const [x, y] = [one.x - other.x, one.y - other.y]
    const squared = Math.max(1, x * x + y * y)
    move.x += (x * ideal * ideal) / squared
    move.y += (y * ideal * ideal) / squared
  }
  return move
}

function pull(a: Place, b: Place, moveA: Place, moveB: Place, ideal: number): void {
  const [x, y] = [b.x - a.x, b.y - a.y]
  const force = Math.hypot(x, y) / ideal
  moveA.x += x * force
  moveA.y += y * force
  moveB.x -= x * force
  moveB.y -= y * force
}

function fitted(places: readonly Place[], height: number): Place[] {
  const fit = (values: number[], size: number) => {
    const [least, max] = [Math.min(...values), Math.max(...values)]
    const scale = (size - 2 * margin) / Math.max(1, max - least)
    return values.map((value) => Math.round((margin + (value - least) * scale) * 10) / 10)
  }
  const xs = fit(
    places.map(({ x }) => x),
    width,
  )
  const ys = fit(
    places.map(({ y }) => y),
    height,
  )
  return places.map((_, at) => ({ x: xs[at]!, y: ys[at]! }))
}
