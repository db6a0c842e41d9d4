import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** What pages are shown with. The path of each names its bytes, so that it may be kept for as long as one likes. */
export const STYLESHEET = asset('pages', 'css', 'text/css; charset=utf-8')
export const ICON = asset('icon', 'svg', 'image/svg+xml')

function asset(name: string, ending: string, type: string) {
  const bytes = new Uint8Array(readFileSync(new URL(`./${name}.${ending}`, import.meta.url)))
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  return { path: `/assets/${name}-${hash}.${ending}`, type, bytes } as const
}
