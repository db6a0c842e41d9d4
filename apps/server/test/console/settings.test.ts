import { join } from 'node:path'
import { ArchiveFileReader } from '@sales-crm/node'
import { describe, expect, test } from 'vitest'
import { CHROMIUM, callApi, enterDemo, interceptCalls, openPage, saveFile, useDemo } from './demo-console.ts'

interface Named {
  readonly id: string
  readonly name: string
}

describe.skipIf(CHROMIUM === null)('the settings', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)
  const pageOf = (path: string) => `${demo.current.base}/w/demo/${path}`

  test('order the stages of a pipeline by the keyboard and by the mouse, and save them together', async () => {
    const pipeline = await callApi<Named>(demo.current, 'POST', 'pipelines', {
      name: 'Partners',
      stages: [
        { name: 'First', type: 'open', probability: 10 },
        { name: 'Second', type: 'open', probability: 20 },
      ],
    })
    const stagesOf = async () => {
      const { stages } = await callApi<{ stages: Named[] }>(demo.current, 'GET', `pipelines/${pipeline.id}`)
      return stages.map(({ name }) => name)
    }
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`settings/pipelines/${pipeline.id}`))
    await page.getByRole('button', { name: /^Move First/ }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()
    expect(await stagesOf()).toEqual(['First', 'Second'])
    await page.keyboard.press('Control+s')
    await expect.poll(stagesOf).toEqual(['Second', 'First'])

    await page.waitForLoadState('networkidle')
    const grip = (await page.getByRole('button', { name: /^Move Second/ }).boundingBox())!
    const target = (await page.getByRole('button', { name: /^Move First/ }).boundingBox())!
    await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2)
    await page.mouse.down()
    await page.mouse.move(target.x + target.width / 2, target.y + target.height, { steps: 10 })
    await page.mouse.up()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()
    await page.keyboard.press('Control+s')
    await expect.poll(stagesOf).toEqual(['First', 'Second'])
  })

  test('are saved by a key that is pressed as soon as they can be', async () => {
    const pipeline = await callApi<Named>(demo.current, 'POST', 'pipelines', {
      name: 'Resellers',
      stages: [{ name: 'Only', type: 'open', probability: 10 }],
    })
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`settings/pipelines/${pipeline.id}`))
    const name = page.getByLabel('Name', { exact: true }).first()
    await name.waitFor()
    // The key comes before the next frame.
    await page.evaluate(`{
      const observer = new MutationObserver(() => {
        if (!document.querySelector('[aria-label="Unsaved changes"]')) return
        observer.disconnect()
        window.dispatchEvent(new KeyboardEvent('keydown', { key: 's', code: 'KeyS', ctrlKey: true, cancelable: true }))
      })
      observer.observe(document.body, { childList: true, subtree: true })
    }`)
    await name.fill('Distributors')
    await expect
      .poll(() => callApi<Named>(demo.current, 'GET', `pipelines/${pipeline.id}`))
      .toMatchObject({ name: 'Distributors' })
  })

  test('say why a stage with deals stays, and offer no deletion of it', async () => {
    const page = await enterDemo(demo.current)
    const [pipeline] = await callApi<Named[]>(demo.current, 'GET', 'pipelines?order_by=created_at&order=asc')
    await page.goto(pageOf(`settings/pipelines/${pipeline?.id}`))
    await page.getByText('A stage that holds deals cannot be removed.').waitFor()
    expect(await page.getByRole('button', { name: 'Remove Qualified' }).getAttribute('aria-disabled')).toBe(
      'true',
    )
  })

  test('offer a member only what a member may do', async () => {
    const page = await enterDemo(demo.current)
    await interceptCalls(page, '**/v1/me', async (route) => {
      const response = await route.fetch()
      const { data } = (await response.json()) as { data: object }
      await route.fulfill({ response, json: { data: { ...data, role: 'member' } } })
    })
    await page.goto(pageOf('deals'))
    await page.locator('[data-deal]').first().waitFor()
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0)
    await page.goto(pageOf('settings/pipelines'))
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    expect(await page.getByRole('link', { name: 'Custom fields' }).count()).toBe(0)
  })

  test('reports are copied and saved as CSV', async () => {
    const page = await enterDemo(demo.current, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(pageOf('reports'))
    const panel = page.getByRole('region', { name: 'Stages' })
    await panel.getByRole('button', { name: 'Copy Stages as CSV' }).click()
    await expect
      .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
      .toMatch(/^"Stage",.*\r?\n"Qualified",/)
    const saved = await saveFile(page, 'Export stages as CSV')
    expect(saved.name).toMatch(/^stages-\d{4}-\d\d-\d\d\.csv$/)
    expect(saved.text).toMatch(/^\uFEFF"Stage",.*\r\n"Qualified",/)
    const figures = await saveFile(page, 'Export figures as CSV')
    expect(figures.text).toMatch(/^\uFEFF"Figure",/)
  })

  test('of the workspace are saved together, and hold at once', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(pageOf('settings/workspace'))
    await page.getByLabel('Name', { exact: true }).fill('Demo GmbH')
    await page.getByLabel('Currency').selectOption('EUR')
    await page.getByLabel('Amounts are written as in').selectOption('de-DE')
    await page.getByText(/1\.234,56\s€/).waitFor()
    await page.getByRole('button', { name: 'Put back Currency' }).click()
    expect(await page.getByLabel('Currency').inputValue()).toBe('BRL')
    await page.getByLabel('Currency').selectOption('EUR')
    await page.keyboard.press('Control+s')
    await page.getByText('The workspace was saved.').waitFor()
    expect(await callApi(demo.current, 'GET', 'workspace')).toMatchObject({
      name: 'Demo GmbH',
      currency: 'EUR',
      locale: 'de-DE',
      country: 'BR',
    })
    // In the side bar, and in the amounts of a page that is not loaded anew.
    await page.getByRole('button', { name: /Demo GmbH/ }).waitFor()
    await page.getByRole('link', { name: 'Deals', exact: true }).click()
    await page
      .getByText(/\d\u00a0R\$/)
      .first()
      .waitFor()
    await callApi(demo.current, 'PATCH', 'workspace', { name: 'Demo Ltda', currency: 'BRL', locale: 'pt-BR' })
  })

  test('of the workspace have a link to everything of it, and say why there is none', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(pageOf('settings/workspace'))
    const section = page.getByRole('region', { name: 'Everything of this workspace' })
    const makeLink = section.getByRole('button', { name: 'Make a link' })
    await interceptCalls(page, '**/v1/workspace/archive-link', (route) =>
      route.fulfill({ status: 409, json: { error: { code: 'conflict', message: '…', request_id: '…' } } }),
    )
    await makeLink.click()
    await section.getByText(/^Deliveries to webhooks are waiting/).waitFor()
    await page.unroute('**/v1/workspace/archive-link')
    await makeLink.click()
    await section.getByText(/^Good until /).waitFor()
    expect(await section.getByRole('alert').count()).toBe(0)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      section.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('demo.tar')
    const entries = new ArchiveFileReader(await download.path()).entries()
    expect((await entries.next()).value).toMatchObject({ name: 'workspaces/000001.ndjson' })
    await entries.return(undefined)
  })

  test('move whole days with the time zone, which the browser does not share', async () => {
    const due_date = '2030-05-02T02:59:00.000Z'
    const task = await callApi<Named>(demo.current, 'POST', 'tasks', { title: 'Zone', due_date })
    const page = await enterDemo(demo.current)
    await page.goto(pageOf('settings/workspace'))
    await page.getByLabel('Time zone').selectOption('Europe/Berlin')
    await page.keyboard.press('Control+s')
    await page.getByText(/moved to the new time zone with/).waitFor()
    const dueOf = async () =>
      (await callApi<{ due_date: string }>(demo.current, 'GET', `tasks/${task.id}`)).due_date
    expect(await dueOf()).toBe('2030-05-01T21:59:00.000Z')
    await callApi(demo.current, 'PATCH', 'workspace', { time_zone: 'America/Sao_Paulo' })
    await expect.poll(dueOf).toBe(due_date)
  })

  test('of members invite several by links, give a role, and remove', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(pageOf('settings/members'))
    await page.getByText('Clara Weber').waitFor()
    await page.keyboard.press('c')
    await page.getByLabel('E-mails').fill('Nia <nia@new.example>; no@body, clara@demo.example')
    await page.getByRole('button', { name: 'Invite 3' }).click()
    const link = await page.getByRole('textbox', { name: 'nia@new.example' }).inputValue()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('clara@demo.example: Is a member already.').waitFor()
    expect(await page.getByLabel('E-mails').inputValue()).toBe('no@body\nclara@demo.example')
    await page.getByRole('button', { name: 'Cancel' }).click()

    const guest = await openPage()
    await guest.goto(link)
    await guest.getByLabel('Name').fill('Nia New')
    await guest.getByLabel('Password', { exact: true }).fill('a-long-password')
    await guest.locator('button.main').click()
    await guest.getByText('Welcome aboard').waitFor()

    await page.reload()
    await page.getByRole('button', { name: 'Role of Nia New: Member. Change' }).click()
    await page.getByRole('menuitemradio', { name: 'Admin' }).click()
    await page.getByText('Nia New: Admin.').waitFor()
    const roleOf = async (name: string) =>
      (await callApi<(Named & { role: string })[]>(demo.current, 'GET', 'members')).find(
        (member) => member.name === name,
      )?.role
    await expect.poll(() => roleOf('Nia New')).toBe('admin')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => roleOf('Nia New')).toBe('member')
    const lamps = await callApi<Named>(demo.current, 'POST', 'deals', {
      name: 'Lamps',
      owner_email: 'nia@new.example',
    })
    await page.getByRole('button', { name: 'More about Nia New' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Nia New owns 1 deal.').waitFor()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByText('Choose who takes it over, or nobody.').waitFor()
    await dialog.getByLabel('Hand all of it over to').selectOption('Clara Weber')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Clara Weber took over 1 record from Nia New.').waitFor()
    expect(await roleOf('Nia New')).toBeUndefined()
    expect(await callApi<{ owner: Named }>(demo.current, 'GET', `deals/${lamps.id}`)).toMatchObject({
      owner: { name: 'Clara Weber' },
    })
  })
})
