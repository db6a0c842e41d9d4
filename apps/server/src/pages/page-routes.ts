import { type Crm, CrmError, type Parameters } from '@sales-crm/core'
import { basePathOf } from '../http/base-path.ts'
import { redirect } from '../http/page-response.ts'
import type { HttpResponse, Rejection } from '../http/response.ts'
import { readForm } from '../http/urlencoded-form.ts'
import { ICON, STYLESHEET } from './assets.ts'
import { isCrossSite, isValidCsrfToken } from './csrf.ts'
import { failurePageResponse } from './error-page-response.ts'
import { accountRoutes } from './routes/account-routes.ts'
import { consentRoutes } from './routes/consent-routes.ts'
import { credentialRoutes } from './routes/credential-routes.ts'
import { idValue } from './routes/form-values.ts'
import { invitationRoutes } from './routes/invitation-routes.ts'
import { passwordRoutes } from './routes/password-routes.ts'
import { signInRoutes } from './routes/sign-in-routes.ts'
import { teamRoutes } from './routes/team-routes.ts'
import { createVisitOpener, type PagePorts, type PageRequest, type View, type Visit } from './routes/visit.ts'

export interface PageRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  handler(request: PageRequest): Promise<HttpResponse>
  readonly reject: Rejection
}

interface PageRoutesOptions {
  readonly crm: Pick<Crm, 'accounts' | 'oauth'>
  readonly ports: PagePorts
}

/**
 * Returns the routes of the browser pages. The CSRF token of a form is verified before the form is handled.
 */
export function pageRoutes({ crm, ports }: PageRoutesOptions): readonly PageRoute[] {
  const openVisit = createVisitOpener(crm, ports)
  const basePath = basePathOf(ports.issuer)
  const { origin } = new URL(ports.issuer)
  const views = [
    signInRoutes,
    consentRoutes,
    accountRoutes,
    passwordRoutes,
    teamRoutes,
    credentialRoutes,
    invitationRoutes,
  ]
  return [
    route('GET', '/', async () => redirect(`${basePath}/account`)),
    ...[STYLESHEET, ICON].map((asset) => route('GET', asset.path, async () => assetResponse(asset))),
    ...views
      .flatMap((each) => each(crm))
      .map((view) => route(view.method, view.path, (request) => runView(view, request))),
  ]

  function route(method: PageRoute['method'], path: string, handler: PageRoute['handler']): PageRoute {
    return {
      method,
      path,
      handler,
      reject: (error, request, requestId) => failurePageResponse(error, request, requestId, basePath),
    }
  }

  async function runView({ method, handle }: View, request: PageRequest): Promise<HttpResponse> {
    if (method === 'GET') return handle(await openVisit(request), {})
    const form = await readForm(request.req.raw)
    const visit = await openVisit(request)
    return isOwnForm(visit, form) ? handle(visit, form) : rejectStaleForm(visit)
  }

  function isOwnForm({ req, cookie }: Visit, form: Parameters): boolean {
    if (isCrossSite((name) => req.header(name), origin)) return false
    return isValidCsrfToken(ports.secrets, form['csrf'], cookie, idValue(form, 'request'))
  }
}

function rejectStaleForm(visit: Visit): HttpResponse {
  const error = new CrmError('forbidden', 'The form is too old, or did not come from a page of this service.')
  return visit.showNotice(error, { ...visit.texts.notices.formStale, link: visit.home })
}

function assetResponse({ type, bytes }: typeof STYLESHEET): HttpResponse {
  return {
    status: 200,
    raw: bytes,
    headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' },
  }
}
