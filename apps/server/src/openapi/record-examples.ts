const MARCH = '2026-03-01T12:00:00.000Z'
const FEBRUARY = '2026-02-01T12:00:00.000Z'
const timestamps = (instant: string) => ({ created_at: instant, updated_at: instant })
const file = (key: string) => `https://crm.example/files/01a1fc31-266f-71b1-a74e-0e333b1a6109/${key}`

const owner = { id: '01a1fc31-2670-7519-b740-1c4078945b9e', name: 'Ana Lima', email: 'ana@demo.example' }
const tag = {
  id: '01a1fc31-273f-731b-91b7-38e80584f6e8',
  key: 'lead_quente',
  name: 'Lead Quente',
  color: '#f59e0b',
  ...timestamps(FEBRUARY),
}
const list = {
  id: '01a1fc31-2741-740d-94a4-341912156ec7',
  name: 'Feira de março',
  description: 'Who left a card at our stand',
  ...timestamps(FEBRUARY),
}
const email = { email: 'vitoria.barbosa@pampa.example', type: 'work' }
const phone = { phone: '+55 41 90000-6230', type: 'mobile' }
const companySummary = {
  id: '01a1fc31-2721-7fc2-8286-c15d94073769',
  full_name: 'Pampa Consultoria',
  emails: [{ email: 'contato@pampa.example', type: 'work' }],
  phones: [{ phone: '+55 31 90000-1016', type: 'work' }],
  ...timestamps(FEBRUARY),
}
const personSummary = {
  id: '01a1fc31-2860-78c5-98aa-1e202d361899',
  full_name: 'Vitória Silveira Barbosa',
  emails: [email],
  phones: [phone],
  score: 32,
  position: 'Gerente de Vendas',
  ...timestamps(MARCH),
}
const segment = {
  id: '01a1fc31-274d-70a6-816a-d2936fbbfe75',
  key: 'segment',
  label: 'Segmento',
  type: 'select',
  value: 'retail',
}
const person = {
  ...personSummary,
  entity_id: 'P-9Y5A218',
  avatar_url: null,
  owner,
  company: companySummary,
  custom_fields: [segment],
  tags: [tag],
  lists: [list],
}
const dealSummary = {
  id: '01a1fc31-2893-73f4-b1ec-06392a46e760',
  name: 'Licenças anuais',
  amount: 135000,
  currency: 'BRL',
  formatted_amount: 'R$\u00a01.350,00',
  pipeline: { id: '01a1fc31-27ed-715d-997e-edbad52085a0', name: 'New business' },
  stage: { id: '01a1fc31-27f8-7a3c-b71e-038072f5a52d', name: 'Demo', type: 'open' },
  source: 'LinkedIn',
  forecast_date: '2026-05-02T02:59:00.000Z',
  ...timestamps(MARCH),
}
const taskType = {
  id: '01a1fc31-2671-7af2-a2c2-17242f8ce5ff',
  title: 'Email',
  color: '#6b7280',
  key: 'email',
  ...timestamps(FEBRUARY),
}
const stage = (id: string, name: string, type: string, probability: number) => ({
  id,
  name,
  type,
  probability,
  created_at: MARCH,
})

/** Examples of records by schema name. Examples of list items are derived from them. */
const INVITATION = {
  id: '01a1fc31-2a44-7d10-8b8e-6f0c1f2a9b70',
  email: 'elvira@pampa.example',
  role: 'member',
  expires_at: '2026-02-17T09:30:00.000Z',
  created_at: '2026-02-10T09:30:00.000Z',
}

