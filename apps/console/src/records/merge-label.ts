/** A tag or a list. */
export interface Label {
  readonly id: string
  readonly name: string
}

/** The labels of a record at the service, which takes all of them at once. */
export interface LabelAccess {
  readonly read: () => Promise<readonly Label[]>
  readonly write: (ids: readonly string[]) => Promise<unknown>
}

/** The labels with one added at the end, or taken away. */
export function withLabel(labels: readonly Label[], label: Label, isWanted: boolean): readonly Label[] {
  return [...labels.filter(({ id }) => id !== label.id), ...(isWanted ? [label] : [])]
}

/**
 * Adds a label to those of a record, or takes it away, and leaves the others. They are read before they are written, and
 * afterwards once more: somebody else may have read them before and written them after.
 * @returns false if there was nothing to change
 */
export async function mergeLabel(access: LabelAccess, label: Label, isWanted: boolean): Promise<boolean> {
  const isChanged = await writeLabel(access, label, isWanted)
  if (isChanged) await writeLabel(access, label, isWanted)
  return isChanged
}

async function writeLabel({ read, write }: LabelAccess, label: Label, isWanted: boolean): Promise<boolean> {
  const labels = await read()
  if (labels.some(({ id }) => id === label.id) === isWanted) return false
  await write(withLabel(labels, label, isWanted).map(({ id }) => id))
  return true
}
