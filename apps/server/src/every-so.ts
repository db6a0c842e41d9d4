/**
 * Rounds that do not overlap: one that takes long puts the next off.
 * @param work does not reject
 * @returns what ends it, once a round under way is over
 */
export function everySo(milliseconds: number, work: () => Promise<void>): () => Promise<void> {
  let round: Promise<void> | undefined

  function begin(): void {
    round ??= work().finally(() => {
      round = undefined
    })
  }

  const timer = setInterval(begin, milliseconds)
  return async () => {
    clearInterval(timer)
    await round
  }
}
