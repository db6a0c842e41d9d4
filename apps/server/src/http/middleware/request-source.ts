import type { Incoming, Middleware } from '../app-env.ts'
import { clientAddress } from '../client-address.ts'
import { RequestBody } from '../request-body.ts'

/**
 * Determines the client's address, and charges the bytes of a body to its sender until the request is answered.
 * @param trustProxy number of trusted proxies in front of the service
 */
export function requestSource(trustProxy: number): Middleware {
  return async (c, next) => {
    const address = () =>
      clientAddress(c.env?.incoming?.socket.remoteAddress, c.req.header('X-Forwarded-For'), trustProxy)
    c.set('address', address)
    if (c.req.method === 'GET') return next()
    const body = new RequestBody(c.req.raw, {
      sender: () => ({ address: address(), actor: c.get('actor') }),
      wasReadByHost: () => wasReadByHost(c.env?.incoming),
      onRead: () => c.env?.continueRequest?.(),
    })
    c.set('body', body)
    try {
      await next()
    } finally {
      body.release()
    }
  }
}

function wasReadByHost(incoming: Incoming | undefined): boolean {
  return incoming?.readableDidRead === true && !Buffer.isBuffer(incoming.rawBody)
}
