import { removeInvisible } from './fold-text.ts'

/** A phone number as it is stored. */
export const PHONE_PATTERN = /^[0-9 +().-]+$/
export const [MIN_PHONE_LENGTH, MAX_PHONE_LENGTH] = [3, 30]

/** Replaces the spaces and hyphens of typeset numbers by plain ones. */
export function removeTypography(text: string): string {
  return removeInvisible(text)
    .replaceAll(/\p{Space_Separator}/gu, ' ')
    .replaceAll(/[\u2010-\u2013]/g, '-')
}

/** True for what the API takes as a phone number. */
export function isPhone(text: string): boolean {
  const phone = removeTypography(text).trim()
  const { length } = phone
  return length >= MIN_PHONE_LENGTH && length <= MAX_PHONE_LENGTH && PHONE_PATTERN.test(phone)
}
