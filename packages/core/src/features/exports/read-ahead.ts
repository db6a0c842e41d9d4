/**
 * Asks for a value while the caller works on the one before, so that a store and the caller work at the same time. When the
 * iteration ends early, it ends after what was asked for.
 */
export async function* readAhead<T>(
  values: AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  let next = values.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = values.next()
      // It is handled when the caller asks for it.
      next.catch(() => {})
      yield value
    }
  } finally {
    await next.catch(() => {})
    await values.return()
  }
}
