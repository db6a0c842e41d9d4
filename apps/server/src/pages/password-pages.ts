import { errorSummary, fixedEmail, hiddenFields, inputField } from './form-fields.ts'
import { renderLayout } from './layout.ts'
import { type Html, html } from './markup.ts'
import type { FormErrors, PageContext } from './page-context.ts'

interface ForgotPasswordOptions {
  readonly email?: string | undefined
  readonly formErrors?: FormErrors | undefined
}

interface ResetPasswordOptions {
  readonly token: string
  readonly email: string
  readonly formErrors?: FormErrors | undefined
}

export function forgotPasswordPage(ctx: PageContext, { email, formErrors }: ForgotPasswordOptions): Html {
  const { texts, basePath } = ctx
  const words = texts.password
  return renderLayout(
    ctx,
    { title: words.forgotTitle, formErrors },
    html`<h1>${words.forgotTitle}</h1>
<p class="lead">${words.forgotLead}</p>
${errorSummary(ctx, formErrors, ['email'])}
<form method="post" action="${basePath}/password/forgot">
${hiddenFields(ctx)}
${inputField({
  ...{ name: 'email', label: texts.signIn.email, type: 'email', autocomplete: 'username' },
  value: email,
  formErrors,
})}
<div class="actions"><button class="main">${words.forgotSubmit}</button></div>
</form>
<p class="aside"><a href="${basePath}/sign-in">${words.back}</a></p>`,
  )
}

export function resetPasswordPage(
  ctx: PageContext,
  { token, email, formErrors }: ResetPasswordOptions,
): Html {
  const { texts, basePath } = ctx
  const words = texts.password
  return renderLayout(
    ctx,
    { title: words.resetTitle, formErrors },
    html`<h1>${words.resetTitle}</h1>
<p class="lead">${words.resetLead}</p>
${errorSummary(ctx, formErrors, ['new_password'])}
<form method="post" action="${basePath}/password/reset/${token}">
${hiddenFields(ctx)}
${fixedEmail(texts.signIn.email, email)}
${newPasswordField(ctx, formErrors)}
<div class="actions"><button class="main">${words.resetSubmit}</button></div>
</form>`,
  )
}

export function changePasswordPage(
  ctx: PageContext,
  { formErrors }: { readonly formErrors?: FormErrors | undefined },
): Html {
  const { texts, basePath, user } = ctx
  const words = texts.password
  const cancelLink = html`<a class="button" href="${basePath}/account">${words.cancel}</a>`
  return renderLayout(
    ctx,
    { title: words.changeTitle, formErrors },
    html`<h1>${words.changeTitle}</h1>
<p class="lead">${words.changeLead}</p>
${errorSummary(ctx, formErrors, ['current_password', 'new_password'])}
<form method="post" action="${basePath}/account/password">
${hiddenFields(ctx)}
${user && fixedEmail(texts.signIn.email, user.email)}
${inputField({
  ...{ name: 'current_password', label: words.current, type: 'password', autocomplete: 'current-password' },
  formErrors,
})}
${newPasswordField(ctx, formErrors)}
<div class="actions"><button class="main">${words.changeSubmit}</button>${cancelLink}</div>
</form>`,
  )
}

function newPasswordField({ texts }: PageContext, formErrors: FormErrors | undefined): Html {
  const { fresh, hint } = texts.password
  return inputField({
    name: 'new_password',
    label: fresh,
    type: 'password',
    autocomplete: 'new-password',
    hint,
    formErrors,
  })
}
