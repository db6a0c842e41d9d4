/** Examples of requests by schema name, except those of records. */
export const INPUT_EXAMPLES: Readonly<Record<string, object>> = {
  NewInvitation: { email: 'elvira@pampa.example', role: 'member' },
  MemberChanges: { role: 'admin' },
  WorkspaceChanges: { currency: 'BRL', time_zone: 'America/Sao_Paulo' },
  Shares: { shares: [{ team_id: '01a1fc31-2a14-7c3e-9f10-0d8a5c6e21b7', access: 'read' }] },
  MembershipChanges: { add_tags: ['lead_quente'], remove_lists: ['01a1fc31-2741-740d-94a4-341912156ec7'] },
  Batch: {
    operations: [
      { op: 'create', record: { full_name: 'Vitória Silveira Barbosa' } },
      { op: 'delete', id: '01a1fc31-2860-78c5-98aa-1e202d361899' },
    ],
  },
  PersonQuery: {
    filter: { field: 'score', op: 'greater', value: 50 },
    order_by: 'score,full_name',
    order: 'desc,asc',
  },
  CompanyQuery: { filter: { field: 'full_name', op: 'contains', value: 'pampa' } },
  DealQuery: { filter: { field: 'amount', op: 'between', value: [100000, 500000] }, order_by: 'amount' },
  TaskQuery: { filter: { field: 'due_date', op: 'in_next', value: 7 } },
  ProductQuery: { filter: { field: 'currency', op: 'is', value: 'BRL' } },
  PersonUpsert: {
    match: { external_id: { source: 'hubspot', id: '4711' } },
    record: { full_name: 'Vitória Silveira Barbosa', position: 'Diretora de Vendas' },
  },
  CompanyUpsert: {
    match: { email: 'contato@pampa.example' },
    record: { full_name: 'Pampa Consultoria', website: 'https://www.pampa.example' },
  },
  DealUpsert: {
    match: { external_id: { source: 'hubspot', id: '9021' } },
    record: { name: 'Licenças anuais', amount: 135000 },
  },
  ProductUpsert: {
    match: { code: 'LIC-12' },
    record: { name: 'Licença anual', currency: 'BRL', price_cts: 135000 },
  },
  ExternalIdInput: { source: 'hubspot', id: '4711' },
  EmailInput: { email: 'vitoria.barbosa@pampa.example', type: 'work' },
  PhoneInput: { phone: '+55 41 90000-6230', type: 'mobile' },
  CustomFieldInput: { key: 'segment', value: 'retail' },
  AttachmentInput: { filename: 'Proposta.txt', content: 'T2zDoQ==' },
  NewStage: { name: 'Renewed', type: 'win' },
  StageChange: { id: '01a1fc31-2847-7c22-8966-72de760869f2', name: 'In negotiation' },
  SelectOptionInput: { key: 'retail', option: 'Varejo' },
}
