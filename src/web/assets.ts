// Files that the page loads: one stylesheet and one script. Their names contain a hash of the
// content, so that browsers may keep them.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { findPackageFile } from '../core/package-files.ts'

interface Asset {
  url: string
  type: string
  content: Buffer
}

const sources = {
  style: { files: ['page/style.css', 'src/html/style.css'], name: 'style.css', type: 'text/css; charset=utf-8' },
  script: {
    files: ['page/client.js', 'dist/page/client.js'],
    name: 'client.js',
    type: 'text/javascript; charset=utf-8',
  },
} as const

const loaded = new Map<string, Asset>()

export function assetUrl(name: keyof typeof sources): string {
  return loadAsset(name).url
}

export function assetAt(path: string): Asset | undefined {
  if (!path.startsWith('/assets/')) return undefined
  const names = Object.keys(sources) as (keyof typeof sources)[]
  return names.map(loadAsset).find(({ url }) => url === path)
}

function loadAsset(name: keyof typeof sources): Asset {
  const known = loaded.get(name)
  if (known) return known
  const { files, name: fileName, type } = sources[name]
  const path = findPackageFile(...files)
  if (path === undefined) throw new Error(`${fileName} is missing: run npm run build`)
  const content = readFileSync(path)
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12)
  const asset = { url: `/assets/${hash}-${fileName}`, type, content }
  loaded.set(name, asset)
  return asset
}
