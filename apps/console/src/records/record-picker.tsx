import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { type Choice, Combobox } from '../ui/combobox.tsx'
import type { FieldIds } from '../ui/field.tsx'
import { KIND_ICONS, type Kind, recordName } from './kinds.ts'

export interface PickedRecord {
  readonly kind: Kind
  /** Undefined for a record that is to be created with this name. */
  readonly id: string | undefined
  readonly name: string
}

interface RecordPickerProps {
  readonly ids: Partial<FieldIds> & { readonly 'aria-label'?: string }
  readonly kinds: readonly Kind[]
  readonly picked: PickedRecord | null
  readonly pick: (record: PickedRecord | null) => void
  /** The kinds that what is typed can become. */
  readonly creates?: readonly Kind[]
  readonly small?: boolean
  readonly autoFocus?: boolean
}

const NEW = 'new'
const LIMIT = 6

/** Finds a record by its name, or names a new one. */
export function RecordPicker({
  ids,
  kinds,
  picked,
  pick,
  creates = [],
  small,
  autoFocus,
}: RecordPickerProps) {
  const { crm, texts } = useConsole()
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const results = useQuery({
    queryKey: ['search', kinds, text],
    queryFn: ({ signal }) => crm.search({ search: text, kinds: kinds.join(','), limit: LIMIT }, { signal }),
    enabled: text !== '' && text !== picked?.name,
    placeholderData: keepPreviousData,
  })
  const found = kinds.flatMap((kind) =>
    (results.data?.[kind]?.records ?? []).map(
      (record): Choice => ({
        value: `${kind} ${record.id}`,
        label: recordName(record),
        icon: KIND_ICONS[kind],
        after: afterOf(record),
      }),
    ),
  )
  const isNew = text !== '' && text !== picked?.name
  const created = isNew
    ? creates.map(
        (kind): Choice => ({
          value: `${kind} ${NEW}`,
          label: texts.create.named(texts.create[kind], text),
          icon: 'plus',
        }),
      )
    : []
  return (
    <Combobox
      ids={ids}
      choices={[...(text === '' ? [] : found), ...created]}
      chosen={picked && { value: `${picked.kind} ${picked.id ?? NEW}`, label: picked.name }}
      choose={(choice) => pick(choice && toPicked(choice, text))}
      search={setTyped}
      noneText={text === '' ? texts.palette.hint : texts.palette.nothing}
      clearLabel={texts.actions.clear}
      {...(small && { small })}
      {...(autoFocus && { autoFocus })}
    />
  )
}

function toPicked({ value, label }: Choice, typed: string): PickedRecord {
  const [kind, id] = value.split(' ') as [Kind, string]
  return id === NEW ? { kind, id: undefined, name: typed } : { kind, id, name: label }
}

function afterOf(record: object): string | undefined {
  if ('emails' in record && Array.isArray(record.emails)) return record.emails[0]?.email
  if ('company' in record) return (record.company as { readonly full_name: string } | null)?.full_name
  return undefined
}
