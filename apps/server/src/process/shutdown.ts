export type Stop = () => Promise<unknown>

/**
 * Stops groups of services, one group after another. A failure does not prevent the other stops.
 * @throws the first failure
 */
export async function stopInOrder(...groups: readonly (readonly Stop[])[]): Promise<void> {
  const failures: unknown[] = []
  for (const group of groups) {
    await Promise.all(group.map((stop) => stop().catch((failure: unknown) => failures.push(failure))))
  }
  if (failures.length > 0) throw failures[0]
}
