import * as v from 'valibot'

/** As a view comes out of JSON: nothing of it is fixed any more. */
type Mutable<T> = T extends readonly (infer Each)[]
  ? Mutable<Each>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T

type ViewSchema<View> = { readonly [Key in keyof View]-?: v.GenericSchema<Mutable<View[Key]>> }

/** Says `never` of a field that the view does not have, and of one whose schema is narrower than the view. */
type Exact<View, Entries extends Record<string, v.GenericSchema>> = {
  readonly [Key in keyof Entries]: Key extends keyof View
    ? Mutable<View[Key]> extends v.InferOutput<Entries[Key]>
      ? Entries[Key]
      : never
    : never
}

/** The schema of an answer: it has each field of the view, as wide as that is, and no other. */
export function responseSchema<View>() {
  return <const Entries extends ViewSchema<View> & Record<string, v.GenericSchema>>(
    entries: Entries & Exact<View, Entries>,
  ) => v.strictObject<Entries>(entries)
}

export const uuid = v.pipe(v.string(), v.uuid())
export const instant = v.pipe(v.string(), v.isoTimestamp())
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))
export const text = v.string()
export const textOrNone = v.nullable(text)
export const instantOrNone = v.nullable(instant)
