import { useConsole } from '../app/console-context.ts'
import type { Kind } from './kinds.ts'
import type { PickedRecord } from './record-picker.tsx'
import { type FieldEdit, useRecordUpdate } from './use-record-update.ts'

interface Contact {
  readonly id: string
  readonly full_name: string
}

/** Links a record to a person or company, which is created if it is new. */
export function useLinkUpdate() {
  const { crm, texts } = useConsole()
  const update = useRecordUpdate()
  return async (
    kind: Kind,
    id: string,
    field: 'person' | 'company',
    picked: PickedRecord | null,
    before: Contact | null,
  ): Promise<void> => {
    const contact = picked && (await contactOf(picked))
    const edit = (next: Contact | null): FieldEdit => ({
      changes: { [`${field}_id`]: next?.id ?? null },
      shown: { [field]: next },
    })
    update({ kind, id, label: texts.labels[field], to: edit(contact), from: edit(before) })
  }

  async function contactOf({ kind, id, name }: PickedRecord): Promise<Contact> {
    if (id !== undefined) return { id, full_name: name }
    return kind === 'people'
      ? crm.people.create({ full_name: name })
      : crm.companies.create({ full_name: name })
  }
}
