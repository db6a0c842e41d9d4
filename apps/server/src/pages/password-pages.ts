import { errorSummary, fixedEmail, hiddenFields, inputField } from './form-fields.ts'
import { renderLayout } from './layout.ts'
import { type Html, html } from './markup.ts'
import type { PageContext, Problem } from './page-context.ts'

interface ForgotPasswordOptions {
  readonly email?: string | undefined
  readonly problem?: Problem | undefined
}

interface ResetPasswordOptions {
  readonly token: string
  readonly email: string
  readonly problem?: Problem | undefined
}

export function forgotPasswordPage(ctx: PageContext, { email, problem }: ForgotPasswordOptions): Html {
  const { texts, basePath } = ctx
  const words = texts.password
  return renderLayout(
    ctx,
    { title: words.forgotTitle, problem },
    html`<h1>${words.forgotTitle}</h1>
<p class="lead">${words.forgotLead}</p>
${errorSummary(ctx, problem, ['email'])}
<form method="post" action="${basePath}/password/forgot">
${hiddenFields(ctx)}
${inputField({
  ...{ name: 'email', label: texts.signIn.email, type: 'email', autocomplete: 'username' },
  value: email,
  problem,
})}
<div class="actions"><button class="main">${words.forgotSubmit}</button></div>
</form>
<p class="aside"><a href="${basePath}/sign-in">${words.back}</a></p>`,
  )
}

export function resetPasswordPage(ctx: PageContext, { token, email, problem }: ResetPasswordOptions): Html {
  const { texts, basePath } = ctx
  const words = texts.password
  return renderLayout(
    ctx,
    { title: words.resetTitle, problem },
    html`<h1>${words.resetTitle}</h1>
<p class="lead">${words.resetLead}</p>
${errorSummary(ctx, problem, ['new_password'])}
<form method="post" action="${basePath}/password/reset/${token}">
${hiddenFields(ctx)}
${fixedEmail(texts.signIn.email, email)}
${newPasswordField(ctx, problem)}
<div class="actions"><button class="main">${words.resetSubmit}</button></div>
</form>`,
  )
}

export function changePasswordPage(
  ctx: PageContext,
  { problem }: { readonly problem?: Problem | undefined },
): Html {
  const { texts, basePath, user } = ctx
  const words = texts.password
  const cancelLink = html`<a class="button" href="${basePath}/account">${words.cancel}</a>`
  return renderLayout(
    ctx,
    { title: words.changeTitle, problem },
    html`<h1>${words.changeTitle}</h1>
<p class="lead">${words.changeLead}</p>
${errorSummary(ctx, problem, ['current_password', 'new_password'])}
<form method="post" action="${basePath}/account/password">
${hiddenFields(ctx)}
${user && fixedEmail(texts.signIn.email, user.email)}
${inputField({
  ...{ name: 'current_password', label: words.current, type: 'password', autocomplete: 'current-password' },
  problem,
})}
${newPasswordField(ctx, problem)}
<div class="actions"><button class="main">${words.changeSubmit}</button>${cancelLink}</div>
</form>`,
  )
}

function newPasswordField({ texts }: PageContext, problem: Problem | undefined): Html {
  const { fresh, hint } = texts.password
  return inputField({
    name: 'new_password',
    label: fresh,
    type: 'password',
    autocomplete: 'new-password',
    hint,
    problem,
  })
}
