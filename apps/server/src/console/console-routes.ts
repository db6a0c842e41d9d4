import { randomBytes } from 'node:crypto'
import { notFound } from '@sales-crm/core'
import { Hono } from 'hono'
import type { AppEnv, Middleware } from '../http/app-env.ts'
import { messagePage } from '../pages/message-page.ts'
import { requireSignIn, type View, type Visit } from '../pages/routes/visit.ts'
import { loadConsoleFiles } from './console-files.ts'
import { CONSOLE_FILES_PATH, consolePage } from './console-page.ts'

/** Scripts, data and images come from the service itself. */
const SOURCES = "script-src 'self'; connect-src 'self'; img-src 'self'"

/** The page of the console. Its addresses begin with `/w/{slug}`; the start page leads there. */
export const CONSOLE_VIEWS: readonly View[] = [
  { method: 'GET', path: '/', handle: requireSignIn(showConsole) },
  // Without a session the console leads to the sign-in page, and back to the address.
  { method: 'GET', path: '/w/:slug', handle: showConsole },
  { method: 'GET', path: '/w/:slug/:page{.*}', handle: showConsole },
]

async function showConsole(visit: Visit): Promise<Response> {
  // The start has logged the reason, which is not for callers.
  const files = await loadConsoleFiles().catch(() => undefined)
  if (!files) return visit.show(503, messagePage(visit.context(), visit.texts.console.notBuilt))
  const styleNonce = randomBytes(16).toString('base64url')
  const page = consolePage(visit.context(), files, styleNonce)
  return visit.show(200, page, { sources: SOURCES, styleNonce })
}

/** Serves the files from memory. They count in no rate limit: a page without some of them would be broken. */
export function consoleFileRoute(takeTurn: Middleware): Hono<AppEnv> {
  return new Hono<AppEnv>().get(`${CONSOLE_FILES_PATH}/:file`, takeTurn, async (c, next) => {
    c.set('rateLimit', null)
    const { handlers } = await loadConsoleFiles()
    const handler = handlers.get(c.req.param('file'))
    if (!handler) throw notFound('File')
    return (await handler(c, next)) as Response
  })
}
