const MARKS = /\p{M}/gu
const APART = /[^\p{L}\p{N}]+/u
/** Letters that are not told apart from others by an accent, and yet are looked for without it. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', đ: 'd', ð: 'd', ł: 'l', ħ: 'h', ŧ: 't', æ: 'ae', œ: 'oe', þ: 'th', ς: 'σ' }
const PLAINED = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu')
/** Characters of a word that count: no database keeps endless ones. */
const LONGEST = 100

/** Text without regard to case, accents and other forms of the same letters: `João` and `JOAO` are `joao`. */
export function folded(text: string): string {
  // Twice up and down: ẞ is lowered to ß before that is SS.
  const plain = text.normalize('NFKD').replace(MARKS, '').toLowerCase().toUpperCase().toLowerCase()
  return plain
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(PLAINED, (letter) => PLAIN[letter]!)
}

/** The words of a text, folded: what stands between letters and digits separates them. */
export function wordsIn(text: string): string[] {
  return folded(text)
    .split(APART)
    .filter((word) => word !== '')
    .map((word) => [...word].slice(0, LONGEST).join(''))
}

/** A country's calling code has at most so many digits. */
const CALLING_CODE = 3

/**
 * The words a phone number is found by: its digits from each group on, so that it is found with its country code or without,
 * and with gaps or without: `+55 11 9999` gives `55119999`, `119999` and `9999`. Where the code stands in one group with the rest, it may
 * end after each of its first digits.
 */
export function wordsOfPhone(phone: string): string[] {
  const groups = phone.match(/\d+/g) ?? []
  const fromEach = groups.map((_, index) => groups.slice(index).join(''))
  const [all = '', first = ''] = [fromEach[0], groups[0]]
  const unparted = phone.startsWith('+') && first.length > CALLING_CODE
  return unparted ? [...fromEach, all.slice(1), all.slice(2), all.slice(3)] : fromEach
}

/** As a words field keeps them: each once. */
export function joinedWords(words: readonly string[]): string {
  return [...new Set(words)].join(' ')
}
