import type { ResponseHeaders } from '../http/response.ts'
import type { Translations } from './translations/translations.ts'

/** Returns the page's language, and the request headers that the page depends on. */
export function pageHeaders({ language }: Pick<Translations, 'language'>): ResponseHeaders {
  return { 'Content-Language': language, Vary: 'Accept-Language, Cookie' }
}
