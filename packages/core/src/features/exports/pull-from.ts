/** What the producer hands over: a value, or its end. */
type Handed<T> = { readonly value: T } | { readonly error?: unknown }

/**
 * Iterates over what a callback gives, such as one that runs in a transaction. The callback waits until a value was taken
 * and another one is asked for. If the iteration ends early, its next call of `give` rejects, and the iteration ends when
 * the callback has.
 */
export async function* pullFrom<T>(
  produce: (give: (value: T) => Promise<void>) => Promise<void>,
): AsyncGenerator<T, void, undefined> {
  let handed = Promise.withResolvers<Handed<T>>()
  let wanted = Promise.withResolvers<boolean>()
  const produced = produce(async (value) => {
    const { promise } = wanted
    handed.resolve({ value })
    if (!(await promise)) throw new Error('The iteration has ended.')
  }).then(
    () => handed.resolve({}),
    (error: unknown) => handed.resolve({ error }),
  )
  try {
    for (;;) {
      const next = await handed.promise
      if ('error' in next) throw next.error
      if (!('value' in next)) return
      handed = Promise.withResolvers()
      yield next.value
      const asked = wanted
      wanted = Promise.withResolvers()
      asked.resolve(true)
    }
  } finally {
    wanted.resolve(false)
    await produced
  }
}
