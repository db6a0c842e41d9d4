import { ADDRESS, type Field, type FileCase } from './file-case.ts'

const ENDERECO: Field = { key: 'endereco', label: 'Endereço', type: 'address' }

export const CONTACTS: readonly FileCase[] = [
  {
    does: 'takes an e-mail address for one where a field is called Address',
    file: 'Name,Email Address\nRaul D,raul@x.example',
    fields: [ADDRESS],
    columns: { Name: 'fullName', 'Email Address': 'email:work' },
    records: [{ full_name: 'Raul D', emails: [{ email: 'raul@x.example', type: 'work' }] }],
  },
  {
    does: 'reads an e-mail address without what is invisible in it, and once',
    file: 'Name,E-mail 1,E-mail 2\nRaul D,ra\u200bul@x.example,raul@x.example',
    columns: { Name: 'fullName', 'E-mail 1': 'email:work', 'E-mail 2': 'email:work' },
    records: [{ full_name: 'Raul D', emails: [{ email: 'raul@x.example', type: 'work' }] }],
  },
  {
    does: 'brings an address in beside an e-mail address',
    file: 'Name,E-mail Address,Address\nRaul D,raul@x.example,Rua A',
    fields: [ADDRESS],
    columns: { Name: 'fullName', 'E-mail Address': 'email:work', Address: 'field:address:street' },
    records: [
      {
        full_name: 'Raul D',
        emails: [{ email: 'raul@x.example', type: 'work' }],
        custom_fields: [{ key: 'address', value: { street: 'Rua A' } }],
      },
    ],
  },
  {
    does: 'takes an e-mail address for one where a field is called Endereço',
    file: 'Nome;Endereço de e-mail;Endereço eletrônico;Endereço residencial\nRaul D;raul@x.example;;Rua A',
    locale: 'pt-BR',
    fields: [ENDERECO],
    columns: {
      Nome: 'fullName',
      'Endereço de e-mail': 'email:work',
      'Endereço eletrônico': 'email:work',
      'Endereço residencial': 'field:endereco:street',
    },
    records: [
      {
        full_name: 'Raul D',
        emails: [{ email: 'raul@x.example', type: 'work' }],
        custom_fields: [{ key: 'endereco', value: { street: 'Rua A' } }],
      },
    ],
  },
  {
    does: 'prefers contact columns to labels within a name, and whole labels to all',
    file: 'Name,Contact e-mail,Phone number,Contact CPF,Email opt-in,Contact\nA,a@x.example,1,529.982.247-25,Yes,b',
    fields: [
      { key: 'contact', label: 'Contact', type: 'text' },
      { key: 'number', label: 'Number', type: 'number' },
      { key: 'cpf', label: 'CPF', type: 'cpf' },
      { key: 'optin', label: 'Email opt-in', type: 'text' },
    ],
    columns: {
      Name: 'fullName',
      'Contact e-mail': 'email:work',
      'Phone number': 'phone:work',
      'Contact CPF': 'field:cpf',
      'Email opt-in': 'field:optin',
      Contact: 'field:contact',
    },
    records: [
      {
        full_name: 'A',
        emails: [{ email: 'a@x.example', type: 'work' }],
        phones: [{ phone: '1', type: 'work' }],
        custom_fields: [
          { key: 'cpf', value: '529.982.247-25' },
          { key: 'optin', value: 'Yes' },
          { key: 'contact', value: 'b' },
        ],
      },
    ],
  },
  {
    does: 'leaves out what says something about an address of a person or of a computer',
    file: 'Name,Address - Type,Address Status,Email Address Status,IP Address,Domain verified,LinkedIn - Label\nA,Home,ok,ok,10.0.0.1,yes,Work',
    fields: [
      ADDRESS,
      { key: 'domain', label: 'Domain', type: 'text' },
      { key: 'linkedin', label: 'LinkedIn', type: 'text' },
    ],
    columns: {
      Name: 'fullName',
      'Address - Type': null,
      'Address Status': null,
      'Email Address Status': null,
      'IP Address': null,
      'Domain verified': null,
      'LinkedIn - Label': null,
    },
    records: [{ full_name: 'A' }],
  },
  {
    does: 'takes the longest label and the shortest name first',
    file: 'Name,Customer area code,Main area,Area of the customer\nA,11,South,North',
    fields: [
      { key: 'area', label: 'Area', type: 'text' },
      { key: 'area_code', label: 'Area code', type: 'text' },
    ],
    columns: {
      Name: 'fullName',
      'Customer area code': 'field:area_code',
      'Main area': 'field:area',
      'Area of the customer': null,
    },
  },
  {
    does: 'finds a label whatever its separators are',
    file: 'Name,Linkedin,Campo1\nA,x,y',
    fields: [
      { key: 'in', label: 'LinkedIn', type: 'text' },
      { key: 'c1', label: 'Campo 1', type: 'text' },
    ],
    columns: { Name: 'fullName', Linkedin: 'field:in', Campo1: 'field:c1' },
  },
  {
    does: 'finds numbered e-mail addresses and phone numbers',
    file: 'Name,email1,Email2,e-mail1,E-Mail 4,phone1,telefone2,Telefone (3),2º Telefone,Celular2\nA,a@x.example,b@x.example,c@x.example,d@x.example,1,2,3,4,5',
    columns: {
      Name: 'fullName',
      email1: 'email:work',
      Email2: 'email:work',
      'e-mail1': 'email:work',
      'E-Mail 4': 'email:work',
      phone1: 'phone:work',
      telefone2: 'phone:work',
      'Telefone (3)': 'phone:work',
      '2º Telefone': 'phone:work',
      Celular2: 'phone:mobile',
    },
    records: [
      {
        full_name: 'A',
        emails: [
          { email: 'a@x.example', type: 'work' },
          { email: 'b@x.example', type: 'work' },
          { email: 'c@x.example', type: 'work' },
          { email: 'd@x.example', type: 'work' },
        ],
        phones: [
          { phone: '1', type: 'work' },
          { phone: '2', type: 'work' },
          { phone: '3', type: 'work' },
          { phone: '4', type: 'work' },
          { phone: '5', type: 'mobile' },
        ],
      },
    ],
  },
  {
    does: 'finds e-mail addresses and phone numbers of each type',
    file: 'Nome;E-mail do cliente;Email pessoal;Additional email addresses;Nº do telefone;Telefone com DDD;Tel. residencial;Outro telefone;Whats App;Correio eletrônico\nA;;;;;;;;;',
    columns: {
      Nome: 'fullName',
      'E-mail do cliente': 'email:work',
      'Email pessoal': 'email:home',
      'Additional email addresses': 'email:other',
      'Nº do telefone': 'phone:work',
      'Telefone com DDD': 'phone:work',
      'Tel. residencial': 'phone:home',
      'Outro telefone': 'phone:other',
      'Whats App': 'phone:mobile',
      'Correio eletrônico': 'email:work',
    },
  },
  {
    does: 'leaves out columns about e-mail and phone that hold no address or number',
    file: 'Name,Email Status,Phone Type,email_opt_out,Email Verified,Email Domain,Email Type,Last email date,Emails sent,Number of emails,Unsubscribed from all email,E-mail Display Name,Phone ext.,Phone country code,HasOptedOutOfEmail,Status do e-mail,Tipo de telefone,E-mail verificado,Telefone verificado\nA,valid,Mobile,No,true,x.example,SMTP,2026-01-01,3,4,false,Ann,12,55,0,ok,Celular,sim,sim',
    columns: {
      Name: 'fullName',
      'Email Status': null,
      'Phone Type': null,
      email_opt_out: null,
      'Email Verified': null,
      'Email Domain': null,
      'Email Type': null,
      'Last email date': null,
      'Emails sent': null,
      'Number of emails': null,
      'Unsubscribed from all email': null,
      'E-mail Display Name': null,
      'Phone ext.': null,
      'Phone country code': null,
      HasOptedOutOfEmail: null,
      'Status do e-mail': null,
      'Tipo de telefone': null,
      'E-mail verificado': null,
      'Telefone verificado': null,
    },
    records: [{ full_name: 'A' }],
  },
  {
    does: 'leaves out the addresses and numbers of others',
    file: 'Name,Manager email,Assistant’s Phone,Email da empresa,Telefone do responsável,Responsável financeiro,Owner assigned date\nA,m@x.example,1,office@x.example,2,Bo,2026-01-01',
    columns: {
      Name: 'fullName',
      'Manager email': null,
      'Assistant’s Phone': null,
      'Email da empresa': null,
      'Telefone do responsável': null,
      'Responsável financeiro': null,
      'Owner assigned date': null,
    },
    records: [{ full_name: 'A' }],
  },
  {
    does: 'takes the address of a company when companies are imported',
    file: 'Empresa;E-mail da empresa;Company phone;Owner name\nPampa;oi@pampa.example;1;Ana',
    kind: 'companies',
    members: [{ id: 'm1', name: 'Ana', email: 'ana@x.example' }],
    columns: {
      Empresa: 'name',
      'E-mail da empresa': 'email:work',
      'Company phone': 'phone:work',
      'Owner name': 'owner',
    },
    records: [
      {
        full_name: 'Pampa',
        emails: [{ email: 'oi@pampa.example', type: 'work' }],
        phones: [{ phone: '1', type: 'work' }],
        owner_user_id: 'm1',
      },
    ],
  },
  {
    does: 'sends an address or number once that two columns have',
    file: 'Name,Email,Work email,Phone,Mobile\nA,a@x.example,A@x.example,+55 11 1,+55 (11) 1',
    records: [
      {
        full_name: 'A',
        emails: [{ email: 'a@x.example', type: 'work' }],
        phones: [{ phone: '+55 11 1', type: 'work' }],
      },
    ],
  },
]
