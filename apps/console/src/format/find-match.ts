import { foldText } from '@sales-crm/core/browser'

type Range = readonly [start: number, end: number]

/** The part of a text that equals what is sought, without accents and case: its start and end. */
export function findMatch(text: string, sought: string): Range | undefined {
  const folded = foldText(sought)
  if (folded === '') return undefined
  const haystack = foldWithOrigins(text)
  const start = haystack.text.indexOf(folded)
  return start === -1 ? undefined : haystack.rangeOf(start, folded.length)
}

const WORDS = /[\p{L}\p{N}]+/gu

/** As `findMatch`, or else the beginning of a word that equals one of the sought words, the longest first. */
export function findWords(text: string, sought: string): Range | undefined {
  const whole = findMatch(text, sought)
  if (whole) return whole
  const words = foldText(sought).match(WORDS) ?? []
  const haystack = foldWithOrigins(text)
  for (const word of words.toSorted((a, b) => b.length - a.length)) {
    const found = [...haystack.text.matchAll(WORDS)].find(([each]) => each.startsWith(word))
    if (found) return haystack.rangeOf(found.index, word.length)
  }
  return undefined
}

const CONTEXT = 40

/** A text on one line, from a few words before what `findWords` finds in it. */
export function cutAround(text: string, sought: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const [start] = findWords(line, sought) ?? [0]
  if (start <= CONTEXT) return line
  const from = line.lastIndexOf(' ', start - CONTEXT / 2)
  return `…${line.slice(from === -1 ? start : from + 1)}`
}

/** A character may become none or several: `rangeOf` says where folded ones come from. */
function foldWithOrigins(text: string) {
  const origins: number[] = []
  let folded = ''
  let at = 0
  for (const character of text) {
    const part = foldText(character)
    folded += part
    for (let index = 0; index < part.length; index++) origins.push(at)
    at += character.length
  }
  return {
    text: folded,
    rangeOf: (start: number, length: number): Range => [
      origins[start] ?? 0,
      origins[start + length] ?? text.length,
    ],
  }
}
