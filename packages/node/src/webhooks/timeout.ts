/**
 * Resolves when `work` does, or after `milliseconds`, whichever comes first. Rejects when `work` does before
 * that.
 */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(timeout.resolve, milliseconds)
  try {
    await Promise.race([work, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
