import { describe, expect, test } from 'vitest'
import {
  createField,
  describeFile,
  describeTarget,
  type FileOptions,
  proposeFile,
} from '../../../../test/column-proposals.ts'
import type { CustomFieldType } from '../../../schema/custom-field-types.ts'
import { proposeColumns } from './propose-columns.ts'

describe('the values of a column', () => {
  const rows = (header: string, values: readonly string[]) =>
    ['Nome', header].join(',') + values.map((value) => `\nA,${value}`).join('')
  const proposeOne = (header: string, values: readonly string[], options?: FileOptions) =>
    proposeFile(rows(header, values), options)[1]!

  test('show addresses and numbers under a name that says nothing', () => {
    const values = ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example', 'none']
    expect(proposeOne('Canal', values)).toMatchObject({
      target: { kind: 'people', field: 'emails:work' },
      reason: { code: 'values', share: 0.8 },
    })
    expect(describeTarget(proposeOne('Canal', ['+55 11 4000-0002']))).toBe('people phones:work')
    expect(describeFile('Nome,E-mail,Indicado por\nA,a@x.example,b@x.example')[2]).toBe('new people text')
  })

  test('contradict a name that none of them fits', () => {
    expect(describeFile('Nome,E-mail,Score\nA,sim,240')).toEqual([
      'people full_name',
      'new people text',
      'new people number',
    ])
  })

  test.each<[string, readonly string[], CustomFieldType]>([
    ['Documento', ['529.982.247-25', ''], 'cpf'],
    ['CPF', ['52998224725'], 'cpf'],
    ['Documento', ['12.ABC.345/01DE-35'], 'cnpj'],
    ['Perfil', ['https://x.example/a', 'www.x.example'], 'link'],
    ['Nascimento', ['31/01/1990', '01/02/1991'], 'date'],
    ['Funcionários', ['1.200', '35'], 'number'],
    ['Matrícula', ['00123', '00124'], 'text'],
    ['Cupom', ['A1', 'B2'], 'text'],
    ['Bio', ['x'.repeat(300)], 'long_text'],
    ['Cliente ID', ['1001', '1002'], 'text'],
  ])('propose for %s of %j the type %s', (header, values, type) => {
    expect(proposeOne(header, values).target).toMatchObject({
      field: 'new_custom_field',
      type,
      label: header,
    })
  })

  test('propose a select of few that repeat, the most frequent first', () => {
    expect(
      proposeOne('Segmento', ['Varejo', 'Indústria', 'Varejo', ' Varejo ', 'Indústria', '']).target,
    ).toEqual({
      ...{ kind: 'people', field: 'new_custom_field', type: 'select', label: 'Segmento' },
      options: ['Varejo', 'Indústria'],
    })
  })

  test('find the custom field of their type', () => {
    expect(
      proposeOne('Documento', ['529.982.247-25'], { customFields: [createField('id_number', 'Nº', 'cpf')] }),
    ).toMatchObject({
      target: { kind: 'people', field: 'custom_fields.id_number' },
      reason: { code: 'values', share: 1 },
    })
  })

  test('leave a second column out if they are the same', () => {
    expect(proposeFile('Empresa,Organização,Nome\nPampa,PAMPA,Ana\nIpê,Ipe,Bo')[1]).toMatchObject({
      target: null,
      reason: { code: 'same_as', header: 'Empresa' },
    })
    expect(proposeFile('Empresa,Organização,Nome\nPampa,Ipê,Ana')[1]).toMatchObject({
      target: { field: 'new_custom_field', label: 'Organização' },
      reason: { code: 'taken', header: 'Empresa' },
    })
  })

  test('choose the fullest thirty columns for new fields, and consent', () => {
    const columns = Array.from({ length: 40 }, (_, index) => ({
      name: `Campo ${String.fromCharCode(65 + (index % 26)).repeat(1 + Math.floor(index / 26))}`,
      values: Array.from({ length: 50 }, (_, row) => (row <= index ? `v${row}` : '')),
    }))
    const proposals = proposeColumns(
      [...columns, { name: 'Do Not Call', values: ['1'] }, { name: 'Nome completo', values: ['Ana'] }],
      { customFields: [] },
    )
    const codes = proposals.map(({ reason }) => reason.code)
    expect(codes).toEqual([
      ...Array(10).fill('too_many_fields'),
      ...Array(30).fill('new_field'),
      'consent',
      'header',
    ])
  })
})
