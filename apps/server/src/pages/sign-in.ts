import { alertOf, field, hidden } from './form.ts'
import { page } from './layout.ts'
import { type Html, html } from './markup.ts'
import type { PageContext, Problem } from './page.ts'

interface SignIn {
  /** The authorization that waits for it. */
  readonly request?: string | undefined
  readonly email?: string | undefined
  readonly problem?: Problem | undefined
}

export function signInPage(ctx: PageContext, { request, email, problem }: SignIn): Html {
  const { texts, basePath } = ctx
  const words = texts.signIn
  return page(
    { ...ctx, user: undefined },
    { title: words.title, problem },
    html`<h1>${words.title}</h1>
<p class="lead">${request === undefined ? words.lead : words.leadForApp}</p>
${alertOf(ctx, problem, ['email', 'password'])}
<form method="post" action="${basePath}/sign-in">
${hidden(ctx, { request })}
${field({ name: 'email', label: words.email, type: 'email', autocomplete: 'username', value: email, problem })}
${field({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', problem })}
<div class="actions"><button class="main">${words.submit}</button></div>
</form>
<p class="aside"><a href="${basePath}/password/forgot">${words.forgot}</a></p>`,
  )
}
