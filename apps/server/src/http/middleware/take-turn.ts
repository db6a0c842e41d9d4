import type { Context, MiddlewareHandler, Next } from 'hono'
import { type AppEnv, hasClientGone } from '../app-env.ts'
import type { CallKind, FairQueue } from '../limits/fair-queue.ts'

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT'])

/** How a call takes turns: as a whole, or its handler part by part, since it takes as long as many calls. */
export type TurnKind = CallKind | 'parts'

/** Middleware that runs a call in the turn of its workspace. */
export type TakeTurn = (turn: TurnKind, maxBodyBytes?: number) => MiddlewareHandler<AppEnv>

/** All callers of documents share one lane: from many addresses they would take as much time as many workspaces. */
const DOCUMENTS = 'documents'

/** Counts a call from its arrival until its turn, or its refusal. */
export function countCalls(fairQueue: FairQueue): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const endCount = fairQueue.countCall()
    c.set('endCount', endCount)
    try {
      await next()
    } finally {
      endCount()
    }
  }
}

/** Runs a call of a document, which is the same for everyone, in the turn of all such calls. */
export function takeTurnForDocuments(fairQueue: FairQueue): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.env?.setOwner?.(`address ${c.get('address')()}`)
    await runInLane(c, fairQueue, DOCUMENTS, 'long', next)
  }
}

/** Runs a call without a token that sends much in the turn of its address. */
export function takeTurnByAddress(fairQueue: FairQueue): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const caller = `address ${c.get('address')()}`
    await runInTurn(c, fairQueue, caller, 'long', next)
  }
}

/** Lets the handler of a call without a token take its turns part by part, once it knows the workspace. */
export function offerTurns(fairQueue: FairQueue): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set('takeTurnsAs', (workspaceId) => {
      fairQueue.noteCall(workspaceId)
      takeTurnsAs(c, fairQueue, workspaceId)
    })
    await next()
  }
}

/** A call with a large body is long, whatever its route. Its body is received first: no turn waits for a sender. */
export function createTakeTurn(fairQueue: FairQueue): TakeTurn {
  return (turn, maxBodyBytes) => async (c, next) => {
    const { workspaceId } = c.get('actor')
    const hasBody = METHODS_WITH_BODY.has(c.req.method)
    const isLarge = hasBody && (await c.get('body').receive(turn === 'long', maxBodyBytes))
    fairQueue.noteCall(workspaceId)
    if (turn === 'parts') {
      takeTurnsAs(c, fairQueue, workspaceId)
      return next()
    }
    await runInTurn(c, fairQueue, workspaceId, isLarge ? 'long' : turn, next)
  }
}

function takeTurnsAs(c: Context<AppEnv>, fairQueue: FairQueue, caller: string): void {
  c.env?.setOwner?.(caller)
  c.get('endCount')?.()
  c.set('runPart', (work) => fairQueue.run(caller, 'long', work, () => hasClientGone(c)))
}

async function runInTurn(
  c: Context<AppEnv>,
  fairQueue: FairQueue,
  caller: string,
  kind: CallKind,
  next: Next,
): Promise<void> {
  c.env?.setOwner?.(caller)
  await runInLane(c, fairQueue, caller, kind, next)
}

async function runInLane(
  c: Context<AppEnv>,
  fairQueue: FairQueue,
  caller: string,
  kind: CallKind,
  next: Next,
): Promise<void> {
  c.get('endCount')?.()
  await fairQueue.run(caller, kind, next, () => hasClientGone(c))
}
