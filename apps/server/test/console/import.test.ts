import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, type DemoProcess, enterDemo, useDemo } from './demo-console.ts'

interface Person {
  readonly id: string
  readonly full_name: string
  readonly emails: readonly { readonly email: string }[]
  readonly phones: readonly { readonly phone: string }[]
  readonly position: string | null
  readonly company: { readonly full_name: string } | null
  readonly owner: { readonly email: string } | null
  readonly tags: readonly { readonly name: string }[]
  readonly lists: readonly { readonly name: string }[]
  readonly custom_fields: readonly { readonly key: string; readonly value: unknown }[]
}

const HEADS =
  'Nome completo;Email comercial;Celular;Empresa;Cargo;CPF do contato;Porte;Desde;Responsável;Obs.;Etiquetas'
const ROWS = [
  'Vitória Conceição;vitoria@csv.example;+55 41 90000-6230;Padaria Pão Bom;Sócia;529.982.247-25;grande;14/08/2025;ana@demo.example;Pediu retorno;VIP, Lead quente',
  'João Avelã;joao@csv.example;(11) 98888-7777;PADARIA PÃO BOM;Diretor;111.444.777-36;Pequeno;;Ana Lima;;VIP',
  'Nome Novo;existente@csv.example;11 7777-7777;;Gerente;;;;;;Cliente',
  '=1+1;formula@csv.example;;;;;;;;<b>negrito</b> & =2+2;',
  '<b>Negrito</b>;b@csv.example;;;;;;;;;',
  'Zoë Opção;zoe@csv.example;;;;;agro;;;;',
  'Ítalo Opção;italo@csv.example;;;;;Agro;;;;',
  'Sem Endereço;não tem;;;;;;;;;',
  'Sem Data;data@csv.example;;;;;;31/02/2026;;;',
  ';semnome@csv.example;;;;;;;;;',
  'Ana Última;ana.ultima@csv.example;;;;;;;;;',
  'Ana Última da Silva;ANA.ULTIMA@csv.example;;;;;;;;;',
]

/** As Excel in Brazil saves it. */
const file = (rows: readonly string[], name = 'contatos.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from([HEADS, ...rows].join('\r\n'), 'latin1'),
})

