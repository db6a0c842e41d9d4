import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { CHROMIUM, callApi, enterDemo, interceptCalls, useDemo } from './demo-console.ts'
import { getDeal, openBoard } from './open-board.ts'

describe.skipIf(CHROMIUM === null)('changes', () => {
  const demo = useDemo((folder) => `sqlite:${join(folder, 'crm.db')}`)
  const dealOf = (id: string) => getDeal(demo.current, id)
  const pageOf = (path: string) => `${demo.current.base}/w/demo/${path}`
  const createPerson = (full_name: string) =>
    callApi<{ readonly id: string }>(demo.current, 'POST', 'people', { full_name, position: 'Buyer' })

  test('are taken back one after the other, and none of them is made again', async () => {
    const { page, ids } = await openBoard(demo.current, ['Deal A', 'Deal B'])
    await callApi(demo.current, 'POST', 'tags', { name: 'Undone', color: '#112233' })
    const stateOf = async (id: string) => {
      const { owner, tags } = await dealOf(id)
      return [owner?.name, ...tags.map(({ name }) => name)]
    }
    const statesAre = (state: readonly (string | undefined)[]) =>
      expect.poll(() => Promise.all(ids.map(stateOf))).toEqual([state, state])
    await page.keyboard.press('Shift+J')
    await page.keyboard.press('o')
    await page.getByRole('option', { name: /Clara Weber/ }).click()
    await statesAre(['Clara Weber'])
    await page.keyboard.press('l')
    await page.getByRole('option', { name: 'Undone' }).click()
    await statesAre(['Clara Weber', 'Undone'])
    await page.getByText('2 selected').waitFor()

    await page.keyboard.press('z')
    await statesAre(['Clara Weber'])
    await page.keyboard.press('z')
    await statesAre([undefined])
    let changes = 0
    page.on('request', (request) => {
      if (request.method() === 'PATCH') changes++
    })
    await page.keyboard.press('z')
    await page.keyboard.press('o')
    await page.getByRole('option', { name: /Clara Weber/ }).click()
    await statesAre(['Clara Weber'])
    await page.getByText('2 selected').waitFor()
    expect(changes).toBe(2)
  })

  test('of two tasks are taken back one after the other', async () => {
    const create = (title: string) =>
      callApi<{ id: string }>(demo.current, 'POST', 'tasks', {
        title,
        due_date: new Date(Date.now() - 5 * 86_400_000).toISOString(),
        owner_email: 'ana@demo.example',
      })
    const tasks = [await create('First of two'), await create('Second of two')]
    const statesNow = () =>
      Promise.all(
        tasks.map(
          async ({ id }) =>
            (await callApi<{ completed: boolean }>(demo.current, 'GET', `tasks/${id}`)).completed,
        ),
      )
    const page = await enterDemo(demo.current)
    for (const { id } of tasks) await page.locator(`[data-task="${id}"] input`).click()
    await expect.poll(statesNow).toEqual([true, true])
    await page.keyboard.press('z')
    await expect.poll(statesNow).toEqual([true, false])
    await page.keyboard.press('z')
    await expect.poll(statesNow).toEqual([false, false])
  })

  describe('of a deal that was won, whose move before it is not answered yet, are taken back', () => {
    /** Opens a board, and holds its first change of a deal until it is answered. Lists the stages that are sent. */
    async function openUnansweredBoard(answerMove: (route: Route) => Promise<void>) {
      const { page, pipeline } = await openBoard(demo.current, ['Moved twice'])
      const held = Promise.withResolvers<void>()
      const sent: (string | undefined)[] = []
      await interceptCalls(page, '**/v1/deals/*', async (route) => {
        const { stage_id } = route.request().postDataJSON() as { readonly stage_id: string }
        sent.push(pipeline.stages.find(({ id }) => id === stage_id)?.name)
        if (sent.length > 1) return route.continue()
        await held.promise
        await answerMove(route)
      })
      return { page, sent, answer: held.resolve }
    }

    async function undoWin(page: Page): Promise<void> {
      await page.getByText('Moved to Won.', { exact: true }).waitFor()
      await page.keyboard.press('z')
      await page.getByText('Moved to Won.', { exact: true }).waitFor({ state: 'hidden' })
    }

    test('to the stage of that move, even if it was not drawn', async () => {
      const { page, sent, answer } = await openUnansweredBoard((route) => route.continue())
      const press = (key: object) => `dispatchEvent(new KeyboardEvent('keydown', ${JSON.stringify(key)}));`
      const right = { key: 'ArrowRight', code: 'ArrowRight', shiftKey: true }
      await page.evaluate(press(right) + press({ key: 'w', code: 'KeyW' }))
      await undoWin(page)
      answer()
      await expect.poll(() => sent).toEqual(['Second', 'Won', 'Second'])
    })

    test('to the stage before that move, if it is refused', async () => {
      const error = { code: 'validation_error', message: 'Refused.', request_id: 'r', fields: {} }
      const { page, sent, answer } = await openUnansweredBoard((route) =>
        route.fulfill({ status: 422, json: { error } }),
      )
      await page.keyboard.press('Shift+ArrowRight')
      await page.getByRole('region', { name: /^Second 1/ }).waitFor()
      await page.keyboard.press('w')
      await undoWin(page)
      answer()
      await expect.poll(() => sent).toEqual(['Second', 'Won', 'First'])
    })
  })

  test('that take a won deal back give it the focus again', async () => {
    const { page, ids } = await openBoard(demo.current, ['Deal A', 'Deal B', 'Deal C'])
    const focused = () => page.evaluate('document.activeElement.dataset.focus')
    await page.keyboard.press('j')
    await expect.poll(focused).toBe(ids[1])
    await page.keyboard.press('w')
    await expect.poll(focused).toBe(ids[2])
    await page.keyboard.press('z')
    await expect.poll(focused).toBe(ids[1])
  })

  test('that are refused later take back their own deal alone, and others do not wait for them', async () => {
    const { page, pipeline, ids } = await openBoard(demo.current, ['A refused later', 'B moved meanwhile'])
    const held = Promise.withResolvers<void>()
    await interceptCalls(page, `**/v1/deals/${ids[0]}`, async (route) => {
      await held.promise
      const error = { code: 'validation_error', message: 'Refused.', request_id: 'r', fields: {} }
      await route.fulfill({ status: 422, json: { error } })
    })
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByRole('region', { name: /^Second 1/ }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByRole('region', { name: /^Second 2/ }).waitFor()
    await expect.poll(async () => (await dealOf(ids[1]!)).stage.name).toBe('Second')

    const moved = `[data-stage="${pipeline.stages[1]?.id}"] [data-deal="${ids[1]}"]`
    await page.evaluate(`{
      window.isLeft = false
      new MutationObserver(() => { window.isLeft ||= !document.querySelector('${moved}') })
        .observe(document.body, { childList: true, subtree: true })
    }`)
    held.resolve()
    await page.getByText('It is back in First.').first().waitFor()
    await page.getByRole('region', { name: /^First 1/ }).waitFor()
    await page.getByRole('region', { name: /^Second 1/ }).waitFor()
    expect(await page.evaluate('isLeft')).toBe(false)
  })

  test('that are refused show it at their field, without taking the focus from what is typed meanwhile', async () => {
    const person = await createPerson('Refused Later')
    const page = await enterDemo(demo.current)
    const held = Promise.withResolvers<void>()
    await interceptCalls(page, '**/v1/people/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      await held.promise
      const error = { code: 'validation_error', message: 'Refused.', request_id: 'r', fields: {} }
      await route.fulfill({ status: 422, json: { error } })
    })
    await page.goto(pageOf(`people/${person.id}`))
    const row = page.locator('dl > div', { has: page.locator('dt', { hasText: /^Position$/ }) })
    await row.getByRole('button').click()
    await row.getByRole('textbox').fill('Head of purchase')
    await page.keyboard.press('Enter')
    const note = page.getByRole('textbox', { name: 'Note' })
    await note.click()
    await page.keyboard.type('Called ')
    await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
    held.resolve()
    await row.getByText('Refused.').waitFor()
    await page.keyboard.type('about the offer')
    expect([await note.innerText(), await row.getByRole('textbox').inputValue()]).toEqual([
      'Called about the offer',
      'Head of purchase',
    ])
  })

  test('of tags by two tabs at the same time are both kept', async () => {
    const person = await createPerson('Tagged Twice')
    for (const name of ['Of one tab', 'Of the other'])
      await callApi(demo.current, 'POST', 'tags', { name, color: '#112233' })
    const page = await enterDemo(demo.current)
    const other = await page.context().newPage()
    const sent = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    await interceptCalls(page, '**/v1/people/*/memberships', async (route) => {
      sent.resolve()
      await held.promise
      await route.continue()
    })
    async function addTag(tab: Page, name: string): Promise<void> {
      await tab.goto(pageOf(`people/${person.id}`))
      await tab.getByRole('heading', { level: 1, name: 'Tagged Twice' }).waitFor()
      await tab.keyboard.press('l')
      await tab.getByRole('option', { name }).click()
      await tab
        .getByRole('button', { name: `Remove the tag ${name}` })
        .first()
        .waitFor()
    }
    await addTag(page, 'Of one tab')
    await sent.promise
    await addTag(other, 'Of the other')
    held.resolve()
    const tagsNow = async () => {
      const { tags } = await callApi<{ tags: readonly { name: string }[] }>(
        demo.current,
        'GET',
        `people/${person.id}`,
      )
      return tags.map(({ name }) => name).sort()
    }
    await expect.poll(tagsNow).toEqual(['Of one tab', 'Of the other'])
    for (const tab of [page, other])
      for (const name of ['Of one tab', 'Of the other'])
        await tab
          .getByRole('button', { name: `Remove the tag ${name}` })
          .first()
          .waitFor()

    await other.getByRole('button', { name: 'Remove the tag Of one tab' }).first().click()
    await expect.poll(tagsNow).toEqual(['Of the other'])
  })

  test('say what was typed, when the record was deleted meanwhile', async () => {
    const { id } = await createPerson('Deleted Elsewhere')
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`people/${id}`))
    await page.getByRole('button', { name: 'Buyer' }).click()
    await page.getByRole('textbox', { name: 'Position' }).fill('Head of purchasing')
    await callApi(demo.current, 'DELETE', `people/${id}`)
    await page.keyboard.press('Enter')
    await page
      .getByText('Not saved: somebody deleted the record. Position: “Head of purchasing”.')
      .first()
      .waitFor()
  })

  test('are sent once, when they are refused and the page goes', async () => {
    const { id } = await createPerson('Refused And Gone')
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`people/${id}`))
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.url())
    })
    await page.getByRole('button', { name: 'Buyer' }).click()
    await page.getByRole('textbox', { name: 'Position' }).fill('x'.repeat(1000))
    await callApi(demo.current, 'DELETE', `people/${id}`)
    await page.keyboard.press('Enter')
    await page.getByText('Not found').first().waitFor()
    expect(sent).toHaveLength(1)
  })

  test('that delete a company say how much is linked with it', async () => {
    const { id } = await callApi<{ readonly id: string }>(demo.current, 'POST', 'companies', {
      full_name: 'Linked Ltd',
    })
    await callApi(demo.current, 'POST', 'people', { full_name: 'Linked Person', company_id: id })
    for (const name of ['First linked', 'Second linked'])
      await callApi(demo.current, 'POST', 'deals', { name, company_id: id })
    const page = await enterDemo(demo.current)
    await page.goto(pageOf(`companies/${id}`))
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Linked with it: 1 person, 2 deals.').waitFor()
    await dialog.getByRole('button', { name: 'Keep' }).click()
    expect((await callApi<{ full_name: string }>(demo.current, 'GET', `companies/${id}`)).full_name).toBe(
      'Linked Ltd',
    )
  })
})
