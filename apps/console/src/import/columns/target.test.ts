import type { CustomField } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { listTargetGroups, newField, policyField, targetId, valueFormat } from './target.ts'

const base = { show_people: true, show_companies: false, show_deals: false } as CustomField
const size = { ...base, key: 'size', type: 'number' } as CustomField
const address = { ...base, key: 'home', type: 'address' } as CustomField

test('custom fields are choices of the kinds that show them, and addresses by their parts', () => {
  const idsOf = (kind: string) =>
    listTargetGroups([size, address])
      .find((group) => group.kind === kind)!
      .targets.map(targetId)
  expect(idsOf('people')).toEqual(
    expect.arrayContaining(['people custom_fields.size', 'people custom_fields.home.city']),
  )
  expect(idsOf('people')).not.toContain('people custom_fields.home')
  expect(idsOf('companies').filter((id) => id.includes('custom_fields'))).toEqual([])
})

test('numbers and dates have a format to choose, others have none', () => {
  const format = (field: string) => valueFormat({ kind: 'deals', field }, [size])
  expect(['amount', 'custom_fields.size', 'closed_at:won', 'name'].map(format)).toEqual([
    'number',
    'number',
    'date',
    undefined,
  ])
})

test('a policy belongs to the input that a column makes up', () => {
  const of = (field: string) => policyField({ kind: 'people', field })
  expect(['phones:mobile', 'first_name', 'owner_email', 'custom_fields.home.city'].map(of)).toEqual([
    'people.phones',
    'people.full_name',
    'people.owner_user_id',
    'people.custom_fields.home',
  ])
  expect(['tags', 'created_at', 'new_custom_field'].map(of)).toEqual([undefined, undefined, undefined])
})

test('the label of a new field is cut at what the service takes', () => {
  expect(newField('people', '😀'.repeat(50))).toMatchObject({ label: '😀'.repeat(40), type: 'text' })
})
