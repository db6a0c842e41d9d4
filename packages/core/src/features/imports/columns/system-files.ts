import { ADDRESS_BOOK_FILES } from './address-book-files.ts'
import type { SystemExport } from './system-export.ts'

const MAILING = [
  ...[
    'Mailing Street',
    'Mailing City',
    'Mailing State/Province',
    'Mailing Zip/Postal Code',
    'Mailing Country',
  ],
]

/** Exports of other systems, in the order of preference where several fit. */
export const SYSTEM_FILES = [
  {
    ...{ name: 'HubSpot contacts', source: 'HubSpot', kind: 'people' },
    signatures: [
      ['Contact owner'],
      ['Record ID', 'Email'],
      ['Record ID', 'First Name'],
      ['Lifecycle Stage', 'Email'],
      ['Lead Status', 'Email'],
      ['Marketing contact status'],
    ],
    headers: [
      ...[
        'First Name',
        'Last Name',
        'Phone Number',
        'Mobile Phone Number',
        'Job Title',
        'Associated Company',
      ],
      ...[
        'Street Address',
        'City',
        'State/Region',
        'Postal Code',
        'Country/Region',
        'Create Date',
        'Website URL',
      ],
      ...['Email Domain', 'Email Opt Out', 'Additional email addresses', 'Unsubscribed from all email'],
      ...['Owner Assigned Date', 'Last Activity Date', 'Company Name', 'Associated Company IDs'],
    ],
  },
  {
    ...{ name: 'HubSpot companies', source: 'HubSpot', kind: 'companies' },
    signatures: [['Company Domain Name'], ['Company owner'], ['Record ID', 'Company name']],
    headers: [
      ...['Record ID', 'Company name', 'Industry', 'Phone Number', 'Create Date', 'City', 'State/Region'],
      ...[
        'Country/Region',
        'Postal Code',
        'Street Address',
        'Number of Employees',
        'Annual Revenue',
        'Website URL',
      ],
      ...['Lifecycle Stage', 'Lead Status', 'Associated Contact', 'Associated Contact IDs'],
    ],
  },
  {
    ...{ name: 'HubSpot deals', source: 'HubSpot', kind: 'deals' },
    signatures: [
      ['Deal owner'],
      ['Deal Name', 'Deal Stage'],
      ['Record ID', 'Deal Name'],
      ['Closed Won Reason'],
    ],
    headers: [
      ...[
        'Record ID',
        'Deal Name',
        'Deal Stage',
        'Pipeline',
        'Amount',
        'Currency',
        'Close Date',
        'Create Date',
      ],
      ...['Closed Lost Reason', 'Deal Type', 'Priority', 'Associated Company', 'Associated Contact'],
      ...['Associated Company IDs', 'Associated Contact IDs', 'Deal Description'],
    ],
  },
  // Found by the form of its headers.
  { ...{ name: 'Pipedrive', source: 'Pipedrive', kind: 'deals' }, signatures: [], headers: [] },
  {
    ...{ name: 'Salesforce contacts', source: 'Salesforce', kind: 'people' },
    signatures: [
      ['Contact ID'],
      ['Account Name', 'Contact Owner'],
      ['Account Name', 'Mailing Street'],
      ['Account Name', 'Email Opt Out'],
      ['Account Name', 'Do Not Call'],
      ['Last Name', 'Mailing City'],
    ],
    headers: [
      ...['First Name', 'Last Name', 'Title', 'Email', 'Phone', 'Mobile', 'Account ID', 'Salutation', 'Fax'],
      ...[
        'Department',
        'Lead Source',
        'Birthdate',
        'Contact Owner Alias',
        'Full Name',
        'Created Date',
        ...MAILING,
      ],
    ],
  },
  {
    ...{ name: 'Salesforce accounts', source: 'Salesforce', kind: 'companies' },
    signatures: [
      ['Account Name', 'Billing Street'],
      ['Account Name', 'Billing City'],
      ['Account Name', 'Account Owner'],
    ],
    headers: [
      ...[
        'Account ID',
        'Billing State/Province',
        'Billing Zip/Postal Code',
        'Billing Country',
        'Website',
        'Phone',
      ],
      ...['Type', 'Industry', 'Parent Account', 'Employees', 'Annual Revenue', 'Created Date'],
    ],
  },
  {
    ...{ name: 'Salesforce opportunities', source: 'Salesforce', kind: 'deals' },
    signatures: [['Opportunity Name'], ['Opportunity Owner'], ['Opportunity ID']],
    headers: [
      ...[
        'Account Name',
        'Stage',
        'Amount',
        'Amount Currency',
        'Close Date',
        'Probability (%)',
        'Lead Source',
      ],
      ...['Type', 'Next Step', 'Created Date', 'Expected Revenue', 'Account ID', 'Fiscal Period', 'Age'],
    ],
  },
  ...ADDRESS_BOOK_FILES,
  {
    ...{ name: 'RD Station', source: 'RD Station', kind: 'people' },
    signatures: [
      ['Lead Scoring - Perfil'],
      ['Lead Scoring - Interesse'],
      ['Data da primeira conversão'],
      ['Origem da primeira conversão'],
      ['Total de conversões'],
      ['Base legal para comunicação'],
    ],
    headers: [
      ...['Email', 'Nome', 'Telefone', 'Celular', 'Cargo', 'Empresa', 'Estado', 'Cidade', 'Tags', 'Website'],
      ...['[CRM] Valor da última venda', 'Data da última conversão', 'Origem da última conversão', 'Twitter'],
    ],
  },
  {
    ...{ name: 'Twenty people', source: 'Twenty', kind: 'people' },
    signatures: [['Emails / Primary Email'], ['Phones / Primary Phone Number'], ['Name / First Name']],
    headers: [
      ...[
        'Id',
        'Creation date',
        'First Name',
        'Last Name',
        'Job Title',
        'Company / Id',
        'Last update',
        'City',
      ],
      ...['Name / Last Name', 'Emails / Additional Emails', 'Phones / Primary Phone Country Code'],
    ],
  },
  {
    ...{ name: 'Twenty companies', source: 'Twenty', kind: 'companies' },
    signatures: [['Domain Name / Link URL'], ['Domain / Primary Link URL'], ['ARR / Amount']],
    headers: ['Id', 'Creation date', 'Name', 'Employees', 'Linkedin / Link URL', 'Account Owner / Id'],
  },
  {
    ...{ name: 'Twenty opportunities', source: 'Twenty', kind: 'deals' },
    signatures: [['Amount / Amount'], ['Amount / Currency Code']],
    headers: ['Id', 'Creation date', 'Name', 'Close date', 'Stage', 'Company / Id', 'Point of Contact / Id'],
  },
] as const satisfies readonly SystemExport[]
