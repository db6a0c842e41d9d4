import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const bytes = new Uint8Array(readFileSync(new URL('./pages.css', import.meta.url)))

/** The one style sheet. Its path names its bytes, so that it may be kept for as long as one likes. */
export const STYLESHEET = {
  path: `/assets/pages-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.css`,
  bytes,
} as const
