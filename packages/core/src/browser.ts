/** What a page needs of the core, without a schema library. */
export {
  computeNet,
  computeTax,
  computeTotals,
  isDiscountTooHigh,
  type PricedLine,
} from './features/deal-items/line-amounts.ts'
export { findMentions, MAX_MENTIONS } from './features/notifications/mentions.ts'
export { foldText, removeInvisible } from './kernel/fold-text.ts'
export { extractHtmlText } from './kernel/html-text.ts'
export { isPhone } from './kernel/phone-text.ts'
export { listRecordViewers, type RecordViewer, type ViewReason } from './kernel/record-viewers.ts'
export { mayManage, type Role } from './kernel/role.ts'
export {
  type Day,
  dayOf,
  findInstant,
  isWholeDay,
  type Month,
  monthOf,
  startOfDay,
  startOfMonth,
  wholeDay,
  zoneOffset,
} from './kernel/time-zone.ts'
export {
  buildViewer,
  findGrantedChange,
  type GrantedChange,
  isBounded,
  mergeVisibility,
  RULED_KINDS,
  type RuledKind,
  type ShareAccess,
  seesEveryone,
  VISIBILITY_RULES,
  type Viewer,
  type Visibility,
  type VisibilityRule,
} from './kernel/visibility.ts'
export { ADDRESS_PARTS } from './schema/address-parts.ts'
export { BILLING_CYCLES, type BillingCycle } from './schema/billing-cycle.ts'
export { COUNTRIES } from './schema/country.ts'
export { type CountrySettings, proposeSettings } from './schema/country-settings.ts'
export { CURRENCIES, type Currency, formatAmount, minorUnitDigits } from './schema/currency.ts'
export { DELIVERED_EVENTS, EVENT_NAMES, EVENTS, type EventName } from './schema/events.ts'
export { MAX_ATTACHMENTS, MAX_FILE_BYTES } from './schema/file-limits.ts'
export {
  MAX_LINE_ITEMS,
  PERCENT_PLACES,
  QUANTITY_PLACES,
  QUANTITY_RANGE,
} from './schema/line-item-limits.ts'
export type { LineTotals } from './schema/line-totals.ts'
export {
  listCountryChoices,
  listCurrencyChoices,
  listLocaleChoices,
  nameOf,
  type SettingChoice,
} from './schema/setting-choices.ts'
