export interface ResponseInfo {
  readonly method: string
  /** The route's path as it is written, parameters and all; undefined where none matched. */
  readonly route: string | undefined
  readonly status: number
  readonly seconds: number
}
