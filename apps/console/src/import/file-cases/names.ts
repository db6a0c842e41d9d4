import type { FileCase } from './file-case.ts'

export const NAMES: readonly FileCase[] = [
  {
    does: 'joins a name with the surname beside it, in Portuguese',
    file: 'Nome,Sobrenome,Email\nAnita,Garcia,anita@x.example',
    locale: 'pt-BR',
    columns: { Nome: 'firstName', Sobrenome: 'lastName', Email: 'email:work' },
    records: [{ full_name: 'Anita Garcia', emails: [{ email: 'anita@x.example', type: 'work' }] }],
  },
  {
    does: 'joins a name with the surname before it',
    file: 'Surname,Name\nGarcia,Anita',
    columns: { Surname: 'lastName', Name: 'firstName' },
    records: [{ full_name: 'Anita Garcia' }],
  },
  {
    does: 'does not repeat a surname that the name has',
    file: 'Name,Surname\nAnita Garcia,Garcia\nThomas,Thomas\nMaria,da Silva\n,Lima',
    columns: { Name: 'firstName', Surname: 'lastName' },
    records: [
      { full_name: 'Anita Garcia' },
      { full_name: 'Thomas Thomas' },
      { full_name: 'Maria da Silva' },
      { full_name: 'Lima' },
    ],
  },
  {
    does: 'takes a name beside a first and a last name for the full name',
    file: 'Name,Given Name,Additional Name,Family Name\nElisa M. Prado,Elisa,M.,Prado\n,Davi,,Reis',
    columns: {
      Name: 'fullName',
      'Given Name': 'firstName',
      'Additional Name': 'middleName',
      'Family Name': 'lastName',
    },
    records: [{ full_name: 'Elisa M. Prado' }, { full_name: 'Davi Reis' }],
  },
  {
    does: 'keeps the middle name between the others',
    file: 'First Name,Middle Name,Last Name\nAna,Maria,Lima\nBia,,Reis',
    columns: { 'First Name': 'firstName', 'Middle Name': 'middleName', 'Last Name': 'lastName' },
    records: [{ full_name: 'Ana Maria Lima' }, { full_name: 'Bia Reis' }],
  },
  {
    does: 'joins a full name and a last name that were chosen by hand',
    file: 'A,B\nAnita,Garcia\nAnita Garcia,Garcia\nAnita Garcia,GARCÍA\nAnita,\n,Garcia\nGarcia,Garcia',
    columns: { A: null, B: null },
    chosen: ['fullName', 'lastName'],
    records: [
      { full_name: 'Anita Garcia' },
      { full_name: 'Anita Garcia' },
      { full_name: 'Anita Garcia' },
      { full_name: 'Anita' },
      { full_name: 'Garcia' },
      { full_name: 'Garcia' },
    ],
  },
  {
    does: 'joins a full name and a first name that were chosen by hand',
    file: 'A,B,C\nGarcia,Anita,\nAnita Garcia,Anita,\nAna Lima,Ana,Lima\nLima,Ana,Lima\nAna G.,Ana,Garcia',
    chosen: ['fullName', 'firstName', 'lastName'],
    records: [
      { full_name: 'Anita Garcia' },
      { full_name: 'Anita Garcia' },
      { full_name: 'Ana Lima' },
      { full_name: 'Ana Lima' },
      { full_name: 'Ana G. Garcia' },
    ],
  },
  {
    does: 'finds names whose words are not separated',
    file: 'FirstName,last_name,JobTitle,emailAddress,MobilePhone\nAna,Lima,CEO,ana@x.example,11 1',
    columns: {
      FirstName: 'firstName',
      last_name: 'lastName',
      JobTitle: 'position',
      emailAddress: 'email:work',
      MobilePhone: 'phone:mobile',
    },
    records: [
      {
        full_name: 'Ana Lima',
        position: 'CEO',
        emails: [{ email: 'ana@x.example', type: 'work' }],
        phones: [{ phone: '11 1', type: 'mobile' }],
      },
    ],
  },
  {
    does: 'misses a name where a row has none',
    file: 'Nome,Sobrenome,Email\n,,anita@x.example',
    errors: [[['Nome', '', 'noName']]],
  },
  {
    does: 'does not take words away from the name of a person who is there',
    file: 'First Name,Last Name,Email\nAnita,,a@x.example\n,Garcia,a@x.example\nANITA,garcia,a@x.example',
    existing: { full_name: 'Anita Maria García', emails: [{ email: 'A@x.example', type: 'home' }] },
    records: [
      { emails: [{ email: 'A@x.example', type: 'home' }] },
      { emails: [{ email: 'A@x.example', type: 'home' }] },
      { emails: [{ email: 'A@x.example', type: 'home' }] },
    ],
  },
  {
    does: 'changes the name of a person who is there to one with other words, or more',
    file: 'Full name\nAnita Lopes\nAnita Garcia Lopes\nANITA GARCIA\nAnita G',
    existing: { full_name: 'Anita Garcia' },
    records: [
      { full_name: 'Anita Lopes' },
      { full_name: 'Anita Garcia Lopes' },
      { full_name: 'ANITA GARCIA' },
      { full_name: 'Anita G' },
    ],
  },
]
