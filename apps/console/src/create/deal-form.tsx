import { useConsole } from '../app/console-context.ts'
import { exampleAmount, parseMoney } from '../format/money.ts'
import { RecordPicker } from '../records/record-picker.tsx'
import { Field, Select } from '../ui/field.tsx'
import type { CreateDefaults } from './create-defaults.ts'
import { FormFrame } from './form-frame.tsx'
import { MoneyField } from './money-field.tsx'
import { RequiredFields, useRequiredFields } from './required-fields.tsx'
import { TextField } from './text-field.tsx'
import { useCreateForm } from './use-create-form.ts'
import { type DealDraft, useDealDraft } from './use-deal-draft.ts'

interface DealFormProps {
  readonly defaults: CreateDefaults
  readonly close: () => void
  /** The form of an empty board: fewer fields, in the words of a beginning. */
  readonly isFirst?: boolean
}

export function DealForm({ defaults, close, isFirst = false }: DealFormProps) {
  const { texts, workspace } = useConsole()
  const form = useCreateForm()
  const requiredFields = useRequiredFields('deals')
  const { draft, change, stages, create } = useDealDraft(defaults, requiredFields, close)
  const { first } = texts.deals
  const amount = parseMoney(draft.amount, draft.currency, workspace.locale)
  return (
    <FormFrame
      form={form}
      close={isFirst ? undefined : close}
      submitLabel={isFirst ? first.submit : texts.create.submit}
      submit={() =>
        form.submit(() => create(amount ?? 0), {
          name: draft.name.trim() === '' ? texts.faults.required : undefined,
          amount: amount === undefined ? texts.faults.notAnAmount(exampleAmount(workspace)) : undefined,
        })
      }
    >
      <TextField
        autoFocus
        label={isFirst ? first.name : texts.labels.name}
        fault={form.faults['name']}
        value={draft.name}
        change={(name) => change({ name })}
      />
      <Field
        label={isFirst ? first.to : `${texts.labels.company}, ${texts.labels.person.toLowerCase()}`}
        fault={form.faults['company_id'] ?? form.faults['person_id']}
      >
        {(ids) => (
          <RecordPicker
            ids={ids}
            kinds={['companies', 'people']}
            creates={['companies', 'people']}
            picked={draft.contact}
            pick={(contact) => change({ contact })}
          />
        )}
      </Field>
      <MoneyField
        label={isFirst ? first.amount : texts.labels.amount}
        currency={draft.currency}
        amount={draft.amount}
        change={change}
        fault={form.faults['amount'] ?? form.faults['currency']}
        hint={isFirst && first.later}
      />
      {!isFirst && <PlacementFields draft={draft} change={change} stages={stages} faults={form.faults} />}
      <RequiredFields
        fields={requiredFields}
        values={draft.required}
        change={(required) => change({ required })}
        faults={form.faults}
      />
    </FormFrame>
  )
}

interface PlacementFieldsProps {
  readonly draft: DealDraft
  readonly change: (changes: Partial<DealDraft>) => void
  readonly stages: readonly { readonly id: string; readonly name: string }[]
  readonly faults: Readonly<Record<string, string>>
}

/** Where a deal begins, and when it is expected to end. */
function PlacementFields({ draft, change, stages, faults }: PlacementFieldsProps) {
  const { texts } = useConsole()
  return (
    <>
      <Field label={texts.labels.stage} fault={faults['stage_id']}>
        {(ids) => (
          <Select {...ids} value={draft.stageId || stages[0]?.id} change={(stageId) => change({ stageId })}>
            {stages.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <TextField
        type="date"
        label={texts.labels.forecast}
        fault={faults['forecast_date']}
        value={draft.forecast}
        change={(forecast) => change({ forecast })}
      />
    </>
  )
}
