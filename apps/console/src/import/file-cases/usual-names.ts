import type { Field, FileCase } from './file-case.ts'

export const USUAL_NAMES: readonly FileCase[] = [
  {
    does: 'takes a job title for the position, and not the title before a name',
    file: 'First Name,Last Name,Title,Job Title\nDora,Pires,Dr.,Sales Director',
    columns: { 'First Name': 'firstName', 'Last Name': 'lastName', Title: null, 'Job Title': 'position' },
    records: [{ full_name: 'Dora Pires', position: 'Sales Director' }],
  },
  {
    does: 'takes a title for the position if there is nothing more exact',
    file: 'Name,Title\nDora,Director',
    columns: { Name: 'fullName', Title: 'position' },
    records: [{ full_name: 'Dora', position: 'Director' }],
  },
  {
    does: 'takes the more exact of two usual names, wherever it stands',
    file: 'Contact,Name,Full name,Account,Company,Company name,Title,Cargo,Labels,Tags,Owner,Owner email\nc,n,Ana Lima,a,b,Pampa,Dr.,CEO,l,VIP,Bo,ana@x.example',
    members: [{ id: 'm1', name: 'Ana Lima', email: 'ana@x.example' }],
    tags: [{ id: 't1', name: 'VIP', key: 'vip' }],
    columns: {
      Contact: null,
      Name: null,
      'Full name': 'fullName',
      Account: null,
      Company: null,
      'Company name': 'company',
      Title: null,
      Cargo: 'position',
      Labels: null,
      Tags: 'tags',
      Owner: null,
      'Owner email': 'owner',
    },
    records: [
      { full_name: 'Ana Lima', company: 'Pampa', position: 'CEO', tags: ['t1'], owner_user_id: 'm1' },
    ],
  },
  {
    does: 'takes the more exact name of a company and of its page',
    file: 'Account,Name,Company,Domain,Website\n17,Ana,Pampa,x.example,pampa.example',
    kind: 'companies',
    columns: { Account: null, Name: null, Company: 'name', Domain: null, Website: 'website' },
    records: [{ full_name: 'Pampa', website: 'https://pampa.example' }],
  },
  {
    does: 'takes the more exact name of a part of an address',
    file: 'Name,Endereço,Rua,Region,State\nA,Rua A 1,Rua A,South,RN',
    fields: [{ key: 'home', label: 'Casa', type: 'address' }],
    columns: {
      Name: 'fullName',
      Endereço: null,
      Rua: 'field:home:street',
      Region: null,
      State: 'field:home:state',
    },
  },
  {
    does: 'compares names as the service does',
    file: 'Name;Area;City;Tags;Owner\nA;STRASSE;Lodz;AESIR;Soren Oye',
    fields: [
      {
        key: 'area',
        label: 'Area',
        type: 'select',
        value: { select_list: [{ key: 'street', option: 'Straße' }] },
      } as Field,
      {
        key: 'city',
        label: 'City',
        type: 'multi_select',
        value: { select_list: [{ key: 'lodz', option: 'Łódź' }] },
      } as Field,
    ],
    tags: [{ id: 't1', name: 'Æsir', key: 'a_sir' }],
    members: [{ id: 'm1', name: 'Søren Øye', email: 's@x.example' }],
    records: [
      {
        full_name: 'A',
        tags: ['t1'],
        owner_user_id: 'm1',
        custom_fields: [
          { key: 'area', value: 'street' },
          { key: 'city', value: ['lodz'] },
        ],
      },
    ],
  },
]
