import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import * as v from 'valibot'
import type { ErrorExplainer } from './error-explainer.ts'
import { type ErrorResult, toCrmError, toErrorResult } from './error-text.ts'
import type { Caller, ToolResult } from './tool.ts'

type BatchResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly id?: string; readonly error: ErrorResult }

interface BatchItem {
  /** The record it is about, where there is one already. */
  readonly id?: string
  /** What becomes of it, beside `ok`. */
  work(): Promise<object>
}

/** The answer to a call about several records. */
export const BATCH_RESULT_SCHEMA = v.looseObject({
  succeeded: v.number(),
  failed: v.number(),
  results: v.array(
    v.looseObject({ ok: v.boolean(), id: v.optional(v.string()), error: v.optional(v.looseObject({})) }),
  ),
})

/**
 * Does one part after the other, each by itself and letting others have their turn: one that is refused takes no other along. The
 * results stand in the order of the parts. A call of which nothing came about has failed.
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
  return { result: { succeeded, failed: results.length - succeeded, results }, failed: succeeded === 0 }
}

/** For parts of which no field can be wrong. */
const withoutExplanation: ErrorExplainer = async (error) => error
