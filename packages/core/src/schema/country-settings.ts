import { COUNTRIES } from './country.ts'
import type { Currency } from './currency.ts'

/** What most workspaces of a country choose. */
export interface CountrySettings {
  readonly currency: Currency
  readonly locale: string
  readonly time_zone: string
}

/** The countries of each currency. Those of none use US dollars. */
const CURRENCY_COUNTRIES: Readonly<Partial<Record<Currency, string>>> = {
  AED: 'AE',
  ARS: 'AR',
  AUD: 'AU CC CX HM KI NF NR TV',
  BRL: 'BR',
  CAD: 'CA',
  CHF: 'CH LI',
  CLP: 'CL',
  CNY: 'CN',
  COP: 'CO',
  DKK: 'DK FO GL',
  EGP: 'EG',
  EUR: 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA YT',
  GBP: 'GB GG GS IM JE',
  HKD: 'HK',
  ILS: 'IL PS',
  INR: 'BT IN',
  JPY: 'JP',
  KWD: 'KW',
  MAD: 'EH MA',
  MXN: 'MX',
  MYR: 'MY',
  NGN: 'NG',
  NOK: 'BV NO SJ',
  NZD: 'CK NU NZ PN TK',
  PEN: 'PE',
  QAR: 'QA',
  SAR: 'SA',
  SEK: 'SE',
  SGD: 'SG',
  TRY: 'TR',
  UYU: 'UY',
  ZAR: 'LS NA SZ ZA',
}

/** The time zone of most people, in countries where another one comes first by name. */
const MAIN_TIME_ZONES: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  FM: 'Pacific/Pohnpei',
  GL: 'America/Nuuk',
  ID: 'Asia/Jakarta',
  KI: 'Pacific/Tarawa',
  KZ: 'Asia/Almaty',
  MH: 'Pacific/Majuro',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PS: 'Asia/Hebron',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
}

/** Languages that are written in a country beside its most common one. */
const OTHER_LOCALES = ['de-CH', 'en-IN', 'en-ZA', 'es-US', 'fr-BE', 'fr-CA', 'fr-CH', 'it-CH', 'nl-BE']

/** TypeScript does not know the method, and older browsers do not have it. */
interface LocaleWithTimeZones extends Intl.Locale {
  getTimeZones?(): readonly string[] | undefined
}

/** Proposes the settings of a workspace in a country. */
export function proposeSettings(country: string): CountrySettings {
  const entry = Object.entries(CURRENCY_COUNTRIES).find(([, countries]) =>
    countries.split(' ').includes(country),
  )
  const region = new Intl.Locale('und', { region: country }) as LocaleWithTimeZones
  const [firstZone = 'UTC'] = region.getTimeZones?.() ?? []
  return {
    currency: (entry?.[0] ?? 'USD') as Currency,
    locale: localeOf(country),
    time_zone: MAIN_TIME_ZONES[country] ?? firstZone,
  }
}

/** The locale of each country, and some more. */
export function listLocales(): readonly string[] {
  return [...new Set([...COUNTRIES.map(localeOf), ...OTHER_LOCALES])]
}

/** The most common language of a country, as it is written there: `pt-BR`. */
function localeOf(country: string): string {
  const { language } = new Intl.Locale('und', { region: country }).maximize()
  return `${language}-${country}`
}
