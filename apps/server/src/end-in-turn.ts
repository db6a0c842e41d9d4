type End = () => Promise<unknown>

/** Ends groups of what runs, one group after the other: what fails keeps nothing else from being ended. @throws the first failure */
export async function endInTurn(...groups: readonly (readonly End[])[]): Promise<void> {
  const failures: unknown[] = []
  for (const group of groups) {
    await Promise.all(group.map((end) => end().catch((failure: unknown) => failures.push(failure))))
  }
  if (failures.length > 0) throw failures[0]
}
