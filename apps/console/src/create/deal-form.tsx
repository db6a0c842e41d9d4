import type { Currency, NewDeal } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { formatMoney, parseMoney } from '../format/money.ts'
import { type PickedRecord, RecordPicker } from '../records/record-picker.tsx'
import { CURRENCIES } from '../reference/currencies.ts'
import { usePipelines } from '../reference/use-pipelines.ts'
import { Field, Input, Joined, Select } from '../ui/field.tsx'
import { showDone } from '../ui/toasts.tsx'
import { type CreateDefaults, pickedContact } from './create-defaults.ts'
import { useDraft } from './draft.ts'
import { FormFrame } from './form-frame.tsx'
import { RequiredFields, requiredInput, useRequiredFields } from './required-fields.tsx'
import { useCreateForm } from './use-create-form.ts'

interface DealFormProps {
  readonly defaults: CreateDefaults
  readonly close: () => void
  /** The form of an empty board: fewer fields, in the words of a beginning. */
  readonly isFirst?: boolean
}

interface DealDraft {
  readonly name: string
  readonly contact: PickedRecord | null
  readonly currency: Currency
  readonly amount: string
  readonly forecast: string
  readonly stageId: string
  readonly required: Readonly<Record<string, string>>
}

export function DealForm({ defaults, close, isFirst = false }: DealFormProps) {
  const { crm, me, texts, workspace } = useConsole()
  const pipelines = usePipelines()
  const form = useCreateForm()
  const requiredFields = useRequiredFields('deals')
  const pipeline = pipelines.data?.find(({ id }) => id === defaults.pipelineId) ?? pipelines.data?.[0]
  const [draft, setDraft, clearDraft] = useDraft<DealDraft>('deals', {
    name: defaults.name ?? '',
    contact: pickedContact(defaults),
    currency: workspace.currency,
    amount: '',
    forecast: '',
    stageId: defaults.stageId ?? '',
    required: {},
  })
  const { first } = texts.deals
  const stageId = draft.stageId || pipeline?.stages[0]?.id
  const amount = parseMoney(draft.amount, draft.currency, workspace.locale)

  async function create(): Promise<void> {
    const contact = draft.contact && (await contactField(draft.contact))
    const input: NewDeal = {
      name: draft.name.trim(),
      amount: amount ?? 0,
      currency: draft.currency,
      owner_user_id: me.id,
      ...(pipeline && { pipeline_id: pipeline.id }),
      ...(stageId && { stage_id: stageId }),
      ...(draft.forecast && { forecast_date: new Date(`${draft.forecast}T12:00`).toISOString() }),
      ...contact,
      ...requiredInput(requiredFields, draft.required),
    }
    await crm.deals.create(input)
    clearDraft()
    showDone(texts.create.created(input.name))
    close()
  }

  async function contactField({ kind, id, name }: PickedRecord): Promise<Partial<NewDeal>> {
    if (kind === 'people') return { person_id: id ?? (await crm.people.create({ full_name: name })).id }
    return { company_id: id ?? (await crm.companies.create({ full_name: name })).id }
  }

  return (
    <FormFrame
      form={form}
      close={isFirst ? undefined : close}
      submitLabel={isFirst ? first.submit : texts.create.submit}
      submit={() =>
        form.submit(create, {
          name: draft.name.trim() === '' ? texts.faults.required : undefined,
          amount: amount === undefined ? texts.faults.notAnAmount : undefined,
        })
      }
    >
      <Field label={isFirst ? first.name : texts.labels.name} fault={form.faults['name']}>
        {(ids) => (
          <Input
            {...ids}
            autoFocus
            value={draft.name}
            change={(value) => setDraft({ ...draft, name: value })}
          />
        )}
      </Field>
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
            pick={(contact) => setDraft({ ...draft, contact })}
          />
        )}
      </Field>
      <Field
        label={isFirst ? first.amount : texts.labels.amount}
        fault={form.faults['amount'] ?? form.faults['currency']}
        hint={isFirst && first.later}
      >
        {(ids) => (
          <Joined>
            <Select
              aria-label={texts.labels.currency}
              value={draft.currency}
              change={(value) => setDraft({ ...draft, currency: value as Currency })}
            >
              {CURRENCIES.map((currency) => (
                <option key={currency}>{currency}</option>
              ))}
            </Select>
            <Input
              {...ids}
              inputMode="decimal"
              placeholder={formatMoney({ amount: 0, currency: draft.currency }, workspace.locale)}
              value={draft.amount}
              change={(value) => setDraft({ ...draft, amount: value })}
            />
          </Joined>
        )}
      </Field>
      {!isFirst && (
        <>
          <Field label={texts.labels.stage} fault={form.faults['stage_id']}>
            {(ids) => (
              <Select {...ids} value={stageId} change={(value) => setDraft({ ...draft, stageId: value })}>
                {(pipeline?.stages ?? []).map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label={texts.labels.forecast} fault={form.faults['forecast_date']}>
            {(ids) => (
              <Input
                {...ids}
                type="date"
                value={draft.forecast}
                change={(value) => setDraft({ ...draft, forecast: value })}
              />
            )}
          </Field>
        </>
      )}
      <RequiredFields
        fields={requiredFields}
        values={draft.required}
        change={(required) => setDraft({ ...draft, required })}
        faults={form.faults}
      />
    </FormFrame>
  )
}
