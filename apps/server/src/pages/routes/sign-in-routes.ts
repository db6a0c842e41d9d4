import type { Parameters } from '@sales-crm/core'
import type { Problem } from '../page-context.ts'
import { type DemoUser, signInPage } from '../sign-in-page.ts'
import { emailValue, idValue } from './form-values.ts'
import type { PageCrm, View, Visit } from './visit.ts'

/** Passes on the id of an authorization only, never a URL, which prevents open redirects. */
export function signInPath(authorizationId: string | undefined): string {
  return authorizationId === undefined ? '/sign-in' : `/sign-in?request=${authorizationId}`
}

function nextPath({ startPath }: Visit, authorizationId: string | undefined): string {
  return authorizationId === undefined ? startPath : `/oauth/consent?request=${authorizationId}`
}

/** @param demoUser offered on the sign-in page, to be signed in by one press */
export function signInRoutes({ accounts }: PageCrm, demoUser?: DemoUser): readonly View[] {
  return [
    {
      method: 'GET',
      path: '/sign-in',
      async handle(visit) {
        const request = idValue(visit.query, 'request')
        if (visit.visitor) return visit.redirectTo(nextPath(visit, request))
        return visit.show(200, signInPage(visit.context(request), { ...(request && { request }), demoUser }))
      },
    },
    { method: 'POST', path: '/sign-in', handle: signIn },
    { method: 'POST', path: '/sign-out', handle: signOut },
  ]

  async function signIn(visit: Visit, form: Parameters): Promise<Response> {
    const request = idValue(form, 'request')
    const submitted = { ...(request && { request }), email: emailValue(form), demoUser }
    const render = (problem: Problem) => signInPage(visit.context(request), { ...submitted, problem })
    try {
      const session = await accounts.signIn({ email: form['email'], password: form['password'] }, visit.from)
      if (session) return visit.redirectTo(nextPath(visit, request), await visit.signIn(session))
      return visit.show(401, render({ summary: visit.texts.notices.wrongCredentials }), {
        headers: { 'WWW-Authenticate': 'Bearer' },
      })
    } catch (error) {
      return visit.showFormErrors(error, render)
    }
  }

  async function signOut(visit: Visit, form: Parameters): Promise<Response> {
    if (visit.visitor) await accounts.signOut(visit.visitor)
    return visit.redirectTo(signInPath(idValue(form, 'request')), [visit.cookies.clearedCookie])
  }
}
