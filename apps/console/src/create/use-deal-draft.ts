import type { Currency, CustomField, NewDeal } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import type { PickedRecord } from '../records/record-picker.tsx'
import { usePipelines } from '../reference/use-pipelines.ts'
import { showDone } from '../ui/toasts.tsx'
import { type CreateDefaults, pickedContact } from './create-defaults.ts'
import { useDraft } from './draft.ts'
import { requiredInput } from './required-fields.tsx'

export interface DealDraft {
  readonly name: string
  readonly contact: PickedRecord | null
  readonly currency: Currency
  readonly amount: string
  readonly forecast: string
  /** Empty for the first stage. */
  readonly stageId: string
  readonly required: Readonly<Record<string, string>>
}

/** A deal that is not created yet, and its creation. */
export function useDealDraft(
  defaults: CreateDefaults,
  requiredFields: readonly CustomField[],
  close: () => void,
) {
  const { crm, me, texts, workspace } = useConsole()
  const pipelines = usePipelines()
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
  const stages = pipeline?.stages ?? []

  async function create(amount: number): Promise<void> {
    const stageId = draft.stageId || stages[0]?.id
    const contact = draft.contact && (await contactField(draft.contact))
    const input: NewDeal = {
      name: draft.name.trim(),
      amount,
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

  /** Creates the contact first if it is new. */
  async function contactField({ kind, id, name }: PickedRecord): Promise<Partial<NewDeal>> {
    if (kind === 'people') return { person_id: id ?? (await crm.people.create({ full_name: name })).id }
    return { company_id: id ?? (await crm.companies.create({ full_name: name })).id }
  }

  return {
    draft,
    change: (changes: Partial<DealDraft>) => setDraft({ ...draft, ...changes }),
    stages,
    create,
  }
}
