import { en } from './en.ts'
import { ptBr } from './pt-br.ts'
import type { Translations } from './translations.ts'

/**
 * Returns the supported language with the highest quality value, or the first of several. Returns English if
 * none is supported.
 */
export function negotiateLanguage(acceptLanguage: string | undefined): Translations['language'] {
  const preferences = (acceptLanguage ?? '')
    .split(',')
    .map((range) => ({ language: supportedLanguage(range), weight: parseQuality(range) }))
  const supported = preferences.filter(({ language, weight }) => language !== undefined && weight > 0)
  return supported.toSorted((a, b) => b.weight - a.weight)[0]?.language ?? 'en'
}

export function translationsFor(acceptLanguage: string | undefined): Translations {
  return negotiateLanguage(acceptLanguage) === 'pt-BR' ? ptBr : en
}

function supportedLanguage(range: string): Translations['language'] | undefined {
  if (/^\s*pt\b/i.test(range)) return 'pt-BR'
  return /^\s*en\b/i.test(range) ? 'en' : undefined
}

function parseQuality(range: string): number {
  const quality = /;\s*q=([\d.]+)/i.exec(range)?.[1]
  return quality === undefined ? 1 : Number(quality)
}
