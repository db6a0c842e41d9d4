import type { Actor, Crm } from '@sales-crm/core'
import { type Colour, drawPng } from './png-image.ts'

const PRODUCT_IMAGES: Readonly<Record<string, readonly [Colour, Colour]>> = {
  'LIC-BR-A': [
    [219, 234, 254],
    [37, 99, 235],
  ],
  'SUP-BR-T': [
    [220, 252, 231],
    [22, 163, 74],
  ],
  'LIC-US-A': [
    [254, 243, 199],
    [217, 119, 6],
  ],
}

const MEETINGS = [
  {
    currency: 'BRL',
    content_html: '<p><strong>Reunião:</strong> combinamos os próximos passos. A ata vai anexa.</p>',
    attachments: [
      {
        filename: 'ata.txt',
        content: toBase64('Próximos passos\n1. Enviar o contrato\n2. Marcar o início\n'),
      },
    ],
  },
  {
    currency: 'USD',
    content_html: '<p><strong>Meeting:</strong> agreed on the scope. Minutes and sketch attached.</p>',
    attachments: [
      {
        filename: 'minutes.txt',
        content: toBase64('Next steps\n1. Send the contract\n2. Set a date to start\n'),
      },
      { filename: 'sketch.png', content: drawPng([241, 245, 249], [15, 23, 42]) },
    ],
  },
]

/** Adds images to a few products, and a meeting with attachments to an open deal in each currency. */
export async function addDemoFiles(crm: Crm, actor: Actor): Promise<void> {
  const { data: products } = await crm.products.list(actor, { per_page: 100 })
  for (const { id, code } of products) {
    const imageColours = PRODUCT_IMAGES[code ?? '']
    if (imageColours) await crm.products.update(actor, id, { image: drawPng(...imageColours) })
  }
  const { data: deals } = await crm.deals.list(actor, { status: 'open', per_page: 100 })
  for (const { currency, ...meeting } of MEETINGS) {
    const deal = deals.find((each) => each.currency === currency)
    if (deal)
      await crm.activities.create(actor, {
        ...meeting,
        entity: 'deals',
        entity_id: deal.id,
        owner_user_id: actor.userId,
      })
  }
}

function toBase64(content: string): string {
  return Buffer.from(content).toString('base64')
}
