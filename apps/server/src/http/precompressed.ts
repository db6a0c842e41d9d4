import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { acceptsEncoding } from './accept-header.ts'
import type { AppEnv } from './app-env.ts'
import type { ResponseHeaders } from './response.ts'

/** Content that is the same for every caller. */
export interface StaticContent {
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly headers: ResponseHeaders
}

/** The preferred encoding first. */
const ENCODINGS = ['br', 'gzip'] as const
/** The best quality takes a millisecond for each kilobyte, on another thread. */
const BEST_QUALITY_BYTES = 300_000

/** Creates the content on first use and caches it, plain and compressed. A failure is not cached. */
export function servePrecompressed(
  load: () => Promise<StaticContent>,
): (c: Context<AppEnv>) => Promise<Response> {
  const loadPlain = memoize(load)
  const compressed = {
    br: memoize(async () => compressContent(await loadPlain(), 'br')),
    gzip: memoize(async () => compressContent(await loadPlain(), 'gzip')),
  }
  return async (c) => {
    const encoding = ENCODINGS.find((each) => acceptsEncoding(c.req.header('Accept-Encoding'), each))
    const { body, headers } = await (encoding ? compressed[encoding]() : loadPlain())
    return c.body(body, 200, { ...headers, Vary: 'Accept-Encoding' })
  }
}

async function compressContent(
  { body, headers }: StaticContent,
  encoding: (typeof ENCODINGS)[number],
): Promise<StaticContent> {
  const compress = encoding === 'br' ? compressBrotli : promisify(gzip)
  return {
    body: new Uint8Array(await compress(body)),
    headers: { ...headers, 'Content-Encoding': encoding },
  }
}

function compressBrotli(body: StaticContent['body']): Promise<Buffer<ArrayBuffer>> {
  const quality = body.length > BEST_QUALITY_BYTES ? 9 : constants.BROTLI_MAX_QUALITY
  return promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}

function memoize<T>(load: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined
  return () => {
    cached ??= load().catch((error) => {
      cached = undefined
      throw error
    })
    return cached
  }
}
