import { context, type Span, SpanStatusCode, trace } from '@opentelemetry/api'

/** Runs `work` in the span and ends the span. @param onResult called with the result */
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

/** The message is only in the log: it may contain values that spans must not. */
export function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
}
