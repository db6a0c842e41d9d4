import { describe, expect, test } from 'vitest'
import { describeTarget } from '../../../../test/column-proposals.ts'
import { proposeColumns } from './propose-columns.ts'
import { detectSystem } from './systems.ts'

/** A file of another system: for each column its header, a value, and the field that it becomes. */
type Export = readonly (readonly [header: string, value: string, field: string])[]

const EXPORTS: Readonly<Record<string, Export>> = {
  'HubSpot contacts': [
    ['Record ID', '1', 'people external_id of HubSpot'],
    ['First Name', 'Elisa', 'people first_name'],
    ['Last Name', 'Prado', 'people last_name'],
    ['Email', 'elisa@x.example', 'people emails:work'],
    ['Phone Number', '+55 11 4000-0002', 'people phones:work'],
    ['Mobile Phone Number', '+55 11 90000-0002', 'people phones:mobile'],
    ['Job Title', 'CEO', 'people position'],
    ['Contact owner', 'Ana Lima', 'people owner_email'],
    ['Lifecycle Stage', 'lead', 'new people text'],
    ['Lead Status', 'New', 'new people text'],
    ['Associated Company', 'Pampa', 'companies full_name'],
    ['Street Address', 'Rua A', 'new people text'],
    ['City', 'Natal', 'new people text'],
    ['State/Region', 'RN', 'new people text'],
    ['Postal Code', '59000000', 'new people text'],
    ['Country/Region', 'Brasil', 'new people text'],
    ['Create Date', '2026-01-31 10:00', 'people created_at'],
    ['Email Opt Out', 'No', 'new people text'],
    ['Unsubscribed from all email', 'No', 'new people text'],
    ['Email Domain', 'x.example', 'describes'],
    ['Additional email addresses', 'e@x.example;f@x.example', 'people emails:other'],
    ['Last marketing email open date', '2026-01-31', 'new people date'],
    ['Website URL', 'pampa.example', 'companies website'],
    ['Annual Revenue', '', 'empty'],
  ],
  'HubSpot companies': [
    ['Record ID', '1', 'companies external_id of HubSpot'],
    ['Company name', 'Pampa', 'companies full_name'],
    ['Company Domain Name', 'pampa.example', 'companies website'],
    ['Industry', 'Retail', 'new companies text'],
    ['Company owner', 'ana@x.example', 'companies owner_email'],
    ['Phone Number', '+55 11 4000-0002', 'companies phones:work'],
  ],
  'HubSpot deals': [
    ['Record ID', '1', 'deals external_id of HubSpot'],
    ['Deal Name', 'Licences', 'deals name'],
    ['Deal Stage', 'Demo', 'deals stage'],
    ['Pipeline', 'Sales', 'deals pipeline'],
    ['Amount', '1200.50', 'deals amount'],
    ['Currency', 'BRL', 'deals currency'],
    ['Close Date', '2026-01-31', 'deals forecast_date'],
    ['Deal owner', 'Ana Lima', 'deals owner_email'],
    ['Closed Lost Reason', 'Price', 'new deals text'],
    ['Closed Won Reason', 'Price', 'new deals text'],
    ['Create Date', '2026-01-31', 'deals created_at'],
    ['Associated Company', 'Pampa', 'companies full_name'],
    ['Associated Contact', 'Elisa Prado', 'people full_name'],
  ],
  Pipedrive: [
    ['Person - Name', 'Helena Dias', 'people full_name'],
    ['Person - Email - Work', 'helena@ipe.example', 'people emails:work'],
    ['Person - Email - Home', '', 'people emails:home'],
    ['Person - Phone - Work', '(11) 4000-4417', 'people phones:work'],
    ['Person - Phone - Mobile', '(11) 90000-4417', 'people phones:mobile'],
    ['Person - Organization', 'Grupo Ipê', 'same_as'],
    ['Person - Marketing status', 'no consent', 'new people text'],
    ['Organization - Name', 'Grupo Ipê', 'companies full_name'],
    ['Organization - Address', 'Rua das Acácias 310', 'new companies text'],
    ['Organization - CNPJ', '12.ABC.345/01DE-35', 'new companies cnpj'],
    ['Deal - Title', 'Propostas', 'deals name'],
    ['Deal - Value', '33.600,00', 'deals amount'],
    ['Deal - Currency of Value', 'BRL', 'deals currency'],
    ['Deal - Stage', 'Proposta', 'deals stage'],
    ['Deal - Pipeline', 'Vendas', 'deals pipeline'],
    ['Deal - Status', 'won', 'deals status'],
    ['Deal - Owner', 'Rita Sá', 'deals owner_email'],
    ['Deal - Expected close date', '18/12/2026', 'deals forecast_date'],
    ['Deal - Won time', '12/03/2024 09:14', 'deals closed_at:won'],
    ['Deal - Lost time', '', 'deals closed_at:lost'],
    ['Deal - Lost reason', 'preço', 'new deals text'],
    ['Deal - Deal created', '12/03/2024 09:14', 'deals created_at'],
    ['Deal - ID', '20417', 'deals external_id of Pipedrive'],
    ['Deal - Weighted value', '16.800,00', 'derived'],
    ['Deal - Contact person', 'Helena Dias', 'same_as'],
  ],
  'Salesforce contacts': [
    ['First Name', 'Elisa', 'people first_name'],
    ['Last Name', 'Prado', 'people last_name'],
    ['Title', 'CEO', 'people position'],
    ['Account Name', 'Pampa', 'companies full_name'],
    ['Email', 'elisa@x.example', 'people emails:work'],
    ['Phone', '(11) 4000-0002', 'people phones:work'],
    ['Mobile', '(11) 90000-0002', 'people phones:mobile'],
    ['Mailing Street', 'Rua A', 'new people text'],
    ['Mailing City', 'Natal', 'new people text'],
    ['Mailing State/Province', 'RN', 'new people text'],
    ['Mailing Zip/Postal Code', '59000', 'new people text'],
    ['Mailing Country', 'Brazil', 'new people text'],
    ['Contact Owner', 'Ana Lima', 'people owner_email'],
    ['Contact ID', '0035g00000A', 'people external_id of Salesforce'],
    ['Account ID', '0015g00000B', 'companies external_id of Salesforce'],
    ['Email Opt Out', '0', 'new people text'],
    ['Do Not Call', '1', 'new people text'],
  ],
  'Salesforce opportunities': [
    ['Opportunity Name', 'Licences', 'deals name'],
    ['Account Name', 'Pampa', 'companies full_name'],
    ['Stage', 'Prospecting', 'deals stage'],
    ['Amount', '1200.5', 'deals amount'],
    ['Close Date', '1/31/2026', 'deals forecast_date'],
    ['Probability (%)', '10', 'new deals number'],
    ['Opportunity Owner', 'Ana Lima', 'deals owner_email'],
  ],
  'Google Contacts': [
    ['First Name', 'Elisa', 'people first_name'],
    ['Middle Name', '', 'people middle_name'],
    ['Last Name', 'Prado', 'people last_name'],
    ['File As', 'Prado, Elisa', 'derived'],
    ['Name Prefix', 'Dr.', 'new people text'],
    ['Organization Name', 'Pampa', 'companies full_name'],
    ['Organization Title', 'CEO', 'people position'],
    ['Notes', 'Met in May', 'activities content_html'],
    ['Labels', '* myContacts ::: VIP', 'people tags'],
    ['E-mail 1 - Label', '* Home', 'describes'],
    ['E-mail 1 - Value', 'elisa@x.example', 'people emails:home'],
    ['E-mail 2 - Label', '* Work', 'describes'],
    ['E-mail 2 - Value', 'e@x.example', 'people emails:work'],
    ['Phone 1 - Label', 'Mobile', 'describes'],
    ['Phone 1 - Value', '+55 11 90000-0002 ::: +55 11 4000-0003', 'people phones:mobile'],
    ['Address 1 - Label', 'Home', 'describes'],
    ['Address 1 - Street', 'Rua A', 'new people text'],
    ['Website 1 - Label', 'Blog', 'describes'],
    ['Website 1 - Value', 'https://x.example', 'new people link'],
  ],
  'Google Contacts (old)': [
    ['Name', 'Elisa Prado', 'people full_name'],
    ['Given Name', 'Elisa', 'people first_name'],
    ['Family Name', 'Prado', 'people last_name'],
    ['Group Membership', '* myContacts ::: Clients', 'people tags'],
    ['E-mail 1 - Type', '* Work', 'describes'],
    ['E-mail 1 - Value', 'elisa@x.example', 'people emails:work'],
    ['Phone 1 - Type', 'Mobile', 'describes'],
    ['Phone 1 - Value', '+55 11 90000-0002', 'people phones:mobile'],
    ['Organization 1 - Name', 'Pampa', 'companies full_name'],
    ['Organization 1 - Title', 'CEO', 'people position'],
  ],
  Outlook: [
    ['First Name', 'Dora', 'people first_name'],
    ['Middle Name', '', 'people middle_name'],
    ['Last Name', 'Pires', 'people last_name'],
    ['Title', 'Dr.', 'new people text'],
    ['Suffix', '', 'empty'],
    ['Company', 'Pampa', 'companies full_name'],
    ['Job Title', 'Sales Director', 'people position'],
    ['E-mail Address', 'dora@x.example', 'people emails:work'],
    ['E-mail Type', 'SMTP', 'describes'],
    ['E-mail Display Name', 'Dora Pires (dora@x.example)', 'describes'],
    ['E-mail 2 Address', 'd@x.example', 'people emails:work'],
    ['Business Phone', '+55 11 2', 'people phones:work'],
    ['Mobile Phone', '+55 11 4', 'people phones:mobile'],
    ['Home Phone', '+55 11 3', 'people phones:home'],
    ['Business Fax', '1140000002', 'new people text'],
    ['Assistant’s Phone', '+55 11 6', 'new people text'],
    ['Business Street', 'Rua A', 'new people text'],
    ['Categories', 'Blue', 'people tags'],
    ['Notes', 'Likes tea', 'activities content_html'],
  ],
  'RD Station': [
    ['Email', 'elisa@x.example', 'people emails:work'],
    ['Nome', 'Elisa Prado', 'people full_name'],
    ['Telefone', '(11) 4000-0002', 'people phones:work'],
    ['Celular', '(11) 90000-0002', 'people phones:mobile'],
    ['Cargo', 'CEO', 'people position'],
    ['Empresa', 'Pampa', 'companies full_name'],
    ['Estado', 'RN', 'new people text'],
    ['Cidade', 'Natal', 'new people text'],
    ['Tags', 'vip, feira', 'people tags'],
    ['Lead Scoring - Perfil', 'A', 'new people text'],
    ['Lead Scoring - Interesse', '240', 'new people number'],
    ['Data da primeira conversão', '31/01/2026 10:00', 'new people date'],
    ['Origem da primeira conversão', 'Busca orgânica', 'new people text'],
    ['Total de conversões', '3', 'new people number'],
    ['Base legal para comunicação', 'Consentimento', 'new people text'],
    ['[CRM] Valor da última venda', 'R$ 1.200,50', 'new people number'],
  ],
  'Twenty people': [
    ['Id', '01a1fc31-2860-78c5-98aa-1e202d361899', 'people external_id of Twenty'],
    ['Creation date', '2026-01-31T10:00:00Z', 'people created_at'],
    ['First Name', 'Elisa', 'people first_name'],
    ['Last Name', 'Prado', 'people last_name'],
    ['Emails / Primary Email', 'elisa@x.example', 'people emails:work'],
    ['Phones / Primary Phone Number', '11900000002', 'people phones:work'],
    ['Job Title', 'CEO', 'people position'],
    ['Company / Id', '01a1fc31-2721-7fc2-8286-c15d94073769', 'companies external_id of Twenty'],
  ],
  'Twenty opportunities': [
    ['Name', 'Licences', 'deals name'],
    ['Amount / Amount', '1200.5', 'deals amount'],
    ['Amount / Currency Code', 'BRL', 'deals currency'],
    ['Close date', '2026-01-31T10:00:00Z', 'deals forecast_date'],
    ['Stage', 'MEETING', 'deals stage'],
  ],
}

