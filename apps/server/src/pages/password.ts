import { alertOf, field, fixedEmail, hidden } from './form.ts'
import { page } from './layout.ts'
import { type Html, html } from './markup.ts'
import type { PageContext, Problem } from './page.ts'

interface Forgot {
  readonly email?: string | undefined
  readonly problem?: Problem | undefined
}

interface Reset {
  readonly token: string
  readonly email: string
  readonly problem?: Problem | undefined
}

export function forgotPage(ctx: PageContext, { email, problem }: Forgot): Html {
  const { texts, basePath } = ctx
  const words = texts.password
  return page(
    ctx,
    { title: words.forgotTitle, problem },
    html`<h1>${words.forgotTitle}</h1>
<p class="lead">${words.forgotLead}</p>
${alertOf(ctx, problem, ['email'])}
<form method="post" action="${basePath}/password/forgot">
${hidden(ctx)}
${field({ name: 'email', label: texts.signIn.email, type: 'email', autocomplete: 'username', value: email, problem })}
<div class="actions"><button class="main">${words.forgotSubmit}</button></div>
</form>
<p class="aside"><a href="${basePath}/sign-in">${words.back}</a></p>`,
  )
}

export function resetPage(ctx: PageContext, { token, email, problem }: Reset): Html {
  const { texts, basePath } = ctx
  const words = texts.password
  return page(
    ctx,
    { title: words.resetTitle, problem },
    html`<h1>${words.resetTitle}</h1>
<p class="lead">${words.resetLead}</p>
${alertOf(ctx, problem, ['new_password'])}
<form method="post" action="${basePath}/password/reset/${token}">
${hidden(ctx)}
${fixedEmail(texts.signIn.email, email)}
${fresh(ctx, problem)}
<div class="actions"><button class="main">${words.resetSubmit}</button></div>
</form>`,
  )
}

export function changePage(ctx: PageContext, { problem }: { readonly problem?: Problem | undefined }): Html {
  const { texts, basePath, user } = ctx
  const words = texts.password
  return page(
    ctx,
    { title: words.changeTitle, problem },
    html`<h1>${words.changeTitle}</h1>
<p class="lead">${words.changeLead}</p>
${alertOf(ctx, problem, ['current_password', 'new_password'])}
<form method="post" action="${basePath}/account/password">
${hidden(ctx)}
${user && fixedEmail(texts.signIn.email, user.email)}
${field({ name: 'current_password', label: words.current, type: 'password', autocomplete: 'current-password', problem })}
${fresh(ctx, problem)}
<div class="actions"><button class="main">${words.changeSubmit}</button><a class="button" href="${basePath}/account">${words.cancel}</a></div>
</form>`,
  )
}

function fresh({ texts }: PageContext, problem: Problem | undefined): Html {
  const { fresh, hint } = texts.password
  return field({ name: 'new_password', label: fresh, type: 'password', autocomplete: 'new-password', hint, problem })
}
