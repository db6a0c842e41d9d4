import { describe, expect, test } from 'vitest'
import { singleLineText } from '../kernel/text-schemas.ts'
import { createdAt, id, owner, updatedAt } from './common-fields.ts'
import { findDeclarationError } from './declaration-error.ts'
import type { Fields } from './field-types.ts'
import { system, value } from './fields.ts'
import { KINDS, SHAPES } from './index.ts'
import { byId, reference } from './reference-fields.ts'
import { storedText, textOf } from './value-types.ts'

const base = {
  id: id('01a1fc31-2671-7af2-a2c2-17242f8ce5ff'),
  created_at: createdAt('item'),
  updated_at: updatedAt('item'),
}
const name = value(textOf(singleLineText(1, 60)), {
  ...{ need: 'required', level: 'summary', description: 'Name.', example: 'VIP' },
})
const referenceTo = (kind: string, column: string, input: string) =>
  reference(kind, {
    ...{ column, inputs: { [input]: byId('Id.') }, need: 'clearable', shows: 'reference', level: 'item' },
    description: 'The other record.',
  })

const errorOf = (fields: Omit<Fields, keyof typeof base>) =>
  findDeclarationError({ notes: { fields: { ...base, ...fields } }, members: { fields: base } }, {})

describe('a declaration', () => {
  test('of a kind is right', () => {
    expect(errorOf({ name, owner: owner('item') })).toBeUndefined()
    expect(findDeclarationError(KINDS, SHAPES)).toBeUndefined()
  })

  test.each<[string, Fields[string], string]>([
    [
      'refers to no kind',
      referenceTo('peple', 'person_id', 'person_id'),
      'The field wrong of notes shows peple, which is no kind. The kinds are notes, members.',
    ],
    [
      'has no description',
      system(storedText, { level: 'item', initial: '' }),
      'The field wrong of notes is shown without a description.',
    ],
    [
      'takes the column of another',
      referenceTo('members', 'name', 'wrong_id'),
      'The field wrong of notes has the same column name as the field name.',
    ],
    [
      'takes the input of another',
      referenceTo('members', 'wrong_id', 'name'),
      'The field wrong of notes has the same input name as the field name.',
    ],
  ])('is an error if it %s', (_, wrong, message) => {
    expect(errorOf({ name, wrong })).toBe(message)
  })

  test('of a collection is an error if a column refers to no collection', () => {
    expect(findDeclarationError({}, { files: { foreignKeys: { member_id: 'membres' } } })).toBe(
      'The column member_id of files refers to membres, which is no collection.',
    )
  })
})
