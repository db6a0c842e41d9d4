import type { Ports, RecordBase, RecordStore, Records } from '@sales-crm/core/ports'
import { type Labels, timesBeforeSpread } from './seed-context.ts'

type CustomField = Records['custom_fields']
type Fields<R extends RecordBase> = Omit<R, keyof RecordBase>

const TAGS: readonly Fields<Records['tags']>[] = [
  { name: 'VIP', key: 'vip', color: '#d97706' },
  { name: 'Lead quente', key: 'lead_quente', color: '#dc2626' },
  { name: 'Cliente', key: 'cliente', color: '#16a34a' },
  { name: 'Renovação', key: 'renovacao', color: '#0891b2' },
  { name: 'Decision maker', key: 'decision_maker', color: '#2563eb' },
  { name: 'Partner', key: 'partner', color: '#7c3aed' },
  { name: 'At risk', key: 'at_risk', color: '#be123c' },
  { name: 'Newsletter', key: 'newsletter', color: '#6b7280' },
]

const LISTS: readonly Fields<Records['lists']>[] = [
  { name: 'Key accounts', description: 'Reviewed by the whole team on the first Monday of the month.' },
  { name: 'Renewals this quarter', description: 'To be called at least a month before the contract ends.' },
  { name: 'Product launch guests', description: 'Invited to the launch, whether or not they came.' },
  { name: 'Feira de São Paulo', description: 'Quem passou pelo estande e deixou contato.' },
  { name: 'Reativar', description: 'Sem compras há mais de seis meses.' },
]

const DEFAULT_FIELD = {
  value: null,
  required: false,
  show_people: false,
  show_companies: false,
  show_deals: false,
}
const PEOPLE_FIELD = { ...DEFAULT_FIELD, show_people: true }
const COMPANY_FIELD = { ...DEFAULT_FIELD, show_companies: true }
const CONTACT_FIELD = { ...PEOPLE_FIELD, show_companies: true }

const FIELDS: readonly Fields<CustomField>[] = [
  { label: 'CPF', key: 'cpf', type: 'cpf', ...PEOPLE_FIELD },
  { label: 'CNPJ', key: 'cnpj', type: 'cnpj', ...COMPANY_FIELD },
  { label: 'Birthday', key: 'birthday', type: 'date', ...PEOPLE_FIELD },
  {
    label: 'Segment',
    key: 'segment',
    type: 'select',
    ...COMPANY_FIELD,
    show_deals: true,
    value: selectOptions('Startup', 'SMB', 'Enterprise', 'Public'),
  },
  {
    label: 'Interests',
    key: 'interests',
    type: 'multi_select',
    ...PEOPLE_FIELD,
    value: selectOptions('Pricing', 'Support', 'Integrations', 'Training'),
  },
  { label: 'Annual revenue', key: 'annual_revenue', type: 'number', ...COMPANY_FIELD },
  { label: 'LinkedIn', key: 'linkedin', type: 'link', ...CONTACT_FIELD },
  { label: 'Address', key: 'address', type: 'address', ...CONTACT_FIELD },
  { label: 'Notes', key: 'notes', type: 'long_text', ...CONTACT_FIELD, show_deals: true },
  { label: 'Reference', key: 'reference', type: 'text', ...DEFAULT_FIELD, show_deals: true },
]

/** Returns the tags, lists and custom fields of the workspace. Creates samples of each type that it lacks. */
export async function ensureLabels(
  { storage, newId, now }: Pick<Ports, 'storage' | 'newId' | 'now'>,
  workspaceId: string,
): Promise<Labels> {
  const timestamp = Date.parse(now())
  const base = (index: number) => ({ id: newId(), ...timesBeforeSpread(timestamp, index) })
  return storage.transact(async (tx) => {
    const stores = tx.workspace(workspaceId)
    const tags = await findOrInsert(stores.tags, () => TAGS.map((tag, index) => ({ ...base(index), ...tag })))
    const lists = await findOrInsert(stores.lists, () =>
      LISTS.map((list, index) => ({ ...base(index), ...list })),
    )
    const fields = await findOrInsert(stores.custom_fields, () =>
      FIELDS.map((field, index) => ({ ...base(index), ...field })),
    )
    return {
      tags: tags.map(({ id }) => id),
      lists: lists.map(({ id }) => id),
      fields: {
        people: fields.filter(({ show_people }) => show_people),
        companies: fields.filter(({ show_companies }) => show_companies),
        deals: fields.filter(({ show_deals }) => show_deals),
      },
    }
  })
}

async function findOrInsert<R extends RecordBase>(
  store: RecordStore<R>,
  make: () => readonly R[],
): Promise<readonly R[]> {
  const existing = await store.find([])
  if (existing.length > 0) return existing
  const records = make()
  await store.insertMany(records)
  return records
}

function selectOptions(...names: readonly string[]): CustomField['value'] {
  return { select_list: names.map((option) => ({ key: option.toLowerCase(), option })) }
}
