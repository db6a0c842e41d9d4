import type { ResponseHeaders } from '../http/response.ts'
import type { Translations } from './translations/translations.ts'

/** What a page depends on besides its address. */
export function pageHeaders({ language }: Pick<Translations, 'language'>): ResponseHeaders {
  return { 'Content-Language': language, Vary: 'Accept-Language, Cookie' }
}
