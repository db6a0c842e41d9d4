import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, enterDemo, interceptCalls, saveFile, useDemo } from './demo-console.ts'
import { openBoard } from './open-board.ts'

const HEADS = 'Nome completo;E-mail;Empresa;Porte;Desde'
const ROWS = [
  'Vitória Conceição;vitoria@csv.example;Padaria Pão Bom;grande;02/03/2025',
  'João Avelã;não tem;Padaria Pão Bom;pequeno;',
  'Nome Novo;existente@csv.example;;grande;04/05/2025',
]

/** As Excel in Brazil saves it. */
const file = (rows: readonly string[], name = 'contatos.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from([HEADS, ...rows].join('\r\n'), 'latin1'),
})

interface Import {
  readonly id: string
  readonly columns: readonly { readonly target: object | null }[]
}

interface Person {
  readonly id: string
  readonly full_name: string
  readonly position: string | null
}

describe.skipIf(CHROMIUM === null)('the import', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)

  const listTargets = async () => {
    const [opened] = await callApi<Import[]>(demo.current, 'GET', 'imports?per_page=1')
    const { columns } = await callApi<Import>(demo.current, 'GET', `imports/${opened!.id}`)
    return columns.map(({ target }) => target)
  }
  const people = () => callApi<Person[]>(demo.current, 'GET', 'people?search=csv&per_page=100')

  test('brings a file in, gives back what was wrong, and takes it back but for what was changed', async () => {
    const existing = await callApi<Person>(demo.current, 'POST', 'people', {
      full_name: 'Nome Antigo',
      emails: [{ email: 'existente@csv.example' }],
    })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/people`)
    await page.getByRole('link', { name: 'Import people' }).click()
    await page.locator('input[type=file]').setInputFiles(file(ROWS))

    await page.getByText('3 rows, 5 columns').waitFor()
    expect(await chosen(page, 'E-mail becomes')).toBe('E-mail (work)')
    await page.getByText('No value shows which is meant').waitFor()
    await page.getByRole('combobox', { name: 'Order of dates in Desde' }).selectOption('Day, month, year')
    await page.getByRole('combobox', { name: 'Porte becomes' }).selectOption({ label: 'Leave out' })
    await page.getByText('4 of 5 columns are set, 1 is left out.').waitFor()
    // A page shows a change before the service has stored it.
    await expect.poll(listTargets).toContain(null)
    await page.reload()
    await page.getByText('4 of 5 columns are set, 1 is left out.').waitFor()
    await page.keyboard.press('Control+Enter')

    await page.getByRole('radio', { name: /^Overwrite/ }).check()
    await page.getByRole('combobox', { name: 'Tags' }).fill('Feira CSV')
    await page.keyboard.press('Control+Enter')

    const problem = page.getByRole('button', { name: /^E-mail: is no e-mail address/ })
    expect(await problem.textContent()).toContain('“não tem”')
    const counts = page.getByRole('row', { name: /^People/ })
    expect(await counts.textContent()).toBe('People1101')
    await page.getByText('2 rows are whole, 1 loses something.', { exact: false }).waitFor()
    expect((await people()).map(({ full_name }) => full_name)).toEqual(['Nome Antigo'])
    await page.keyboard.press('Control+Enter')

    await page.getByText('2 of 3 rows are in whole. From 1 something was left out.').waitFor()
    expect(await saveLeftOut(page)).toContain('João Avelã,não tem,Padaria Pão Bom,pequeno,,E-mail (não tem)')
    const found = await people()
    expect(found.map(({ full_name }) => full_name).sort()).toEqual(['Nome Novo', 'Vitória Conceição'])
    const created = found.find(({ id }) => id !== existing.id)!
    await callApi(demo.current, 'PATCH', `people/${created.id}`, { position: 'Sócia' })

    await page.getByRole('button', { name: 'Undo import…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('heading', { name: 'Stayed, until you decide' }).waitFor()
    expect((await people()).map(({ full_name }) => full_name).sort()).toEqual([
      'Nome Antigo',
      'Vitória Conceição',
    ])
    await page
      .getByRole('group', { name: 'Vitória Conceição' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await page.getByText('Made by the import · Something was linked to it').waitFor()
    await page.getByRole('button', { name: 'Keep 1, undo 1' }).click()
    await page.getByRole('heading', { name: 'Stayed, until you decide' }).waitFor({ state: 'detached' })
    expect((await people()).map(({ full_name }) => full_name)).toEqual(['Nome Antigo'])

    await page.getByRole('link', { name: 'All imports' }).click()
    const row = page.getByRole('row', { name: /contatos\.csv/ })
    await row.getByText('Undone').waitFor()
    await row.getByRole('link', { name: 'contatos.csv' }).click()
    await page.getByRole('link', { name: 'Import again' }).click()
    await page.getByText('Columns and rules are taken from contatos.csv.').waitFor()
    await page.locator('input[type=file]').setInputFiles(file(ROWS.slice(0, 1), 'corrected.csv'))
    await page.getByText('4 of 5 columns are set, 1 is left out.').waitFor()
    await page.keyboard.press('Control+Enter')
    expect(await page.getByRole('radio', { name: /^Overwrite/ }).isChecked()).toBe(true)
    await page.getByText('Feira CSV').waitFor()
    await page.goto(`${demo.current.base}/w/demo/settings/imports`)
    await row.waitFor()
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'Choose a file' }).waitFor()
  }, 60_000)

  test('goes on with a file that has not arrived as a whole, and reads one again that cannot be read', async () => {
    const { buffer } = file(ROWS)
    const begun = await callApi<{ id: string }>(demo.current, 'POST', 'imports', {
      ...{ name: 'half.csv', size: buffer.length },
    })
    await fetch(`${demo.current.base}/v1/imports/${begun.id}/file?offset=0`, {
      method: 'PUT',
      headers: {
        Authorization: `Bearer ${demo.current.token}`,
        'Content-Type': 'application/octet-stream',
      },
      body: buffer.subarray(0, 20),
    })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/imports/${begun.id}`)
    await page.getByRole('heading', { name: 'half.csv has not arrived as a whole' }).waitFor()
    const input = page.locator('input[type=file]')
    await input.setInputFiles(file(ROWS.slice(1), 'half.csv'))
    await page.getByText('This is another file. Choose half.csv.').waitFor()
    await input.setInputFiles({ name: 'half.csv', mimeType: 'text/csv', buffer })
    await page.getByText('3 rows, 5 columns').waitFor()

    await page.goto(`${demo.current.base}/w/demo/import`)
    const broken = {
      name: 'broken.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Name;E-mail\nAna;a@x.example\n"x'),
    }
    await input.setInputFiles(broken)
    await page.getByText('A quotation mark in line 3 opens a cell that is never closed.').waitFor()
    await page.getByRole('combobox', { name: 'Separated by' }).selectOption('Tabs')
    await page.getByRole('button', { name: 'Read it again' }).click()
    await page.getByRole('heading', { name: 'broken.csv cannot be read' }).waitFor()
  })

  test('says everything in Portuguese', async () => {
    const page = await enterDemo(demo.current, { locale: 'pt-BR' })
    await page.goto(`${demo.current.base}/w/demo/import`)
    await page.locator('input[type=file]').setInputFiles(file(ROWS))
    await page.getByText('3 linhas, 5 colunas').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: /^Conferir 3 linhas/ }).click()
    await page.getByText('E-mail: não é um endereço de e-mail').first().waitFor()
    expect(await page.getByRole('main').innerText()).not.toMatch(/\b(?:the|is|are|row|rows|new|of)\b/i)
    await page.getByRole('button', { name: 'Deixar esta coluna de fora' }).click()
    await page.getByText('Todas as linhas estão certas.').waitFor()
  })

  test('has its counterpart on the board, whose deals are exported with its pipeline and filters', async () => {
    const { page, pipeline } = await openBoard(demo.current, ['Chairs', 'Tables'])
    const all = await saveFile(page, 'Export deals as CSV')
    expect(all.name).toMatch(/^deals-\d{4}-\d\d-\d\d\.csv$/)
    expect(all.text.trim().split('\r\n')).toEqual(
      [/name/, /Chairs/, /Tables/].map((line) => expect.stringMatching(line)),
    )
    await page.goto(`${demo.current.base}/w/demo/deals?pipeline=${pipeline.id}&search=tables`)
    await page.locator('[data-deal]').first().waitFor()
    const found = await saveFile(page, 'Export deals as CSV')
    expect(found.text.trim().split('\r\n')).toEqual(
      [/name/, /Tables/].map((line) => expect.stringMatching(line)),
    )
  })

  test('has its counterpart in each table, whose columns all have a field that can be exported', async () => {
    const page = await enterDemo(demo.current)
    for (const path of ['people', 'companies', 'deals?view=table&status=all', 'tasks', 'products']) {
      await page.goto(`${demo.current.base}/w/demo/${path}`)
      await page.getByRole('button', { name: 'Columns' }).click()
      const menu = page.getByRole('dialog', { name: 'Columns' })
      await menu.waitFor()
      const hidden = menu.getByRole('checkbox', { checked: false })
      while ((await hidden.count()) > 0) await hidden.first().check({ force: true })
      const shown = await menu.getByRole('checkbox').count()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Export .* as CSV$/ }).click()
      const { text } = await saveFile(page, 'Columns shown', 'menuitem')
      expect(text.split('\r\n')[0]!.split(',').length).toBeGreaterThanOrEqual(shown)
    }
  })

  test('is not offered without the scope, and a list is exported with its filters', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/people?search=existente`)
    await page.getByRole('button', { name: 'Export people as CSV' }).waitFor()
    await page.getByText('Nome Antigo').waitFor()
    await page.getByRole('button', { name: 'Export people as CSV' }).click()
    const { name, text } = await saveFile(page, 'All fields', 'menuitem')
    expect(name).toMatch(/^people-\d{4}-\d\d-\d\d\.csv$/)
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('existente@csv.example')
    await page.goto(`${demo.current.base}/w/demo/people?search=existente&columns=phones,open_amounts`)
    await page.getByText('Nome Antigo').waitFor()
    await page.getByRole('button', { name: 'Export people as CSV' }).click()
    const shown = await saveFile(page, 'Columns shown', 'menuitem')
    expect(shown.text.trim().split('\r\n')).toEqual([
      'full_name,phones:mobile,phones:work,phones:home,phones:other,open_amounts',
      expect.stringMatching(/^Nome Antigo,/),
    ])

    await interceptCalls(page, '**/v1/me', async (route) => {
      const response = await route.fetch()
      const { data } = (await response.json()) as { data: { scopes: string[] } }
      const scopes = data.scopes.filter((scope) => scope !== 'imports:write')
      await route.fulfill({ response, json: { data: { ...data, scopes } } })
    })
    await page.reload()
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
      const page = await enterDemo(demo.current, options)
      const check = async (step: string) => {
        expect({ [step]: await violations(page) }).toEqual({ [step]: [] })
        const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect({ [step]: width }).toEqual({ [step]: 0 })
      }
      await page.goto(`${demo.current.base}/w/demo/import`)
      await page.getByRole('heading', { name: 'Choose a file' }).waitFor()
      await check('file')
      const rows = ['Axe One;axe@csv.example;Axe;grande;02/03/2025', 'Axe Two;x;;;']
      await page.locator('input[type=file]').setInputFiles(file(rows))
      await page.getByText('2 rows, 5 columns').waitFor()
      await check('columns')
      await page.getByRole('button', { name: 'Rules' }).click()
      await page.getByRole('button', { name: 'Exception' }).click()
      await page.getByRole('combobox', { name: 'Field of the exception' }).waitFor()
      await check('rules')
      await page.getByRole('button', { name: /^Check 2 rows/ }).click()
      await page.getByRole('heading', { name: 'As they will be' }).waitFor()
      await check('check')
      await page.getByRole('button', { name: /^Import 2 rows/ }).click()
      await page.getByRole('button', { name: 'Undo import…' }).waitFor()
      await check('result')
      await page.getByRole('link', { name: 'All imports' }).click()
      await page.getByRole('table', { name: 'Past imports' }).waitFor()
      await check('list')
    },
    60_000,
  )
})

/** The shown choice of a selection. */
function chosen(page: Page, name: string): Promise<string> {
  const select = page.getByRole('combobox', { name, exact: true })
  return select.evaluate((element) => {
    const { selectedOptions } = element as unknown as { selectedOptions: { text: string }[] }
    return selectedOptions[0]?.text ?? ''
  })
}

async function saveLeftOut(page: Page): Promise<string> {
  const { name, text } = await saveFile(page, 'Rows with reasons, CSV')
  expect(name).toBe('contatos - left out.csv')
  return text
}
