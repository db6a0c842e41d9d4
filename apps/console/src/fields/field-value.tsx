import type { Owner } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { canAssign } from '../app/permissions.ts'
import { explainError } from '../cache/explain-error.ts'
import { InlineChoice } from '../records/facts/inline-choice.tsx'
import { InlineRecord } from '../records/facts/inline-record.tsx'
import { InlineText } from '../records/facts/inline-text.tsx'
import type { CreatableKind } from '../records/kinds.ts'
import { type FieldEdit, useRecordUpdate } from '../records/use-record-update.ts'
import { findOrCreateContact } from '../records/write-record.ts'
import { useMenu } from '../reference/queries.ts'
import stageStyles from '../reference/stage-label.module.css'
import { StageLabel } from '../reference/stage-label.tsx'
import { Avatar } from '../ui/avatar.tsx'
import type { ChoiceField, LinkedRecord, LinkField, OwnerField, RecordField, TextField } from './field.ts'

interface FieldValueProps<Row, Field = RecordField<Row>> {
  readonly kind: CreatableKind
  readonly field: Field
  readonly row: Row
  /** In a cell of a table, where linked records and owners are only shown. */
  readonly isCell?: boolean
}

/** The value of a field of a record, edited where it stands. */
export function FieldValue<Row extends { readonly id: string }>(props: FieldValueProps<Row>) {
  const { field, row, isCell } = props
  const console = useConsole()
  switch (field.type) {
    case 'shown':
      return field.render(row, console)
    case 'stage': {
      const { stage, pipeline } = field.read(row)
      return stage && <StageLabel stage={stage} pipelineId={pipeline?.id} />
    }
    case 'link':
      return isCell ? (field.read(row)?.full_name ?? '—') : <LinkValue {...props} field={field} />
    case 'owner':
      return isCell ? <OwnerName owner={field.read(row)} /> : <OwnerValue {...props} field={field} />
    case 'choice':
      return <ChoiceValue {...props} field={field} />
    default:
      return <TextValue {...props} field={field} />
  }
}

function TextValue<Row extends { readonly id: string }>(props: FieldValueProps<Row, TextField<Row>>) {
  const { kind, field, row, isCell = false } = props
  const console = useConsole()
  const { texts } = console
  const update = useRecordUpdate()
  const label = field.label(texts)
  const text = field.format(row, console)
  return (
    <InlineText
      isCell={isCell}
      label={label}
      display={field.display ? field.display(row, console) : text || undefined}
      links={field.links?.(row)}
      text={text}
      type={field.type === 'date' ? 'date' : 'text'}
      inputMode={field.type === 'money' ? 'decimal' : undefined}
      save={(typed, reopen) => {
        const fields = field.parse(typed, { ...console, before: row })
        if (typeof fields === 'string') return fields
        update({
          ...{ kind, id: row.id, label },
          ...editFields(row, fields),
          onError: (error) => reopen(explainError(error, texts)),
        })
        return undefined
      }}
    />
  )
}

/** The edit of fields that the API gets as it returns them. */
function editFields(row: object, fields: object): { readonly to: FieldEdit; readonly from: FieldEdit } {
  const before = Object.fromEntries(Object.keys(fields).map((name) => [name, row[name as never]]))
  return { to: { changes: fields, shown: fields }, from: { changes: before, shown: before } }
}

function LinkValue<Row extends { readonly id: string }>(props: FieldValueProps<Row, LinkField<Row>>) {
  const { kind, field, row } = props
  const { crm, texts } = useConsole()
  const update = useRecordUpdate()
  const [name] = field.links
  const label = field.label(texts)
  const before = field.read(row)
  const edit = (next: LinkedRecord | null): FieldEdit => ({
    changes: { [`${name}_id`]: next?.id ?? null },
    shown: { [name]: next },
  })
  return (
    <InlineRecord
      label={label}
      kind={name === 'person' ? 'people' : 'companies'}
      record={before}
      choose={async (picked) => {
        const linked = picked && { id: await findOrCreateContact(crm, picked), full_name: picked.name }
        update({ kind, id: row.id, label, to: edit(linked), from: edit(before) })
      }}
    />
  )
}

function OwnerName({ owner }: { readonly owner: Owner | null }) {
  if (!owner) return '—'
  return (
    <span class={stageStyles.stage}>
      <Avatar of={owner} />
      {owner.name}
    </span>
  )
}

function OwnerValue<Row extends { readonly id: string }>(props: FieldValueProps<Row, OwnerField<Row>>) {
  const { kind, field, row } = props
  const { me, texts } = useConsole()
  const update = useRecordUpdate()
  const members = useMenu('members')
  const assignable = (members.data ?? []).filter((member) => canAssign(me, member, kind, [row]))
  const owner = field.read(row)
  const label = field.label(texts)
  const edit = (next: Owner | null): FieldEdit => ({
    changes: { owner_user_id: next?.id ?? null },
    shown: { owner: next },
  })
  const choose = (next: Owner | null) =>
    update({ kind, id: row.id, label, to: edit(next), from: edit(owner) })
  return (
    <InlineChoice
      label={label}
      display={owner ? <OwnerName owner={owner} /> : undefined}
      actions={[
        ...assignable.map(({ id, name, email }) => ({
          label: name,
          isChecked: id === owner?.id,
          mark: <Avatar of={{ id, name }} />,
          select: () => choose({ id, name, email }),
        })),
        ...(owner && canAssign(me, null, kind, [row])
          ? [{ label: texts.deals.noOwner, icon: 'x' as const, select: () => choose(null) }]
          : []),
      ]}
    />
  )
}

function ChoiceValue<Row extends { readonly id: string }>(props: FieldValueProps<Row, ChoiceField<Row>>) {
  const { kind, field, row } = props
  const { texts } = useConsole()
  const update = useRecordUpdate()
  const current = field.read(row)
  const choices = field.choices(texts)
  const label = field.label(texts)
  return (
    <InlineChoice
      label={label}
      display={choices.find(([value]) => value === current)?.[1]}
      actions={choices.map(([value, name]) => ({
        label: name,
        isChecked: value === current,
        select: () =>
          value !== current &&
          update({ kind, id: row.id, label, ...editFields(row, { [field.name]: value }) }),
      }))}
    />
  )
}
