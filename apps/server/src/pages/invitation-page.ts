import type { Role } from '@sales-crm/core'
import { errorSummary, fixedEmail, hiddenFields, inputField } from './form-fields.ts'
import { renderLayout } from './layout.ts'
import { type Html, html, isolateName } from './markup.ts'
import type { FormErrors, PageContext } from './page-context.ts'

interface InvitationPageOptions {
  readonly token: string
  readonly workspace_name: string
  readonly email: string
  readonly role: Role
  readonly has_password: boolean
  readonly requires_sign_in: boolean
  /** Name from a rejected submission. */
  readonly name?: string | undefined
  readonly formErrors?: FormErrors | undefined
}

export function invitationPage(ctx: PageContext, options: InvitationPageOptions): Html {
  const { token, workspace_name, email, role, has_password, requires_sign_in, name, formErrors } = options
  const { texts, basePath, user } = ctx
  const words = texts.invitation
  const knownAccountNote = has_password && words.leadKnown(isolateName(email))
  const accountNote =
    user && user.email !== email
      ? words.leadOther(isolateName(email), isolateName(user.email))
      : knownAccountNote
  if (requires_sign_in && user?.email !== email)
    return renderLayout(
      ctx,
      { title: words.title },
      html`<h1>${words.heading(isolateName(workspace_name))}</h1>
<p class="lead">${accountNote} ${words.signInFirst}</p>
${!user && html`<p class="actions"><a class="button main" href="${basePath}/sign-in">${texts.links.signIn}</a></p>`}`,
    )
  return renderLayout(
    ctx,
    { title: words.title, formErrors },
    html`<h1>${words.heading(isolateName(workspace_name))}</h1>
<p class="lead">${words.asRole(role)} ${accountNote} ${!has_password && words.leadNew}</p>
${errorSummary(ctx, formErrors, ['name', 'password'])}
<form method="post" action="${basePath}/invitations/${token}">
${hiddenFields(ctx)}
${
  !has_password &&
  html`${fixedEmail(words.email, email)}
${inputField({ name: 'name', label: words.name, type: 'text', autocomplete: 'name', value: name, formErrors })}
${inputField({
  ...{ name: 'password', label: words.password, type: 'password', autocomplete: 'new-password' },
  hint: texts.password.hint,
  formErrors,
})}`
}
<div class="actions"><button class="main">${has_password ? words.submitKnown : words.submitNew}</button></div>
</form>`,
  )
}
