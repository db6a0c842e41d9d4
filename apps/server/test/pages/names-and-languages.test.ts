import { describe, expect, test } from 'vitest'
import { isolateName, sanitizeName, timeElement } from '../../src/pages/markup.ts'
import { negotiateLanguage, translationsFor } from '../../src/pages/translations/accept-language.ts'
import { en } from '../../src/pages/translations/en.ts'
import { ptBr } from '../../src/pages/translations/pt-br.ts'

const AT = '2026-11-03T14:07:00.000Z'

describe('user-defined names', () => {
  test.each([
    ['Acme', 'Acme'],
    ['  a \n\t b\u2028c\u00A0 ', 'a b c'],
    ['Acme\u202Eelif\u2066x\u200F', 'Acmeelifx'],
    ['a\u200Bb\u200Dc\uFEFFd\u00ADe\u2060f', 'abcdef'],
    ['a \u200B b', 'a b'],
    ['a\u3164\u115F\u034Fb', 'ab'],
    ['a\uD800b', 'ab'],
    [`Z${'\u0338'.repeat(60)}o`, `Z${'\u0338'.repeat(4)}o`],
    ['\u200B\u202E', '–'],
    ['João مؤسسة 이서연 🚀', 'João مؤسسة 이서연 🚀'],
  ])('%j are displayed as %j', (name, expected) => {
    expect(sanitizeName(name)).toBe(expected)
  })

  test('are isolated from the direction of the surrounding text', () => {
    expect(String(isolateName('a\u202E<b>'))).toBe('<bdi>a&lt;b&gt;</bdi>')
  })
})

describe('languages', () => {
  test.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'en'],
    ['*', 'en'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['PT-br,pt;q=0.9,en-US;q=0.8,en;q=0.7', 'pt-BR'],
    ['en-US,en;q=0.9,pt-BR;q=0.8', 'en'],
    ['en;q=0.5, pt;q=0.7', 'pt-BR'],
    ['de, pt-BR;q=0.4', 'pt-BR'],
    ['pt;q=0', 'en'],
    ['pt, en', 'pt-BR'],
    ['en, pt', 'en'],
    ['ptx, enm', 'en'],
    ['pt;q=x', 'pt-BR'],
    [',;q=,=;,', 'en'],
  ])('%j selects %s', (header, language) => {
    expect(negotiateLanguage(header)).toBe(language)
    expect(translationsFor(header).language).toBe(language)
  })

  test('have the same translation keys', () => {
    expect(keysOf(ptBr)).toEqual(keysOf(en))
  })

  test('use a non-breaking hyphen in "e‑mail"', () => {
    const sentences = [en, ptBr].flatMap(textsIn).filter((text) => text.includes(' '))
    expect(sentences.filter((text) => /e-mail/i.test(text))).toEqual([])
    expect(sentences.filter((text) => /e‑mail/i.test(text)).length).toBeGreaterThan(10)
  })

  test('format instants in their own format with the time zone', () => {
    expect(String(timeElement('en', AT))).toMatch(
      /^<time datetime="2026-11-03T14:07:00.000Z">Nov 3, 2026, 2:07\sPM UTC<\/time>$/,
    )
    expect(String(timeElement('pt-BR', AT))).toBe(
      '<time datetime="2026-11-03T14:07:00.000Z">3 de nov. de 2026, 14:07 UTC</time>',
    )
  })

  test('use singular and plural forms', () => {
    expect([1, 2].map(en.account.permissions)).toEqual(['1 permission', '2 permissions'])
    expect([1, 2].map(ptBr.account.permissions)).toEqual(['1 permissão', '2 permissões'])
    expect(
      [1, 15].map(en.messages.tooManyMails).map((text) => /Wait (a minute|15 minutes) before/.test(text)),
    ).toEqual([true, true])
    expect(
      [1, 15].map(ptBr.messages.tooManyMails).map((text) => /Espere (um minuto|15 minutos) antes/.test(text)),
    ).toEqual([true, true])
    expect([1, 15].map(en.messages.tooManyTries).map((text) => /a minute|15 minutes/.test(text))).toEqual([
      true,
      true,
    ])
  })
})

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function keysOf(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`]
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, `${path}.${key}`))
}
