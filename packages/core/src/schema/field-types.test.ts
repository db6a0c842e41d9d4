import type * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'
import type { Instant } from '../kernel/instant.ts'
import { singleLineText } from '../kernel/text-schemas.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import type { OrderOf, RecordOf } from './field-types.ts'
import { type Level, type Need, system, type ValueField, value } from './fields.ts'
import type { NoFilters } from './filter-rules.ts'
import { defineKind } from './kind.ts'
import { byId, reference } from './reference-fields.ts'
import { choiceOf, flagType, instantType, textOf } from './value-types.ts'

const texts = { description: 'Text.', example: null }

const notes = defineKind({
  ...{ label: 'Note', collection: 'notes', scopes: { read: 'tasks:read', write: 'tasks:write' } },
  memberAccess: 'records',
  fields: {
    id: id('01a1fc31-2671-7af2-a2c2-17242f8ce5ff'),
    title: value(textOf(singleLineText(1, 60)), {
      ...{ need: 'required', level: 'summary', sortable: true, description: 'Title.', example: 'Call' },
    }),
    text: value(textOf(singleLineText(1, 60)), { need: 'clearable', level: 'item', ...texts }),
    mood: value(choiceOf(['good', 'bad']), { need: 'resettable', initial: 'good', level: 'item', ...texts }),
    is_pinned: value(flagType, { need: 'optional', initial: false, level: 'item', ...texts }),
    read_at: system(instantType, { level: 'hidden', initial: null }),
    person: reference('people', {
      ...{ column: 'person_id', need: 'clearable', shows: 'summary', level: 'item', description: 'Person.' },
      inputs: { person_id: byId('Person.') },
    }),
    created_at: createdAt('item'),
    updated_at: updatedAt('item'),
  },
  texts: { about: '', list: '', create: '', update: '', remove: '' },
  ...{ errorExamples: {}, inputExamples: { create: {}, update: {} } },
})

test('a record has its columns: a clearable value and a reference may be null', () => {
  expectTypeOf<RecordOf<typeof notes.fields>>().toEqualTypeOf<{
    readonly id: string
    readonly title: string
    readonly text: string | null
    readonly mood: 'good' | 'bad'
    readonly is_pinned: boolean
    readonly read_at: Instant | null
    readonly person_id: string | null
    readonly created_at: Instant
    readonly updated_at: Instant
  }>()
})

test('a create requires what is required, and takes null for the rest', () => {
  expectTypeOf<v.InferInput<typeof notes.create>>().toEqualTypeOf<{
    title: string
    text?: string | null | undefined
    mood?: 'good' | 'bad' | null | undefined
    is_pinned?: boolean | null | undefined
    person_id?: string | null | undefined
  }>()
})

test('an update requires nothing, and takes null for what it can empty or reset', () => {
  expectTypeOf<v.InferInput<typeof notes.update>>().toEqualTypeOf<{
    title?: string | undefined
    text?: string | null | undefined
    mood?: 'good' | 'bad' | null | undefined
    is_pinned?: boolean | undefined
    person_id?: string | null | undefined
  }>()
})

test('lists are ordered by sortable fields', () => {
  expectTypeOf<OrderOf<typeof notes.fields>>().toEqualTypeOf<'title' | 'created_at'>()
})

type Mood = ValueField<'good' | 'bad', v.GenericSchema, Need, Level, NoFilters, boolean, boolean>
type AnyOptions = Parameters<typeof value>[1]
type AnyReferenceOptions = Parameters<typeof reference>[1]

test('a wrong declaration is an error of the compiler', () => {
  const right = { need: 'required', level: 'item', description: 'Text.', example: 'a' } as const
  expectTypeOf(right).toExtend<AnyOptions>()
  expectTypeOf<Omit<typeof right, 'description'>>().not.toExtend<AnyOptions>()
  expectTypeOf<Omit<typeof right, 'level'> & { level: 'page' }>().not.toExtend<AnyOptions>()
  expectTypeOf<'good'>().toExtend<Mood['initial']>()
  expectTypeOf<'worse'>().not.toExtend<Mood['initial']>()
})

test('a reference without a description is an error of the compiler', () => {
  const options = {
    column: 'person_id',
    need: 'clearable',
    shows: 'summary',
    level: 'item',
    inputs: {},
  } as const
  expectTypeOf<typeof options & { description: string }>().toExtend<AnyReferenceOptions>()
  expectTypeOf(options).not.toExtend<AnyReferenceOptions>()
})
