import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { PageRequest } from '../pages/routes/visit.ts'
import { acceptsGzip } from './accept-header.ts'
import type { HttpResponse } from './response.ts'

/** What is sent as it is, the same to everybody. */
interface StaticResponse extends HttpResponse {
  readonly raw: NonNullable<HttpResponse['raw']>
}

const compress = promisify(gzip)

/**
 * Gives what is made once to everybody, and packed once to those who take it packed. What could not be made
 * is made again for the next.
 */
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
