import { COUNTRIES, CURRENCIES, listLocales } from '@sales-crm/core/browser'

export interface Choice {
  readonly value: string
  readonly label: string
}

/** The countries by their names in a language. */
export function listCountries(language: string): readonly Choice[] {
  return sortChoices(
    COUNTRIES.map((code) => ({ value: code, label: nameOf(language, 'region', code) })),
    language,
  )
}

export function listCurrencies(language: string): readonly Choice[] {
  return CURRENCIES.map((code) => ({ value: code, label: `${code}, ${nameOf(language, 'currency', code)}` }))
}

export function listLocaleChoices(language: string): readonly Choice[] {
  const supported = Intl.NumberFormat.supportedLocalesOf([...listLocales()])
  return sortChoices(
    supported.map((locale) => ({ value: locale, label: nameOf(language, 'language', locale) })),
    language,
  )
}

/** The time zones by their offset at an instant. */
export function listTimeZones(language: string, now: Date): readonly Choice[] {
  return Intl.supportedValuesOf('timeZone').map((zone) => ({
    value: zone,
    label: describeTimeZone(zone, language, now),
  }))
}

/** `America/Sao Paulo (UTC-3)` */
export function describeTimeZone(zone: string, language: string, now: Date): string {
  const format = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName: 'shortOffset' })
  const offset = format.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return `${zone.replaceAll('_', ' ')} (${offset.replace('GMT', 'UTC')})`
}

/** The choices with the present value among them, which may be one that is not offered. */
export function withValue(choices: readonly Choice[], value: string, label: () => string): readonly Choice[] {
  return choices.some((each) => each.value === value) ? choices : [{ value, label: label() }, ...choices]
}

export function nameOf(language: string, type: Intl.DisplayNamesType, code: string): string {
  return new Intl.DisplayNames(language, { type }).of(code) ?? code
}

function sortChoices(choices: readonly Choice[], language: string): readonly Choice[] {
  return choices.toSorted((a, b) => a.label.localeCompare(b.label, language))
}
