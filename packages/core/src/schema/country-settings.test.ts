import { expect, test } from 'vitest'
import { COUNTRIES } from './country.ts'
import { listLocales, proposeSettings } from './country-settings.ts'

test.each([
  ['BR', 'BRL', 'pt-BR', 'America/Sao_Paulo'],
  ['US', 'USD', 'en-US', 'America/New_York'],
  ['PT', 'EUR', 'pt-PT', 'Europe/Lisbon'],
  ['DE', 'EUR', 'de-DE', 'Europe/Berlin'],
  ['GB', 'GBP', 'en-GB', 'Europe/London'],
  ['JP', 'JPY', 'ja-JP', 'Asia/Tokyo'],
  ['CO', 'COP', 'es-CO', 'America/Bogota'],
  ['KE', 'USD', 'sw-KE', 'Africa/Nairobi'],
])('%s has %s, %s and %s', (country, currency, locale, time_zone) => {
  expect(proposeSettings(country)).toEqual({ currency, locale, time_zone })
})

test('every country has settings that a workspace can have', () => {
  for (const country of COUNTRIES) {
    const { locale, time_zone } = proposeSettings(country)
    expect(new Intl.Locale(locale).region).toBe(country)
    expect(() => new Intl.DateTimeFormat('en', { timeZone: time_zone })).not.toThrow()
  }
  expect(new Set(listLocales()).size).toBe(listLocales().length)
})
