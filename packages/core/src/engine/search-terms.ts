const COMBINING_MARKS = /\p{M}/gu
const SEPARATOR = /[^\p{L}\p{N}]+/u
/** Letters that are not told apart from others by an accent, and yet are looked for without it. */
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
/** Characters of a word that count: no database keeps endless ones. */
const MAX_TERM_LENGTH = 100

/** Text without regard to case, accents and other forms of the same letters: `João` and `JOAO` are `joao`. */
export function foldText(text: string): string {
  // Twice up and down: ẞ is lowered to ß before that is SS.
  const plain = text.normalize('NFKD').replace(COMBINING_MARKS, '').toLowerCase().toUpperCase().toLowerCase()
  return plain
    .normalize('NFKD')
    .replace(COMBINING_MARKS, '')
    .replace(FOLDED_LETTERS, (letter) => LETTER_FOLDING[letter]!)
}

/** The words of a text, folded: what stands between letters and digits separates them. */
export function extractTerms(text: string): string[] {
  return foldText(text)
    .split(SEPARATOR)
    .filter((term) => term !== '')
    .map((term) => [...term].slice(0, MAX_TERM_LENGTH).join(''))
}

/** A country's calling code has at most so many digits. */
const CALLING_CODE_DIGITS = 3

/**
 * The words a phone number is found by: its digits from each group on, so that it is found with its country code or without,
 * and with gaps or without: `+55 11 9999` gives `55119999`, `119999` and `9999`. Where the code stands in one group with the rest, it may
 * end after each of its first digits.
 */
export function extractPhoneTerms(phone: string): string[] {
  const groups = phone.match(/\d+/g) ?? []
  const fromEach = groups.map((_, index) => groups.slice(index).join(''))
  const [digits = '', first = ''] = [fromEach[0], groups[0]]
  const hasAttachedCallingCode = phone.startsWith('+') && first.length > CALLING_CODE_DIGITS
  return hasAttachedCallingCode ? [...fromEach, digits.slice(1), digits.slice(2), digits.slice(3)] : fromEach
}

/** As a words field keeps them: each once. */
export function joinTerms(terms: readonly string[]): string {
  return [...new Set(terms)].join(' ')
}
