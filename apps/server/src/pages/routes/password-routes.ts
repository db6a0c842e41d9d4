import { noticePage } from '../notice-page.ts'
import type { Problem } from '../page-context.ts'
import { changePasswordPage, forgotPasswordPage, resetPasswordPage } from '../password-pages.ts'
import { showExpiredLink } from './expired-link.ts'
import { emailValue, textValue } from './form-values.ts'
import { type PageCrm, requireSignIn, type View, type Visit } from './visit.ts'

export function passwordRoutes({ accounts }: PageCrm): readonly View[] {
  return [
    {
      method: 'GET',
      path: '/password/forgot',
      async handle(visit) {
        if (textValue(visit.query, 'done') !== 'mailed')
          return visit.show(200, forgotPasswordPage(visit.context(), {}))
        const { links, notices } = visit.texts
        return visit.show(
          200,
          noticePage(visit.context(), {
            ...notices.resetMailed,
            link: { href: '/sign-in', text: links.signIn },
          }),
        )
      },
    },
    {
      method: 'POST',
      path: '/password/forgot',
      async handle(visit, form) {
        try {
          await accounts.requestPasswordReset({ email: form['email'] }, visit.from)
          return visit.redirectTo('/password/forgot?done=mailed')
        } catch (error) {
          const render = (problem: Problem) =>
            forgotPasswordPage(visit.context(), { email: emailValue(form), problem })
          return visit.showFormErrors(error, render, visit.texts.notices.tooManyMails)
        }
      },
    },
    {
      method: 'GET',
      path: '/password/reset/:token',
      async handle(visit) {
        const token = visit.req.param('token') ?? ''
        const user = await accounts.findUserByResetLink(token)
        return user
          ? visit.show(200, resetPasswordPage(visit.context(), { token, email: user.email }))
          : showResetLinkExpired(visit)
      },
    },
    {
      method: 'POST',
      path: '/password/reset/:token',
      async handle(visit, form) {
        const token = visit.req.param('token') ?? ''
        try {
          const session = await accounts.resetPassword(
            token,
            { new_password: form['new_password'] },
            visit.from,
          )
          return session
            ? visit.redirectTo('/account?done=password-reset', await visit.signIn(session))
            : showResetLinkExpired(visit)
        } catch (error) {
          const user = await accounts.findUserByResetLink(token)
          return user
            ? visit.showFormErrors(error, (problem) =>
                resetPasswordPage(visit.context(), { token, email: user.email, problem }),
              )
            : showResetLinkExpired(visit)
        }
      },
    },
    {
      method: 'GET',
      path: '/account/password',
      handle: requireSignIn(async (visit) => visit.show(200, changePasswordPage(visit.context(), {}))),
    },
    {
      method: 'POST',
      path: '/account/password',
      handle: requireSignIn(async (visit, form) => {
        const render = (problem: Problem) => changePasswordPage(visit.context(), { problem })
        const input = { current_password: form['current_password'], new_password: form['new_password'] }
        try {
          if (await accounts.changePassword(visit.visitor, input, visit.from))
            return visit.redirectTo('/account?done=password-changed')
          const { checkFields, wrongPassword } = visit.texts.notices
          return visit.show(
            422,
            render({ summary: checkFields, fields: { current_password: wrongPassword } }),
          )
        } catch (error) {
          return visit.showFormErrors(error, render)
        }
      }),
    },
  ]
}

function showResetLinkExpired(visit: Visit) {
  return showExpiredLink(visit, { link: { href: '/password/forgot', text: visit.texts.links.forgot } })
}
