import { type Html, html, shown } from './markup.ts'
import type { PageContext, Problem } from './page.ts'

/** The fields that nobody sees: what the form is about, and the proof that it is ours. */
export function hidden(ctx: PageContext, values: Readonly<Record<string, string | undefined>> = {}): Html {
  const fields = Object.entries({ ...values, csrf: ctx.csrf })
  return html`${fields.map(([name, value]) => (value === undefined ? '' : html`<input type="hidden" name="${name}" value="${value}">`))}`
}

interface Field {
  readonly name: string
  readonly label: string
  readonly type: 'email' | 'password' | 'text'
  readonly autocomplete: 'username' | 'current-password' | 'new-password' | 'name' | 'email' | 'off'
  readonly value?: string | undefined
  readonly hint?: string | undefined
  readonly problem?: Problem | undefined
}

export function field({ name, label, type, autocomplete, value, hint, problem }: Field): Html {
  const fault = problem?.fields?.[name]
  const told = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${faultOf(problem, name)}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${value === undefined ? '' : html` value="${value}"`}${told && html` aria-describedby="${told}"`}${fault && html` aria-invalid="true"`}>
</div>`
}

/** For reading, and for password managers, which keep a password under it. It has no name, so that it is not sent. */
export function fixedEmail(label: string, email: string): Html {
  return html`<div class="field">
<label for="for-email">${label}</label>
<input id="for-email" type="email" autocomplete="username" value="${email}" readonly>
</div>`
}

export function faultOf(problem: Problem | undefined, name: string): Html | undefined {
  const fault = problem?.fields?.[name]
  return fault === undefined ? undefined : html`<p class="fault" id="${name}-fault">${fault}</p>`
}

/** What is wrong, above the form, where reading begins when the page appears. @param inputs the fields that a fault can lead to */
export function alertOf({ texts }: PageContext, problem: Problem | undefined, inputs: readonly string[]): Html | undefined {
  if (!problem) return undefined
  const faults = Object.entries(problem.fields ?? {})
  return html`<div class="alert" role="alert" tabindex="-1" autofocus>
<p>${problem.summary ?? texts.notices.checkFields}</p>
${faults.length > 0 && html`<ul>${faults.map(([name, fault]) => html`<li>${inputs.includes(name) ? html`<a href="#${name}">${fault}</a>` : fault}</li>`)}</ul>`}
</div>`
}

export function noticeOf(notice: string | undefined): Html | undefined {
  return notice === undefined ? undefined : html`<p class="notice" role="status">${notice}</p>`
}

/** The first character of a name, where a picture would be. */
export function initial(text: string, kind: 'app' | 'person' | 'workspace'): Html {
  const [first] = new Intl.Segmenter().segment(shown(text))
  return html`<span class="initial ${kind}" aria-hidden="true">${first?.segment.toUpperCase()}</span>`
}
