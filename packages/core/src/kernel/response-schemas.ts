import * as v from 'valibot'

/** A view after a round trip through JSON: no longer readonly. */
export type Mutable<T> = T extends readonly (infer Each)[]
  ? Mutable<Each>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T

type ViewSchema<View> = { readonly [Key in keyof View]-?: v.GenericSchema<Mutable<Required<View>[Key]>> }

/** `never` for a field that the view lacks, or whose schema is narrower than the view's. */
type Exact<View, Entries extends Record<string, v.GenericSchema>> = {
  readonly [Key in keyof Entries]: Key extends keyof View
    ? Mutable<Required<View>[Key]> extends v.InferOutput<Entries[Key]>
      ? Entries[Key]
      : never
    : never
}

/** The schema of a response: exactly the fields of the view, as wide as theirs. */
export function responseSchema<View>() {
  return <const Entries extends ViewSchema<View> & Record<string, v.GenericSchema>>(
    entries: Entries & Exact<View, Entries>,
  ) => v.strictObject<Entries>(entries)
}

export const uuidResponse = v.pipe(v.string(), v.uuid())
export const instantResponse = v.pipe(v.string(), v.isoTimestamp())
export const countResponse = v.pipe(v.number(), v.integer(), v.minValue(0))
export const textResponse = v.string()
export const flagResponse = v.boolean()
