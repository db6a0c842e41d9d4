import { exampleOf } from '@sales-crm/core/declarations'

const FEBRUARY = '2026-02-01T12:00:00.000Z'
const INVITATION = {
  id: '01a1fc31-2a44-7d10-8b8e-6f0c1f2a9b70',
  email: 'elvira@pampa.example',
  role: 'member',
  expires_at: '2026-02-17T09:30:00.000Z',
  created_at: '2026-02-10T09:30:00.000Z',
}
const KEPT_EXAMPLE = {
  kind: 'deals',
  id: '01a1fc31-2860-78c5-98aa-1e202d361899',
  name: 'Sofas',
  reason: 'changed',
}

/** Examples of responses by schema name, except the views of records. */
export const RECORD_EXAMPLES: Readonly<Record<string, object>> = {
  PersonSnapshot: { ...exampleOf('people', 'detail'), email: { '0': 'vitoria.barbosa@pampa.example' } },
  CustomFieldValue: {
    id: '01a1fc31-274d-70a6-816a-d2936fbbfe75',
    ...{ key: 'segment', label: 'Segmento', type: 'select', value: 'retail' },
  },
  SelectOption: { key: 'retail', option: 'Varejo' },
  Member: { ...exampleOf('members', 'detail'), reassignment: null },
  Reassignment: {
    reassign_to: exampleOf('members', 'reference'),
    ...{ total: 48, reassigned: 12, refused: 0, ended_at: null },
  },
  Invitation: { ...INVITATION, link: 'https://crm.example.com/invitations/crm_in_0198c0de' },
  InvitationListItem: INVITATION,
  MemberSnapshot: { ...exampleOf('members', 'item'), created_at: FEBRUARY },
  Examples: { examples: 35 },
  ExampleRemoval: { removed: 34, kept: [KEPT_EXAMPLE] },
  KeptExample: KEPT_EXAMPLE,
  TimeZoneChange: {
    ...{ time_zone: 'Europe/Berlin', total: 60, visited: 40, moved: 12, refused: 0 },
    ended_at: null,
  },
  Workspace: {
    id: '01a1fc31-266f-71b1-a74e-0e333b1a6109',
    name: 'Demo Ltda',
    slug: 'demo',
    country: 'BR',
    locale: 'pt-BR',
    currency: 'BRL',
    time_zone: 'America/Sao_Paulo',
    visibility: { people: 'everyone', companies: 'everyone', deals: 'team', tasks: 'everyone' },
    sender: {
      ...{ legal_name: 'Aurora Sistemas Ltda.', tax_id: '45.723.120/0001-10' },
      ...{ address: 'Rua das Palmeiras, 480', email: 'vendas@aurora.example', logo_url: null },
    },
    storage: { records: 1250, max_records: 1_000_000, bytes: 48_000_000, max_bytes: 10_000_000_000 },
    examples: 0,
    time_zone_change: null,
  },
}
