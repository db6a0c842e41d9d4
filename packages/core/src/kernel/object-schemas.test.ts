import type * as v from 'valibot'
import { expect, test } from 'vitest'
import { catchFieldErrors, parseOutboundUrl } from '../../test/harness.ts'
import { appInput, RESOURCES, rotateInput } from '../declarations.ts'
import { validate } from '../engine/validate.ts'
import { webhookInput } from '../features/webhooks/webhook-input.ts'

const INPUTS = { ...RESOURCES, webhooks: webhookInput(parseOutboundUrl) }

const SCHEMAS: readonly (readonly [string, v.GenericSchema])[] = [
  ['appInput', appInput],
  ['rotateInput', rotateInput],
  ...Object.entries(INPUTS).flatMap(
    ([name, { create, update }]) =>
      [
        [`${name}.create`, create],
        [`${name}.update`, update],
      ] as const,
  ),
]

test.each(SCHEMAS)('%s rejects an array in place of each object', async (_, schema) => {
  for (const { path, input } of arraysForObjects(schema)) {
    const errors = await catchFieldErrors(() => validate(schema, input))
    expect(errors[path === '' ? 'body' : path]).toMatch(/^Must be an object/)
    expect(Object.keys(errors).filter((key) => /^[.[]/.test(key.slice(path.length)))).toEqual([])
  }
})

test('the walk finds the objects of every depth', () => {
  const paths = SCHEMAS.flatMap(([name, schema]) =>
    arraysForObjects(schema).map(({ path }) => `${name} ${path}`),
  )
  expect(paths).toContain('people.create emails[0]')
  expect(paths).toContain('pipelines.update stages[0]')
  expect(paths).toContain('activities.create attachments[0]')
  expect(paths).toContain('custom_fields.update value')
  expect(paths).toContain('custom_fields.create value.select_list[0]')
  expect(paths).toContain('deals.create custom_fields[0]')
})

interface MisplacedArray {
  readonly path: string
  readonly input: unknown
}

/** Returns an input for each object of the schema, with an array in its place. */
function arraysForObjects(schema: v.GenericSchema): MisplacedArray[] {
  const { entries, item } = innermostSchema(schema)
  if (item) return arraysForObjects(item).map(({ path, input }) => ({ path: `[0]${path}`, input: [input] }))
  if (!entries) return []
  const nested = Object.entries(entries).flatMap(([name, entry]) =>
    arraysForObjects(entry as v.GenericSchema).map(({ path, input }) => ({
      path: /^(\[|$)/.test(path) ? `${name}${path}` : `${name}.${path}`,
      input: { [name]: input },
    })),
  )
  return [{ path: '', input: [{}] }, ...nested]
}

interface SchemaNode {
  readonly entries?: v.ObjectEntries
  readonly item?: v.GenericSchema
  readonly wrapped?: v.GenericSchema
  readonly pipe?: readonly v.GenericSchema[]
}

function innermostSchema(schema: v.GenericSchema): SchemaNode {
  const { pipe, wrapped } = schema as SchemaNode
  if (wrapped) return innermostSchema(wrapped)
  const last = pipe?.findLast(({ kind }) => kind === 'schema')
  return last && last !== schema ? innermostSchema(last) : (schema as SchemaNode)
}
