type Stop = () => Promise<unknown>

/**
 * Ends groups of what runs, one group after the other: what fails keeps nothing else from being ended.
 * @throws the first failure
 */
export async function stopInOrder(...groups: readonly (readonly Stop[])[]): Promise<void> {
  const failures: unknown[] = []
  for (const group of groups) {
    await Promise.all(group.map((stop) => stop().catch((failure: unknown) => failures.push(failure))))
  }
  if (failures.length > 0) throw failures[0]
}
