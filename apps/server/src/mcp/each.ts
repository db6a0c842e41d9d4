import { setImmediate as othersTurn } from 'node:timers/promises'
import * as v from 'valibot'
import type { Explain } from './options.ts'
import { crmErrorOf, type Told, told } from './told.ts'
import type { Caller, Outcome } from './tool.ts'

type Result = { readonly ok: true } | { readonly ok: false; readonly id?: string; readonly error: Told }

interface Part {
  /** The record it is about, where there is one already. */
  readonly id?: string
  /** What becomes of it, beside `ok`. */
  work(): Promise<object>
}

/** The answer to a call about several records. */
export const RESULTS = v.looseObject({
  succeeded: v.number(),
  failed: v.number(),
  results: v.array(v.looseObject({ ok: v.boolean(), id: v.optional(v.string()), error: v.optional(v.looseObject({})) })),
})

/**
 * Does one part after the other, each by itself and letting others have their turn: one that is refused takes no other along. The
 * results stand in the order of the parts. A call of which nothing came about has failed.
 */
export async function eachOf(caller: Caller, parts: readonly Part[], explain: Explain = asItIs): Promise<Outcome> {
  const results: Result[] = []
  for (const { id, work } of parts) {
    await othersTurn()
    try {
      results.push({ ok: true, ...(id !== undefined && { id }), ...(await work()) })
    } catch (thrown) {
      const error = told(await explain(crmErrorOf(thrown, caller)))
      results.push({ ok: false, ...(id !== undefined && { id }), error })
    }
  }
  const succeeded = results.filter(({ ok }) => ok).length
  return { result: { succeeded, failed: results.length - succeeded, results }, failed: succeeded === 0 }
}

/** For parts of which no field can be wrong. */
const asItIs: Explain = async (error) => error
