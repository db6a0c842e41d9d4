import { foldWords } from '../fold-name.ts'
import type { Draft } from './draft.ts'

type NameParts = Pick<Draft, 'fullName' | 'firstName' | 'middleName' | 'lastName'>

/** The whole name of a row. Nothing of its parts is lost, and what a part repeats is there once. */
export function joinName({ fullName, firstName, middleName, lastName }: NameParts): string {
  const parts = joinParts(firstName, middleName, lastName)
  if (fullName === undefined || isShortened(fullName, parts)) return parts
  const missing = (part: string | undefined) => (part && !hasWords(fullName, part) ? part : undefined)
  return join(missing(firstName), fullName, missing(middleName), missing(lastName))
}

/** True for a name that leaves words of the other out, and has no others. */
export function isShortened(name: string, whole: string): boolean {
  return hasWords(whole, name) && foldWords(name).length < foldWords(whole).length
}

/** People write the whole name in a column of first names too. */
function joinParts(firstName: string | undefined, middleName: string | undefined, lastName = ''): string {
  const given = join(firstName, middleName)
  const [words, last] = [foldWords(given), foldWords(lastName)]
  const isRepeated = words.length > last.length && hasWords(words.slice(-last.length).join(' '), lastName)
  return isRepeated ? given : join(given, lastName)
}

/** True if a text has the words of another in their order, without accents and case. Signs are no words. */
function hasWords(text: string, sought: string): boolean {
  const waiting = [...foldWords(sought)]
  if (waiting.length === 0) return false
  for (const word of foldWords(text)) if (word === waiting[0]) waiting.shift()
  return waiting.length === 0
}

function join(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}
