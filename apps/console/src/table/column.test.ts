import { expect, test } from 'vitest'
import { type Column, chooseColumns, toggleColumn } from './column.ts'

const column = (key: string, isDefault: boolean): Column<object> => ({
  key,
  label: key,
  exportFields: [key],
  isDefault,
  render: () => key,
})
const COLUMNS = [column('name', true), column('email', true), column('phone', false), column('owner', true)]
const keysOf = (names: string | undefined) => chooseColumns(COLUMNS, names).map(({ key }) => key)

test('an address without columns shows the defaults', () => {
  expect(keysOf(undefined)).toEqual(['name', 'email', 'owner'])
})

test('the first column always stays, and unknown ones are ignored', () => {
  expect(keysOf('phone,gone')).toEqual(['name', 'phone'])
  expect(keysOf('')).toEqual(['name'])
})

test('a column is added and taken away, and the defaults need no address', () => {
  const added = toggleColumn(COLUMNS, undefined, 'phone')
  expect(added).toBe('email,phone,owner')
  expect(toggleColumn(COLUMNS, added, 'phone')).toBeUndefined()
})
