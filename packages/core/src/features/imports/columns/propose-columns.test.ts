import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ADDRESS, createField, describeFile, type FileOptions } from '../../../../test/column-proposals.ts'
import { proposeColumns } from './propose-columns.ts'
import { isNewField, isRepeatable } from './target.ts'

describe('proposeColumns', () => {
  test.each<[string, string, readonly string[], FileOptions?]>([
    [
      'a name beside a surname',
      'Nome,Sobrenome,Email',
      ['people first_name', 'people last_name', 'people emails:work'],
    ],
    ['a surname before a name', 'Surname,Name', ['people last_name', 'people first_name']],
    [
      'a name beside a full name and a surname',
      'Nome,Nome completo,Sobrenome\nAna,Ana Lima,Lima',
      ['people first_name', 'people full_name', 'people last_name'],
    ],
    [
      'an e-mail address where a field is called Address',
      'Name,Email Address\nRaul D,raul@x.example',
      ['people full_name', 'people emails:work'],
      { customFields: [ADDRESS] },
    ],
    [
      'an address beside an e-mail address',
      'Name,E-mail Address,Address',
      ['people full_name', 'people emails:work', 'people custom_fields.address.street'],
      { customFields: [ADDRESS] },
    ],
    [
      'an e-mail address where a field is called Endereço',
      'Nome,Endereço de e-mail,Endereço eletrônico,Endereço residencial',
      [
        'people full_name',
        'people emails:work',
        'people emails:work',
        'people custom_fields.endereco.street',
      ],
      { customFields: [createField('endereco', 'Endereço', 'address')] },
    ],
    [
      'the parts of an address',
      'Nome,Rua,Bairro,Cidade,UF,CEP,Mailing Country',
      [
        'people full_name',
        ...['street', 'district', 'city', 'state', 'postal_code', 'country'].map(
          (part) => `people custom_fields.address.${part}`,
        ),
      ],
      { customFields: [ADDRESS] },
    ],
    [
      'numbered addresses and numbers',
      'Name,email1,E-Mail 4,phone1,Telefone (3),2º Telefone,Celular2',
      [
        ...['people full_name', 'people emails:work', 'people emails:work', 'people phones:work'],
        ...['people phones:work', 'people phones:work', 'people phones:mobile'],
      ],
    ],
    [
      'a job title, and not the title before a name',
      'First Name,Last Name,Title,Job Title\nDora,Pires,Dr.,Sales Director',
      ['people first_name', 'people last_name', 'new people text', 'people position'],
    ],
    [
      'a title alone',
      'Name,Email,Title\nDora,d@x.example,Director',
      ['people full_name', 'people emails:work', 'people position'],
    ],
    [
      'names whose words are not separated',
      'FirstName,last_name,JobTitle,emailAddress,MobilePhone',
      [
        'people first_name',
        'people last_name',
        'people position',
        'people emails:work',
        'people phones:mobile',
      ],
    ],
    [
      'the company of people, with its own address and number',
      'Nome,Cargo,Empresa,E-mail da empresa,Company phone,CNPJ,Site',
      [
        ...['people full_name', 'people position', 'companies full_name', 'companies emails:work'],
        ...['companies phones:work', 'companies custom_fields.cnpj', 'companies website'],
      ],
      { customFields: [createField('cnpj', 'CNPJ', 'cnpj', ['companies'])] },
    ],
    [
      'companies',
      'Razão Social,Site,E-mail,Contato,Responsável\nPampa,pampa.example,oi@pampa.example,Bo Reis,Ana',
      [
        'companies full_name',
        'companies website',
        'companies emails:work',
        'people full_name',
        'companies owner_email',
      ],
    ],
    [
      'a deal of each person',
      'Nome,E-mail,Valor,Etapa,Origem',
      ['people full_name', 'people emails:work', 'deals amount', 'deals stage', 'deals source'],
    ],
    [
      'deals with people and companies',
      'Negócio,Valor,Moeda,Funil,Etapa,Previsão,Criado em,Contato,E-mail do contato,Empresa',
      [
        ...['name', 'amount', 'currency', 'pipeline', 'stage', 'forecast_date', 'created_at'].map(
          (each) => `deals ${each}`,
        ),
        ...['people full_name', 'people emails:work', 'companies full_name'],
      ],
    ],
    [
      'products',
      'SKU,Produto,Preço,Moeda,Ativo,Peso\nA1,Licença,10,BRL,sim,2 kg',
      [
        'products code',
        'products name',
        'products price_cts',
        'products currency',
        'products is_active',
        'no_custom_fields',
      ],
    ],
    [
      'tasks',
      'Título,Vencimento,Prioridade,Responsável,Pessoa,Concluída',
      [
        'tasks title',
        'tasks due_date',
        'tasks priority',
        'tasks owner_email',
        'people full_name',
        'tasks completed',
      ],
    ],
    [
      'the kind that the user chose',
      'Account,Name,Company,Domain,Website\n17,Ana,Pampa,x.example,pampa.example',
      [
        'new companies number',
        'new companies text',
        'companies full_name',
        'new companies text',
        'companies website',
      ],
      { kind: 'companies' },
    ],
    [
      'addresses and numbers of each type',
      'Nome,E-mail do cliente,Email pessoal,Additional email addresses,Nº do telefone,Tel. residencial,Outro telefone,Whats App',
      [
        ...['people full_name', 'people emails:work', 'people emails:home', 'people emails:other'],
        ...['people phones:work', 'people phones:home', 'people phones:other', 'people phones:mobile'],
      ],
    ],
    [
      'the more exact of two names',
      'Contact,Name,Full name,Account,Company,Company name,Title,Cargo,Owner,Owner email\nc,n,Ana Lima,a,b,Pampa,Dr.,CEO,Bo,b@x.example',
      [
        ...['new people text', 'new people text', 'people full_name', 'new people text', 'new people text'],
        ...[
          'companies full_name',
          'new people text',
          'people position',
          'new people text',
          'people owner_email',
        ],
      ],
    ],
    ['no name', ',Email\nx,a@x.example', ['no_name', 'people emails:work']],
  ])('finds %s', (_, file, fields, options) => {
    expect(describeFile(file, options)).toEqual(fields)
  })

  test('no two columns have a field that holds one value, whatever the file', () => {
    const names = fc.constantFrom(
      ...[
        'Name',
        'Nome',
        'Full name',
        'Last name',
        'Email',
        'E-mail 2',
        'Phone',
        'Title',
        'Job Title',
        'Company',
      ],
      ...[
        'Empresa',
        'Owner',
        'Deal',
        'Amount',
        'Valor',
        'Stage',
        'ID',
        'Tags',
        'Labels',
        'Notes',
        'CPF',
        'City',
        '',
      ],
      ...[
        'Person - Name',
        'Deal - ID',
        'Organization - Name',
        'Email Opt Out',
        'Close Date',
        'Address',
        'Segment',
      ],
    )
    const values = fc.array(
      fc.constantFrom('', 'a@x.example', 'Pampa', '12,5', '31/12/2026', '+55 11 4000-0002'),
    )
    const customFields = [ADDRESS, createField('segment', 'Segment', 'text', ['people', 'deals'])]
    fc.assert(
      fc.property(fc.array(fc.record({ name: names, values })), (columns) => {
        const proposals = proposeColumns(columns, { customFields })
        expect(proposals.map(({ header }) => header)).toEqual(columns.map(({ name }) => name))
        const single = proposals.flatMap(({ target }) =>
          target && !isNewField(target) && !isRepeatable(target) ? [`${target.kind} ${target.field}`] : [],
        )
        expect(single).toEqual([...new Set(single)])
      }),
    )
  })
})
