import { CrmError, type Parameters } from '@sales-crm/core'
import type { Reply } from '../../answer.ts'
import { redirect } from '../../page-reply.ts'
import { consentPage } from '../consent.ts'
import type { Problem } from '../page.ts'
import { idIn, textIn } from './fields.ts'
import { signInPath } from './sign-in-routes.ts'
import type { PageCrm, SignedInVisit, View, Visit } from './visit.ts'

const PATH = '/oauth/consent'

export function consentRoutes({ oauth }: PageCrm): readonly View[] {
  return [
    { method: 'GET', path: PATH, handle: (visit) => about(visit, visit.query, (known, id) => ask(known, id)) },
    { method: 'POST', path: PATH, handle: (visit, form) => about(visit, form, (known, id) => decide(known, id, form)) },
  ]

  async function about(
    visit: Visit,
    values: Parameters,
    work: (visit: SignedInVisit, authorizationId: string) => Promise<Reply>,
  ): Promise<Reply> {
    const id = idIn(values, 'request')
    if (id === undefined) return over(visit)
    const { visitor } = visit
    return visitor ? work({ ...visit, visitor }, id) : visit.go(signInPath(id))
  }

  async function ask(visit: SignedInVisit, id: string, problem?: Problem): Promise<Reply> {
    const consent = await oauth.consent(visit.visitor, id)
    if (!consent) return over(visit)
    const html = consentPage(visit.context(id), { consent, ...(problem && { problem }) })
    return visit.show(problem ? 422 : 200, html, { formAction: formTarget(consent.redirect_uri) })
  }

  async function decide(visit: SignedInVisit, id: string, form: Parameters): Promise<Reply> {
    const decision = textIn(form, 'decision')
    if (decision === 'deny') return leave(visit, await oauth.deny(id))
    const workspace = textIn(form, 'workspace')
    if (decision === 'approve' && workspace !== undefined) return leave(visit, await oauth.approve(visit.visitor, id, workspace))
    return ask(visit, id, { fields: { workspace: visit.texts.faults.workspace } })
  }

  function leave(visit: Visit, address: string | undefined): Reply {
    return address === undefined ? over(visit) : redirect(address)
  }
}

function over(visit: Visit): Reply {
  return visit.end(new CrmError('invalid_request', 'The request has ended, or never was.'), visit.texts.notices.requestOver)
}

/** Browsers hold every redirect after the form to the policy, and where an app sends its users on to is its own affair. */
function formTarget(redirectUri: string): string {
  return redirectUri.startsWith('https:') ? 'https:' : 'https: http:'
}
