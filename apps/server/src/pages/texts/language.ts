import { en } from './en.ts'
import { ptBr } from './pt-br.ts'
import type { Texts } from './texts.ts'

/** Of our languages, the one that the reader likes best; of two liked alike, the one named first. English for one who names neither. */
export function languageOf(acceptLanguage: string | undefined): Texts['language'] {
  const liked = (acceptLanguage ?? '').split(',').map((range) => ({ language: ours(range), weight: weightOf(range) }))
  const known = liked.filter(({ language, weight }) => language !== undefined && weight > 0)
  return known.toSorted((a, b) => b.weight - a.weight)[0]?.language ?? 'en'
}

export function textsFor(acceptLanguage: string | undefined): Texts {
  return languageOf(acceptLanguage) === 'pt-BR' ? ptBr : en
}

function ours(range: string): Texts['language'] | undefined {
  if (/^\s*pt\b/i.test(range)) return 'pt-BR'
  return /^\s*en\b/i.test(range) ? 'en' : undefined
}

function weightOf(range: string): number {
  const given = /;\s*q=([\d.]+)/i.exec(range)?.[1]
  return given === undefined ? 1 : Number(given)
}
