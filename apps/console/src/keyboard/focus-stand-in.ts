/**
 * Follows the focus when the record that has it leaves the view, such as a deal that is won: a neighbour stands in, until
 * the record comes back, such as by undo.
 */
export class FocusStandIn {
  #left: { readonly id: string; readonly standInId: string } | undefined

  /** Notes that the focus goes from a record that left to another. Several may leave one after the other. */
  begin(id: string, standInId: string): void {
    this.#left = { id, standInId }
  }

  /**
   * The record that gets the focus back, once.
   * @param focusedId the record that has it now: if that is another than the one that stands in, the user has moved on
   */
  end(focusedId: string | undefined, isShown: (id: string) => boolean): string | undefined {
    const left = this.#left
    if (!left) return undefined
    const returns = left.standInId === focusedId && isShown(left.id)
    if (returns || left.standInId !== focusedId) this.#left = undefined
    return returns ? left.id : undefined
  }
}