export const RECORD_EXAMPLES: Readonly<Record<string, object>> = {
  Person: person,
  PersonSummary: personSummary,
  PersonSnapshot: { ...person, email: { '0': email.email } },
  Company: {
    ...companySummary,
    entity_id: 'C-VY0CBT3',
    website: 'https://www.pampa.example',
    avatar_url: null,
    owner: null,
    custom_fields: [],
    tags: [],
    lists: [],
  },
  CompanySummary: companySummary,
  Deal: {
    ...dealSummary,
    entity_id: 'D-0EB2A22',
    closed_at: null,
    owner,
    person: personSummary,
    company: null,
    custom_fields: [
      {
        ...segment,
        id: '01a1fc31-2770-7203-ad05-6722ed3ab596',
        key: 'contract_until',
        label: 'Contract until',
        type: 'date',
        value: '2027-04-30',
      },
    ],
    tags: [tag],
    lists: [],
  },
  DealSummary: dealSummary,
  Pipeline: {
    id: '01a1fc31-2847-7388-868d-b5345a064ea4',
    name: 'Renewals',
    stages: [
      stage('01a1fc31-2847-7c22-8966-72de760869f2', 'In talks', 'open', 50),
      stage('01a1fc31-2847-7b27-8402-1c314ecb0e31', 'Renewed', 'win', 100),
    ],
    created_at: MARCH,
  },
  Task: {
    id: '01a1fc31-2a0d-7b90-913e-d0f2e07b552c',
    title: 'Send the proposal',
    notes: null,
    due_date: '2026-12-02T02:59:00.000Z',
    type: taskType,
    priority: 'medium',
    completed: false,
    person: null,
    company: null,
    deal: dealSummary,
    owner: null,
    ...timestamps(MARCH),
  },
  TaskType: taskType,
  Activity: {
    id: '01a1fc31-29eb-7612-82a8-d496972b9722',
    entity: 'people',
    entity_id: personSummary.id,
    content_html: '<p>Called: she wants <b>twenty</b> licences.</p>',
    attachments_count: 1,
    owner,
    created_at: MARCH,
    updated_at: null,
    attachments: [
      {
        id: '01a1fc31-29eb-777d-afeb-106406e695a8',
        filename: 'Proposta.txt',
        content_type: 'text/plain; charset=utf-8',
        size: 15,
        url: file('205bbe4cda1e5e166bbc774e144f07e8502d8d6cfd52f3c4aba2d8df5ef5a291'),
      },
    ],
  },
  Product: {
    id: '01a1fc31-27eb-755b-86fb-5125e1eadadb',
    name: 'Licença anual',
    currency: 'BRL',
    price_cts: 135000,
    description: 'Por usuário',
    code: 'LIC-12',
    is_active: true,
    billing_cycle: 'annually',
    image_url: file('a8edf96d49f56492e12693edfc7083f4e63bc8430e7cab1fa1a4ee602e89db09'),
    created_at: FEBRUARY,
  },
  Tag: tag,
  List: { ...list, records_count: 1 },
  ListSummary: list,
  CustomField: {
    id: segment.id,
    label: 'Segmento',
    key: 'segment',
    type: 'select',
    value: {
      select_list: [
        { key: 'retail', option: 'Varejo' },
        { key: 'industry', option: 'Indústria' },
      ],
    },
    required: false,
    show_people: true,
    show_companies: true,
    show_deals: false,
    created_at: FEBRUARY,
  },
  CustomFieldValue: segment,
  Owner: owner,
  Member: { ...owner, role: 'owner', created_at: FEBRUARY, removed_at: null, reassignment: null },
  Reassignment: { reassign_to: owner, total: 48, reassigned: 12, refused: 0, ended_at: null },
  MemberListItem: { ...owner, role: 'owner' },
  Invitation: { ...INVITATION, link: 'https://crm.example.com/invitations/crm_in_0198c0de' },
  InvitationListItem: INVITATION,
  MemberSnapshot: { ...owner, role: 'owner', created_at: FEBRUARY },
  Examples: { examples: 35 },
  ExampleRemoval: {
    removed: 34,
    kept: [{ kind: 'deals', id: '01a1fc31-2860-78c5-98aa-1e202d361899', name: 'Sofas', reason: 'changed' }],
  },
  KeptExample: {
    ...{ kind: 'deals', id: '01a1fc31-2860-78c5-98aa-1e202d361899', name: 'Sofas', reason: 'changed' },
  },
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
    storage: { records: 1250, max_records: 1_000_000, bytes: 48_000_000, max_bytes: 10_000_000_000 },
    examples: 0,
    time_zone_change: null,
  },
}
