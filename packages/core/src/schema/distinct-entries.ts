import * as v from 'valibot'

/** Sets an error at `field` of each entry that has the form of an earlier one. */
export function distinctEntries<Entry extends Record<string, unknown>>(
  field: keyof Entry & string,
  formOf: (entry: Entry) => string,
) {
  return v.rawCheck<Entry[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const input = dataset.value
    const forms = input.map(formOf)
    for (const [key, entry] of input.entries()) {
      if (forms.indexOf(forms[key]!) === key) continue
      const path = [
        { type: 'array', origin: 'value', input, key, value: entry },
        { type: 'object', origin: 'value', input: entry, key: field, value: entry[field] },
      ] as const
      addIssue({ message: 'Must not be the same as another one.', path: [...path] })
    }
  })
}
