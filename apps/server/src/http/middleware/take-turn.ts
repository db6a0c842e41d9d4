import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../app-env.ts'
import type { CallKind, FairQueue } from '../fair-queue.ts'

/** Middleware that runs a call in the turn of its workspace. */
export type TakeTurn = (kind: CallKind, maxBodyBytes?: number) => MiddlewareHandler<AppEnv>

/** A call with a large body is long, whatever its route. Its body is received first: no turn waits for a sender. */
export function createTakeTurn(fairQueue: FairQueue): TakeTurn {
  return (kind, maxBodyBytes) => async (c, next) => {
    const { workspaceId } = c.get('actor')
    fairQueue.noteCall(workspaceId)
    c.env?.setOwner?.(workspaceId)
    const hasBody = c.req.method === 'POST' || c.req.method === 'PATCH'
    const isLarge = hasBody && (await c.get('body').receive(kind === 'long', maxBodyBytes))
    const isAbandoned = () => c.env?.incoming?.socket.destroyed === true
    await fairQueue.run(workspaceId, isLarge ? 'long' : kind, next, isAbandoned)
  }
}
