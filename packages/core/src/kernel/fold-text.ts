const COMBINING_MARKS = /\p{M}/gu
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

/** Direction marks, zero-width characters and the like, which come along when a text is pasted. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

export function removeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, '')
}

const ASCII = /^[\0-\x7f]*$/

/** Folds case, accents and compatibility forms: `João` and `JOAO` become `joao`. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  // Lower, upper, lower: ẞ becomes ß, SS, ss.
  const plain = text.normalize('NFKD').replace(COMBINING_MARKS, '').toLowerCase().toUpperCase().toLowerCase()
  return plain
    .normalize('NFKD')
    .replace(COMBINING_MARKS, '')
    .replace(FOLDED_LETTERS, (letter) => LETTER_FOLDING[letter]!)
}

/** The words of a text, without accents, case and punctuation. */
export function foldWords(text: string): readonly string[] {
  return foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The same for names that differ in accents, case and punctuation only; empty for a name without letters and digits. */
export function foldName(name: string): string {
  return foldWords(name).join(' ')
}
