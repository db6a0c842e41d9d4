/** The part of Papa Parse that is used. Its published types need those of Node.js, which no page has. */
declare module 'papaparse' {
  export interface ParseError {
    readonly type: 'Quotes' | 'Delimiter' | 'FieldMismatch'
    readonly code: string
    /** Index from 0. */
    readonly row?: number
  }

  interface ParseResult {
    readonly data: readonly (readonly string[])[]
    readonly errors: readonly ParseError[]
  }

  interface ParseOptions {
    readonly delimiter: string
    readonly newline: string
  }

  const papa: { parse(text: string, options: ParseOptions): ParseResult }

  export { papa as default }
}
