import { context, type Span, SpanStatusCode, trace } from '@opentelemetry/api'

/** Does the work within the span, which ends with it. @param onResult told of what came of it */
export async function runInSpan<T>(
  span: Span,
  work: () => Promise<T>,
  onResult: (result: T) => void = () => {},
): Promise<T> {
  try {
    const result = await context.with(trace.setSpan(context.active(), span), work)
    onResult(result)
    return result
  } catch (error) {
    markFailed(span, error instanceof Error ? error.name : 'unknown')
    throw error
  } finally {
    span.end()
  }
}

/** What went wrong is in the log: a message may hold what spans must not. */
export function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
}
