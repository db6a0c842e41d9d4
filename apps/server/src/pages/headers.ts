import type { Headers } from '../answer.ts'
import type { Texts } from './texts/texts.ts'

/** What a page depends on besides its address. */
export function pageHeaders({ language }: Pick<Texts, 'language'>): Headers {
  return { 'Content-Language': language, Vary: 'Accept-Language, Cookie' }
}
