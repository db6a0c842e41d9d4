import { errorSummary, hiddenFields, inputField } from './form-fields.ts'
import { renderLayout } from './layout.ts'
import { type Html, html } from './markup.ts'
import type { PageContext, Problem } from './page-context.ts'

interface SignInPageOptions {
  /** Id of the authorization that continues after sign-in. */
  readonly request?: string | undefined
  readonly email?: string | undefined
  readonly problem?: Problem | undefined
}

export function signInPage(ctx: PageContext, { request, email, problem }: SignInPageOptions): Html {
  const { texts, basePath } = ctx
  const words = texts.signIn
  return renderLayout(
    { ...ctx, user: undefined },
    { title: words.title, problem },
    html`<h1>${words.title}</h1>
<p class="lead">${request === undefined ? words.lead : words.leadForApp}</p>
${errorSummary(ctx, problem, ['email', 'password'])}
<form method="post" action="${basePath}/sign-in">
${hiddenFields(ctx, { request })}
${inputField({
  ...{ name: 'email', label: words.email, type: 'email', autocomplete: 'username' },
  value: email,
  problem,
})}
${inputField({
  ...{ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password' },
  problem,
})}
<div class="actions"><button class="main">${words.submit}</button></div>
</form>
<p class="aside"><a href="${basePath}/password/forgot">${words.forgot}</a></p>`,
  )
}
