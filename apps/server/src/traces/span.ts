import { context, type Span, SpanStatusCode, trace } from '@opentelemetry/api'

/** Does the work within the span, which ends with it. @param noted told of what came of it */
export async function inSpan<T>(span: Span, work: () => Promise<T>, noted: (result: T) => void = () => {}): Promise<T> {
  try {
    const result = await context.with(trace.setSpan(context.active(), span), work)
    noted(result)
    return result
  } catch (error) {
    failed(span, error instanceof Error ? error.name : 'unknown')
    throw error
  } finally {
    span.end()
  }
}

/** What went wrong is in the log: a message may hold what spans must not. */
export function failed(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
}
