import type { Receiver } from '../receiver.ts'

/** The part of Hono's `Context` that the adapter uses. */
interface HonoContext {
  readonly req: { readonly raw: Request }
}

/** Returns a handler for Hono: `app.post('/webhooks', honoReceiver(receiver))`. */
export function honoReceiver(receiver: Receiver): (context: HonoContext) => Promise<Response> {
  return ({ req }) => receiver.receive(req.raw)
}
