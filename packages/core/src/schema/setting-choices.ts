import { COUNTRIES } from './country.ts'
import { listLocales } from './country-settings.ts'
import { CURRENCIES } from './currency.ts'

/** A value that a setting of a workspace can have, with its name in a language. */
export interface SettingChoice {
  readonly value: string
  readonly label: string
}

/** The countries, by their names. */
export function listCountryChoices(language: string): readonly SettingChoice[] {
  return sortChoices(
    COUNTRIES.map((code) => ({ value: code, label: nameOf(language, 'region', code) })),
    language,
  )
}

export function listCurrencyChoices(language: string): readonly SettingChoice[] {
  return CURRENCIES.map((code) => ({ value: code, label: `${code}, ${nameOf(language, 'currency', code)}` }))
}

/** The locales that the runtime formats amounts for, by their names. */
export function listLocaleChoices(language: string): readonly SettingChoice[] {
  const supported = Intl.NumberFormat.supportedLocalesOf([...listLocales()])
  return sortChoices(
    supported.map((locale) => ({ value: locale, label: nameOf(language, 'language', locale) })),
    language,
  )
}

/** Returns the name of a country, currency or locale in a language. */
export function nameOf(language: string, type: Intl.DisplayNamesType, code: string): string {
  return new Intl.DisplayNames(language, { type }).of(code) ?? code
}

function sortChoices(choices: readonly SettingChoice[], language: string): readonly SettingChoice[] {
  return choices.toSorted((a, b) => a.label.localeCompare(b.label, language))
}
