import { Fragment } from 'preact'

/** After these signs, an address goes on in the next line where it does not fit. */
const BREAKS = /(?<=[@/.])/

/** An address that breaks between its parts, not inside a word. */
export function BreakableText({ text }: { readonly text: string }) {
  return text.split(BREAKS).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
