import { type Crm, CrmError, type Parameters } from '@sales-crm/core'
import type { Refused, Reply } from '../answer.ts'
import { basePathOf } from '../base-path.ts'
import { readForm } from '../form.ts'
import { redirect } from '../page-reply.ts'
import { ICON, STYLESHEET } from './assets.ts'
import { isFromElsewhere, isProven } from './csrf.ts'
import { failedPage } from './refused.ts'
import { accountRoutes } from './routes/account-routes.ts'
import { consentRoutes } from './routes/consent-routes.ts'
import { credentialRoutes } from './routes/credential-routes.ts'
import { idIn } from './routes/fields.ts'
import { invitationRoutes } from './routes/invitation-routes.ts'
import { passwordRoutes } from './routes/password-routes.ts'
import { signInRoutes } from './routes/sign-in-routes.ts'
import { teamRoutes } from './routes/team-routes.ts'
import { type PagePorts, type PageRequest, receiveWith, type View, type Visit } from './routes/visit.ts'

export interface PageRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  handler(request: PageRequest): Promise<Reply>
  readonly refused: Refused
}

interface Site {
  readonly crm: Pick<Crm, 'accounts' | 'oauth'>
  readonly ports: PagePorts
}

/** What people see in a browser. Each form is known to be ours before anything is done with it. */
export function pageRoutes({ crm, ports }: Site): readonly PageRoute[] {
  const receive = receiveWith(crm, ports)
  const basePath = basePathOf(ports.issuer)
  const { origin } = new URL(ports.issuer)
  const views = [signInRoutes, consentRoutes, accountRoutes, passwordRoutes, teamRoutes, credentialRoutes, invitationRoutes]
  return [
    route('GET', '/', async () => redirect(`${basePath}/account`)),
    ...[STYLESHEET, ICON].map((asset) => route('GET', asset.path, async () => kept(asset))),
    ...views.flatMap((each) => each(crm)).map((view) => route(view.method, view.path, (request) => answered(view, request))),
  ]

  function route(method: PageRoute['method'], path: string, handler: PageRoute['handler']): PageRoute {
    return { method, path, handler, refused: (error, request, requestId) => failedPage(error, request, requestId, basePath) }
  }

  async function answered({ method, handle }: View, request: PageRequest): Promise<Reply> {
    if (method === 'GET') return handle(await receive(request), {})
    const form = await readForm(request.req.raw)
    const visit = await receive(request)
    return isOurs(visit, form) ? handle(visit, form) : stale(visit)
  }

  function isOurs({ req, cookie }: Visit, form: Parameters): boolean {
    if (isFromElsewhere((name) => req.header(name), origin)) return false
    return isProven(ports.secrets, form['csrf'], cookie, idIn(form, 'request'))
  }
}

function stale(visit: Visit): Reply {
  const error = new CrmError('forbidden', 'The form is too old, or did not come from a page of this service.')
  return visit.end(error, { ...visit.texts.notices.formStale, link: visit.home })
}

function kept({ type, bytes }: typeof STYLESHEET): Reply {
  return { status: 200, raw: bytes, headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' } }
}
