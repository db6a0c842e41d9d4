import { foldText } from '@sales-crm/core/browser'

/** The part of a text that equals what is sought, without accents and case: its start and end. */
export function findMatch(text: string, sought: string): readonly [start: number, end: number] | undefined {
  const folded = foldText(sought)
  if (folded === '') return undefined
  // A character may become none or several: where each folded one comes from.
  const origins: number[] = []
  let haystack = ''
  let at = 0
  for (const character of text) {
    const part = foldText(character)
    haystack += part
    for (let index = 0; index < part.length; index++) origins.push(at)
    at += character.length
  }
  const start = haystack.indexOf(folded)
  if (start === -1) return undefined
  const from = origins[start] ?? 0
  return [from, origins[start + folded.length] ?? text.length]
}
