import type { CustomField } from '@sales-crm/client'
import { describe, expect, test } from 'vitest'
import { deriveKey, deriveOptionKey, groupFields, parseOptions } from './field-rules.ts'

describe('deriveKey', () => {
  test('keeps letters and digits, without accents', () => {
    expect(deriveKey('Segmento de atuação (2)')).toBe('segmento_de_atuacao_2')
    expect(deriveKey('  ')).toBe('')
  })

  test('is at most 35 characters, without an underscore at its end', () => {
    expect(deriveKey(`${'a'.repeat(34)} b`)).toBe('a'.repeat(34))
  })
})

describe('deriveOptionKey', () => {
  test('numbers a key that is taken', () => {
    expect(deriveOptionKey('Retail', [{ key: 'retail', option: 'Retail' }])).toBe('retail_2')
  })

  test('has a key for a label without letters', () => {
    expect(deriveOptionKey('電話', [])).toBe('option')
  })
})

describe('parseOptions', () => {
  test('reads one option in a line', () => {
    expect(parseOptions(' Varejo \n\nIndústria\nVarejo\nindústria')).toEqual([
      { key: 'varejo', option: 'Varejo' },
      { key: 'industria', option: 'Indústria' },
      { key: 'industria_2', option: 'indústria' },
    ])
  })
})

describe('groupFields', () => {
  const field = (label: string, shows: Partial<CustomField>) =>
    ({
      id: label,
      label,
      show_people: false,
      show_companies: false,
      show_deals: false,
      ...shows,
    }) as CustomField

  test('lists a field under each kind that shows it, by label', () => {
    const [both, people] = [
      field('b', { show_people: true, show_deals: true }),
      field('a', { show_people: true }),
    ]
    expect(groupFields([both, people], 'en')).toEqual([
      { kind: 'people', fields: [people, both] },
      { kind: 'companies', fields: [] },
      { kind: 'deals', fields: [both] },
    ])
  })

  test('has a group for those that nothing shows', () => {
    const hidden = field('a', {})
    expect(groupFields([hidden], 'en').at(-1)).toEqual({ kind: 'none', fields: [hidden] })
  })
})
