import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Handler } from 'hono'
import { acceptsGzip } from './accept-header.ts'
import type { AppEnv } from './app-env.ts'
import type { ResponseHeaders } from './response.ts'

/** Content that is the same for every caller. */
export interface StaticContent {
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly headers: ResponseHeaders
}

const compress = promisify(gzip)

/** Creates the content on first use and caches it, plain and gzipped. A failure is not cached. */
export function servePrecompressed(load: () => Promise<StaticContent>): Handler<AppEnv> {
  const loadPlain = memoize(load)
  const loadGzipped = memoize(async () => {
    const { body, headers } = await loadPlain()
    return {
      body: new Uint8Array(await compress(body)),
      headers: { ...headers, 'Content-Encoding': 'gzip' },
    }
  })
  return async (c) => {
    const { body, headers } = await (acceptsGzip(c.req.header('Accept-Encoding'))
      ? loadGzipped()
      : loadPlain())
    return c.body(body, 200, { ...headers, Vary: 'Accept-Encoding' })
  }
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
