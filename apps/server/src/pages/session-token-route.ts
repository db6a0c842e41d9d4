import { CrmError } from '@sales-crm/core'
import { type Context, Hono } from 'hono'
import type { AppEnv, Middleware } from '../http/app-env.ts'
import { readJson } from '../http/json-body.ts'
import { requirePreflight } from '../http/middleware/authorize.ts'
import { rejectQueryParameters } from '../http/query-string.ts'
import { respondJson } from '../http/response.ts'
import { createCookies } from './cookies.ts'
import { isCrossSite } from './csrf.ts'
import type { PageCrm, PagePorts } from './routes/visit.ts'

export interface SessionLimits {
  readonly byAddress: Middleware
  /** Counts a call of a session. @throws CrmError `rate_limit_exceeded` */
  readonly bySession: (c: Context<AppEnv>, sessionId: string) => Promise<void>
}

/** Long enough for an origin, and short enough for a line of the log. */
const MAX_ORIGIN_LENGTH = 200

/** Returns a message if the browser calls the address of its own page, and that is not the service's: `BASE_URL` is wrong. */
function describeOtherAddress(c: Context<AppEnv>, ownOrigin: string): string | undefined {
  const origin = c.req.header('Origin')
  if (origin === undefined || c.req.header('Sec-Fetch-Site') !== 'same-origin') return undefined
  return `A page was opened at ${origin.slice(0, MAX_ORIGIN_LENGTH)}, and BASE_URL is ${ownOrigin}: set it to the address that people open.`
}

/** `POST /session/token` exchanges the session cookie for an access token of the console. */
export function sessionTokenRoute(
  { accounts }: PageCrm,
  ports: PagePorts,
  { byAddress, bySession }: SessionLimits,
): Hono<AppEnv> {
  const cookies = createCookies(ports)
  const { origin } = new URL(ports.issuer)

  return new Hono<AppEnv>().post('/session/token', byAddress, async (c) => {
    if (isCrossSite((name) => c.req.header(name), origin))
      throw new CrmError('forbidden', 'The request came from another site.', undefined, {
        logMessage: describeOtherAddress(c, origin),
      })
    requirePreflight(c)
    rejectQueryParameters(c.req.url)
    const input = await readJson(c.get('body'))
    const userSession = await accounts.userSession(cookies.read(c.req.header('Cookie')))
    if (userSession) await bySession(c, userSession.session_id)
    const data = userSession && (await accounts.createSessionToken(userSession, input))
    if (!data) throw new CrmError('unauthorized', 'The session has ended. Sign in.')
    return respondJson(c, { data })
  })
}
