const COMPANY_ID = '01a1fc31-2721-7fc2-8286-c15d94073769'
const PERSON_ID = '01a1fc31-2860-78c5-98aa-1e202d361899'

/** Examples of requests by schema name. */
export const INPUT_EXAMPLES: Readonly<Record<string, object>> = {
  NewPerson: {
    full_name: 'Vitória Silveira Barbosa',
    emails: [{ email: 'vitoria.barbosa@pampa.example' }],
    phones: [{ phone: '+55 41 90000-6230', type: 'mobile' }],
    position: 'Gerente de Vendas',
  },
  PersonChanges: { position: 'Diretora de Vendas', score: 60 },
  NewCompany: {
    full_name: 'Pampa Consultoria',
    website: 'https://www.pampa.example',
    emails: [{ email: 'contato@pampa.example' }],
  },
  CompanyChanges: { website: null },
  NewDeal: {
    name: 'Licenças anuais',
    amount: 135000,
    currency: 'BRL',
    forecast_date: '2026-05-01T23:59:00-03:00',
  },
  DealChanges: { amount: 150000, source: 'LinkedIn' },
  NewPipeline: {
    name: 'Renewals',
    stages: [{ name: 'In talks' }, { name: 'Renewed', type: 'win' }, { name: 'Cancelled', type: 'lost' }],
  },
  PipelineChanges: { name: 'Renewals and upgrades' },
  NewTask: {
    title: 'Send the proposal',
    type: 'email',
    due_date: '2026-12-01T23:59:00-03:00',
    priority: 'high',
  },
  TaskChanges: { completed: true },
  NewTaskType: { title: 'Product demo', color: '#1d4ed8' },
  TaskTypeChanges: { color: '#1d4ed8' },
  NewActivity: {
    entity: 'people',
    entity_id: PERSON_ID,
    content_html: '<p>Called: she wants <b>twenty</b> licences.</p>',
  },
  ActivityChanges: { entity: 'companies', entity_id: COMPANY_ID },
  NewProduct: {
    name: 'Licença anual',
    currency: 'BRL',
    price_cts: 135000,
    code: 'LIC-12',
    billing_cycle: 'annually',
  },
  ProductChanges: { price_cts: 140000, is_active: false },
  NewInvitation: { email: 'elvira@pampa.example', role: 'member' },
  MemberChanges: { role: 'admin' },
  WorkspaceChanges: { currency: 'BRL', time_zone: 'America/Sao_Paulo' },
  NewTag: { name: 'Lead Quente', color: '#f59e0b' },
  TagChanges: { name: 'Lead Frio' },
  NewList: { name: 'Feira de março', description: 'Who left a card at our stand' },
  ListChanges: { description: null },
  NewCustomField: {
    label: 'Segmento',
    key: 'segment',
    type: 'select',
    value: {
      select_list: [
        { key: 'retail', option: 'Varejo' },
        { key: 'industry', option: 'Indústria' },
      ],
    },
  },
  CustomFieldChanges: { label: 'Segmento de mercado', show_deals: true },
  EmailInput: { email: 'vitoria.barbosa@pampa.example', type: 'work' },
  PhoneInput: { phone: '+55 41 90000-6230', type: 'mobile' },
  CustomFieldInput: { key: 'segment', value: 'retail' },
  AttachmentInput: { filename: 'Proposta.txt', content: 'T2zDoQ==' },
  NewStage: { name: 'Renewed', type: 'win' },
  StageChange: { id: '01a1fc31-2847-7c22-8966-72de760869f2', name: 'In negotiation' },
  SelectOptionInput: { key: 'retail', option: 'Varejo' },
}
