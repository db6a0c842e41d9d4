/** What a page needs of the core, without a schema library. */
export { foldText, removeInvisible } from './kernel/fold-text.ts'
export { COUNTRIES } from './schema/country.ts'
export { type CountrySettings, listLocales, proposeSettings } from './schema/country-settings.ts'
export { CURRENCIES, type Currency, formatAmount, minorUnitDigits } from './schema/currency.ts'
