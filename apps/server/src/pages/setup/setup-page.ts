import {
  listCountryChoices,
  listCurrencyChoices,
  listLocaleChoices,
  nameOf,
  type SettingChoice,
} from '@sales-crm/core/browser'
import { errorSummary, hiddenFields, inputField, selectField } from '../form-fields.ts'
import { renderLayout } from '../layout.ts'
import { type Html, html } from '../markup.ts'
import type { FormErrors, PageContext } from '../page-context.ts'

/** The fields of the form, as they were sent. */
export type SetupFields = Readonly<Record<(typeof SETUP_FIELDS)[number], string>>

export const SETUP_FIELDS = [
  'name',
  'slug',
  'country',
  'currency',
  'locale',
  'time_zone',
  'owner_name',
  'owner_email',
] as const

interface CountryPageOptions {
  /** The path of the page, with the token of the link. */
  readonly path: string
  readonly country: string | undefined
}

/** The first step: the country, from which the second one proposes the other settings. */
export function countryPage(ctx: PageContext, { path, country }: CountryPageOptions): Html {
  const { texts, basePath } = ctx
  const words = texts.setup
  return renderLayout(
    ctx,
    { title: words.title },
    html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<form method="get" action="${basePath}${path}">
${selectField({ name: 'country', label: words.country, value: country, choices: listCountryChoices(texts.language) })}
<div class="actions"><button class="main">${words.next}</button></div>
</form>`,
  )
}

interface SetupPageOptions {
  readonly path: string
  readonly fields: SetupFields
  readonly formErrors?: FormErrors | undefined
}

/** The second step: the workspace and its owner. */
export function setupPage(ctx: PageContext, { path, fields, formErrors }: SetupPageOptions): Html {
  const { texts, basePath } = ctx
  const { language, setup: words } = texts
  const text = (name: 'name' | 'slug' | 'owner_name', hint: string | undefined) =>
    inputField({
      ...{ name, label: words[name], hint, formErrors, value: fields[name] },
      ...{ type: 'text', autocomplete: name === 'owner_name' ? 'name' : 'off', isOptional: name === 'slug' },
    })
  const select = (name: 'currency' | 'locale' | 'time_zone', choices: readonly SettingChoice[]) =>
    selectField({ name, label: words[name], value: fields[name], choices, formErrors })
  return renderLayout(
    ctx,
    { title: words.title, formErrors },
    html`<h1>${words.title}</h1>
<p class="lead">${words.slugStays}</p>
${errorSummary(ctx, formErrors, [...SETUP_FIELDS, 'owner_password'])}
<form method="post" action="${basePath}${path}">
${hiddenFields(ctx, { country: fields.country })}
<h2>${words.company}</h2>
${text('name', words.nameHint)}
${text('slug', words.slugHint)}
<p class="fine">${nameOf(language, 'region', fields.country)}. <a href="${basePath}${path}">${words.otherCountry}</a></p>
${select('currency', listCurrencyChoices(language))}
${select('locale', listLocaleChoices(language))}
${select('time_zone', listTimeZones())}
<h2>${words.owner}</h2>
${text('owner_name', undefined)}
${inputField({
  ...{ name: 'owner_email', label: words.owner_email, hint: words.emailHint, formErrors },
  ...{ type: 'email', autocomplete: 'username', value: fields.owner_email },
})}
${inputField({
  ...{ name: 'owner_password', label: words.owner_password, hint: texts.password.hint, formErrors },
  ...{ type: 'password', autocomplete: 'new-password' },
})}
<div class="actions"><button class="main">${words.submit}</button></div>
<p class="fine">${words.once}</p>
</form>`,
  )
}

function listTimeZones(): readonly SettingChoice[] {
  return Intl.supportedValuesOf('timeZone').map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  }))
}
