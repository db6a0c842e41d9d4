import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

interface Note {
  readonly id: string
  readonly content_html: string
}

const PASTED =
  '<meta><b style="font-weight:normal"><h1 onclick="alert(1)">Offer</h1>' +
  '<p style="color:red">for <span style="font-weight:700">you</span></p>' +
  '<script>alert(2)</script><img src=x onerror=alert(3)><a href="javascript:alert(4)">no</a>' +
  '<table><tr><td>1</td><td>2</td></tr></table></b>'
const PASTE = `(element, html) => {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/html', html)
  element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}`

describe.skipIf(CHROMIUM === null)('notes', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)

  async function openPerson(full_name: string) {
    const person = await callApi<{ readonly id: string }>(demo.current, 'POST', 'people', { full_name })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/people/${person.id}`)
    await page.getByRole('heading', { level: 1, name: full_name }).waitFor()
    const readNotes = () =>
      callApi<readonly Note[]>(demo.current, 'GET', `activities?entity=people&id=${person.id}`)
    const writeNote = (content_html: string) =>
      callApi<Note>(demo.current, 'POST', 'activities', {
        ...{ entity: 'people', entity_id: person.id, content_html },
        owner_email: 'ana@demo.example',
      })
    return { page, person, readNotes, writeNote }
  }

  /** Begins the note of the composer, and waits for the editor. */
  async function beginNote(page: Page): Promise<void> {
    await page.getByRole('textbox', { name: 'Note' }).click()
    await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  }

  test('are written with bold, italic, lists and links, by the keyboard and by buttons', async () => {
    const { page, readNotes } = await openPerson('Written')
    await beginNote(page)
    await page.keyboard.type('Saw ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('three')
    await page.keyboard.press('Control+b')
    await page.keyboard.type(' rooms')
    await page.keyboard.press('Enter')
    await page.keyboard.type('- desks')
    await page.keyboard.press('Enter')
    await page.keyboard.type('chairs')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Italic' }).click()
    await page.keyboard.type('soon')
    await page.getByRole('button', { name: 'Italic' }).click()
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('see https://a.example/x and ')
    await page.getByRole('button', { name: 'Add link', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Add link' })
    await dialog.getByLabel('Address').fill('javascript:alert(1)')
    await page.keyboard.press('Enter')
    await dialog.getByText('Write an address, such as www.example.com.').waitFor()
    await dialog.getByLabel('Address').fill('b.example')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    const html =
      '<p>Saw <strong>three</strong> rooms</p><ul><li>desks</li><li>chairs</li></ul>' +
      '<p><em>soon</em><br />see <a href="https://a.example/x">https://a.example/x</a> and ' +
      '<a href="https://b.example">https://b.example</a></p>'
    await expect.poll(async () => (await readNotes()).map((note) => note.content_html)).toEqual([html])
    await page.getByRole('listitem').filter({ hasText: 'chairs' }).first().waitFor()
    expect(await page.getByRole('textbox', { name: 'Note' }).innerText()).toBe('\n')
  })

  test('take of pasted HTML what they may hold', async () => {
    const { page, readNotes } = await openPerson('Pasted')
    await beginNote(page)
    await page.evaluate(`(${PASTE})(document.activeElement, ${JSON.stringify(PASTED)})`)
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(async () => (await readNotes()).map((each) => each.content_html))
      .toEqual(['<p>Offer</p><p>for <strong>you</strong></p><p>no</p><p>1 2</p>'])
  })

  test('are edited and taken back', async () => {
    const { page, person, readNotes, writeNote } = await openPerson('Edited')
    await writeNote('<h2>Title</h2><p>Called about it</p>')
    await page.goto(`${demo.current.base}/w/demo/people/${person.id}`)
    await page.getByRole('button', { name: 'More about the note' }).click()
    await page.getByRole('menuitem', { name: 'Edit note' }).click()
    const form = page.getByRole('form', { name: 'Edit note' })
    await form.getByText(/become paragraphs when you save/).waitFor()
    await form.getByRole('toolbar').waitFor()
    await page.keyboard.type(', twice')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    expect((await readNotes())[0]?.content_html).toContain('<h2>')

    await page.getByRole('button', { name: 'More about the note' }).click()
    await page.getByRole('menuitem', { name: 'Edit note' }).click()
    await form.getByRole('toolbar').waitFor()
    await page.keyboard.type(', twice')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Called about it, twice').waitFor()
    await expect
      .poll(async () => (await readNotes())[0]?.content_html)
      .toBe('<p>Title</p><p>Called about it, twice</p>')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await readNotes())[0]?.content_html).toContain('<h2>Title</h2>')
  })

  test('are deleted after six seconds, at once when the page closes, and not when it is undone', async () => {
    const { page, person, readNotes, writeNote } = await openPerson('Deleted')
    await writeNote('<p>First</p>')
    const reload = () => page.goto(`${demo.current.base}/w/demo/people/${person.id}`)
    async function deleteNote(): Promise<void> {
      await page.getByRole('button', { name: 'More about the note' }).click()
      await page.getByRole('menuitem', { name: 'Delete note' }).click()
      await page.getByText('First').waitFor({ state: 'detached' })
    }
    await reload()
    await deleteNote()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('First').waitFor()
    await page.waitForTimeout(7_000)
    expect(await readNotes()).toHaveLength(1)

    await deleteNote()
    expect(await readNotes()).toHaveLength(1)
    await expect.poll(readNotes, { timeout: 10_000 }).toEqual([])

    await writeNote('<p>First</p>')
    await reload()
    await deleteNote()
    await page.goto('about:blank')
    await expect.poll(readNotes, { timeout: 2_000 }).toEqual([])
  })
})
