import { expect, test } from 'vitest'
import { ADDRESS, createField, parseColumns } from '../../../test/column-proposals.ts'
import { proposeColumns } from './columns/propose-columns.ts'
import type { FieldTarget, KnownField } from './columns/target.ts'
import { readEmails, readPhones } from './values/contact-cells.ts'
import { readList } from './values/list.ts'
import { inferNumberFormat, readNumber } from './values/number.ts'
import { joinName } from './values/person-name.ts'

const RATE = createField('rate', 'Rate', 'number')

/** Reads the people of a file as it is proposed. */
function readPeople(file: string, customFields: readonly KnownField[] = []) {
  const columns = parseColumns(file)
  const targets = proposeColumns(columns, { customFields }).map(({ target }) => target as FieldTarget | null)
  return columns[0]!.values.map((_, row) => {
    const cells = targets.map((target, column) => ({
      field: target?.kind === 'people' ? target.field : '',
      values: columns[column]!.values,
      cell: columns[column]!.values[row]!,
    }))
    const cellOf = (field: string) => cells.find((each) => each.field === field)?.cell
    const list = (prefix: string, read: (cell: string) => readonly string[]) => {
      const found = cells.filter(({ field }) => field.startsWith(prefix)).flatMap(({ cell }) => read(cell))
      return found.length > 0 ? { [prefix]: found } : {}
    }
    const rate = cells.find(({ field }) => field === 'custom_fields.rate')
    const position = cellOf('position')
    return {
      name: joinName({
        fullName: cellOf('full_name'),
        firstName: cellOf('first_name'),
        middleName: cellOf('middle_name'),
        lastName: cellOf('last_name'),
      }),
      ...list('emails', (cell) => readEmails(cell).values),
      ...list('phones', (cell) => readPhones(cell).values),
      ...list('tags', readList),
      ...(position !== undefined && { position }),
      ...(rate && { rate: readNumber(rate.cell, inferNumberFormat(rate.values, 'comma').format) }),
    }
  })
}

test.each<[string, string, readonly object[], (readonly KnownField[])?]>([
  [
    'a last name',
    'Nome,Sobrenome,Email\nAnita,Garcia,anita@x.example',
    [{ name: 'Anita Garcia', emails: ['anita@x.example'] }],
  ],
  ['a surname', 'Name,Surname,Email\nAnita,Garcia,', [{ name: 'Anita Garcia' }]],
  [
    'an e-mail address beside a field called Address',
    'Name,Email Address\nRaul D,raul@x.example',
    [{ name: 'Raul D', emails: ['raul@x.example'] }],
    [ADDRESS],
  ],
  [
    'a decimal point in a file of decimal commas',
    'Full name,Rate\nA,0.075\nB,0.500',
    [
      { name: 'A', rate: 0.075 },
      { name: 'B', rate: 0.5 },
    ],
    [RATE],
  ],
  [
    'signs of currencies after numbers',
    ['Full name,Rate', 'A,12.50 €', 'A,EUR 12', "A,CHF 1'234.50", 'A,\u22125'].join('\n'),
    [12.5, 12, 1234.5, -5].map((rate) => ({ name: 'A', rate })),
    [RATE],
  ],
  [
    'several numbers of a cell, and no label',
    'First Name,Last Name,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value\n' +
      'Elisa,Prado,* myContacts ::: VIP,* Work,elisa@x.example,Mobile,+55 11 4000-0002 ::: +55 11 4000-0003',
    [
      {
        ...{ name: 'Elisa Prado', emails: ['elisa@x.example'], tags: ['VIP'] },
        phones: ['+55 11 4000-0002', '+55 11 4000-0003'],
      },
    ],
  ],
  [
    'no status or domain as an address',
    'Record ID,First Name,Last Name,Email,Email Opt Out,Email Domain\n1,Elisa,Prado,elisa@x.example,No,x.example',
    [{ name: 'Elisa Prado', emails: ['elisa@x.example'] }],
  ],
  [
    'a job title, and not the title before a name',
    'First Name,Last Name,Title,Job Title\nDora,Pires,Dr.,Sales Director',
    [{ name: 'Dora Pires', position: 'Sales Director' }],
  ],
])('the rows of a file have %s', (_, file, people, customFields) => {
  expect(readPeople(file, customFields)).toEqual(people)
})
