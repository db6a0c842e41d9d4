import { describe, expect, test } from 'vitest'
import { CrmError } from './errors.ts'

class ChildError extends CrmError {}

describe('an instance of CrmError', () => {
  test('is one of another copy of the package too', async () => {
    const copy = (await import(`./errors.ts?${'copy'}`)) as { readonly CrmError: typeof CrmError }
    expect(copy.CrmError).not.toBe(CrmError)
    expect(new copy.CrmError('not_found', 'Person not found.')).toBeInstanceOf(CrmError)
  })

  test('is one of a subclass, but not the other way round', () => {
    expect(new ChildError('not_found', 'Person not found.')).toBeInstanceOf(CrmError)
    expect(new CrmError('not_found', 'Person not found.')).not.toBeInstanceOf(ChildError)
    expect(new ChildError('not_found', 'Person not found.')).toBeInstanceOf(ChildError)
  })

  test.each([
    ['another error', new Error('not found')],
    ['an object with its fields', { name: 'CrmError', code: 'not_found', message: 'Person not found.' }],
    ['null', null],
    ['undefined', undefined],
    ['a text', 'CrmError'],
  ])('is not %s', (_, value) => {
    expect(value instanceof (CrmError as unknown as FunctionConstructor)).toBe(false)
  })
})
