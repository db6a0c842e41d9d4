import { describe, expect, it } from 'vitest'
import { changeError } from './change-error.ts'
import { CrmError, conflict } from './errors.ts'

describe('a changed error', () => {
  it('has no cause if the error has none', () => {
    const changed = changeError(conflict('emails'), { existingIds: ['p1'] })
    expect(changed).toMatchObject({ code: 'conflict', existingIds: ['p1'] })
    expect(changed.cause).toBeUndefined()
  })

  it('keeps the cause', () => {
    const cause = new Error('The disk is full.')
    const error = new CrmError('internal_error', 'Deal updated but associations failed.', undefined, {
      cause,
    })
    expect(changeError(error, { fields: { name: 'Is required.' } }).cause).toBe(cause)
  })
})
