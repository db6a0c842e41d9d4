import { foldWords } from '../../../kernel/fold-text.ts'

/** The cells of a row that have parts of a name. */
export interface NameParts {
  readonly fullName?: string | undefined
  readonly firstName?: string | undefined
  readonly middleName?: string | undefined
  readonly lastName?: string | undefined
}

/** Stands for a missing part in systems that require it, such as `-`. */
const PLACEHOLDER = /^[\p{P} ]+$/u

/**
 * Joins the name of a person; empty if the row has none. A full name is taken as it is, unless it is only a part of
 * a name: a single word, or without the last name while there is no first name.
 */
export function joinName(cells: NameParts): string {
  const [fullName, firstName, middleName, lastName] = [
    cells.fullName,
    cells.firstName,
    cells.middleName,
    cells.lastName,
  ].map((cell = '') => cell.replace(/\s+/g, ' ').replace(PLACEHOLDER, '').trim()) as [
    string,
    string,
    string,
    string,
  ]
  const parts = joinParts(join(firstName, middleName), lastName)
  const isWhole = foldWords(fullName).length > 1 && (firstName !== '' || hasWords(fullName, lastName))
  if (isWhole || parts === '') return fullName
  if (hasWords(parts, fullName)) return parts
  const missing = (part: string) => (hasWords(fullName, part) ? '' : part)
  return join(missing(firstName), fullName, missing(lastName))
}

/** People write the whole name in a column of first names too. */
function joinParts(givenName: string, lastName: string): string {
  const [words, last] = [foldWords(givenName), foldWords(lastName)]
  const isRepeated = words.length > last.length && hasWords(words.slice(-last.length).join(' '), lastName)
  return isRepeated && last.length > 0 ? givenName : join(givenName, lastName)
}

/** True if a text has the words of another in their order, without accents and case. */
function hasWords(text: string, sought: string): boolean {
  const waiting = [...foldWords(sought)]
  for (const word of foldWords(text)) if (word === waiting[0]) waiting.shift()
  return waiting.length === 0
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}
