import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

/** A key as an input method sends it: while it composes, and as Safari sends the last one. */
const COMPOSED = [true, false].map((isComposing) => ({
  isComposing,
  keyCode: 229,
  bubbles: true,
  cancelable: true,
}))

/** Presses a key that belongs to the input method. */
async function pressComposed(field: Locator, key: string): Promise<void> {
  for (const event of COMPOSED) await field.dispatchEvent('keydown', { ...event, key, code: key })
}

describe.skipIf(CHROMIUM === null)('an input method', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)

  test('keeps its Enter, Esc and Tab in fields, cells, searches, notes and pickers', async () => {
    const person = await callApi<{ readonly id: string }>(demo.current, 'POST', 'people', {
      full_name: 'Kana Mori',
      position: 'Buyer',
    })
    const page = await enterDemo(demo.current)
    const changes: string[] = []
    page.on('request', (request) => request.method() === 'PATCH' && changes.push(request.url()))

    await page.goto(`${demo.current.base}/w/demo/people?search=Kana`)
    await page.getByRole('button', { name: 'Buyer' }).click()
    const cell = page.getByRole('textbox', { name: 'Position' })
    await cell.fill('えいぎょう')
    for (const key of ['Enter', 'Escape', 'Tab']) await pressComposed(cell, key)
    expect(await cell.inputValue()).toBe('えいぎょう')
    await page.keyboard.press('Escape')
    const search = page.getByRole('searchbox')
    await pressComposed(search, 'Escape')
    expect(await search.inputValue()).toBe('Kana')

    await page.goto(`${demo.current.base}/w/demo/people/${person.id}`)
    await page.getByRole('button', { name: 'Buyer' }).click()
    const field = page.getByRole('textbox', { name: 'Position' })
    await field.fill('えいぎょう')
    for (const key of ['Enter', 'Escape']) await pressComposed(field, key)
    expect(await field.inputValue()).toBe('えいぎょう')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Add company' }).click()
    const picker = page.getByRole('combobox', { name: 'Company' })
    await pressComposed(picker, 'Escape')
    expect(await picker.count()).toBe(1)
    const note = page.getByRole('textbox', { name: 'Note' })
    await note.click()
    await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
    await note.fill('一')
    await pressComposed(note, 'Enter')
    expect((await note.innerText()).trim()).toBe('一')
    expect(changes).toEqual([])
  })
})
