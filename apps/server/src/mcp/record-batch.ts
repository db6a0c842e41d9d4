import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import * as v from 'valibot'
import type { ErrorExplainer } from './error-explainer.ts'
import { type ErrorResult, toCrmError, toErrorResult } from './error-text.ts'
import type { ToolResult } from './tool.ts'
import type { Caller } from './types.ts'

type BatchResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly id?: string; readonly error: ErrorResult }

interface BatchItem {
  /** Id of an existing record; undefined for a creation. */
  readonly id?: string
  /** Returns fields of the result besides `ok` and `id`. */
  work(): Promise<object>
}

/** Output schema of the tools for several records. */
export const BATCH_RESULT_SCHEMA = v.looseObject({
  succeeded: v.number(),
  failed: v.number(),
  results: v.array(
    v.looseObject({ ok: v.boolean(), id: v.optional(v.string()), error: v.optional(v.looseObject({})) }),
  ),
})

/**
 * Runs the items one after the other, and yields to the event loop before each. A failed item does not affect
 * the others. Results keep the order of the items. The call has failed if every item failed.
 */
export async function runBatch(
  caller: Caller,
  items: readonly BatchItem[],
  explain: ErrorExplainer = withoutExplanation,
): Promise<ToolResult> {
  const results: BatchResult[] = []
  for (const { id, work } of items) {
    await yieldToEventLoop()
    try {
      results.push({ ok: true, ...(id !== undefined && { id }), ...(await work()) })
    } catch (thrown) {
      const error = toErrorResult(await explain(toCrmError(thrown, caller)))
      results.push({ ok: false, ...(id !== undefined && { id }), error })
    }
  }
  const succeeded = results.filter(({ ok }) => ok).length
  return { result: { succeeded, failed: results.length - succeeded, results }, hasFailed: succeeded === 0 }
}

/** Default for items without fields that could be wrong. */
const withoutExplanation: ErrorExplainer = async (error) => error
