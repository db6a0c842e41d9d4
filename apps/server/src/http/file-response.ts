import type { ResponseHeaders } from './response.ts'
import type { RouteContext } from './routes/route.ts'
import { TemporaryFile } from './temporary-file.ts'

const UNREAD_MS = 60_000

/** Pieces of a file. The first one waits for other exports. */
type Pieces = AsyncGenerator<string | Uint8Array, void, undefined>

/**
 * Responds with a file that is written at once and then sent as the client reads it: an error has its status, and no
 * snapshot is held while a client reads. For a HEAD nothing is made.
 */
export async function respondWithFile(
  c: RouteContext,
  makePieces: () => Pieces,
  headers: ResponseHeaders,
): Promise<Response> {
  if (c.req.method === 'HEAD') return c.body(null, 200, headers)
  const work = () => writeFile(c, makePieces())
  const file = await (c.env?.keepIdle ? c.env.keepIdle(work) : work())
  const length = String(await file.size())
  const stream = file.toStream({ unreadMs: UNREAD_MS, disconnect: () => disconnect(c) })
  return c.body(stream, 200, { ...headers, 'Content-Length': length })
}

/** Writes at the speed of the disk. */
async function writeFile(c: RouteContext, pieces: Pieces): Promise<TemporaryFile> {
  const runPart = c.get('runPart') ?? ((work) => work())
  const file = await TemporaryFile.create()
  try {
    // The first part waits for other exports, in no turn of the workspace.
    let next = await pieces.next()
    while (!next.done) {
      await file.write(next.value)
      next = await runPart(() => pieces.next())
    }
    return file
  } catch (error) {
    await file.close()
    throw error
  } finally {
    await pieces.return()
  }
}

function disconnect({ env }: RouteContext): void {
  env?.incoming?.socket.destroy?.()
}
