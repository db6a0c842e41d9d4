import { describe, expect, test } from 'vitest'
import { readBoolean } from './boolean.ts'
import { readEmails, readPhones } from './contact-cells.ts'
import { readList } from './list.ts'
import { joinName } from './person-name.ts'
import { readUrl } from './url.ts'

describe('readEmails', () => {
  test.each([
    ['a@x.example', ['a@x.example'], []],
    [
      'a@x.example; b@x.example,c@x.example ::: d@x.example',
      'abcd'.split('').map((name) => `${name}@x.example`),
      [],
    ],
    ['a@x.example\r\nb@x.example b2@x.example', ['a@x.example', 'b@x.example', 'b2@x.example'], []],
    ['Ana Lima <a@x.example>', ['a@x.example'], []],
    [
      '"Lima; Ana" <a@x.example>, Reis, Bo <b@x.example>; c@x.example',
      ['a@x.example', 'b@x.example', 'c@x.example'],
      [],
    ],
    ['c@x.example, Reis, Bo <b@x.example>', ['c@x.example', 'b@x.example'], []],
    ['ra\u200bul@x.example, RAUL@x.example', ['raul@x.example'], []],
    ['mailto:a@x.example', ['a@x.example'], []],
    ['a@x.example ::: no', ['a@x.example'], ['no']],
    ['não tem', [], ['não tem']],
    ['joao@; buyer?bcc=s@x.example', [], ['joao@', 'buyer?bcc=s@x.example']],
    [' ; ', [], []],
  ])('reads %j', (cell, values, invalid) => {
    expect(readEmails(cell)).toEqual({ values, invalid })
  })
})

describe('readPhones', () => {
  test.each([
    ['+55 11 4000-0002 ::: +55 11 4000-0003', ['+55 11 4000-0002', '+55 11 4000-0003'], []],
    ['(11) 90000-4417 / +351 910 000 210', ['(11) 90000-4417', '+351 910 000 210'], []],
    ['+55 11 1;+55 (11) 1', ['+55 11 1'], []],
    ["'+55\u00a011\u20111234", ['+55 11-1234'], []],
    ['tel:+55111', ['+55111'], []],
    ['٠١٢٣', ['0123'], []],
    ['4000-0002 ramal 12, ---', [], ['4000-0002 ramal 12', '---']],
    ['5.51199E+12', [], ['5.51199E+12']],
  ])('reads %j', (cell, values, invalid) => {
    expect(readPhones(cell)).toEqual({ values, invalid })
  })
})

test('readBoolean reads both languages', () => {
  expect(['Sim', 'YES', 'Verdadeiro', '1', ' x ', '✓', 's'].map(readBoolean)).toEqual(Array(7).fill(true))
  expect(['Não', 'no', 'FALSO', '0', 'n'].map(readBoolean)).toEqual(Array(5).fill(false))
  expect(['', '2', 'talvez', '-'].map(readBoolean)).toEqual(Array(4).fill(undefined))
})

describe('readList', () => {
  test.each([
    ['vip, lead quente;VIP', ['vip', 'lead quente']],
    ['* myContacts ::: Clients ::: * starred', ['Clients']],
    ['* myContacts', []],
    ['"VIP","Hot, very ""hot"""', ['VIP', 'Hot, very "hot"']],
    ['a|b\nc', ['a', 'b', 'c']],
    ['A: b', ['A: b']],
    ['🙂, 🙃', ['🙂', '🙃']],
    ['', []],
  ])('reads %j', (cell, texts) => {
    expect(readList(cell)).toEqual(texts)
  })
})

describe('joinName', () => {
  test.each([
    [{ firstName: 'Anita', lastName: 'Garcia' }, 'Anita Garcia'],
    [{ firstName: 'Ana', middleName: 'Maria', lastName: 'Lima' }, 'Ana Maria Lima'],
    [{ firstName: 'Anita Garcia', lastName: 'Garcia' }, 'Anita Garcia'],
    [{ firstName: 'Thomas', lastName: 'Thomas' }, 'Thomas Thomas'],
    [{ firstName: 'Maria', lastName: 'da Silva' }, 'Maria da Silva'],
    [{ firstName: ' Bia  Eva ', lastName: '-' }, 'Bia Eva'],
    [{ lastName: 'Lima' }, 'Lima'],
    [{ fullName: 'Elisa M. Prado', firstName: 'Elisa', lastName: 'Prado' }, 'Elisa M. Prado'],
    [{ fullName: 'Bob Smith', firstName: 'Robert', lastName: 'Smith' }, 'Bob Smith'],
    [{ fullName: '', firstName: 'Davi', lastName: 'Reis' }, 'Davi Reis'],
    [{ fullName: 'Anita', lastName: 'Garcia' }, 'Anita Garcia'],
    [{ fullName: 'Ana Maria', lastName: 'Garcia' }, 'Ana Maria Garcia'],
    [{ fullName: 'Anita García', lastName: 'GARCIA' }, 'Anita García'],
    [{ fullName: 'Garcia', lastName: 'Garcia' }, 'Garcia'],
    [{ fullName: 'Garcia', firstName: 'Anita' }, 'Anita Garcia'],
    [{ fullName: 'Ana', firstName: 'Ana', middleName: 'Maria', lastName: 'Lima' }, 'Ana Maria Lima'],
    [{ fullName: 'Ana Souza' }, 'Ana Souza'],
    [{ firstName: '', lastName: undefined }, ''],
  ])('joins %j', (cells, name) => {
    expect(joinName(cells)).toBe(name)
  })
})

test('readUrl adds a missing scheme', () => {
  expect(
    ['pampa.example/a', 'www.x.example', 'http://x.example', 'não tem', 'a@x.example', ''].map(readUrl),
  ).toEqual([
    'https://pampa.example/a',
    'https://www.x.example',
    'http://x.example',
    undefined,
    undefined,
    undefined,
  ])
})
