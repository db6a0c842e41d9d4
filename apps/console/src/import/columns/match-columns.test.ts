import type { CustomField } from '@sales-crm/client'
import { expect, test } from 'vitest'
import { matchColumns } from './match-columns.ts'
import { listTargets } from './target.ts'

function field(key: string, label: string, type: CustomField['type'] = 'text'): CustomField {
  return { key, label, type } as CustomField
}

const FIELDS = [field('cpf', 'CPF', 'cpf'), field('notes', 'Notes'), field('address', 'Endereço', 'address')]
const PEOPLE = listTargets('people', FIELDS)
const match = (...heads: string[]) => matchColumns(heads, 'people', PEOPLE)

test('finds the usual names in English and Portuguese, whatever their case and accents', () => {
  expect(
    match('Nome completo', 'E-MAIL', 'Celular', 'Empresa', 'Cargo', 'Responsável', 'Obs.', 'Etiquetas'),
  ).toEqual(['fullName', 'email:work', 'phone:mobile', 'company', 'position', 'owner', 'note', 'tags'])
  expect(match('First Name', 'Last name', 'Job Title', 'Account Name')).toEqual([
    'firstName',
    'lastName',
    'position',
    'company',
  ])
})

test('finds custom fields by label, by key, and by a label within the name', () => {
  expect(match('Notes', 'cpf')).toEqual(['field:notes', 'field:cpf'])
  expect(match('CPF do contato')).toEqual(['field:cpf'])
})

test('finds the parts of an address', () => {
  expect(match('Endereço', 'Cidade', 'UF', 'CEP')).toEqual([
    'field:address:street',
    'field:address:city',
    'field:address:state',
    'field:address:postal_code',
  ])
})

test('gives several columns to lists, and all else to the first', () => {
  expect(match('Email comercial', 'E-mail pessoal', 'Telefone 1', 'Telefone residencial')).toEqual([
    'email:work',
    'email:home',
    'phone:work',
    'phone:home',
  ])
  expect(match('Email', 'Email 2')).toEqual(['email:work', 'email:work'])
  expect(match('Nome', 'Name')).toEqual(['fullName', undefined])
})

test('leaves a column out that it does not know', () => {
  expect(match('Última compra', '')).toEqual([undefined, undefined])
})

test('takes the name of a company for the name of the record when companies are imported', () => {
  expect(matchColumns(['Razão Social', 'Site', 'Cargo'], 'companies', listTargets('companies', []))).toEqual([
    'name',
    'website',
    undefined,
  ])
})

test('does not take the e-mail address of the owner for one of the person', () => {
  expect(match('E-mail do responsável')).toEqual(['owner'])
})
