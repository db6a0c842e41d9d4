import type { Address, CustomField } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { explainError } from '../../cache/explain-error.ts'
import { websiteLinks } from '../../fields/contact-texts.ts'
import { classNames } from '../../ui/class-names.ts'
import type { Kind } from '../kinds.ts'
import { useIsReadOnly } from '../read-only.tsx'
import type { AnyRecord } from '../use-record.ts'
import { useRecordUpdate } from '../use-record-update.ts'
import { AddressDialog } from './address-dialog.tsx'
import {
  type CustomValue,
  editableCustomText,
  editCustomValue,
  findCustomValue,
  formatCustomValue,
  optionsOf,
  parseCustomText,
} from './custom-values.ts'
import { Fact, factStyles } from './fact.tsx'
import { FixedValue } from './fixed-value.tsx'
import { InlineChoice } from './inline-choice.tsx'
import { InlineText } from './inline-text.tsx'

interface CustomFieldFactProps {
  readonly kind: Kind
  readonly record: AnyRecord
  readonly field: CustomField
}

/** A custom field with the editor of its type. */
export function CustomFieldFact({ kind, record, field }: CustomFieldFactProps) {
  const { texts, dates, formatNumber } = useConsole()
  const update = useRecordUpdate()
  const value = findCustomValue(record, field.key)
  const shown = value === undefined ? undefined : formatCustomValue(field, value, { dates, formatNumber })

  const editOf = (next: CustomValue | undefined) => editCustomValue(record.custom_fields, field, next)
  const save = (next: CustomValue | undefined, onError?: (error: unknown) => void) =>
    update({ kind, id: record.id, label: field.label, to: editOf(next), from: editOf(value), onError })

  const isTall = field.type === 'address' || field.type === 'long_text'
  return (
    <Fact label={field.label} tall={isTall}>
      {editor()}
    </Fact>
  )

  function editor() {
    if (field.type === 'select' || field.type === 'multi_select')
      return <SelectionEditor field={field} value={value} shown={shown} save={save} />
    if (field.type === 'address')
      return <AddressEditor field={field} value={value as Address | undefined} shown={shown} save={save} />
    return (
      <InlineText
        label={field.label}
        display={shown}
        addText={texts.record.addNamed(field.label)}
        links={field.type === 'link' ? websiteLinks(shown ?? null) : []}
        text={value === undefined ? '' : editableCustomText(field, value, texts.language)}
        type={field.type === 'date' ? 'date' : 'text'}
        inputMode={field.type === 'number' ? 'decimal' : undefined}
        isMultiline={field.type === 'long_text'}
        save={(text, reopen) => {
          const next = parseCustomText(field, text, texts.language)
          if (Number.isNaN(next)) return texts.errors.notANumber
          save(next, (error) => reopen(explainError(error, texts)))
          return undefined
        }}
      />
    )
  }
}

interface EditorProps<Value> {
  readonly field: CustomField
  readonly value: Value | undefined
  readonly shown: string | undefined
  readonly save: (value: CustomValue | undefined) => void
}

function SelectionEditor({ field, value, shown, save }: EditorProps<CustomValue>) {
  const { texts } = useConsole()
  const isMultiple = field.type === 'multi_select'
  const chosen = Array.isArray(value) ? value : value === undefined ? [] : [String(value)]
  const toggle = (key: string) => {
    if (!isMultiple) return save(key)
    const next = chosen.includes(key) ? chosen.filter((each) => each !== key) : [...chosen, key]
    save(next.length === 0 ? undefined : next)
  }
  const options = optionsOf(field).map(({ key, option }) => ({
    label: option,
    isChecked: chosen.includes(key),
    isToggle: isMultiple,
    select: () => toggle(key),
  }))
  const clear =
    value === undefined || field.required
      ? []
      : [{ label: texts.actions.clear, icon: 'x' as const, select: () => save(undefined) }]
  return (
    <InlineChoice
      label={field.label}
      display={shown}
      actions={[...options, ...clear]}
      addText={texts.record.addNamed(field.label)}
      isMultiple={isMultiple}
    />
  )
}

function AddressEditor({ field, value, shown, save }: EditorProps<Address>) {
  const { texts } = useConsole()
  const [isOpen, setIsOpen] = useState(false)
  if (useIsReadOnly()) return <FixedValue>{shown}</FixedValue>
  return (
    <>
      <button
        type="button"
        class={classNames(factStyles.value, shown === undefined && factStyles.missing)}
        onClick={() => setIsOpen(true)}
      >
        {shown ?? texts.record.addNamed(field.label)}
      </button>
      {isOpen && (
        <AddressDialog title={field.label} address={value ?? {}} save={save} close={() => setIsOpen(false)} />
      )}
    </>
  )
}
