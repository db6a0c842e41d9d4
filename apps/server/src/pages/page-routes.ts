import { type Crm, CrmError, type Parameters } from '@sales-crm/core'
import { type Context, Hono } from 'hono'
import { CONSOLE_VIEWS, consoleFileRoute } from '../console/console-routes.ts'
import type { AppEnv, Middleware } from '../http/app-env.ts'
import { basePathOf } from '../http/base-path.ts'
import { handleErrors } from '../http/middleware/handle-errors.ts'
import { redirect } from '../http/page-response.ts'
import { readForm } from '../http/urlencoded-form.ts'
import { ICON, STYLESHEET } from './assets.ts'
import { isCrossSite, isValidCsrfToken } from './csrf.ts'
import { formatFailure } from './error-page-response.ts'
import { accountRoutes } from './routes/account-routes.ts'
import { consentRoutes } from './routes/consent-routes.ts'
import { credentialRoutes } from './routes/credential-routes.ts'
import { requestValue } from './routes/form-values.ts'
import { invitationRoutes } from './routes/invitation-routes.ts'
import { membersRoutes } from './routes/members-routes.ts'
import { passwordRoutes } from './routes/password-routes.ts'
import { signInRoutes } from './routes/sign-in-routes.ts'
import { createVisitOpener, type PagePorts, type View, type Visit } from './routes/visit.ts'
import { type SessionLimits, sessionTokenRoute } from './session-token-route.ts'
import { SetupRoutes } from './setup/setup-routes.ts'
import type { DemoUser } from './sign-in-page.ts'

interface PageRoutesOptions {
  readonly crm: Pick<Crm, 'accounts' | 'oauth' | 'setup'>
  readonly ports: PagePorts
  /** True if the console is served, which is then what a sign-in leads to. */
  readonly hasConsole: boolean
  readonly demoUser?: DemoUser | undefined
  /** True if a service without a workspace offers to make one. */
  readonly offersSetup: boolean
}

const VIEWS = [
  signInRoutes,
  consentRoutes,
  accountRoutes,
  passwordRoutes,
  membersRoutes,
  credentialRoutes,
  invitationRoutes,
]

/** The browser pages. The CSRF token of a form is verified before the form is handled. */
export function pageRoutes(
  { crm, ports, hasConsole, demoUser, offersSetup }: PageRoutesOptions,
  limit: Middleware,
  limitBySession: SessionLimits['bySession'],
  takeTurn: Middleware,
): Hono<AppEnv> {
  const openVisit = createVisitOpener(crm, ports, hasConsole ? '/' : '/account')
  const basePath = basePathOf(ports.issuer)
  const { origin } = new URL(ports.issuer)

  const routes = new Hono<AppEnv>().onError(handleErrors(formatFailure(basePath)))
  if (hasConsole) routes.route('/', consoleFileRoute(takeTurn))
  else routes.get('/', limit, () => redirect(`${basePath}/account`))
  for (const { path, type, bytes } of [STYLESHEET, ICON])
    routes.get(path, limit, (c) =>
      c.body(bytes, 200, { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' }),
    )
  const setup = offersSetup ? new SetupRoutes(crm) : undefined
  const views = [
    ...(setup?.views() ?? []),
    ...VIEWS.flatMap((createViews) => createViews(crm, demoUser)),
    ...(hasConsole ? CONSOLE_VIEWS : []),
  ]
  for (const view of views) routes.on(view.method, view.path, limit, (c) => runView(view, c))
  routes.route('/', sessionTokenRoute(crm, ports, { byAddress: limit, bySession: limitBySession }))
  return routes

  async function runView({ method, path, handle }: View, c: Context<AppEnv>): Promise<Response> {
    if (method === 'GET') {
      const visit = await openVisit(c)
      // Nobody can sign in before there is a workspace.
      if (path === '/sign-in' && (await setup?.isNeeded())) return visit.redirectTo('/setup')
      return handle(visit, {})
    }
    const form = await readForm(c.get('body'))
    const visit = await openVisit(c)
    return isOwnForm(visit, form) ? handle(visit, form) : rejectStaleForm(visit)
  }

  function isOwnForm({ req, cookie }: Visit, form: Parameters): boolean {
    if (isCrossSite((name) => req.header(name), origin)) return false
    return isValidCsrfToken(ports.secrets, form['csrf'], cookie, requestValue(form))
  }
}

function rejectStaleForm(visit: Visit): Response {
  const error = new CrmError('forbidden', 'The form is too old, or did not come from a page of this service.')
  return visit.showMessage(error, { ...visit.texts.messages.formStale, link: visit.home })
}
