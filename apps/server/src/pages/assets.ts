import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Assets of the pages. The paths contain a hash of the content, so browsers may cache them forever. */
export const STYLESHEET = asset('pages', 'css', 'text/css; charset=utf-8')
export const ICON = asset('icon', 'svg', 'image/svg+xml')

function asset(name: string, extension: string, type: string) {
  const bytes = new Uint8Array(readFileSync(new URL(`./${name}.${extension}`, import.meta.url)))
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  return { path: `/assets/${name}-${hash}.${extension}`, type, bytes } as const
}
