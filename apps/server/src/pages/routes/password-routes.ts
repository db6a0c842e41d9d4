import type { Parameters } from '@sales-crm/core'
import { messagePage } from '../message-page.ts'
import type { FormErrors } from '../page-context.ts'
import { changePasswordPage, forgotPasswordPage, resetPasswordPage } from '../password-pages.ts'
import { showExpiredLink } from './expired-link.ts'
import { emailValue, textValue } from './form-values.ts'
import { type PageCrm, requireSignIn, type SignedInVisit, type View, type Visit } from './visit.ts'

type Accounts = PageCrm['accounts']

export function passwordRoutes({ accounts }: PageCrm): readonly View[] {
  return [
    { method: 'GET', path: '/password/forgot', handle: showForgotPassword },
    {
      method: 'POST',
      path: '/password/forgot',
      handle: (visit, form) => requestReset(accounts, visit, form),
    },
    {
      method: 'GET',
      path: '/password/reset/:token',
      handle: (visit) => showResetPassword(accounts, visit),
    },
    {
      method: 'POST',
      path: '/password/reset/:token',
      handle: (visit, form) => resetPassword(accounts, visit, form),
    },
    {
      method: 'GET',
      path: '/account/password',
      handle: requireSignIn(async (visit) => visit.show(200, changePasswordPage(visit.context(), {}))),
    },
    {
      method: 'POST',
      path: '/account/password',
      handle: requireSignIn((visit, form) => changePassword(accounts, visit, form)),
    },
  ]
}

async function showForgotPassword(visit: Visit): Promise<Response> {
  if (textValue(visit.query, 'done') !== 'mailed')
    return visit.show(200, forgotPasswordPage(visit.context(), {}))
  const { links, messages } = visit.texts
  return visit.show(
    200,
    messagePage(visit.context(), {
      ...messages.resetMailed,
      link: { href: '/sign-in', text: links.signIn },
    }),
  )
}

async function requestReset(accounts: Accounts, visit: Visit, form: Parameters): Promise<Response> {
  try {
    await accounts.requestPasswordReset({ email: form['email'] }, visit.from)
    return visit.redirectTo('/password/forgot?done=mailed')
  } catch (error) {
    const render = (formErrors: FormErrors) =>
      forgotPasswordPage(visit.context(), { email: emailValue(form), formErrors })
    return visit.showFormErrors(error, render, visit.texts.messages.tooManyMails)
  }
}

async function showResetPassword(accounts: Accounts, visit: Visit): Promise<Response> {
  const token = tokenOf(visit)
  const user = await accounts.findUserByResetLink(token)
  return user
    ? visit.show(200, resetPasswordPage(visit.context(), { token, email: user.email }))
    : showResetLinkExpired(visit)
}

async function resetPassword(accounts: Accounts, visit: Visit, form: Parameters): Promise<Response> {
  const token = tokenOf(visit)
  try {
    const session = await accounts.resetPassword(token, { new_password: form['new_password'] }, visit.from)
    return session
      ? visit.redirectTo('/account?done=password-reset', await visit.signIn(session))
      : showResetLinkExpired(visit)
  } catch (error) {
    const user = await accounts.findUserByResetLink(token)
    return user
      ? visit.showFormErrors(error, (formErrors) =>
          resetPasswordPage(visit.context(), { token, email: user.email, formErrors }),
        )
      : showResetLinkExpired(visit)
  }
}

async function changePassword(accounts: Accounts, visit: SignedInVisit, form: Parameters): Promise<Response> {
  const render = (formErrors: FormErrors) => changePasswordPage(visit.context(), { formErrors })
  const input = { current_password: form['current_password'], new_password: form['new_password'] }
  try {
    if (await accounts.changePassword(visit.userSession, input, visit.from))
      return visit.redirectTo('/account?done=password-changed')
    const { checkFields, wrongPassword } = visit.texts.messages
    return visit.show(422, render({ summary: checkFields, fields: { current_password: wrongPassword } }))
  } catch (error) {
    return visit.showFormErrors(error, render)
  }
}

function tokenOf({ req }: Visit): string {
  return req.param('token') ?? ''
}

function showResetLinkExpired(visit: Visit) {
  return showExpiredLink(visit, { link: { href: '/password/forgot', text: visit.texts.links.forgot } })
}
