import type { Role } from '@sales-crm/core'
import { alertOf, field, fixedEmail, hidden } from './form.ts'
import { page } from './layout.ts'
import { type Html, html, named } from './markup.ts'
import type { PageContext, Problem } from './page.ts'

interface Invited {
  readonly token: string
  readonly workspace_name: string
  readonly email: string
  readonly role: Role
  readonly has_password: boolean
  /** What was filled in before. */
  readonly name?: string | undefined
  readonly problem?: Problem | undefined
}

export function invitationPage(ctx: PageContext, { token, workspace_name, email, role, has_password, name, problem }: Invited): Html {
  const { texts, basePath, user } = ctx
  const words = texts.invitation
  const known = has_password && words.leadKnown(named(email))
  const whose = user && user.email !== email ? words.leadOther(named(email), named(user.email)) : known
  return page(
    ctx,
    { title: words.title, problem },
    html`<h1>${words.heading(named(workspace_name))}</h1>
<p class="lead">${words.asRole(role)} ${whose} ${!has_password && words.leadNew}</p>
${alertOf(ctx, problem, ['name', 'password'])}
<form method="post" action="${basePath}/invitations/${token}">
${hidden(ctx)}
${
  !has_password &&
  html`${fixedEmail(words.email, email)}
${field({ name: 'name', label: words.name, type: 'text', autocomplete: 'name', value: name, problem })}
${field({ name: 'password', label: words.password, type: 'password', autocomplete: 'new-password', hint: texts.password.hint, problem })}`
}
<div class="actions"><button class="main">${has_password ? words.submitKnown : words.submitNew}</button></div>
</form>`,
  )
}
