import { foldText } from '../kernel/fold-text.ts'

const SEPARATOR = /[^\p{L}\p{N}]+/u
/** Longer terms are cut. */
const MAX_TERM_LENGTH = 100

/**
 * Joins the words and the facets of a record.
 * @param toPhoneDigits returns the digits of a number in E.164; default: its own digits
 */
export type SearchTerms<R> = (record: R, toPhoneDigits?: (phone: string) => string) => string

/** The folded words of a text, separated by everything that is no letter or digit. */
export function extractTerms(text: string): string[] {
  return splitFolded(foldText(text))
}

function splitFolded(folded: string): string[] {
  return folded
    .split(SEPARATOR)
    .filter((term) => term !== '')
    .map(cutTerm)
}

function cutTerm(term: string): string {
  return term.length <= MAX_TERM_LENGTH ? term : [...term].slice(0, MAX_TERM_LENGTH).join('')
}

const APOSTROPHES = /['’ʼ]/g
const WORDS_WITH_APOSTROPHES = /[\p{L}\p{N}'’]+/gu

/**
 * The terms under which a text is found: its words, and those with an apostrophe also without it. `O'Brien` has
 * the terms `o`, `brien` and `obrien`.
 */
export function extractRecordTerms(text: string): string[] {
  const folded = foldText(text)
  const terms = splitFolded(folded)
  if (folded.search(APOSTROPHES) === -1) return [...new Set(terms)]
  const words = folded.match(WORDS_WITH_APOSTROPHES) ?? []
  const joinedWords = words.map((word) => word.replaceAll(APOSTROPHES, '')).filter((word) => word !== '')
  return [...new Set([...terms, ...joinedWords.map(cutTerm)])]
}

/** Bounds of what is read of a long text: folding takes up to a few milliseconds for each thousand characters. */
const MAX_READ_CHARACTERS = 20_000
/** Each term is an entry of the index that a write adds. */
const MAX_TEXT_TERMS = 1000

/** The first thousand different terms in the first 20 000 characters of a text. */
export function extractTextTerms(text: string): string[] {
  return extractRecordTerms(text.slice(0, MAX_READ_CHARACTERS)).slice(0, MAX_TEXT_TERMS)
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
