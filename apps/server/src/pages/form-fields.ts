import { type Html, html, sanitizeName } from './markup.ts'
import type { FormErrors, PageContext } from './page-context.ts'

/** Renders `values` and the CSRF token as hidden inputs. */
export function hiddenFields(
  ctx: PageContext,
  values: Readonly<Record<string, string | undefined>> = {},
): Html {
  const fields = Object.entries({ ...values, csrf: ctx.csrf })
  const inputs = fields.map(([name, value]) =>
    value === undefined ? '' : html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`${inputs}`
}

interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly type: 'email' | 'password' | 'text'
  readonly autocomplete: 'username' | 'current-password' | 'new-password' | 'name' | 'email' | 'off'
  readonly value?: string | undefined
  readonly hint?: string | undefined
  readonly formErrors?: FormErrors | undefined
  readonly isOptional?: boolean
}

export function inputField(options: FieldOptions): Html {
  const { name, label, type, autocomplete, value, hint, formErrors, isOptional = false } = options
  const error = formErrors?.fields?.[name]
  const describedBy = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  const valueAttribute = value === undefined ? '' : html` value="${value}"`
  const describedByAttribute = describedBy && html` aria-describedby="${describedBy}"`
  const attributes = html`${valueAttribute}${describedByAttribute}${error && html` aria-invalid="true"`}`
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fieldError(formErrors, name)}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${!isOptional && html` required`}${attributes}>
</div>`
}

interface SelectOptions extends Pick<FieldOptions, 'name' | 'label' | 'value' | 'formErrors'> {
  readonly choices: readonly { readonly value: string; readonly label: string }[]
}

export function selectField({ name, label, value, formErrors, choices }: SelectOptions): Html {
  const error = formErrors?.fields?.[name]
  const attributes = error && html` aria-describedby="${name}-error" aria-invalid="true"`
  const options = choices.map(
    (each) =>
      html`<option value="${each.value}"${each.value === value && html` selected`}>${each.label}</option>`,
  )
  return html`<div class="field">
<label for="${name}">${label}</label>
${fieldError(formErrors, name)}
<select id="${name}" name="${name}"${attributes}>${options}</select>
</div>`
}

/**
 * Renders a read-only address, under which password managers save the password. Without a name, it is not
 * sent.
 */
export function fixedEmail(label: string, email: string): Html {
  return html`<div class="field">
<label for="for-email">${label}</label>
<input id="for-email" type="email" autocomplete="username" value="${email}" readonly>
</div>`
}

export function fieldError(formErrors: FormErrors | undefined, name: string): Html | undefined {
  const error = formErrors?.fields?.[name]
  return error === undefined ? undefined : html`<p class="error" id="${name}-error">${error}</p>`
}

/**
 * Renders the errors above a form, with focus when the page loads.
 * @param inputs fields that errors link to
 */
export function errorSummary(
  { texts }: PageContext,
  formErrors: FormErrors | undefined,
  inputs: readonly string[],
): Html | undefined {
  if (!formErrors) return undefined
  const errors = Object.entries(formErrors.fields ?? {}).map(
    ([name, error]) =>
      html`<li>${inputs.includes(name) ? html`<a href="#${name}">${error}</a>` : error}</li>`,
  )
  return html`<div class="alert" role="alert" tabindex="-1" autofocus>
<p>${formErrors.summary ?? texts.messages.checkFields}</p>
${errors.length > 0 && html`<ul>${errors}</ul>`}
</div>`
}

export function statusParagraph(message: string | undefined): Html | undefined {
  return message === undefined ? undefined : html`<p class="message" role="status">${message}</p>`
}

/** Renders the first character of a name in place of an image. */
export function avatarInitial(text: string, kind: 'app' | 'person' | 'workspace'): Html {
  const [first] = new Intl.Segmenter().segment(sanitizeName(text))
  return html`<span class="initial ${kind}" aria-hidden="true">${first?.segment.toUpperCase()}</span>`
}
