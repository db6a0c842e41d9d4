export interface ResponseInfo {
  readonly method: string
  /** The path pattern of the route; undefined if none matched. */
  readonly route: string | undefined
  readonly status: number
  readonly seconds: number
}
