import type { Parameters } from '@sales-crm/core'
import type { FormErrors } from '../page-context.ts'
import { type DemoUser, type SignInTarget, signInPage } from '../sign-in-page.ts'
import { emailValue, pageValue, requestValue } from './form-values.ts'
import type { PageCrm, View, Visit } from './visit.ts'

/** Passes on the id of an authorization, not a URL, which prevents open redirects. */
export function signInPath(authorizationId: string | undefined): string {
  return authorizationId === undefined ? '/sign-in' : `/sign-in?request=${authorizationId}`
}

/** What a sign-in leads to: an authorization, the page that required it, or the start page. */
function nextPath({ startPath }: Visit, { request, page }: SignInTarget): string {
  return request === undefined ? (page ?? startPath) : `/oauth/consent?request=${request}`
}

function readTarget(values: Parameters): SignInTarget {
  return { request: requestValue(values), page: pageValue(values) }
}

/** @param demoUser offered on the sign-in page, to be signed in by one press */
export function signInRoutes({ accounts }: PageCrm, demoUser?: DemoUser): readonly View[] {
  return [
    {
      method: 'GET',
      path: '/sign-in',
      async handle(visit) {
        const target = readTarget(visit.query)
        if (visit.userSession) return visit.redirectTo(nextPath(visit, target))
        return visit.show(200, signInPage(visit.context(target.request), { ...target, demoUser }))
      },
    },
    { method: 'POST', path: '/sign-in', handle: signIn },
    { method: 'POST', path: '/sign-out', handle: signOut },
    { method: 'POST', path: '/sign-out/everywhere', handle: signOutEverywhere },
  ]

  async function signIn(visit: Visit, form: Parameters): Promise<Response> {
    const target = readTarget(form)
    const submitted = { ...target, email: emailValue(form), demoUser }
    const render = (formErrors: FormErrors) =>
      signInPage(visit.context(target.request), { ...submitted, formErrors })
    try {
      const session = await accounts.signIn({ email: form['email'], password: form['password'] }, visit.from)
      if (session) return visit.redirectTo(nextPath(visit, target), await visit.signIn(session))
      return visit.show(401, render({ summary: visit.texts.messages.wrongCredentials }), {
        headers: { 'WWW-Authenticate': 'Bearer' },
      })
    } catch (error) {
      return visit.showFormErrors(error, render)
    }
  }

  async function signOut(visit: Visit, form: Parameters): Promise<Response> {
    if (visit.userSession) await accounts.signOut(visit.userSession)
    return visit.redirectTo(signInPath(requestValue(form)), [visit.cookies.clearedCookie])
  }

  async function signOutEverywhere(visit: Visit): Promise<Response> {
    if (visit.userSession) await accounts.signOutEverywhere(visit.userSession)
    return visit.redirectTo(signInPath(undefined), [visit.cookies.clearedCookie])
  }
}
