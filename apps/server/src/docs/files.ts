import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packed } from '../packed.ts'
import type { PageRoute } from '../pages/page-routes.ts'

export interface KeptFile {
  /** Names the bytes, so that they may be kept for as long as one likes. */
  readonly path: string
  readonly reply: PageRoute['handler']
}

const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

const installed = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')
const { version } = JSON.parse(readFileSync(installed, 'utf8')) as { readonly version: string }

export const SWAGGER_UI = vendored('swagger-ui-bundle.js', SCRIPT)
export const SWAGGER_UI_STYLE = vendored('swagger-ui.css', STYLE)
export const COME_BACK = vendored('oauth2-redirect.js', SCRIPT)
export const REFERENCE_START = own('./reference.js', SCRIPT)
export const REFERENCE_STYLE = own('./reference.css', STYLE)
export const DOCS_STYLE = own('./docs.css', STYLE)

export const FILES = [SWAGGER_UI, SWAGGER_UI_STYLE, COME_BACK, REFERENCE_START, REFERENCE_STYLE, DOCS_STYLE]

/** A file of the package, read when somebody first asks for it. */
function vendored(name: string, type: string): KeptFile {
  return {
    path: `/docs/swagger-ui-${version}/${name}`,
    reply: packed(async () => kept(await readFile(join(dirname(installed), name)), type)),
  }
}

function own(file: string, type: string): KeptFile {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const bytes = readFileSync(path)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const { name, ext } = parse(path)
  return { path: `/docs/${name}-${hash}${ext}`, reply: packed(async () => kept(bytes, type)) }
}

function kept(raw: Buffer<ArrayBuffer>, type: string) {
  return { status: 200, raw, headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' } } as const
}
