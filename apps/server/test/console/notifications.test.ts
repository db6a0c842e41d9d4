import { describe, expect, test } from 'vitest'
import { violations } from './accessibility-violations.ts'
import { CHROMIUM, callApi, enterDemo, useDemo } from './demo-console.ts'

interface Record {
  readonly id: string
}

describe.skipIf(CHROMIUM === null)('notifications in the console', () => {
  const demo = useDemo((folder) => `sqlite:${folder}/crm.db`)

  test('list a reminder, which is marked as read, and are chosen by kind', async () => {
    const owner = await callApi<Record>(demo.current, 'GET', 'me')
    await callApi(demo.current, 'POST', 'tasks', {
      ...{ title: 'Call the harbour', remind_at: '2026-01-01T00:00:00Z', owner_user_id: owner.id },
    })
    await expect
      .poll(() => callApi<readonly Record[]>(demo.current, 'GET', 'notifications'), { timeout: 30_000 })
      .toHaveLength(1)
    const page = await enterDemo(demo.current)
    await page.getByRole('button', { name: /Notifications.*1 unread/ }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'Notifications' })
    await dialog.getByText('Reminder: Call the harbour').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Mark all read' }).click()
    await dialog.getByRole('button', { name: 'Mark as unread' }).waitFor()
    await dialog.getByRole('button', { name: 'What reaches you' }).click()
    const settings = page.getByRole('dialog', { name: 'What reaches you' })
    const byMail = settings.getByRole('checkbox', { name: 'Somebody mentions me: By mail' })
    await byMail.check()
    const time = settings.getByLabel('My tasks, once a day by mail')
    await time.fill('08:30')
    await time.blur()
    await expect
      .poll(() => callApi(demo.current, 'GET', 'me'))
      .toMatchObject({ reminder_time: '08:30', notices: { mention: { app: true, mail: true } } })
    await settings.getByRole('button', { name: 'Make an address' }).click()
    const address = await settings.getByLabel('Address of the calendar').inputValue()
    expect(await (await fetch(address)).text()).toContain('BEGIN:VCALENDAR')
    expect(await violations(page)).toEqual([])
    await settings.getByRole('button', { name: 'End the address' }).click()
    await expect.poll(async () => (await fetch(address)).status).toBe(404)
    expect(await violations(page)).toEqual([])
  })

  test('a record is followed by a key, and no longer by its button', async () => {
    const { id } = await callApi<Record>(demo.current, 'POST', 'deals', { name: 'Chairs' })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/deals/${id}`)
    await page.getByRole('button', { name: 'Follow', exact: true, disabled: false }).waitFor()
    await page.keyboard.press('Shift+F')
    const button = page.getByRole('button', { name: 'Following', exact: true })
    await button.waitFor()
    expect(await button.getAttribute('aria-pressed')).toBe('true')
    expect(await violations(page)).toEqual([])
    await button.click()
    await page.getByRole('button', { name: 'Follow', exact: true }).waitFor()
    expect(await callApi(demo.current, 'GET', `deals/${id}?include=following`)).toMatchObject({
      following: false,
    })
  })

  test('what is followed is listed, and no longer by a button that stays', async () => {
    const person = await callApi<Record>(demo.current, 'POST', 'people', { full_name: 'Vera Followed' })
    await callApi(demo.current, 'PUT', `people/${person.id}/following`)
    const page = await enterDemo(demo.current)
    await page.getByRole('button', { name: /^Notifications/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Notifications' })
    await dialog.getByRole('tab', { name: 'Following' }).click()
    const unfollow = dialog.getByRole('button', { name: 'Unfollow: Vera Followed' })
    await unfollow.waitFor()
    expect(await violations(page)).toEqual([])
    await unfollow.click()
    await dialog.getByRole('button', { name: 'Follow: Vera Followed' }).waitFor()
    expect(await callApi(demo.current, 'GET', 'following')).toEqual([])
    await dialog.getByRole('button', { name: 'Follow: Vera Followed' }).click()
    await unfollow.waitFor()
    await dialog.getByRole('link', { name: 'Vera Followed' }).click()
    await page.waitForURL(`${demo.current.base}/w/demo/people/${person.id}`)
    await page.getByRole('button', { name: 'Following', exact: true }).waitFor()
  })

  test('a task is followed in its dialog, by the button and by the key', async () => {
    const task = await callApi<Record>(demo.current, 'POST', 'tasks', {
      ...{ title: 'Follow me', due_date: '2026-01-02T12:00:00Z' },
    })
    const page = await enterDemo(demo.current)
    await page.goto(`${demo.current.base}/w/demo/tasks`)
    await page.getByText('Follow me').first().click()
    const dialog = page.getByRole('dialog')
    const button = dialog.getByRole('button', { name: 'Follow', exact: true, disabled: false })
    await button.click()
    const following = dialog.getByRole('button', { name: 'Following', exact: true })
    await following.waitFor()
    expect(await violations(page)).toEqual([])
    await following.focus()
    await page.keyboard.press('Shift+F')
    await button.waitFor()
    await page.keyboard.press('Shift+F')
    await following.waitFor()
    await dialog.getByRole('textbox').first().press('Shift+F')
    expect(await callApi(demo.current, 'GET', `tasks/${task.id}?include=following`)).toMatchObject({
      following: true,
    })
  })
})
