import type { Currency, CustomField, NewDeal } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { collapseSpaces } from '../format/single-line.ts'
import type { PickedRecord } from '../records/record-picker.tsx'
import { usePipelines } from '../reference/use-pipelines.ts'
import { showDone } from '../ui/toasts.tsx'
import { type CreateDefaults, pickedCompany, pickedPerson } from './create-defaults.ts'
import { useDraft } from './draft.ts'
import { requiredInput } from './required-fields.tsx'

export interface DealDraft {
  readonly name: string
  readonly company: PickedRecord | null
  readonly person: PickedRecord | null
  readonly currency: Currency
  readonly amount: string
  readonly forecast: string
  /** Empty for the first stage. */
  readonly stageId: string
  readonly required: Readonly<Record<string, string>>
}

interface DealDraftOptions {
  readonly defaults: CreateDefaults
  readonly place: string
  readonly requiredFields: readonly CustomField[]
  /** After it was created. */
  readonly close: () => void
}

/** A deal that is not created yet, and its creation. */
export function useDealDraft({ defaults, place, requiredFields, close }: DealDraftOptions) {
  const { crm, me, texts, workspace, calendar } = useConsole()
  const createContact = useContactCreation()
  const pipelines = usePipelines()
  const pipeline = pipelines.data?.find(({ id }) => id === defaults.pipelineId) ?? pipelines.data?.[0]
  const [draft, setDraft, clearDraft] = useDraft<DealDraft>(place, {
    name: defaults.name ?? '',
    company: pickedCompany(defaults),
    person: pickedPerson(defaults),
    currency: workspace.currency,
    amount: '',
    forecast: '',
    stageId: defaults.stageId ?? '',
    required: {},
  })
  const stages = pipeline?.stages ?? []

  async function create(amount: number): Promise<void> {
    const stageId = draft.stageId || stages[0]?.id
    const company = draft.company && (await createContact(draft.company))
    const person = draft.person && (await createContact(draft.person, company?.id))
    // So that a second attempt does not create them again.
    setDraft({ ...draft, company, person })
    const forecast = calendar.readDate(draft.forecast)
    const input: NewDeal = {
      name: collapseSpaces(draft.name),
      amount,
      currency: draft.currency,
      owner_user_id: me.id,
      ...(pipeline && { pipeline_id: pipeline.id }),
      ...(stageId && { stage_id: stageId }),
      ...(forecast && { forecast_date: forecast.toISOString() }),
      ...(company && { company_id: company.id }),
      ...(person && { person_id: person.id }),
      ...requiredInput(requiredFields, draft.required, texts.language),
    }
    await crm.deals.create(input)
    clearDraft()
    showDone(texts.create.created(input.name))
    close()
  }

  return {
    draft,
    change: (changes: Partial<DealDraft>) => setDraft({ ...draft, ...changes }),
    stages,
    create,
  }
}

/** Creates a contact of a new deal if it is new itself: a person in the company of the deal. */
function useContactCreation() {
  const { crm } = useConsole()
  return async (picked: PickedRecord, company_id?: string): Promise<PickedRecord & { id: string }> => {
    const { kind, id, name } = picked
    if (id !== undefined) return { ...picked, id }
    const created =
      kind === 'people'
        ? await crm.people.create({ full_name: name, ...(company_id && { company_id }) })
        : await crm.companies.create({ full_name: name })
    return { ...picked, id: created.id }
  }
}
