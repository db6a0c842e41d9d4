import { createHash } from 'node:crypto'
import { CrmApiError } from '@sales-crm/client'

const CONCURRENCY = 8

/**
 * Creates a person for each row of `full_name`, `email`, `phone` and `position`. Equal rows are one person, also
 * in another run within 24 hours: the service stores idempotency keys for that long.
 * @param onInvalid is called with the index of a row and the rules that its fields break
 * @returns the number of valid rows
 */
export async function importPeople(crm, rows, onInvalid) {
  let count = 0
  const entries = rows.entries()
  async function createNext() {
    for (const [index, row] of entries) {
      const input = toPerson(row)
      try {
        await crm.people.create(input, { idempotencyKey: keyOf(input) })
        count += 1
      } catch (error) {
        if (!(error instanceof CrmApiError) || error.code !== 'validation_error') throw error
        onInvalid(index, error.fields)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, createNext))
  return count
}

function toPerson({ full_name, email, phone, position }) {
  return {
    full_name,
    emails: email ? [{ email }] : [],
    phones: phone ? [{ phone }] : [],
    position: position || null,
  }
}

/** A key for each body: the service refuses a key with another body. */
function keyOf(input) {
  return createHash('sha256').update(JSON.stringify(input)).digest('hex')
}
