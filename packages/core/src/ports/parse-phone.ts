/**
 * Returns a phone number in E.164, such as `+5541900006230`; undefined for a text that is no number.
 * @param country ISO 3166-1, two letters, for a number without a country code; null where it is not known
 */
export type ParsePhone = (phone: string, country: string | null) => string | undefined
