import { join } from 'node:path'
import { newId } from '@sales-crm/node'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { CHROMIUM, callApi, enterDemo, interceptCalls, openPage, useDemo } from './demo-console.ts'

const HOSTILE_NAME = '<img src=x onerror="document.title=\'broken\'"> \u202Egnitar\u202C & "Söhne" 👩‍👩‍👧'

interface Named {
  readonly id: string
}

/** The row of a field in the details of a record. */
const fieldRow = (page: Page, label: string) =>
  page.locator('dl > div').filter({ has: page.locator('dt', { hasText: new RegExp(`^${label}$`) }) })

/**
 * Cuts the connection of each call to the API, from now until `end`.
 * @param isExecuted whether the service executes what is written, and only its response is lost
 */
async function takeServiceAway(page: Page, isExecuted: boolean) {
  let isAway = true
  await interceptCalls(page, '**/v1/**', async (route) => {
    if (isAway && isExecuted && route.request().method() !== 'GET') await route.fetch()
    await (isAway ? route.abort('connectionreset') : route.continue())
  })
  return {
    end(): void {
      isAway = false
    },
  }
}

describe.skipIf(CHROMIUM === null)('the console', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)
  const pageOf = (path: string) => `${demo.current.base}/w/demo/${path}`
  const createPerson = (full_name: string) =>
    callApi<Named>(demo.current, 'POST', 'people', { full_name, position: 'Buyer' })

  test('shows hostile names as text, on every page that has them', async () => {
    const company = await callApi<Named>(demo.current, 'POST', 'companies', { full_name: HOSTILE_NAME })
    const deal = await callApi<Named>(demo.current, 'POST', 'deals', {
      name: HOSTILE_NAME,
      company_id: company.id,
    })
    await callApi(demo.current, 'POST', 'tasks', {
      title: HOSTILE_NAME,
      deal_id: deal.id,
      owner_email: 'ana@demo.example',
      due_date: new Date().toISOString(),
    })
    const page = await enterDemo(demo.current)
    for (const path of [
      '',
      'deals',
      'deals?view=table',
      'companies?search=onerror',
      `deals/${deal.id}`,
      `companies/${company.id}`,
    ]) {
      await page.goto(pageOf(path))
      await page.getByText(HOSTILE_NAME).first().waitFor()
      expect([path, await page.locator('img[src="x"]').count(), (await page.title()) === 'broken']).toEqual([
        path,
        0,
        false,
      ])
    }
  })

  test('shows a refusal at its field, and keeps what was typed', async () => {
    const person = await createPerson('Vitória Barbosa')
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`people/${person.id}`))
    const row = fieldRow(page, 'CPF')
    await row.getByRole('button').click()
    await row.getByRole('textbox').fill('529.982.247-26')
    await page.keyboard.press('Enter')
    await row.getByText(/check digits/).waitFor()
    expect(await row.getByRole('textbox').inputValue()).toBe('529.982.247-26')
    expect(await row.getByRole('textbox').getAttribute('aria-invalid')).toBe('true')

    await row.getByRole('textbox').fill('529.982.247-25')
    await page.keyboard.press('Enter')
    await row.getByRole('button', { name: '529.982.247-25' }).waitFor()
    await expect
      .poll(() => callApi<{ custom_fields: object[] }>(demo.current, 'GET', `people/${person.id}`))
      .toMatchObject({ custom_fields: [{ type: 'cpf', value: '52998224725' }] })
  })

  test('waits for the first letter or digit of a search, in lists, on the board, in the palette and in pickers', async () => {
    const page = await enterDemo(demo.current)
    const refused: string[] = []
    page.on('response', (response) => response.status() >= 400 && refused.push(response.url()))
    for (const path of ['people', 'products', 'deals', 'deals?view=table']) {
      await page.goto(pageOf(path))
      await page.getByRole('searchbox').fill('+')
      await page.waitForURL(/search=%2B/)
      await page.locator('[data-row], [data-deal]').first().waitFor()
    }
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('combobox', { name: 'Find or do' })
    await palette.fill('@')
    await page.getByRole('option', { name: 'New person “@”' }).click()
    await page.getByRole('combobox', { name: 'Company' }).fill('(')
    await page.getByText('Type a name, an e-mail').or(page.getByRole('option')).first().waitFor()
    expect(refused).toEqual([])
  })

  test('keeps the letters that are typed while a search is applied', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(pageOf('people'))
    const search = page.getByRole('searchbox')
    await search.waitFor()
    // The next letter comes between the change of the address and the effects of what is drawn for it.
    await page.evaluate(`{
      const replaceState = history.replaceState
      history.replaceState = (...state) => {
        replaceState.apply(history, state)
        history.replaceState = replaceState
        setTimeout(() => {
          const input = document.querySelector('input[type=search]')
          input.value += 'p'
          input.dispatchEvent(new Event('input', { bubbles: true }))
        })
      }
    }`)
    await search.pressSequentially('al')
    await page.waitForURL('**/people?search=alp')
    expect(await search.inputValue()).toBe('alp')
    await page.goBack()
    await page.goForward()
    await expect.poll(() => search.inputValue()).toBe('alp')
  })

  test('asks for the custom fields that a new record must have', async () => {
    const field = await callApi<Named>(demo.current, 'POST', 'custom-fields', {
      label: 'Badge',
      key: 'badge',
      type: 'number',
      required: true,
      show_people: true,
    })
    const page = await enterDemo(demo.current)
    await page.goto(pageOf('people'))
    await page.getByRole('button', { name: 'New person' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Complete')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const badge = page.getByRole('textbox', { name: 'Badge' })
    await page.locator('[aria-invalid="true"]').waitFor()
    expect(await badge.getAttribute('aria-invalid')).toBe('true')
    await badge.fill('12')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Complete' }).waitFor()
    await callApi(demo.current, 'DELETE', `custom-fields/${field.id}`)
  })

  test('says that a record was deleted by somebody else', async () => {
    const person = await createPerson('Soon gone')
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`people/${person.id}`))
    const row = fieldRow(page, 'Position')
    await row.getByRole('button', { name: 'Buyer' }).click()
    await callApi(demo.current, 'DELETE', `people/${person.id}`)
    await row.getByRole('textbox').fill('Director')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
  })

  test('shows nothing of another workspace', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`deals/${newId()}`))
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
    await page.goto(`${demo.current.base}/w/another/deals`)
    await page.getByText('You are not a member of this workspace, or it does not exist.').waitFor()
  })

  test('puts a deal back if its stage is gone', async () => {
    const pipeline = await callApi<{ id: string; stages: { id: string; name: string }[] }>(
      demo.current,
      'POST',
      'pipelines',
      {
        name: 'Short',
        stages: [
          { name: 'First', type: 'open', probability: 10 },
          { name: 'Second', type: 'open', probability: 20 },
          { name: 'Third', type: 'open', probability: 30 },
        ],
      },
    )
    const [first, second, third] = pipeline.stages
    await callApi(demo.current, 'POST', 'deals', {
      name: 'Stays',
      pipeline_id: pipeline.id,
      stage_id: first?.id,
    })
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`deals?pipeline=${pipeline.id}`))
    await page.getByRole('link', { name: 'Stays' }).waitFor()
    await callApi(demo.current, 'PATCH', `pipelines/${pipeline.id}`, {
      stages: [first, third].map((stage) => ({ id: stage?.id })),
    })
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+ArrowRight')
    await page
      .getByText(/^Not saved: .+ It is back in First\.$/)
      .first()
      .waitFor()
    await page
      .getByRole('region', { name: /^First 1/ })
      .getByRole('link', { name: 'Stays' })
      .waitFor()
    expect(second?.name).toBe('Second')
  })

  test('waits while it is offline, and sends the change afterwards', async () => {
    const person = await createPerson('Offline')
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`people/${person.id}`))
    const row = fieldRow(page, 'Position')
    await row.getByRole('button', { name: 'Buyer' }).waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline. What you change is kept here and sent later.').waitFor()
    await row.getByRole('button', { name: 'Buyer' }).click()
    await row.getByRole('textbox').fill('Director')
    await page.keyboard.press('Enter')
    await row.getByRole('button', { name: 'Director' }).waitFor()
    expect(await callApi(demo.current, 'GET', `people/${person.id}`)).toMatchObject({ position: 'Buyer' })
    await page.context().setOffline(false)
    await expect
      .poll(() => callApi(demo.current, 'GET', `people/${person.id}`), { timeout: 10_000 })
      .toMatchObject({ position: 'Director' })
  })

  test.each(['before the service gets it', 'after the service has executed it'])(
    'sends again, once, what was under way when the service went away %s',
    async (step) => {
      const person = await createPerson('Away')
      const page = await enterDemo(demo.current)
      await page.goto(pageOf(`people/${person.id}`))
      const row = fieldRow(page, 'Position')
      await row.getByRole('button', { name: 'Buyer' }).waitFor()
      const outage = await takeServiceAway(page, step.startsWith('after'))
      await row.getByRole('button', { name: 'Buyer' }).click()
      await row.getByRole('textbox').fill('Director')
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'Note' }).fill('Called twice')
      await page.keyboard.press('Control+Enter')
      await page.getByText(/The service is slow to answer/).waitFor()
      // Somebody else changes what has arrived.
      if (step.startsWith('after'))
        await callApi(demo.current, 'PATCH', `people/${person.id}`, { position: 'CEO' })
      outage.end()
      await page.getByText(/The service is slow to answer/).waitFor({ state: 'detached' })
      await page.getByRole('list').getByText('Called twice').waitFor()
      expect(await callApi(demo.current, 'GET', `people/${person.id}`)).toMatchObject({
        position: step.startsWith('after') ? 'CEO' : 'Director',
      })
      expect(
        await callApi<unknown[]>(demo.current, 'GET', `activities?entity=people&id=${person.id}`),
      ).toHaveLength(1)
      expect(await page.getByText(/Not saved/).count()).toBe(0)
    },
  )

  test('puts a change back that the service refuses, and says why', async () => {
    const person = await createPerson('Refused')
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`people/${person.id}`))
    await page.getByRole('heading', { level: 1, name: 'Refused' }).waitFor()
    await interceptCalls(page, '**/v1/people/*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({
            status: 403,
            contentType: 'application/json',
            body: JSON.stringify({ error: { code: 'forbidden', message: 'No.' } }),
          })
        : route.continue(),
    )
    await fieldRow(page, 'Owner').getByRole('button').click()
    await page.getByRole('menuitemradio', { name: 'Clara Weber' }).click()
    await page.getByText('Not saved: Your role does not allow this.').first().waitFor()
    expect(await fieldRow(page, 'Owner').getByRole('button').innerText()).not.toContain('Clara Weber')
  })

  test('tries again by itself when it is told to wait, and says that it waits', async () => {
    const page = await enterDemo(demo.current)
    let refusals = 0
    await interceptCalls(page, '**/v1/pipelines/*/board*', (route) => {
      if (refusals++ > 0) return route.continue()
      return route.fulfill({
        status: 429,
        headers: { 'Retry-After': '4' },
        contentType: 'application/json',
        body: JSON.stringify({ error: { code: 'rate_limited', message: 'Too many requests.' } }),
      })
    })
    await page.goto(pageOf('deals'))
    await page.getByText(/^The service is slow to answer\./).waitFor()
    await page.locator('[data-deal]').first().waitFor()
    await page.getByText(/^The service is slow to answer\./).waitFor({ state: 'detached' })
    expect(refusals).toBeGreaterThan(1)
  })

  test('keeps an unsaved note through a reload and the end of the session, and comes back to its page', async () => {
    const person = await createPerson('Interrupted')
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`people/${person.id}`))
    const note = page.getByRole('textbox', { name: 'Note' })
    await note.fill('Half a thought')
    await page.reload()
    await expect.poll(() => note.innerText()).toBe('Half a thought')

    // The session ends elsewhere, and the token with it.
    await page.context().clearCookies()
    await page.reload()
    await page.getByRole('button', { name: 'Enter the demo as Ana Lima' }).click()
    await page.getByRole('heading', { level: 1, name: 'Interrupted' }).waitFor()
    await expect.poll(() => note.innerText()).toBe('Half a thought')
    await note.press('Control+Enter')
    await page.getByText('Half a thought').waitFor()
    await expect.poll(async () => (await note.innerText()).trim()).toBe('')
  })

  test('leads to the sign-in page when another browser ends its session on the account page', async () => {
    const page = await enterDemo(demo.current)
    await page.goto(pageOf('people'))
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    const other = await enterDemo(demo.current)
    await other.goto(`${demo.current.base}/account`)
    const row = other.locator('li', { hasText: 'Console' }).first()
    await row.locator('summary', { hasText: 'Remove' }).click()
    await row.getByRole('button', { name: 'Sign out all others' }).click()
    await other.getByText('Every other browser was signed out.').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.getByRole('button', { name: 'Enter the demo as Ana Lima' }).waitFor()
  })

  test('two tabs show the same: a change of one is read by the other', async () => {
    const person = await createPerson('Shared')
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`people/${person.id}`))
    const other = await page.context().newPage()
    await other.goto(pageOf(`people/${person.id}`))
    await fieldRow(other, 'Position').getByRole('button', { name: 'Buyer' }).click()
    await fieldRow(other, 'Position').getByRole('textbox').fill('Director')
    await other.keyboard.press('Enter')
    await fieldRow(page, 'Position').getByRole('button', { name: 'Director' }).waitFor()
  })

  test('saves what is typed in a cell to its record, when others come before it meanwhile', async () => {
    const person = await createPerson('Cell owner B')
    const page = await enterDemo(demo.current)
    await page.goto(pageOf('people?search=cell'))
    await page.getByRole('button', { name: 'Buyer' }).click()
    await page.getByRole('textbox', { name: 'Position' }).fill('Typed for B')
    const other = await createPerson('Cell owner A')
    // A change in another tab makes this one read its rows again.
    const tab = await page.context().newPage()
    await tab.goto(pageOf(`people/${other.id}`))
    await fieldRow(tab, 'Position').getByRole('button').click()
    await tab.getByRole('textbox', { name: 'Position' }).fill('Of A')
    await tab.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Cell owner A' }).waitFor()
    await page.keyboard.press('Enter')
    await expect
      .poll(() => callApi(demo.current, 'GET', `people/${person.id}`))
      .toMatchObject({ position: 'Typed for B' })
    await expect
      .poll(() => callApi(demo.current, 'GET', `people/${other.id}`))
      .toMatchObject({ position: 'Of A' })
  })

  test('keys act on no other row when the one that had the focus is gone', async () => {
    const [kept, gone] = await Promise.all(
      ['Filtered one', 'Filtered two'].map((name) => callApi<Named>(demo.current, 'POST', 'deals', { name })),
    )
    const page = await enterDemo(demo.current)
    await page.goto(pageOf('deals?view=table&search=filtered&sort=name&dir=asc'))
    await page.getByRole('row').nth(2).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('searchbox').fill('filtered two')
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('w')
    await page.waitForTimeout(300)
    for (const deal of [kept, gone])
      expect(await callApi(demo.current, 'GET', `deals/${deal?.id}`)).toMatchObject({
        stage: { type: 'open' },
      })
  })

  test('writes no reason of a loss that was refused', async () => {
    const deal = await callApi<Named>(demo.current, 'POST', 'deals', { name: 'Not lost' })
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`deals/${deal.id}`))
    await page.getByRole('heading', { level: 1, name: 'Not lost' }).waitFor()
    await interceptCalls(page, `**/v1/deals/${deal.id}`, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({
            status: 422,
            json: { error: { code: 'validation_error', message: 'Refused.', request_id: 'r', fields: {} } },
          })
        : route.continue(),
    )
    await page.keyboard.press('Shift+W')
    await page.getByRole('dialog').getByLabel('Note').fill('Too dear')
    await page.getByRole('button', { name: 'Mark as lost' }).click()
    await page.getByText('Not saved: Refused.').first().waitFor()
    expect(await page.getByText(/^Moved to/).count()).toBe(0)
  })

  test('keeps the type of a task whose types are not loaded, and forgets an edit that was left', async () => {
    const task = await callApi<Named>(demo.current, 'POST', 'tasks', {
      title: 'Typed',
      type: 'call',
      due_date: new Date(Date.now() - 80 * 86_400_000).toISOString(),
      owner_email: 'ana@demo.example',
    })
    const page = await enterDemo(demo.current)
    await interceptCalls(page, '**/v1/task-types**', () => {})
    const row = page.locator(`[data-task="${task.id}"]`)
    await row.getByRole('button', { name: 'Typed' }).first().click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Left')
    await page.keyboard.press('Escape')
    await row.getByRole('button', { name: 'Typed' }).first().click()
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Typed')
    await page.getByRole('textbox', { name: 'Title' }).fill('Saved')
    await page.keyboard.press('Enter')
    await row.getByText('Saved').waitFor()
    expect(await callApi(demo.current, 'GET', `tasks/${task.id}`)).toMatchObject({ type: { key: 'call' } })
  })

  test('says that a dialog did not load, and goes on', async () => {
    const page = await openPage()
    // The failure that is provoked is reported, too.
    page.removeAllListeners('console')
    page.removeAllListeners('pageerror')
    await page.goto(demo.current.base)
    await page.locator('button.main').first().click()
    await page.waitForURL(pageOf(''))
    await page.goto(pageOf('deals'))
    await page.locator('[data-deal]').first().waitFor()
    await interceptCalls(page, '**/choice-dialogs*.js', (route) => route.abort())
    await page.keyboard.press('j')
    await page.keyboard.press('m')
    await page.getByText('This did not load.').first().waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
  })

  test('speaks Portuguese to a browser that does', async () => {
    const page = await openPage({ locale: 'pt-BR' })
    await page.goto(demo.current.base)
    await page.getByRole('button', { name: 'Entrar na demonstração como Ana Lima' }).click()
    await page.getByRole('heading', { level: 1, name: 'Meu dia' }).waitFor()
    await page.goto(pageOf('deals'))
    await page.getByRole('button', { name: 'Novo negócio' }).first().waitFor()
  })
})
