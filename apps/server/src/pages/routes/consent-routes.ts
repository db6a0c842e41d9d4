import { CrmError, type Parameters } from '@sales-crm/core'
import { redirect } from '../../http/page-response.ts'
import { consentPage } from '../consent-page.ts'
import type { FormErrors } from '../page-context.ts'
import { requestValue, textValue } from './form-values.ts'
import { signInPath } from './sign-in-routes.ts'
import type { PageCrm, SignedInVisit, View, Visit } from './visit.ts'

const PATH = '/oauth/consent'

export function consentRoutes({ oauth }: PageCrm): readonly View[] {
  return [
    {
      method: 'GET',
      path: PATH,
      handle: (visit) => withAuthorization(visit, visit.query, showConsent),
    },
    {
      method: 'POST',
      path: PATH,
      handle: (visit, form) =>
        withAuthorization(visit, form, (signedIn, id) => handleDecision(signedIn, id, form)),
    },
  ]

  async function withAuthorization(
    visit: Visit,
    values: Parameters,
    work: (visit: SignedInVisit, authorizationId: string) => Promise<Response>,
  ): Promise<Response> {
    const id = requestValue(values)
    if (id === undefined) return showRequestExpired(visit)
    const { userSession } = visit
    return userSession ? work({ ...visit, userSession }, id) : visit.redirectTo(signInPath(id))
  }

  async function showConsent(visit: SignedInVisit, id: string, formErrors?: FormErrors): Promise<Response> {
    const consent = await oauth.consent(visit.userSession, id)
    if (!consent) return showRequestExpired(visit)
    const html = consentPage(visit.context(id), { consent, ...(formErrors && { formErrors }) })
    return visit.show(formErrors ? 422 : 200, html, { mayLeave: true })
  }

  async function handleDecision(visit: SignedInVisit, id: string, form: Parameters): Promise<Response> {
    const decision = textValue(form, 'decision')
    if (decision === 'deny') return redirectToApp(visit, await oauth.deny(id))
    const workspace = textValue(form, 'workspace')
    if (decision === 'approve' && workspace !== undefined)
      return redirectToApp(visit, await oauth.approve(visit.userSession, id, workspace))
    return showConsent(visit, id, { fields: { workspace: visit.texts.fieldErrors.workspace } })
  }

  function redirectToApp(visit: Visit, address: string | undefined): Response {
    return address === undefined ? showRequestExpired(visit) : redirect(address)
  }
}

function showRequestExpired(visit: Visit): Response {
  return visit.showMessage(
    new CrmError('invalid_request', 'The request has ended, or never was.'),
    visit.texts.messages.requestOver,
  )
}
