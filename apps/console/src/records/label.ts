/** A tag or a list. */
export interface Label {
  readonly id: string
  readonly name: string
}

/** The labels with one added at the end, or taken away. */
export function withLabel(labels: readonly Label[], label: Label, isWanted: boolean): readonly Label[] {
  return [...labels.filter(({ id }) => id !== label.id), ...(isWanted ? [label] : [])]
}
