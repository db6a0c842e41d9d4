/** Some runtimes collect `AbortSignal.any([AbortSignal.timeout(…)])` as garbage before it fires. */
export function startTimeout(milliseconds: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`No complete response within ${milliseconds} ms.`, 'TimeoutError'))
  }, milliseconds)
  return {
    signal: controller.signal,
    stop() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    },
  }
}
