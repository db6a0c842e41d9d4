/** Fetches a board and builds its cards with DOM calls, as the reference of the board of the console. */

interface PlainDeal {
  readonly id: string
  readonly name: string
  readonly amount: number
  readonly currency: string
  readonly company: { readonly full_name: string } | null
  readonly person: { readonly full_name: string } | null
  readonly owner: { readonly name: string } | null
  readonly next_task: { readonly title: string; readonly due_date: string | null } | null
  readonly stage_entered_at: string
}

interface PlainStage {
  readonly name: string
  readonly count: number
  readonly type: string
  readonly deals: readonly PlainDeal[]
}

const DAY_MS = 86_400_000
const STYLE = `
  body { margin: 0; font: 14px/1.4 system-ui; background: #f6f5f1 }
  main { display: flex; gap: 8px; height: 100vh; overflow: auto }
  section { flex: 1 0 248px; max-width: 336px }
  ul { display: grid; gap: 6px; margin: 0; padding: 0; list-style: none }
  li { position: relative; display: grid; gap: 2px; padding: 10px 12px; border: 1px solid #ddd; border-radius: 10px; background: #fff; box-shadow: 0 1px 2px #0002 }
  h3, p { display: flex; gap: 4px; margin: 0; font-size: 13px; justify-content: space-between }
  p span:first-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
  button { position: absolute; inset: 8px 8px auto auto }`

async function showBoard(path: string, token: string): Promise<void> {
  const response = await fetch(path, { headers: { Authorization: `Bearer ${token}` } })
  const { data } = (await response.json()) as { readonly data: { readonly stages: readonly PlainStage[] } }
  const style = document.createElement('style')
  style.textContent = STYLE
  document.head.append(style)
  const board = document.createElement('main')
  board.append(...data.stages.filter(({ type }) => type === 'open').map(createColumn))
  document.body.append(board)
}

function createColumn({ name, count, deals }: PlainStage): HTMLElement {
  const list = document.createElement('ul')
  list.append(...deals.map(createCard))
  return createElement('section', createElement('h2', `${name} ${count}`), list)
}

const amounts = new Map<string, Intl.NumberFormat>()

function formatAmount({ amount, currency }: PlainDeal): string {
  let format = amounts.get(currency)
  if (!format) {
    format = new Intl.NumberFormat('en', { style: 'currency', currency })
    amounts.set(currency, format)
  }
  return format.format(amount / 100)
}

function createCard(deal: PlainDeal): HTMLElement {
  const link = document.createElement('a')
  link.href = `/w/bench/deals/${deal.id}`
  link.textContent = deal.name
  const menu = createElement('button', '…')
  menu.setAttribute('aria-label', `Actions for ${deal.name}`)
  const days = Math.floor((Date.now() - Date.parse(deal.stage_entered_at)) / DAY_MS)
  const card = createElement(
    'li',
    createElement('h3', link),
    menu,
    createElement('p', createElement('span', deal.company?.full_name ?? deal.person?.full_name ?? '')),
    createElement('p', createElement('span', formatAmount(deal)), createElement('span', initialsOf(deal))),
    createElement(
      'p',
      createElement('span', deal.next_task?.title ?? 'No next task'),
      createElement('span', `${days} d`),
    ),
  )
  card.dataset['deal'] = deal.id
  return card
}

function initialsOf({ owner }: PlainDeal): string {
  return (owner?.name ?? '')
    .split(' ')
    .map((word) => word[0] ?? '')
    .join('')
}

function createElement(name: string, ...children: readonly (Node | string)[]): HTMLElement {
  const element = document.createElement(name)
  element.append(...children)
  return element
}

Object.assign(globalThis, { showBoard })
