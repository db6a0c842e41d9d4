import type { Texts } from '../../texts/en.ts'
import type { ImportKind } from '../can-import.ts'

type PageLabel = keyof Texts['labels']

/** A field that a column can become. */
interface TargetField {
  /** Its label on the pages of records. Absent if only imports name it. */
  readonly label?: PageLabel
  /** How the values of a column are read, if there is a choice. */
  readonly format?: 'number' | 'date'
}

type TargetFields = Readonly<Record<string, TargetField>>

const DATE = { format: 'date' } as const
const NAME = { name: { label: 'name' } } as const
const CURRENCY = { currency: { label: 'currency' } } as const
const EMAILS: TargetFields = { 'emails:work': {}, 'emails:home': {}, 'emails:other': {} }
const PHONES: TargetFields = { 'phones:mobile': {}, 'phones:work': {}, 'phones:home': {}, 'phones:other': {} }
const OWNED: TargetFields = { owner_email: {}, tags: {}, lists: {} }
const ORIGIN: TargetFields = { external_id: {}, created_at: DATE }

/** The fields of each kind, in the order of menus. */
export const TARGET_FIELDS: Readonly<Record<ImportKind, TargetFields>> = {
  people: {
    full_name: { label: 'name' },
    ...{ first_name: {}, middle_name: {}, last_name: {}, ...EMAILS, ...PHONES },
    position: { label: 'position' },
    score: { label: 'score', format: 'number' },
    ...{ avatar_url: {}, ...OWNED, ...ORIGIN },
  },
  companies: {
    full_name: { label: 'name' },
    website: { label: 'website' },
    ...{ ...EMAILS, ...PHONES, avatar_url: {}, ...OWNED, ...ORIGIN },
  },
  deals: {
    ...NAME,
    amount: { label: 'amount', format: 'number' },
    ...CURRENCY,
    pipeline: { label: 'pipeline' },
    stage: { label: 'stage' },
    status: {},
    forecast_date: { label: 'forecast', ...DATE },
    source: { label: 'source' },
    ...OWNED,
    ...{ closed_at: DATE, 'closed_at:won': DATE, 'closed_at:lost': DATE, stage_entered_at: DATE },
    ...ORIGIN,
  },
  products: {
    ...NAME,
    price_cts: { label: 'price', format: 'number' },
    ...CURRENCY,
    code: { label: 'code' },
    description: { label: 'description' },
    billing_cycle: { label: 'billing' },
    is_active: { label: 'active' },
    ...ORIGIN,
  },
  tasks: {
    title: { label: 'title' },
    notes: {},
    due_date: DATE,
    type: { label: 'type' },
    priority: { label: 'priority' },
    completed: { label: 'done' },
    owner_email: {},
    ...ORIGIN,
  },
  activities: { content_html: {}, owner_email: {}, ...ORIGIN },
}

/** The labels of fields that columns become under other names. */
const OTHER_LABELS: Readonly<Record<string, PageLabel>> = {
  ...{ emails: 'email', phones: 'phone', owner_user_id: 'owner', pipeline_id: 'pipeline', stage_id: 'stage' },
}

/** Fields of one name have one label, whatever their kind. */
const PAGE_LABELS: ReadonlyMap<string, PageLabel | undefined> = new Map([
  ...Object.values(TARGET_FIELDS).flatMap((fields) =>
    Object.entries(fields).map(([field, { label }]) => [field, label] as const),
  ),
  ...Object.entries(OTHER_LABELS),
])

/** The label of a field on the pages of records, if it is there. */
export function pageLabel(field: string): PageLabel | undefined {
  return PAGE_LABELS.get(field)
}
