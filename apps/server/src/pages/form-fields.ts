import { type Html, html, sanitizeName } from './markup.ts'
import type { PageContext, Problem } from './page-context.ts'

/** The fields that nobody sees: what the form is about, and the proof that it is ours. */
export function hiddenFields(
  ctx: PageContext,
  values: Readonly<Record<string, string | undefined>> = {},
): Html {
  const fields = Object.entries({ ...values, csrf: ctx.csrf })
  return html`${fields.map(([name, value]) => (value === undefined ? '' : html`<input type="hidden" name="${name}" value="${value}">`))}`
}

interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly type: 'email' | 'password' | 'text'
  readonly autocomplete: 'username' | 'current-password' | 'new-password' | 'name' | 'email' | 'off'
  readonly value?: string | undefined
  readonly hint?: string | undefined
  readonly problem?: Problem | undefined
}

export function inputField({ name, label, type, autocomplete, value, hint, problem }: FieldOptions): Html {
  const error = problem?.fields?.[name]
  const describedBy = [hint && `${name}-hint`, error && `${name}-fault`].filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fieldError(problem, name)}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${value === undefined ? '' : html` value="${value}"`}${describedBy && html` aria-describedby="${describedBy}"`}${error && html` aria-invalid="true"`}>
</div>`
}

/** For reading, and for password managers, which keep a password under it. It has no name, so that it is not sent. */
export function fixedEmail(label: string, email: string): Html {
  return html`<div class="field">
<label for="for-email">${label}</label>
<input id="for-email" type="email" autocomplete="username" value="${email}" readonly>
</div>`
}

export function fieldError(problem: Problem | undefined, name: string): Html | undefined {
  const error = problem?.fields?.[name]
  return error === undefined ? undefined : html`<p class="fault" id="${name}-fault">${error}</p>`
}

/** What is wrong, above the form, where reading begins when the page appears. @param inputs the fields that a fault can lead to */
export function errorSummary(
  { texts }: PageContext,
  problem: Problem | undefined,
  inputs: readonly string[],
): Html | undefined {
  if (!problem) return undefined
  const errors = Object.entries(problem.fields ?? {})
  return html`<div class="alert" role="alert" tabindex="-1" autofocus>
<p>${problem.summary ?? texts.notices.checkFields}</p>
${errors.length > 0 && html`<ul>${errors.map(([name, error]) => html`<li>${inputs.includes(name) ? html`<a href="#${name}">${error}</a>` : error}</li>`)}</ul>`}
</div>`
}

export function statusNotice(notice: string | undefined): Html | undefined {
  return notice === undefined ? undefined : html`<p class="notice" role="status">${notice}</p>`
}

/** The first character of a name, where a picture would be. */
export function avatarInitial(text: string, kind: 'app' | 'person' | 'workspace'): Html {
  const [first] = new Intl.Segmenter().segment(sanitizeName(text))
  return html`<span class="initial ${kind}" aria-hidden="true">${first?.segment.toUpperCase()}</span>`
}
