import type { Ports, RecordBase, RecordStore, Records } from '@sales-crm/core/ports'
import { completeRecord, DAY_MS, type RecordKind, toInstant, YEAR_MS } from './complete-record.ts'

type CustomField = Records['custom_fields']
type Stage = Records['stages']

/** The settings that records refer to. */
export interface Settings {
  readonly tags: readonly Records['tags'][]
  readonly lists: readonly Records['lists'][]
  readonly fields: readonly CustomField[]
  readonly taskTypes: readonly Records['task_types'][]
  /** By position, of all pipelines. */
  readonly stages: readonly Stage[]
}

const TAGS: readonly Partial<Records['tags']>[] = [
  { name: 'VIP', key: 'vip', color: '#d97706' },
  { name: 'Lead quente', key: 'lead_quente', color: '#dc2626' },
  { name: 'Cliente', key: 'cliente', color: '#16a34a' },
  { name: 'Renovação', key: 'renovacao', color: '#0891b2' },
  { name: 'Decision maker', key: 'decision_maker', color: '#2563eb' },
  { name: 'Partner', key: 'partner', color: '#7c3aed' },
  { name: 'At risk', key: 'at_risk', color: '#be123c' },
  { name: 'Newsletter', key: 'newsletter', color: '#6b7280' },
]

const LISTS: readonly Partial<Records['lists']>[] = [
  { name: 'Key accounts', description: 'Reviewed by the whole team on the first Monday of the month.' },
  { name: 'Renewals this quarter', description: 'To be called at least a month before the contract ends.' },
  { name: 'Product launch guests', description: 'Invited to the launch, whether or not they came.' },
  { name: 'Feira de São Paulo', description: 'Quem passou pelo estande e deixou contato.' },
  { name: 'Reativar', description: 'Sem compras há mais de seis meses.' },
]

const FOR_PEOPLE = { show_companies: false }
const FOR_COMPANIES = { show_people: false }
const FOR_DEALS = { show_people: false, show_companies: false, show_deals: true }
const SEGMENTS = selectOptions('Startup', 'SMB', 'Enterprise', 'Public')
const INTERESTS = selectOptions('Pricing', 'Support', 'Integrations', 'Training')
const FIELDS: readonly Partial<CustomField>[] = [
  { label: 'CPF', key: 'cpf', type: 'cpf', ...FOR_PEOPLE },
  { label: 'CNPJ', key: 'cnpj', type: 'cnpj', ...FOR_COMPANIES },
  { label: 'Birthday', key: 'birthday', type: 'date', ...FOR_PEOPLE },
  { label: 'Segment', key: 'segment', type: 'select', ...FOR_COMPANIES, show_deals: true, value: SEGMENTS },
  { label: 'Interests', key: 'interests', type: 'multi_select', ...FOR_PEOPLE, value: INTERESTS },
  { label: 'Annual revenue', key: 'annual_revenue', type: 'number', ...FOR_COMPANIES },
  { label: 'LinkedIn', key: 'linkedin', type: 'link' },
  { label: 'Address', key: 'address', type: 'address' },
  { label: 'Notes', key: 'notes', type: 'long_text', show_deals: true },
  { label: 'Reference', key: 'reference', type: 'text', ...FOR_DEALS },
]

