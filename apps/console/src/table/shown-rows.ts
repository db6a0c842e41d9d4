/** What a page shows of the records that can be selected, at the time of use. */
export interface ShownRows<Row> {
  /** The row or card that has the focus. */
  atHand(): Row | undefined
  /** Undefined if it is not shown any more. */
  find(id: string): Row | undefined
  focusAtHand(): void
}
