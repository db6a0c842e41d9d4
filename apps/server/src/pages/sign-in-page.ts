import { errorSummary, hiddenFields, inputField } from './form-fields.ts'
import { renderLayout } from './layout.ts'
import { type Html, html, isolateName } from './markup.ts'
import type { FormErrors, PageContext } from './page-context.ts'

/** What continues after sign-in. */
export interface SignInTarget {
  /** Id of an authorization. */
  readonly request?: string | undefined
  /** Path of a page that requires a session. */
  readonly page?: string | undefined
}

interface SignInPageOptions extends SignInTarget {
  readonly email?: string | undefined
  readonly formErrors?: FormErrors | undefined
  /** Offers to sign in with these credentials, which everybody knows, by one press. */
  readonly demoUser?: DemoUser | undefined
}

export interface DemoUser {
  readonly name: string
  readonly email: string
  readonly password: string
}

export function signInPage(
  ctx: PageContext,
  { request, page, email, formErrors, demoUser }: SignInPageOptions,
): Html {
  const { texts, basePath } = ctx
  const words = texts.signIn
  return renderLayout(
    { ...ctx, user: undefined },
    { title: words.title, formErrors },
    html`<h1>${words.title}</h1>
<p class="lead">${request === undefined ? words.lead : words.leadForApp}</p>
${errorSummary(ctx, formErrors, ['email', 'password'])}
${demoUser && demoForm(ctx, demoUser, { request, page })}
<form method="post" action="${basePath}/sign-in">
${hiddenFields(ctx, { request, page })}
${inputField({
  ...{ name: 'email', label: words.email, type: 'email', autocomplete: 'username' },
  value: email,
  formErrors,
})}
${inputField({
  ...{ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password' },
  formErrors,
})}
<div class="actions"><button class="main">${words.submit}</button></div>
</form>
<p class="aside"><a href="${basePath}/password/forgot">${words.forgot}</a></p>`,
  )
}

function demoForm(ctx: PageContext, { name, email, password }: DemoUser, target: SignInTarget): Html {
  const words = ctx.texts.signIn
  return html`<form method="post" action="${ctx.basePath}/sign-in">
${hiddenFields(ctx, { ...target, email, password })}
<div class="actions"><button class="main">${words.demo(isolateName(name))}</button></div>
<p class="fine">${words.demoNote}</p>
</form>`
}
