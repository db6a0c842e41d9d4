import { CrmError, createCrm } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { webPorts } from './web-ports.js'

const OLGA = { workspace: 'acme', email: 'olga@acme.example' }

const crm = createCrm({ ...webPorts(), storage: memoryStorage() })
await crm.operator.createWorkspace({
  name: 'Acme',
  slug: OLGA.workspace,
  owner_name: 'Olga',
  owner_email: OLGA.email,
})
const olga = await crm.operator.actorFor(OLGA)
await crm.pipelines.create(olga, { name: 'Sales', stages: [{ name: 'New' }] })

document.querySelector('#add').addEventListener('submit', async (event) => {
  event.preventDefault()
  const form = event.target
  try {
    await addPerson(Object.fromEntries(new FormData(form)))
    form.reset()
    showError('')
  } catch (error) {
    if (!(error instanceof CrmError)) throw error
    showError(Object.entries(error.fields ?? {}).map(([field, rule]) => `${field}: ${rule}`))
  }
  await showRecords()
})

async function addPerson({ full_name, deal, amount }) {
  const person = await crm.people.create(olga, { full_name })
  if (deal)
    await crm.deals.create(olga, { name: deal, amount: Math.round(amount * 100), person_id: person.id })
}

function showError(text) {
  document.querySelector('#error').textContent = text
}

async function showRecords() {
  const people = await crm.people.list(olga, { order_by: 'full_name', order: 'asc' })
  showList(
    '#people',
    people.data.map(({ full_name }) => full_name),
  )
  const deals = await crm.deals.list(olga)
  showList(
    '#deals',
    deals.data.map(
      ({ name, formatted_amount, person }) => `${name}, ${formatted_amount}, ${person.full_name}`,
    ),
  )
}

/** Text content, never HTML. */
function showList(selector, texts) {
  const items = texts.map((text) => Object.assign(document.createElement('li'), { textContent: text }))
  document.querySelector(selector).replaceChildren(...items)
}
