import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Handler } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import { type StaticContent, servePrecompressed } from '../http/precompressed.ts'
import { IS_SOURCE } from '../process/program-names.ts'

export interface StaticFile {
  /** Contains a version or a hash of the content, so clients may cache the file forever. */
  readonly path: string
  readonly serve: Handler<AppEnv>
}

const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

/** The published package contains the files, and thus not the whole of Swagger UI and what it installs. */
const SWAGGER_UI_FOLDER = IS_SOURCE
  ? dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  : fileURLToPath(new URL('./swagger-ui', import.meta.url))
const { version } = JSON.parse(readFileSync(join(SWAGGER_UI_FOLDER, 'package.json'), 'utf8')) as {
  readonly version: string
}

export const SWAGGER_UI = swaggerUiFile('swagger-ui-bundle.js', SCRIPT)
export const SWAGGER_UI_STYLE = swaggerUiFile('swagger-ui.css', STYLE)
export const OAUTH_REDIRECT_SCRIPT = swaggerUiFile('oauth2-redirect.js', SCRIPT)
export const REFERENCE_SCRIPT = ownFile('./reference.js', SCRIPT)
export const REFERENCE_STYLE = ownFile('./reference.css', STYLE)
export const DOCS_STYLE = ownFile('./docs.css', STYLE)

export const STATIC_FILES = [
  SWAGGER_UI,
  SWAGGER_UI_STYLE,
  OAUTH_REDIRECT_SCRIPT,
  REFERENCE_SCRIPT,
  REFERENCE_STYLE,
  DOCS_STYLE,
]

/** Serves a file of the package, which is read for the first request. */
function swaggerUiFile(name: string, type: string): StaticFile {
  return {
    path: `/docs/swagger-ui-${version}/${name}`,
    serve: servePrecompressed(async () =>
      immutableContent(await readFile(join(SWAGGER_UI_FOLDER, name)), type),
    ),
  }
}

function ownFile(file: string, type: string): StaticFile {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const bytes = readFileSync(path)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const { name, ext } = parse(path)
  return {
    path: `/docs/${name}-${hash}${ext}`,
    serve: servePrecompressed(async () => immutableContent(bytes, type)),
  }
}

function immutableContent(body: Buffer<ArrayBuffer>, type: string): StaticContent {
  return { body, headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' } }
}
