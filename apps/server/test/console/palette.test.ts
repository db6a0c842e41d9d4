import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

describe.runIf(CHROMIUM !== null)('the palette', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)

  test('finds tasks and notes by what was written, and opens each', async () => {
    const api = <T>(path: string, body: object) => callApi<T>(demo.current, 'POST', path, body)
    const person = await api<{ id: string }>('people', { full_name: 'Zoraide Writing' })
    const link = { entity: 'people', entity_id: person.id }
    const { id } = await api<{ id: string }>('activities', {
      ...link,
      content_html: `<p>${'Many words before. '.repeat(10)}The <b>quar</b>tzite counter is late</p>`,
    })
    // More entries than the first page of a timeline has.
    for (let nth = 0; nth < 25; nth += 1)
      await api('activities', { ...link, content_html: `<p>Later ${nth}</p>` })
    await api('tasks', { title: 'Ring Zoraide', notes: 'About the quartzite', person_id: person.id })

    const page = await enterDemo(demo.current)
    const find = async (text: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Find or do' }).fill(text)
    }
    await find('QUARTZ')
    const notes = page.getByRole('group', { name: 'Notes' })
    await notes.getByRole('option', { name: /Many words before\. The quartzite counter/ }).waitFor()
    expect(await notes.locator('mark').allInnerTexts()).toEqual(['quartz'])
    await page
      .getByRole('group', { name: 'Tasks' })
      .getByRole('option', { name: /Ring Zoraide/ })
      .click()
    await page.getByRole('dialog', { name: 'Edit the task' }).waitFor()
    await page.keyboard.press('Escape')

    await find('quartzite counter')
    await notes.getByRole('option').click()
    await page.waitForURL(`**/people/${person.id}?note=${id}`)
    const note = page.getByRole('listitem').filter({ hasText: 'quartzite counter' })
    await expect.poll(() => note.getAttribute('aria-current')).toBe('true')
    await expect.poll(() => note.evaluate((item) => item === item.ownerDocument.activeElement)).toBe(true)

    // A long line widens nothing on a phone.
    await page.setViewportSize({ width: 390, height: 844 })
    await find('quartzite counter')
    const box = await notes.getByRole('option').boundingBox()
    expect(box!.x + box!.width).toBeLessThanOrEqual(390)
  })
})
