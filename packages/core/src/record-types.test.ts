import { expectTypeOf, test } from 'vitest'
import type { DealChanges, DealQuery, PersonInput, TaskInput, TaskQuery } from './index.ts'

test('the types of inputs have names, and only the fields of their kind', () => {
  expectTypeOf<TaskInput>().toHaveProperty('title').toEqualTypeOf<string>()
  expectTypeOf<{ title: string }>().toExtend<TaskInput>()
  expectTypeOf<{ titel: string }>().not.toExtend<TaskInput>()
  expectTypeOf<PersonInput>().toHaveProperty('full_name').toEqualTypeOf<string>()
  expectTypeOf<{ full_name: number }>().not.toExtend<PersonInput>()
  expectTypeOf<{ stage_id: string }>().toExtend<DealChanges>()
  expectTypeOf<{ amount: 'much' }>().not.toExtend<DealChanges>()
  expectTypeOf<{ completed: boolean }>().toExtend<TaskQuery>()
  expectTypeOf<{ status: 'stolen' }>().not.toExtend<DealQuery>()
})
