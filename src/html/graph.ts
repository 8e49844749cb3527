// Draws pages and their links as SVG, with a deterministic force-directed layout. Hidden from
// screen readers: the pages also list the links.
import type { LinkGraph } from '../wiki/link-graph.ts'
import { type Html, html } from './html.ts'

interface GraphNode {
  id: string
  label: string
  url: string
  /** CSS class of the node. */
  kind: string
  isCentre?: boolean
}

export interface Graph {
  nodes: GraphNode[]
  /** Pairs of indexes into the nodes. */
  edges: [number, number][]
}

/** Returns the links among these pages, each pair once, as indexes into the paths. */
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

const maxNeighbours = 14

/** A page in the centre, and the articles that it links to or that link to it. */
export function graphAround(
  path: string,
  { outgoing, backlinks }: LinkGraph,
  nodeOf: (path: string) => Pick<GraphNode, 'label' | 'kind' | 'url'>,
): Graph {
  const near = new Set([...(outgoing.get(path) ?? []), ...(backlinks.get(path) ?? [])])
  near.delete(path)
  const paths = [path, ...[...near].slice(0, maxNeighbours)]
  return {
    nodes: paths.map((one) => ({ id: one, ...nodeOf(one), isCentre: one === path })),
    edges: edgesAmong(paths, outgoing),
  }
}

interface Point {
  x: number
  y: number
}

const width = 720
const margin = 40

/** Labels at most `maxLabels` nodes, where there is space; on a small screen only the first few. */
export function drawGraph({ nodes, edges }: Graph, caption: string, maxLabels: number): Html | undefined {
  if (nodes.length < 3) return undefined
  const height = Math.min(420, 140 + nodes.length * 20)
  const places = layoutNodes(nodes.length, edges, height)
  const degrees = nodes.map((_, at) => edges.filter((edge) => edge.includes(at)).length)
  const ordered = nodes
    .map((node, at) => ({ at, weight: node.isCentre ? Number.POSITIVE_INFINITY : degrees[at]! }))
    .sort((a, b) => b.weight - a.weight || a.at - b.at)
    .map(({ at }) => at)
  const labels = placeLabels(nodes, places, ordered, maxLabels)
  const lines = edges.map(([a, b]) => {
    const [from, to] = [places[a]!, places[b]!]
    return html`<line x1="${from.x}" y1="${from.y}" x2="${to.x}" y2="${to.y}"/>`
  })
  const dots = nodes.map(({ label, url, kind, isCentre }, at) => {
    const { x, y } = places[at]!
    const radius = (isCentre ? 9 : 4 + Math.min(6, Math.sqrt(degrees[at]!) * 1.5)).toFixed(1)
    return html`<a href="${url}" tabindex="-1" class="${kind}${isCentre && ' centre'}"><title>${label}</title><circle cx="${x}" cy="${y}" r="${radius}"/>${labels.get(at)}</a>`
  })
  return html`<figure class="graph"><svg viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false"><g>${lines}</g>${dots}</svg><figcaption>${caption}</figcaption></figure>`
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

const letterWidth = 7.2
const firstLabels = 6

/**
 * Places each label beside, below or above its node where it covers nothing; otherwise leaves it
 * out.
 */
function placeLabels(
  nodes: readonly GraphNode[],
  places: readonly Point[],
  ordered: readonly number[],
  max: number,
): Map<number, Html> {
  const taken: Box[] = places.map(({ x, y }) => ({ left: x - 8, right: x + 8, top: y - 8, bottom: y + 8 }))
  const labels = new Map<number, Html>()
  for (const at of ordered) {
    if (labels.size === max) break
    const words = shortLabel(nodes[at]!.label)
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
    const minor = labels.size >= firstLabels && html` class="minor"`
    labels.set(
      at,
      html`<text x="${from.toFixed(1)}" y="${(y + choice.dy).toFixed(1)}" text-anchor="${choice.anchor}"${minor}>${words}</text>`,
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

function shortLabel(label: string): string {
  const letters = [...label]
  return letters.length > 26 ? `${letters.slice(0, 25).join('')}…` : label
}

const maxRounds = 150

/**
 * Fruchterman-Reingold: all nodes repel each other, links attract, and the steps become smaller.
 */
function layoutNodes(count: number, edges: readonly [number, number][], height: number): Point[] {
  const ideal = Math.sqrt((width * height) / count)
  const rounds = Math.min(maxRounds, 30 + count * 2) // small graphs settle early
  const places = Array.from({ length: count }, (_, at) => {
    const angle = at * 2.399963 // the golden angle spreads the start positions
    const radius = Math.sqrt((at + 0.5) / count)
    return { x: Math.cos(angle) * radius * width * 0.5, y: Math.sin(angle) * radius * height * 0.5 }
  })
  for (let round = 0; round < rounds; round++) {
    const moves = places.map((one) => repulsion(one, places, ideal))
    for (const [a, b] of edges) attract(places[a]!, places[b]!, moves[a]!, moves[b]!, ideal)
    const step = ideal * 0.5 * (1 - round / rounds)
    for (const [at, move] of moves.entries()) {
      const length = Math.hypot(move.x, move.y) || 1
      places[at]!.x += (move.x / length) * Math.min(length, step)
      places[at]!.y += (move.y / length) * Math.min(length, step)
    }
  }
  return fitToSize(places, height)
}

function repulsion(one: Point, places: readonly Point[], ideal: number): Point {
  // A weak pull to the centre keeps unlinked nodes inside.
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

function attract(a: Point, b: Point, moveA: Point, moveB: Point, ideal: number): void {
  const [x, y] = [b.x - a.x, b.y - a.y]
  const force = Math.hypot(x, y) / ideal
  moveA.x += x * force
  moveA.y += y * force
  moveB.x -= x * force
  moveB.y -= y * force
}

function fitToSize(places: readonly Point[], height: number): Point[] {
  const fit = (values: number[], size: number) => {
    const [min, max] = [Math.min(...values), Math.max(...values)]
    const scale = (size - 2 * margin) / Math.max(1, max - min)
    return values.map((value) => Math.round((margin + (value - min) * scale) * 10) / 10)
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
