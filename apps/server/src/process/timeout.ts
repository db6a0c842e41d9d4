/** @throws Error of `createError` if the promise does not settle in time */
export function withTimeout<T>(
  promise: Promise<T>,
  milliseconds: number,
  createError: () => Error,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createError()), milliseconds)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}
