import { expect, test } from 'vitest'
import { describeChart } from './chart-data.ts'

const value = (text: string) => ({ size: 1, text, short: text })

test('a chart of one series says the value of each row', () => {
  const rows = [
    { key: 'a', label: 'Demo', values: [value('4')] },
    { key: 'b', label: 'Proposal', values: [value('2')] },
  ]
  expect(describeChart('Stages', [{ name: 'Deals', fill: 'main' }], rows)).toBe(
    'Stages. Demo: 4; Proposal: 2.',
  )
})

test('a chart of several series names them', () => {
  const series = [
    { name: 'Amount', fill: 'soft' },
    { name: 'Weighted', fill: 'main' },
  ] as const
  const rows = [{ key: 'a', label: 'Dec', values: [value('R$ 10'), value('R$ 6')] }]
  expect(describeChart('Forecast', series, rows)).toBe('Forecast. Dec: Amount R$ 10, Weighted R$ 6.')
})
