import { describe, expect, test } from 'vitest'
import { filterLabels, invertChanges, type Label, sortLabels } from './label.ts'

const list: Label = { id: '1', name: 'Feira de março', description: 'Quem deixou um cartão' }
const tag: Label = { id: '2', name: 'VIP', colour: '#be123c' }

describe('invertChanges', () => {
  test('holds the values before, of the changed fields only', () => {
    expect(invertChanges(tag, { name: 'Vip' })).toEqual({ name: 'VIP' })
    expect(invertChanges(tag, { colour: '#000000' })).toEqual({ colour: '#be123c' })
    expect(invertChanges({ id: '3', name: 'x' }, { description: 'new' })).toEqual({ description: '' })
  })
})

describe('filterLabels', () => {
  test('ignores case and accents, and finds descriptions', () => {
    expect(filterLabels([list, tag], 'MARCO')).toEqual([list])
    expect(filterLabels([list, tag], 'cartao')).toEqual([list])
    expect(filterLabels([list, tag], ' ')).toEqual([list, tag])
  })
})

describe('sortLabels', () => {
  test('sorts by name, numbers by value', () => {
    const labels = ['b 10', 'á', 'b 9'].map((name) => ({ id: name, name }))
    expect(sortLabels(labels, 'pt-BR').map(({ name }) => name)).toEqual(['á', 'b 9', 'b 10'])
  })
})
