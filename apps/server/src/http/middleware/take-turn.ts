import type { Context, MiddlewareHandler, Next } from 'hono'
import type { AppEnv } from '../app-env.ts'
import type { CallKind, FairQueue } from '../fair-queue.ts'

/** Middleware that runs a call in the turn of its workspace. */
export type TakeTurn = (kind: CallKind, maxBodyBytes?: number) => MiddlewareHandler<AppEnv>

/** Runs a call without a token that sends much in the turn of its address. */
export function takeTurnByAddress(fairQueue: FairQueue): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const caller = `address ${c.get('address')()}`
    await runInTurn(c, fairQueue, caller, 'long', next)
  }
}

/** A call with a large body is long, whatever its route. Its body is received first: no turn waits for a sender. */
export function createTakeTurn(fairQueue: FairQueue): TakeTurn {
  return (kind, maxBodyBytes) => async (c, next) => {
    const { workspaceId } = c.get('actor')
    const hasBody = c.req.method === 'POST' || c.req.method === 'PATCH'
    const isLarge = hasBody && (await c.get('body').receive(kind === 'long', maxBodyBytes))
    fairQueue.noteCall(workspaceId)
    await runInTurn(c, fairQueue, workspaceId, isLarge ? 'long' : kind, next)
  }
}

async function runInTurn(
  c: Context<AppEnv>,
  fairQueue: FairQueue,
  caller: string,
  kind: CallKind,
  next: Next,
): Promise<void> {
  c.env?.setOwner?.(caller)
  const isAbandoned = () => c.env?.incoming?.socket.destroyed === true
  await fairQueue.run(caller, kind, next, isAbandoned)
}
