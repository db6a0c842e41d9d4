import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { PageRequest } from '../pages/routes/visit.ts'
import { acceptsGzip } from './accept-header.ts'
import type { HttpResponse } from './response.ts'

/** A response that is the same for every caller. */
interface StaticResponse extends HttpResponse {
  readonly raw: NonNullable<HttpResponse['raw']>
}

const compress = promisify(gzip)

/** Creates the response on first use and caches it, plain and gzipped. A failure is not cached. */
export function servePrecompressed(
  make: () => Promise<StaticResponse>,
): (request: Pick<PageRequest, 'req'>) => Promise<HttpResponse> {
  const plainResponse = memoize(async () => withVaryHeader(await make()))
  const gzipResponse = memoize(async () => {
    const { raw, ...reply } = await plainResponse()
    return withVaryHeader(
      { ...reply, raw: new Uint8Array(await compress(raw)) },
      { 'Content-Encoding': 'gzip' },
    )
  })
  return ({ req }) => (acceptsGzip(req.header('Accept-Encoding')) ? gzipResponse() : plainResponse())
}

function withVaryHeader(
  reply: StaticResponse,
  extraHeaders: Readonly<Record<string, string>> = {},
): StaticResponse {
  return { ...reply, headers: { ...reply.headers, ...extraHeaders, Vary: 'Accept-Encoding' } }
}

function memoize<T>(make: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined
  return () => {
    cached ??= make().catch((error) => {
      cached = undefined
      throw error
    })
    return cached
  }
}
