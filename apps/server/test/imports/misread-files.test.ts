import type { Actor, Crm } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { openService } from '../support/test-service.ts'

interface MisreadFile {
  readonly text: string
  /** What becomes of its rows, in the order of names. `fields` are the values of custom fields. */
  readonly people?: readonly object[]
  readonly companies?: readonly object[]
}

const work = (email: string) => [{ email, type: 'work' }]

/** Files that other systems are reported to misread. The workspace has fields called Address and Rate. */
const FILES: Readonly<Record<string, MisreadFile>> = {
  'a last name of its own column, in Portuguese': {
    text: 'Nome,Sobrenome,Email\nAnita,Garcia,anita@x.example',
    people: [{ full_name: 'Anita Garcia', emails: work('anita@x.example') }],
  },
  'a surname beside a name': {
    text: 'Name,Surname,Email\r\nAnita,"Garcia, Filha",anita@x.example\r\n',
    people: [{ full_name: 'Anita Garcia, Filha' }],
  },
  'an e-mail address, which is no postal address': {
    text: 'Name,Email Address,Address\nEva B,eva@x.example,\nRaul D,raul@x.example,Rua A',
    people: [
      { full_name: 'Eva B', emails: work('eva@x.example'), fields: {} },
      { full_name: 'Raul D', emails: work('raul@x.example'), fields: { address: { street: 'Rua A' } } },
    ],
  },
  'decimal points, in a workspace of decimal commas': {
    text: 'Full name,E-mail,Rate\nA B,a@x.example,0.125\nC D,c@x.example,0.500\nE F,e@x.example,10.075',
    people: [{ fields: { rate: 0.125 } }, { fields: { rate: 0.5 } }, { fields: { rate: 10.075 } }],
  },
  'decimal commas after a zero': {
    text: 'Full name;E-mail;Rate\nA B;a@x.example;0,125\nC D;c@x.example;0,500',
    people: [{ fields: { rate: 0.125 } }, { fields: { rate: 0.5 } }],
  },
  'an export of Google Contacts': {
    text: [
      'First Name,Last Name,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value',
      'Elisa,Prado,* myContacts ::: VIP,* Work,elisa@x.example,Mobile,+55 11 4000-0002 ::: +55 11 4000-0003',
    ].join('\r\n'),
    people: [
      {
        full_name: 'Elisa Prado',
        emails: [{ email: 'elisa@x.example' }],
        phones: [{ phone: '+55 11 4000-0002' }, { phone: '+55 11 4000-0003' }],
        tags: [{ name: 'VIP' }],
      },
    ],
  },
  'an export of HubSpot': {
    text: [
      'Record ID,First Name,Last Name,Email,Email Opt Out,Email Domain',
      '1,Elisa,Prado,elisa@x.example,No,x.example',
    ].join('\n'),
    people: [
      {
        full_name: 'Elisa Prado',
        emails: work('elisa@x.example'),
        external_ids: [{ source: 'hubspot', id: '1' }],
      },
    ],
  },
  'an export of Outlook, whose Title is part of a name': {
    text: [
      'First Name,Last Name,Title,Job Title,E-mail Address',
      'Dora,Pires,Dr.,Sales Director,d@x.example',
    ].join('\r\n'),
    people: [{ full_name: 'Dora Pires', position: 'Sales Director', emails: work('d@x.example') }],
  },
  'line ends of two systems, the first of Windows': {
    text: 'Name,Email\r\nA B,ab@x.example\nC D,cd@x.example\r\n',
    people: [{ full_name: 'A B' }, { full_name: 'C D', emails: work('cd@x.example') }],
  },
  'line ends of two systems, the first of Unix': {
    text: 'Name,Email\nA B,ab@x.example\r\nC D,cd@x.example\n',
    people: [{ full_name: 'A B' }, { full_name: 'C D', emails: work('cd@x.example') }],
  },
  'currencies after numbers': {
    text: 'Company;Rate\nA;12,50 €\nB;1.234,56\u00A0€\nC;EUR 12\nD;R$ 1.234,50\nE;\u22125',
    companies: [
      { fields: { rate: 12.5 } },
      { fields: { rate: 1234.56 } },
      { fields: { rate: 12 } },
      { fields: { rate: 1234.5 } },
      { fields: { rate: -5 } },
    ],
  },
  'groups of digits of Switzerland and India': {
    text: 'Company,Rate\nA,CHF 1\'234.50\nB,"1,23,456.00"',
    companies: [{ fields: { rate: 1234.5 } }, { fields: { rate: 123_456 } }],
  },
}

test.each(Object.entries(FILES))('%s', async (_, { text, people = [], companies = [] }) => {
  const { crm } = await openService(memoryStorage())
  const actor = await openSettings(crm)
  const bytes = Buffer.from(text)
  const { id } = await crm.imports.create(actor, { name: 'contacts.csv', size: bytes.length })
  await crm.imports.upload(actor, id, { offset: 0, bytes })
  await workOff(crm)
  await crm.imports.run(actor, id)
  await workOff(crm)
  expect(await crm.imports.get(actor, id)).toMatchObject({
    ...{ state: 'done', problem: null, rows_with_problems: 0 },
  })
  expect(await readRecords(crm, actor, 'people')).toMatchObject(people)
  expect(await readRecords(crm, actor, 'companies')).toMatchObject(companies)
})

async function openSettings(crm: Crm): Promise<Actor> {
  const [slug, email] = ['acme', 'olga@acme.example']
  const owner = { owner_name: 'Olga', owner_email: email }
  await crm.operator.createWorkspace({ name: 'Acme', slug, locale: 'pt-BR', ...owner })
  const actor = await crm.operator.actorFor({ workspace: slug, email })
  const shown = { show_people: true, show_companies: true }
  await crm.customFields.create(actor, { label: 'Address', key: 'address', type: 'address', ...shown })
  await crm.customFields.create(actor, { label: 'Rate', key: 'rate', type: 'number', ...shown })
  return actor
}

async function workOff(crm: Crm): Promise<void> {
  while (await crm.imports.continue()) {
    // Each call does some steps.
  }
}

async function readRecords(crm: Crm, actor: Actor, kind: 'people' | 'companies'): Promise<readonly object[]> {
  const { data } = await crm[kind].list(actor, { order_by: 'full_name', order: 'asc' })
  return Promise.all(
    data.map(async ({ id }) => {
      const { custom_fields, ...record } = await crm[kind].get(actor, id)
      return { ...record, fields: Object.fromEntries(custom_fields.map(({ key, value }) => [key, value])) }
    }),
  )
}
