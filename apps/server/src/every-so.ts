/**
 * Rounds that do not overlap: one that takes long puts the next off.
 * @param work does not reject
 * @param atOnce whether the first round begins now, and not after the first pause
 * @returns what ends it, once a round under way is over
 */
export function everySo(milliseconds: number, work: () => Promise<void>, atOnce = false): () => Promise<void> {
  let round: Promise<void> | undefined

  function begin(): void {
    round ??= work().finally(() => {
      round = undefined
    })
  }

  const timer = setInterval(begin, milliseconds)
  if (atOnce) begin()
  return async () => {
    clearInterval(timer)
    await round
  }
}