function propose(columns: Export) {
  return proposeColumns(
    columns.map(([name, value]) => ({ name, values: [value] })),
    { customFields: [] },
  )
}

describe.each(Object.entries(EXPORTS))('a file of %s', (system, columns) => {
  const headers = columns.map(([header]) => header)

  test('is recognized, in other cases and beside other columns too', () => {
    expect(detectSystem(headers)).toBe(system)
    expect(detectSystem([...headers.map((header) => header.toUpperCase()), 'Other', 'Última compra'])).toBe(
      system,
    )
  })

  test('needs no column to be set by hand', () => {
    const fields = propose(columns).map((proposal) => [proposal.header, describeTarget(proposal)])
    expect(fields).toEqual(columns.map(([header, , field]) => [header, field]))
  })
})

test('a proposal says which system has the name', () => {
  expect(propose(EXPORTS['HubSpot contacts']!)[6]).toEqual({
    column: 6,
    header: 'Job Title',
    target: { kind: 'people', field: 'position' },
    reason: { code: 'header', header: 'Job Title', system: 'HubSpot contacts' },
  })
})

test.each([
  [['Nome', 'E-mail', 'Telefone']],
  [['First Name', 'Last Name', 'Email', 'Phone']],
  [['Deal', 'Amount', 'Stage']],
  [['Name', 'Title - Old']],
  [[]],
])('%j is of no known system', (headers) => {
  expect(detectSystem(headers)).toBeUndefined()
})
