export interface DragListener {
  readonly onLift: (id: string) => void
  /** @param target what it was dropped on; undefined if it was dropped elsewhere, or put back by Esc */
  readonly onDrop: (id: string, target: string | undefined) => void
}

/** The latest listener: what is dragged outlives a drawing. */
export type ListenerRef = { readonly current: DragListener }
