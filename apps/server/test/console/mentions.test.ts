import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'
import { addMember } from './sign-in-member.ts'

interface Named {
  readonly id: string
  readonly email: string
}
interface Note {
  readonly id: string
  readonly content_html: string
}

const PASTE = `(element, html) => {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/html', html)
  element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}`

describe.skipIf(CHROMIUM === null)('mentions in notes', () => {
  let databaseUrl = ''
  const demo = useDemo((folder) => {
    databaseUrl = `sqlite:${join(folder, 'crm.db')}`
    return databaseUrl
  })
  const ids = { mara: '', joao: '' }
  beforeAll(async () => {
    await addMember(databaseUrl, 'Mara Prado', 'mara@demo.example')
    await addMember(databaseUrl, 'João Conceição', 'jc@demo.example')
    const members = await callApi<readonly Named[]>(demo.current, 'GET', 'members')
    const idOf = (email: string) => members.find((member) => member.email === email)!.id
    Object.assign(ids, { mara: idOf('mara@demo.example'), joao: idOf('jc@demo.example') })
  }, 60_000)

  async function openPerson(full_name: string, fields: object = {}, options: BrowserContextOptions = {}) {
    const person = await callApi<Note>(demo.current, 'POST', 'people', { full_name, ...fields })
    const page = await enterDemo(demo.current, options)
    await page.goto(`${demo.current.base}/w/demo/people/${person.id}`)
    await page.getByRole('heading', { level: 1, name: full_name }).waitFor()
    const readNotes = async () => {
      const path = `activities?entity=people&id=${person.id}`
      return (await callApi<readonly Note[]>(demo.current, 'GET', path)).map((note) => note.content_html)
    }
    return { page, person, readNotes }
  }
  async function beginNote(page: Page) {
    await page.getByRole('textbox', { name: 'Note' }).click()
    await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
    return { editor: page.getByRole('textbox', { name: 'Note' }), menu: page.getByRole('listbox') }
  }
  const mention = (id: string, name: string) => `<a href="${demo.current.base}/members/${id}">@${name}</a>`

  test('are chosen by keys from members who are found without accents, and taken as a whole', async () => {
    const { page, readNotes } = await openPerson('Typed')
    const { editor, menu } = await beginNote(page)
    await page.keyboard.type('Mail a@mara and @')
    await menu.getByRole('option', { name: 'Mara Prado' }).waitFor()
    expect(await menu.getByRole('option').count()).toBeGreaterThan(2)
    await page.keyboard.type('conceicao')
    const option = menu.getByRole('option', { name: 'João Conceição', selected: true })
    await option.waitFor()
    expect(await editor.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'))
    expect(await editor.getAttribute('aria-controls')).toBe(await menu.getAttribute('id'))
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await menu.waitFor({ state: 'hidden' })
    expect(await editor.getAttribute('aria-controls')).toBeNull()
    await page.keyboard.type('and @mara')
    await menu.getByRole('option', { name: 'Mara Prado' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('@jc')
    await menu.getByRole('option', { name: 'João Conceição' }).waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await page.keyboard.type(' end')
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(readNotes)
      .toEqual([`<p>Mail a@mara and ${mention(ids.joao, 'João Conceição')} and @jc end</p>`])
    const note = page.getByText('@João Conceição')
    await note.waitFor()
    expect(await note.evaluate((element) => element.closest('a'))).toBeNull()
    expect(await violations(page)).toEqual([])
  })

  test('are chosen by arrows and by a press, also in a note that is edited', async () => {
    const { page, person, readNotes } = await openPerson('Edited')
    await callApi(demo.current, 'POST', 'activities', {
      ...{
        entity: 'people',
        entity_id: person.id,
        content_html: `<p>For ${mention(ids.mara, 'Mara Prado')}</p>`,
      },
      owner_email: 'ana@demo.example',
    })
    await page.reload()
    await page.getByRole('button', { name: 'More about the note' }).click()
    await page.getByRole('menuitem', { name: 'Edit note' }).click()
    const form = page.getByRole('form', { name: 'Edit note' })
    await form.getByRole('toolbar', { name: 'Formatting' }).waitFor()
    const menu = page.getByRole('listbox')
    await form.getByRole('button', { name: 'Mention (@)' }).click()
    const first = await menu.getByRole('option', { selected: true }).textContent()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => menu.getByRole('option', { selected: true }).textContent()).not.toBe(first)
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => menu.getByRole('option', { selected: true }).textContent()).toBe(first)
    await menu.getByRole('option', { name: 'João Conceição' }).click()
    await page.keyboard.type('too')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(readNotes)
      .toEqual([`<p>For ${mention(ids.mara, 'Mara Prado')} ${mention(ids.joao, 'João Conceição')} too</p>`])
  })

  test('are off for who does not see the record, and a sheet on phones', async () => {
    await callApi(demo.current, 'PATCH', 'workspace', { visibility: { people: 'owner' } })
    const { page } = await openPerson(
      'Hidden',
      { owner_email: 'mara@demo.example' },
      { viewport: { width: 390, height: 844 }, hasTouch: true },
    )
    const { editor, menu } = await beginNote(page)
    await page.keyboard.type('@')
    const off = menu.getByRole('option', { name: 'João Conceição', disabled: true })
    await off.getByText('does not see this record').waitFor()
    expect(await violations(page)).toEqual([])
    await off.tap({ force: true })
    const box = (await menu.boundingBox())!
    expect(box.width).toBeGreaterThan(370)
    await menu.getByRole('option', { name: 'Mara Prado', disabled: false }).tap()
    expect((await editor.innerText()).trim()).toBe('@Mara Prado')
    await callApi(demo.current, 'PATCH', 'workspace', { visibility: { people: 'everyone' } })
  })

  test('are twenty in a note at most, which the editor says', async () => {
    const { page, readNotes } = await openPerson('Many')
    await beginNote(page)
    const idOf = (nth: number) => `0198c0de-0000-7000-8000-0000000000${nth + 10}`
    const links = (count: number) =>
      Array.from({ length: count }, (_, nth) => mention(idOf(nth), 'x')).join(' ')
    await page.evaluate(`(${PASTE})(document.activeElement, ${JSON.stringify(links(21))})`)
    await page.keyboard.press('Control+Enter')
    await page.getByText('A note mentions at most 20 members.').waitFor()
    expect(await readNotes()).toEqual([])
    expect(await violations(page)).toEqual([])
  })
})
