import type { CustomField, RecordPreview } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { Calendar } from '../../format/calendar.ts'
import { DateFormat } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { en as shared } from '../../texts/en.ts'
import { fieldsEn } from '../texts/fields-en.ts'
import type { ImportTexts } from '../texts/texts.ts'
import { formatPreview } from './format-preview.ts'

const size = {
  ...{ key: 'size', label: 'Size', type: 'select' },
  value: { select_list: [{ key: 'big', option: 'Grande' }] },
} as unknown as CustomField

test('values are written in words, without names and ids', () => {
  const formatting = {
    ...{ texts: fieldsEn as ImportTexts, shared, fields: [size] },
    dates: new DateFormat('en', new Calendar('UTC')),
    formatAmount: (amount: Parameters<typeof formatMoney>[0]) => formatMoney(amount, 'en-US'),
    formatNumber: String,
  }
  const record = {
    ...{ kind: 'deals', action: 'created', name: 'Sofas' },
    fields: {
      ...{ name: 'Sofas', amount: 125_00, currency: 'USD', stage_id: 'b7', source: null },
      forecast_date: '2026-06-05T12:00:00.000Z',
      emails: [{ email: 'ana@demo.example', type: 'work' }],
      custom_fields: [{ key: 'size', value: 'big' }],
    },
  } satisfies RecordPreview
  expect(formatPreview(record, formatting)).toEqual([
    '$125',
    'Forecast: Jun 5, 2026',
    'ana@demo.example',
    'Size: Grande',
  ])
})
