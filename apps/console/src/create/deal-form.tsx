import { useConsole } from '../app/console-context.ts'
import { exampleAmount, parseMoney } from '../format/typed-money.ts'
import { RecordPicker } from '../records/record-picker.tsx'
import { Field, Select } from '../ui/field.tsx'
import { type CreateDefaults, placeOf } from './create-defaults.ts'
import { FormFrame } from './form-frame.tsx'
import { MoneyField } from './money-field.tsx'
import { RequiredFields, useRequiredFields } from './required-fields.tsx'
import { TextField } from './text-field.tsx'
import { useCreateForm } from './use-create-form.ts'
import { type DealDraft, useDealDraft } from './use-deal-draft.ts'

interface DealFormProps {
  readonly defaults: CreateDefaults
  /** After it was created. */
  readonly close: () => void
  /** Undefined for a form that is part of a page. */
  readonly cancel?: () => void
  /** The form of an empty board: fewer fields, in the words of a beginning. */
  readonly isFirst?: boolean
}

export function DealForm({ defaults, close, cancel, isFirst = false }: DealFormProps) {
  const { texts, workspace } = useConsole()
  const form = useCreateForm()
  const requiredFields = useRequiredFields('deals')
  const { draft, change, stages, create } = useDealDraft({
    defaults,
    place: isFirst ? `first ${placeOf('deals', defaults)}` : placeOf('deals', defaults),
    requiredFields,
    close,
  })
  const { first } = texts.deals
  const amount = parseMoney(draft.amount, draft.currency, workspace.locale)
  return (
    <FormFrame
      form={form}
      cancel={cancel}
      submitLabel={isFirst ? first.submit : texts.create.submit}
      submit={() =>
        form.submit(() => create(amount ?? 0), {
          name: draft.name.trim() === '' ? texts.faults.required : undefined,
          amount:
            amount === undefined
              ? texts.faults.notAnAmount(draft.currency, exampleAmount(draft.currency, workspace.locale))
              : undefined,
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
      {isFirst ? (
        <FirstContactField draft={draft} change={change} faults={form.faults} />
      ) : (
        <ContactFields draft={draft} change={change} faults={form.faults} />
      )}
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

interface DealFieldsProps {
  readonly draft: DealDraft
  readonly change: (changes: Partial<DealDraft>) => void
  readonly faults: Readonly<Record<string, string>>
}

/** To whom it is to be sold: a company or a person. */
function FirstContactField({ draft, change, faults }: DealFieldsProps) {
  const { texts } = useConsole()
  return (
    <Field label={texts.deals.first.to} fault={faults['company_id'] ?? faults['person_id']}>
      {(ids) => (
        <RecordPicker
          ids={ids}
          kinds={['companies', 'people']}
          creates={['companies', 'people']}
          picked={draft.company ?? draft.person}
          pick={(picked) =>
            change({
              company: picked?.kind === 'companies' ? picked : null,
              person: picked?.kind === 'people' ? picked : null,
            })
          }
        />
      )}
    </Field>
  )
}

function ContactFields({ draft, change, faults }: DealFieldsProps) {
  const { labels } = useConsole().texts
  return (
    <>
      <Field label={labels.company} fault={faults['company_id']}>
        {(ids) => (
          <RecordPicker
            ids={ids}
            kinds={['companies']}
            creates={['companies']}
            picked={draft.company}
            pick={(company) => change({ company })}
          />
        )}
      </Field>
      <Field label={labels.person} fault={faults['person_id']}>
        {(ids) => (
          <RecordPicker
            ids={ids}
            kinds={['people']}
            creates={['people']}
            picked={draft.person}
            pick={(person) => change({ person })}
          />
        )}
      </Field>
    </>
  )
}

interface PlacementFieldsProps extends DealFieldsProps {
  readonly stages: readonly { readonly id: string; readonly name: string }[]
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