describe.skipIf(CHROMIUM === null)('the import', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)

  async function openImport(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await enterDemo(demo.current, options)
    await page.goto(`${demo.current.base}/w/demo/import/people`)
    await page.getByRole('heading', { name: 'Choose a file' }).waitFor()
    return page
  }

  test('brings people in, updates those who are there, and gives back what was refused', async () => {
    await createFields(demo.current)
    const existing = await callApi<Person>(demo.current, 'POST', 'people', {
      full_name: 'Nome Antigo',
      emails: [{ email: 'outro@csv.example' }, { email: 'Existente@csv.example' }],
      phones: [{ phone: '+55 11 5555-5555' }],
      tags: ['vip'],
    })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/people`)
    await page.getByRole('link', { name: 'Import people' }).click()
    await page.locator('input[type=file]').setInputFiles(file(ROWS))

    await page.getByText('Windows-1252, separated by semicolons').waitFor()
    await page.getByText('11 of 11 columns were matched by their names.', { exact: false }).waitFor()
    expect(await page.getByRole('combobox', { name: 'CPF do contato becomes' }).inputValue()).toBe(
      'field:cpf',
    )
    const options = page.getByRole('article', { name: 'Porte: no such option' })
    expect(await options.textContent()).toContain('Rows 7, 8')
    await options.getByRole('button', { name: 'Choose for all…' }).click()
    await page.getByRole('menuitem', { name: 'Grande' }).click()
    await page.getByRole('article', { name: 'E-mail: not an address' }).getByText('Leave blank').click()
    await page.getByText('10 rows are ready, 2 are not.').waitFor()
    await page.keyboard.press('Control+Enter')

    await page.getByRole('heading', { name: 'What will happen' }).waitFor()
    await page.getByText('8 people are new').waitFor()
    await page.getByText('2 people are updated').waitFor()
    await page.getByText('1 company is created').waitFor()
    await page.getByRole('combobox', { name: 'Add to a list' }).selectOption('Reativar')
    await page.keyboard.press('Control+Enter')

    await page.getByRole('heading', { name: 'Done', exact: true }).waitFor()
    const refused = page.getByRole('article', { name: /^CPF: / })
    expect(await refused.textContent()).toContain('111.444.777-36')
    expect(await downloadCsv(page)).toMatch(
      /^\uFEFF"Nome completo",.*,"Reason"\r\n"João Avelã",.*CPF: .*\r\n"Sem Data",.*Desde: not a date \(31\/02\/2026\)"\r\n"","semnome.*Full name: missing"$/s,
    )
    await refused.getByRole('button', { name: 'Leave blank and try again' }).click()
    await page.getByText('8 people created').waitFor()

    const people = await listPeople(demo.current, 'csv')
    expect(people.map(({ full_name }) => full_name).sort()).toEqual(
      [
        '<b>Negrito</b>',
        '=1+1',
        'Ana Última da Silva',
        'João Avelã',
        'Nome Novo',
        'Vitória Conceição',
        'Zoë Opção',
        'Ítalo Opção',
      ].sort(),
    )
    const byName = (name: string) => people.find(({ full_name }) => full_name === name)!
    expect(byName('Vitória Conceição')).toMatchObject({
      phones: [{ phone: '+55 41 90000-6230', type: 'mobile' }],
      position: 'Sócia',
      company: { full_name: 'Padaria Pão Bom' },
      owner: { email: 'ana@demo.example' },
      tags: [{ name: 'VIP' }, { name: 'Lead quente' }],
      lists: [{ name: 'Reativar' }],
    })
    expect(valuesOf(byName('Vitória Conceição'))).toEqual({
      cpf: '52998224725',
      size: 'large',
      since: '2025-08-14',
    })
    expect(byName('João Avelã').company?.full_name).toBe('Padaria Pão Bom')
    expect(valuesOf(byName('João Avelã'))).toEqual({ size: 'small' })
    expect(valuesOf(byName('Zoë Opção'))).toEqual({ size: 'large' })
    expect(byName('Nome Novo')).toMatchObject({
      id: existing.id,
      emails: [{ email: 'outro@csv.example' }, { email: 'Existente@csv.example' }],
      phones: [{ phone: '+55 11 5555-5555' }, { phone: '11 7777-7777' }],
      tags: [{ name: 'VIP' }, { name: 'Cliente' }],
    })
    expect(await notesOf(demo.current, byName('=1+1').id)).toEqual([
      '<p>&lt;b&gt;negrito&lt;/b&gt; &amp; =2+2</p>',
    ])
    expect(await notesOf(demo.current, byName('Vitória Conceição').id)).toEqual(['<p>Pediu retorno</p>'])
  }, 60_000)

  test('stops, waits for the connection, and goes on after a reload without a record twice', async () => {
    const rows = Array.from(
      { length: 8 },
      (_, index) => `Reload ${index};;;Reload Company;;;;;;Note ${index};`,
    )
    const page = await openImport()
    page.on('dialog', (dialog) => void dialog.accept())
    await page.route('**/v1/people', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400))
      await route.continue()
    })
    await page.locator('input[type=file]').setInputFiles(file(rows))
    await page.getByRole('button', { name: /^Review 8 rows/ }).click()
    await page.getByRole('button', { name: /^Bring 8 rows in/ }).click()
    await page.getByText(/^[1-3] of 8 rows/).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('heading', { name: 'Stopped' }).waitFor()
    await page.getByText('people created').waitFor()

    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText(/^[3-5] of 8 rows/).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('heading', { name: 'Waiting for the connection' }).waitFor()
    await page.context().setOffline(false)
    await page.getByText(/^[4-7] of 8 rows/).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Go on with contatos.csv' }).click()
    await page.getByRole('heading', { name: 'Done', exact: true }).waitFor()
    await page.getByText('8 people created').waitFor()

    const people = await listPeople(demo.current, 'reload')
    expect(people.map(({ full_name }) => full_name).sort()).toEqual(rows.map((row) => row.slice(0, 8)))
    for (const { id } of people) expect(await notesOf(demo.current, id)).toHaveLength(1)
    const companies = await callApi<unknown[]>(demo.current, 'GET', 'companies?search=reload+company')
    expect(companies).toHaveLength(1)
    await page.reload()
    await page.getByRole('heading', { name: 'Choose a file' }).waitFor()
    expect(await page.getByRole('button', { name: /^Go on/ }).count()).toBe(0)
  }, 60_000)

  test('says what is wrong with a file', async () => {
    const page = await openImport()
    const choose = (text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await choose('')
    await page.getByText('The file is empty.').waitFor()
    await choose('Name;E-mail\n')
    await page.getByText('no rows below them', { exact: false }).waitFor()
    await choose('Name;E-mail\nAna;a@x.example;more')
    await page.getByText('Row 2 has more cells', { exact: false }).waitFor()
    await page.getByRole('textbox').fill('Name\tE-mail\nPasted Person\tpasted@x.example')
    await page.getByRole('button', { name: /^Go on with these rows/ }).click()
    await page.getByText('separated by tabs').waitFor()
    await page.getByRole('button', { name: 'Save and leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find or do' }).fill('import people')
    await page.getByRole('option', { name: 'Import people', exact: true }).click()
    await page.getByRole('button', { name: 'Go on with Copied rows' }).click()
    await page.getByText('separated by tabs').waitFor()
  }, 60_000)

  test('takes what is dropped and what is pasted anywhere on the page', async () => {
    const page = await openImport({ permissions: ['clipboard-read', 'clipboard-write'] })
    const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['Name;City\\nAna;Curitiba'], 'dropped.csv'))
      return transfer
    })()`)
    await page
      .getByRole('heading', { name: 'Choose a file' })
      .dispatchEvent('drop', { dataTransfer: dropped })
    await page.getByRole('heading', { name: 'dropped.csv' }).waitFor()
    await page.getByRole('button', { name: 'File', exact: true }).click()
    await page.evaluate(`navigator.clipboard.writeText('Name\\tCity\\nAna\\tCuritiba')`)
    await page.keyboard.press('Control+v')
    await page.getByRole('heading', { name: 'Copied rows' }).waitFor()
    await page.getByText('separated by tabs').waitFor()
  })

  test('brings companies in, found by name, and goes back to the columns for those that were refused', async () => {
    await callApi(demo.current, 'POST', 'companies', {
      full_name: 'Órbita Ação',
      emails: [{ email: 'a@orbita.example' }],
    })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/companies`)
    await page.getByRole('link', { name: 'Import companies' }).click()
    const text = [
      'Razão social,Site,CNPJ,Annual revenue,Cidade,E-mail',
      'orbita acao,www.orbita.example,,"1.234,50",Curitiba,b@orbita.example',
      'Órbita Nova,https://nova.example,11.111.111/1111-11,,,',
    ].join('\n')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'empresas.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.getByRole('button', { name: /^Review 2 rows/ }).click()
    await page.getByText('1 company is updated').waitFor()
    await page.getByRole('button', { name: /^Bring 2 rows in/ }).click()
    await page.getByRole('article', { name: /^CNPJ: / }).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('combobox', { name: 'CNPJ becomes' }).selectOption({ label: 'Not brought in' })
    await page.getByText('6 of 6 columns were matched by their names.', { exact: false }).waitFor()
    await page.getByRole('button', { name: /^Review 1 row/ }).click()
    await page.getByRole('button', { name: /^Bring 1 row in/ }).click()
    await page.getByText('company created').waitFor()

    const found = await callApi<(Person & { website: string })[]>(
      demo.current,
      'GET',
      'companies?search=orbita',
    )
    expect(found.map(({ full_name, website }) => [full_name, website]).sort()).toEqual([
      ['Órbita Ação', 'https://www.orbita.example'],
      ['Órbita Nova', 'https://nova.example'],
    ])
    const updated = found.find(({ full_name }) => full_name === 'Órbita Ação')!
    expect(updated.emails.map(({ email }) => email)).toEqual(['a@orbita.example', 'b@orbita.example'])
    expect(valuesOf(updated)).toEqual({ annual_revenue: 1234.5, address: { city: 'Curitiba' } })
  })

  test('is not offered to who may not create people', async () => {
    const page = await enterDemo(demo.current)
    await page.route('**/v1/me', async (route) => {
      const response = await route.fetch()
      const { data } = (await response.json()) as { data: { scopes: string[] } }
      const scopes = data.scopes.filter((scope) => scope !== 'people:write')
      await route.fulfill({ response, json: { data: { ...data, scopes } } })
    })
    await page.goto(`${demo.current.base}/w/demo/people`)
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    expect(await page.getByRole('link', { name: 'Import people' }).count()).toBe(0)
  })

  test.each([
    ['a light desk', { colorScheme: 'light' }],
    ['a dark desk', { colorScheme: 'dark' }],
    [
      'a dark phone',
      { colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    ],
  ] as const)(
    'has no accessibility violations on %s, and no sideways scroll',
    async (_, options) => {
      const page = await openImport(options)
      const check = async (step: string) => {
        expect({ [step]: await violations(page) }).toEqual({ [step]: [] })
        const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect({ [step]: width }).toEqual({ [step]: 0 })
      }
      await check('file')
      const rows = ['Axe One;axe@csv.example;;;;111.444.777-36;;;;;', 'Axe Two;x;;;;;;;nobody;;new tag']
      await page.locator('input[type=file]').setInputFiles(file(rows))
      await page.getByRole('article').first().waitFor()
      await check('columns')
      await page.getByRole('button', { name: 'Show rows' }).first().click()
      await page.getByRole('dialog').waitFor()
      expect(await violations(page, true)).toEqual([])
      await page.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: /^Review 1 row/ }).click()
      await page.getByText('1 row is left out').waitFor()
      await check('review')
      await page.getByRole('button', { name: /^Bring 1 row in/ }).click()
      await page.getByRole('heading', { name: 'Done', exact: true }).waitFor()
      await page.getByRole('article', { name: /^CPF/ }).waitFor()
      await check('done')
    },
    60_000,
  )
})

async function createFields(demo: DemoProcess): Promise<void> {
  const options = [
    { key: 'small', option: 'Pequeno' },
    { key: 'large', option: 'Grande' },
  ]
  await callApi(demo, 'POST', 'custom-fields', {
    label: 'Porte',
    key: 'size',
    type: 'select',
    value: { select_list: options },
  })
  await callApi(demo, 'POST', 'custom-fields', { label: 'Desde', key: 'since', type: 'date' })
}

async function downloadCsv(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the rows that are left out as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('contatos - left out.csv')
  return readFile(await download.path(), 'utf8')
}

async function listPeople(demo: DemoProcess, search: string): Promise<readonly Person[]> {
  const found = await callApi<Person[]>(demo, 'GET', `people?search=${search}&per_page=100`)
  return Promise.all(found.map(({ id }) => callApi<Person>(demo, 'GET', `people/${id}`)))
}

async function notesOf(demo: DemoProcess, id: string): Promise<readonly string[]> {
  const notes = await callApi<{ content_html: string }[]>(demo, 'GET', `activities?entity=people&id=${id}`)
  return notes.map(({ content_html }) => content_html)
}

function valuesOf({ custom_fields }: Person): Readonly<Record<string, unknown>> {
  return Object.fromEntries(custom_fields.map(({ key, value }) => [key, value]))
}
