/** Headers of an export: those that tell it from others, each list alone, and those that it shares with others. */
export interface SystemExport {
  readonly name: string
  readonly source: string
  readonly kind: 'people' | 'companies' | 'deals'
  readonly signatures: readonly (readonly string[])[]
  readonly headers: readonly string[]
}
