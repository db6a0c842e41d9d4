import { noticePage } from '../notice.ts'
import type { Problem } from '../page.ts'
import { changePage, forgotPage, resetPage } from '../password.ts'
import { emailIn, textIn } from './fields.ts'
import { linkOver } from './link-over.ts'
import { type PageCrm, signedIn, type View, type Visit } from './visit.ts'

export function passwordRoutes({ accounts }: PageCrm): readonly View[] {
  return [
    {
      method: 'GET',
      path: '/password/forgot',
      async handle(visit) {
        if (textIn(visit.query, 'done') !== 'mailed') return visit.show(200, forgotPage(visit.context(), {}))
        const { links, notices } = visit.texts
        return visit.show(200, noticePage(visit.context(), { ...notices.resetMailed, link: { href: '/sign-in', text: links.signIn } }))
      },
    },
    {
      method: 'POST',
      path: '/password/forgot',
      async handle(visit, form) {
        try {
          await accounts.askPasswordReset({ email: form['email'] }, visit.from)
          return visit.go('/password/forgot?done=mailed')
        } catch (error) {
          const draw = (problem: Problem) => forgotPage(visit.context(), { email: emailIn(form), problem })
          return visit.again(error, draw, visit.texts.notices.tooManyMails)
        }
      },
    },
    {
      method: 'GET',
      path: '/password/reset/:token',
      async handle(visit) {
        const token = visit.req.param('token') ?? ''
        const user = await accounts.userOfResetLink(token)
        return user ? visit.show(200, resetPage(visit.context(), { token, email: user.email })) : resetOver(visit)
      },
    },
    {
      method: 'POST',
      path: '/password/reset/:token',
      async handle(visit, form) {
        const token = visit.req.param('token') ?? ''
        try {
          const session = await accounts.resetPassword(token, { new_password: form['new_password'] }, visit.from)
          return session ? visit.go('/account?done=password-reset', await visit.signIn(session)) : resetOver(visit)
        } catch (error) {
          const user = await accounts.userOfResetLink(token)
          return user
            ? visit.again(error, (problem) => resetPage(visit.context(), { token, email: user.email, problem }))
            : resetOver(visit)
        }
      },
    },
    {
      method: 'GET',
      path: '/account/password',
      handle: signedIn(async (visit) => visit.show(200, changePage(visit.context(), {}))),
    },
    {
      method: 'POST',
      path: '/account/password',
      handle: signedIn(async (visit, form) => {
        const draw = (problem: Problem) => changePage(visit.context(), { problem })
        const input = { current_password: form['current_password'], new_password: form['new_password'] }
        try {
          if (await accounts.changePassword(visit.visitor, input, visit.from)) return visit.go('/account?done=password-changed')
          const { checkFields, wrongPassword } = visit.texts.notices
          return visit.show(422, draw({ summary: checkFields, fields: { current_password: wrongPassword } }))
        } catch (error) {
          return visit.again(error, draw)
        }
      }),
    },
  ]
}

function resetOver(visit: Visit) {
  return linkOver(visit, { link: { href: '/password/forgot', text: visit.texts.links.forgot } })
}
