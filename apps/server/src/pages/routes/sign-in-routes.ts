import type { Parameters } from '@sales-crm/core'
import type { Reply } from '../../answer.ts'
import type { Problem } from '../page.ts'
import { signInPage } from '../sign-in.ts'
import { emailIn, idIn } from './fields.ts'
import type { PageCrm, View, Visit } from './visit.ts'

/** Where to go from there is never more than the id of what an app asked for. */
export function signInPath(authorizationId: string | undefined): string {
  return authorizationId === undefined ? '/sign-in' : `/sign-in?request=${authorizationId}`
}

function nextPath(authorizationId: string | undefined): string {
  return authorizationId === undefined ? '/account' : `/oauth/consent?request=${authorizationId}`
}

export function signInRoutes({ accounts }: PageCrm): readonly View[] {
  return [
    {
      method: 'GET',
      path: '/sign-in',
      async handle(visit) {
        const request = idIn(visit.query, 'request')
        if (visit.visitor) return visit.go(nextPath(request))
        return visit.show(200, signInPage(visit.context(request), { ...(request && { request }) }))
      },
    },
    { method: 'POST', path: '/sign-in', handle: signIn },
    { method: 'POST', path: '/sign-out', handle: signOut },
  ]

  async function signIn(visit: Visit, form: Parameters): Promise<Reply> {
    const request = idIn(form, 'request')
    const given = { ...(request && { request }), email: emailIn(form) }
    const draw = (problem: Problem) => signInPage(visit.context(request), { ...given, problem })
    try {
      const session = await accounts.signIn({ email: form['email'], password: form['password'] }, visit.from)
      if (session) return visit.go(nextPath(request), await visit.signIn(session))
      return visit.show(401, draw({ summary: visit.texts.notices.wrongCredentials }), { headers: { 'WWW-Authenticate': 'Bearer' } })
    } catch (error) {
      return visit.again(error, draw)
    }
  }

  async function signOut(visit: Visit, form: Parameters): Promise<Reply> {
    if (visit.visitor) await accounts.signOut(visit.visitor)
    return visit.go(signInPath(idIn(form, 'request')), [visit.cookies.cleared])
  }
}