const PRODUCTS: readonly Partial<Records['products']>[] = [
  { code: 'LIC-BR-M', name: 'Licença mensal', currency: 'BRL', price_cts: 8_900, billing_cycle: 'monthly' },
  { code: 'LIC-BR-A', name: 'Licença anual', currency: 'BRL', price_cts: 89_000, billing_cycle: 'annually' },
  { code: 'SUP-BR-T', name: 'Suporte', currency: 'BRL', price_cts: 240_000, billing_cycle: 'quarterly' },
  { code: 'IMP-BR', name: 'Implantação', currency: 'BRL', price_cts: 1_250_000, description: 'Em um mês.' },
  { code: 'TRN-BR', name: 'Treinamento', currency: 'BRL', price_cts: 380_000, description: 'Um dia.' },
  { code: 'LIC-BR-2', name: 'Licença dupla', currency: 'BRL', price_cts: 14_900, is_active: false },
  { code: 'LIC-US-M', name: 'Monthly licence', currency: 'USD', price_cts: 2_500, billing_cycle: 'monthly' },
  { code: 'LIC-US-A', name: 'Annual licence', currency: 'USD', price_cts: 25_000, billing_cycle: 'annually' },
  { code: 'SUP-US-T', name: 'Support', currency: 'USD', price_cts: 60_000, billing_cycle: 'quarterly' },
  { code: 'ONB-US', name: 'Onboarding', currency: 'USD', price_cts: 320_000, description: 'Takes a month.' },
  { code: 'TRN-US', name: 'Training', currency: 'USD', price_cts: 95_000, description: 'Takes a day.' },
  { code: 'ARC-US', name: 'Data archive', currency: 'USD', price_cts: 12_000, is_active: false },
]

/** The stages of each pipeline: open ones, then the one of won deals and the one of lost deals. */
const PIPELINES: ReadonlyMap<string, readonly string[]> = new Map([
  ['New business', ['Qualified', 'Demo', 'Proposal', 'Negotiation', 'Won', 'Lost']],
  ['Renewals', ['Upcoming', 'In talks', 'Renewed', 'Churned']],
])

/** Returns the settings of a workspace. Creates samples of each kind that it lacks, older than all seeded records. */
export async function ensureSettings(
  { storage, newId, now }: Pick<Ports, 'storage' | 'newId' | 'now'>,
  workspaceId: string,
): Promise<Settings> {
  const firstAt = Date.parse(now()) - YEAR_MS - DAY_MS
  const complete = <K extends RecordKind>(kind: K, samples: readonly Partial<Records[K]>[]) =>
    samples.map((sample, index) =>
      completeRecord(kind, newId, { ...sample, created_at: toInstant(firstAt + index * 60_000) }),
    )
  return storage.transact(async (tx) => {
    const stores = tx.workspace(workspaceId)
    const tags = await findOrInsert(stores.tags, complete('tags', TAGS))
    const lists = await findOrInsert(stores.lists, complete('lists', LISTS))
    const fields = await findOrInsert(stores.custom_fields, complete('custom_fields', FIELDS))
    await findOrInsert(stores.products, complete('products', PRODUCTS))
    const named = [...PIPELINES.keys()].map((name) => ({ name }))
    const pipelines = await findOrInsert(stores.pipelines, complete('pipelines', named))
    const sampleStages = pipelines.flatMap(({ id: pipeline_id, name, created_at, updated_at }) =>
      (PIPELINES.get(name) ?? []).map((name, position, { length }) => {
        const type: Stage['type'] = position < length - 2 ? 'open' : position < length - 1 ? 'win' : 'lost'
        const probability = type === 'lost' ? 0 : Math.round((100 * (position + 1)) / (length - 1))
        const settings = { required_fields: [], stale_after_days: null }
        return {
          ...{ id: newId(), pipeline_id, position, name, type, probability, created_at, updated_at },
          ...settings,
        }
      }),
    )
    const unsortedStages = await findOrInsert(stores.stages, sampleStages)
    const stages = unsortedStages.toSorted((a, b) => a.position - b.position)
    return { tags, lists, fields, stages, taskTypes: await stores.task_types.find([]) }
  })
}

async function findOrInsert<R extends RecordBase>(
  store: RecordStore<R>,
  samples: readonly R[],
): Promise<readonly R[]> {
  const existing = await store.find([])
  if (existing.length === 0) await store.insertMany(samples)
  return existing.length === 0 ? samples : existing
}

function selectOptions(...names: readonly string[]): CustomField['value'] {
  return { select_list: names.map((option) => ({ key: option.toLowerCase(), option })) }
}
