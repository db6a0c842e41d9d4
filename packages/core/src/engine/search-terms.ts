const COMBINING_MARKS = /\p{M}/gu
const SEPARATOR = /[^\p{L}\p{N}]+/u
/** Letters that Unicode does not decompose, with the letters that people type for them. */
const LETTER_FOLDING: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ',
}
const FOLDED_LETTERS = new RegExp(`[${Object.keys(LETTER_FOLDING).join('')}]`, 'gu')
/** Longer terms are cut. */
const MAX_TERM_LENGTH = 100

/** Folds case, accents and compatibility forms: `João` and `JOAO` become `joao`. */
export function foldText(text: string): string {
  // Lower, upper, lower: ẞ becomes ß, SS, ss.
  const plain = text.normalize('NFKD').replace(COMBINING_MARKS, '').toLowerCase().toUpperCase().toLowerCase()
  return plain
    .normalize('NFKD')
    .replace(COMBINING_MARKS, '')
    .replace(FOLDED_LETTERS, (letter) => LETTER_FOLDING[letter]!)
}

/** The folded words of a text, separated by everything that is no letter or digit. */
export function extractTerms(text: string): string[] {
  return foldText(text)
    .split(SEPARATOR)
    .filter((term) => term !== '')
    .map((term) => [...term].slice(0, MAX_TERM_LENGTH).join(''))
}

/** Maximum digits of a country calling code. */
const CALLING_CODE_DIGITS = 3

/**
 * The terms of a phone number: its digits from the start of each group, so that it is found with or without
 * country code and gaps. `+55 11 9999` has the terms `55119999`, `119999` and `9999`. If the calling code is
 * not a group of its own, it may end after each of the first digits.
 */
export function extractPhoneTerms(phone: string): string[] {
  const groups = phone.match(/\d+/g) ?? []
  const fromEach = groups.map((_, index) => groups.slice(index).join(''))
  const [digits = '', first = ''] = [fromEach[0], groups[0]]
  const hasAttachedCallingCode = phone.startsWith('+') && first.length > CALLING_CODE_DIGITS
  return hasAttachedCallingCode ? [...fromEach, digits.slice(1), digits.slice(2), digits.slice(3)] : fromEach
}

/** The value of a terms column: each term once. */
export function joinTerms(terms: readonly string[]): string {
  return [...new Set(terms)].join(' ')
}
