import type { Receiver } from '../receiver.ts'

/** Returns a route handler for Next.js: `export const POST = nextReceiver(receiver)` in a `route.ts`. */
export function nextReceiver(receiver: Receiver): (request: Request) => Promise<Response> {
  return (request) => receiver.receive(request)
}
