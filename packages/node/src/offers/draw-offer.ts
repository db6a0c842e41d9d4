import type { PrintableOffer } from '@sales-crm/core/ports'
import { drawItems } from './draw-items.ts'
import { CONTENT_WIDTH, MARGIN, OfferPaper, PAGE_WIDTH } from './offer-paper.ts'
import { OfferFormat, TEXTS } from './offer-texts.ts'

const LOGO_SIZE = [150, 36] as const
const META_WIDTH = 210
const HALF = CONTENT_WIDTH / 2 - 10
/** Long enough for any name of a deal. */
const MAX_TITLE_LINES = 8

/** Returns an offer as PDF, the same bytes for the same offer. */
export async function drawOffer(offer: PrintableOffer): Promise<Uint8Array> {
  const { language, number, sender, title } = offer
  const [texts, format] = [TEXTS[language], new OfferFormat(offer)]
  const paper = new OfferPaper({
    ...{ title: `${texts.offer} ${number}`, author: sender.legal_name, language },
    createdAt: new Date(offer.created_at),
    drawHead: (page) => drawHead(page, offer, format),
    drawFoot(page, y, nth, count) {
      const style = { size: 7.5, color: 'soft', y, x: MARGIN, width: CONTENT_WIDTH } as const
      const [name = ''] = page.wrap(
        `${sender.legal_name}, ${texts.offer.toLowerCase()} ${number}`,
        style,
        400,
      )
      page.write(name, style)
      page.write(texts.page(nth, count), { ...style, align: 'right' })
    },
  })
  paper.y += 14
  const heading = { size: 17, font: 'bold', x: MARGIN, width: CONTENT_WIDTH } as const
  paper.writeLines(paper.wrap(title, heading, CONTENT_WIDTH).slice(0, MAX_TITLE_LINES), 21, heading)
  paper.y += 12
  drawParties(paper, offer)
  drawItems(paper, offer, format)
  drawTotals(paper, offer, format)
  drawNotes(paper, offer)
  drawPlaceToSign(paper, offer)
  return paper.end()
}

/** The logo, or the name of the sender, and what tells offers apart. */
function drawHead(paper: OfferPaper, offer: PrintableOffer, format: OfferFormat): number {
  const { language, logo, sender, number, date, valid_until } = offer
  const texts = TEXTS[language]
  const [top, width] = [paper.y, CONTENT_WIDTH - META_WIDTH - 10]
  const isDrawn = logo !== null && paper.image(Buffer.from(logo, 'base64'), MARGIN, top, LOGO_SIZE)
  const name = { size: 12, font: 'bold', x: MARGIN, width } as const
  if (!isDrawn)
    for (const [index, line] of paper.wrap(sender.legal_name, name, width).slice(0, 3).entries())
      paper.write(line, { ...name, y: top + 15 * index })
  const meta = [
    [texts.offer, number],
    [texts.date, format.date(date)],
    [texts.validUntil, format.date(valid_until)],
  ] as const
  for (const [index, [label, value]] of meta.entries()) {
    const place = { size: 9, x: PAGE_WIDTH - MARGIN - META_WIDTH, width: META_WIDTH, y: top + 13 * index }
    paper.write(label, { ...place, x: place.x + 70, color: 'soft' })
    paper.write(value, { ...place, align: 'right' })
  }
  return 56
}

function drawParties(paper: OfferPaper, { language, sender, recipient }: PrintableOffer): void {
  const texts = TEXTS[language]
  const { company_name, person_name, email } = recipient
  const attention = company_name !== null && person_name !== null ? `${texts.attention} ${person_name}` : null
  const parties = [
    {
      label: texts.from,
      x: MARGIN,
      name: sender.legal_name,
      others: [sender.tax_id, sender.address, sender.email],
    },
    {
      ...{ label: texts.to, x: MARGIN + HALF + 20, name: company_name ?? person_name },
      others: [attention, email],
    },
  ]
  const top = paper.y
  let bottom = top
  for (const { label, x, name, others } of parties) {
    if (name === null) continue
    paper.y = top
    const place = { size: 9, x, width: HALF }
    paper.writeLines([label], 15, { ...place, font: 'bold', color: 'accent' })
    paper.writeLines(paper.wrap(name, { ...place, font: 'bold' }, HALF), 13, { ...place, font: 'bold' })
    const lines = others.flatMap((text) => (text === null ? [] : paper.wrap(text, place, HALF)))
    paper.writeLines(lines.filter((line) => line !== '').slice(0, MAX_ADDRESS_LINES), 13, place)
    bottom = Math.max(bottom, paper.y)
  }
  paper.y = bottom + 16
}

/** Both addresses fit on the first page, below any title. */
const MAX_ADDRESS_LINES = 20

/** What the lines come to each time they are due. All of it is on one page. */
function drawTotals(
  paper: OfferPaper,
  { language, totals, items }: PrintableOffer,
  format: OfferFormat,
): void {
  const texts = TEXTS[language]
  const cycles = (['one_time', 'monthly', 'quarterly', 'annually'] as const).filter((cycle) =>
    items.some(({ billing_cycle }) => billing_cycle === cycle),
  )
  const hasTax = items.some(({ tax_rate }) => tax_rate !== null)
  const columns = hasTax ? (['net', 'tax', 'gross'] as const) : (['gross'] as const)
  const rows = cycles.map((cycle) => ({
    label: texts.due[cycle],
    amounts: columns.map((name) => format.money(totals[cycle][`${name}_cts`])),
  }))
  paper.y += 14
  paper.require(20 + 20 * rows.length)
  const column = 118
  const x = PAGE_WIDTH - MARGIN - column * columns.length
  const left = x - 90
  const place = { size: 8, y: paper.y, width: column, align: 'right' } as const
  for (const [index, name] of columns.entries())
    paper.write(texts.totals[name], { ...place, x: x + column * index, color: 'soft' })
  paper.y += 14
  paper.rule(left, PAGE_WIDTH - MARGIN - left, 'ink')
  for (const { label, amounts } of rows) {
    const row = { size: 9, y: paper.y + 5 }
    paper.write(label, { ...row, x: left, width: 90 })
    for (const [index, amount] of amounts.entries()) {
      const font = index === amounts.length - 1 ? 'bold' : 'regular'
      paper.write(amount, { ...row, font, x: x + column * index, width: column, align: 'right' })
    }
    paper.y += 20
    paper.rule(left, PAGE_WIDTH - MARGIN - left, 'line')
  }
}

function drawNotes(paper: OfferPaper, { language, notes }: PrintableOffer): void {
  if (notes === null) return
  const place = { size: 9, x: MARGIN, width: CONTENT_WIDTH }
  paper.y += 22
  paper.require(30)
  paper.writeLines([TEXTS[language].notes], 15, { ...place, font: 'bold', color: 'accent' })
  paper.writeLines(paper.wrap(notes, place, CONTENT_WIDTH), 13, place)
}

function drawPlaceToSign(paper: OfferPaper, { language }: PrintableOffer): void {
  const { agreed, sign } = TEXTS[language]
  const place = { size: 9, x: MARGIN, width: CONTENT_WIDTH }
  paper.y += 22
  paper.require(75)
  paper.writeLines([agreed], 45, { ...place, font: 'bold', color: 'accent' })
  const width = (CONTENT_WIDTH - 40) / 3
  for (const [index, label] of sign.entries()) {
    const x = MARGIN + index * (width + 20)
    paper.rule(x, width, 'ink')
    paper.write(label, { size: 7.5, color: 'soft', x, y: paper.y + 4, width })
  }
}
