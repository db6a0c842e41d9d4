import { useConsole } from '../app/console-context.ts'
import { createPlural } from '../texts/plural.ts'

const plural = createPlural('en')
const pluralPt = createPlural('pt-BR')

const en = {
  items: 'Items',
  add: 'Add a product, or type what it is',
  addOne: 'Add an item',
  full: (max: string) => `The deal has ${max} items, which is as many as it can have.`,
  find: 'Product or free text, after its quantity',
  quantityFirst: 'A number first is the quantity',
  freeText: (name: string) => `Free text “${name}”`,
  priceNext: 'the price is asked next',
  columns: {
    name: 'Product',
    quantity: 'Quantity',
    unit_price_cts: 'Unit price',
    discount: 'Discount',
    tax_rate: 'Tax',
    billing_cycle: 'Cycle',
    total_cts: 'Total',
    actions: 'Actions',
  },
  cellOf: (column: string, item: string) => `${column} of ${item}`,
  discountHint: 'A percentage such as 10%, or an amount.',
  keys: {
    edit: 'edit',
    next: 'next cell',
    newLine: 'new line',
    move: 'move',
    copy: 'copy',
    remove: 'remove',
  },
  copy: 'Copy',
  moveUp: 'Move up',
  moveDown: 'Move down',
  newLine: 'New line below',
  remove: 'Remove',
  added: (name: string) => `“${name}” was added.`,
  addedMany: (count: number) => plural(count, '# item was added.', '# items were added.'),
  removed: (name: string) => `“${name}” was removed.`,
  moved: (name: string) => `“${name}” was moved.`,
  noItems: 'No items',
  withTax: (amount: string) => `${amount} with tax`,
  less: (discount: string) => `less ${discount}`,
  amount: 'Amount',
  source: {
    items: 'Sum of items, first year',
    typed: 'typed',
    differs: (amount: string) => `typed; items make ${amount}`,
    label: (word: string) => `Amount: ${word}`,
    sum: 'Sum',
    type: 'Type it',
  },
  errors: {
    quantity: (least: string, most: string) =>
      `Write a number from ${least} to ${most}, with up to 3 decimal places.`,
    percent: 'Write a percentage from 0 to 100, with up to 2 decimal places.',
    discount: 'More than quantity × price.',
    cycle: 'Not a billing cycle.',
    row: (row: number, column: string, reason: string) => `Row ${row}, ${column}: ${reason}`,
    tooMany: (free: number) => plural(free, 'Only # more item fits.', 'Only # more items fit.'),
    notAdded: (name: string, reason: string) => `“${name}” was not added: ${reason}`,
  },
}

export type ItemTexts = typeof en

const ptBr: ItemTexts = {
  items: 'Itens',
  add: 'Adicione um produto ou digite o que é',
  addOne: 'Adicionar item',
  full: (max) => `O negócio tem ${max} itens, o máximo possível.`,
  find: 'Produto ou texto livre, depois da quantidade',
  quantityFirst: 'Um número na frente é a quantidade',
  freeText: (name) => `Texto livre “${name}”`,
  priceNext: 'o preço vem em seguida',
  columns: {
    name: 'Produto',
    quantity: 'Quantidade',
    unit_price_cts: 'Preço unit.',
    discount: 'Desconto',
    tax_rate: 'Imposto',
    billing_cycle: 'Ciclo',
    total_cts: 'Total',
    actions: 'Ações',
  },
  cellOf: (column, item) => `${column} de ${item}`,
  discountHint: 'Uma porcentagem como 10% ou um valor.',
  keys: {
    edit: 'editar',
    next: 'próxima célula',
    newLine: 'nova linha',
    move: 'mover',
    copy: 'copiar',
    remove: 'remover',
  },
  copy: 'Copiar',
  moveUp: 'Mover para cima',
  moveDown: 'Mover para baixo',
  newLine: 'Nova linha abaixo',
  remove: 'Remover',
  added: (name) => `“${name}” foi adicionado.`,
  addedMany: (count) => pluralPt(count, '# item foi adicionado.', '# itens foram adicionados.'),
  removed: (name) => `“${name}” foi removido.`,
  moved: (name) => `“${name}” foi movido.`,
  noItems: 'Sem itens',
  withTax: (amount) => `${amount} com imposto`,
  less: (discount) => `menos ${discount}`,
  amount: 'Valor',
  source: {
    items: 'Soma dos itens, primeiro ano',
    typed: 'digitado',
    differs: (amount) => `digitado; os itens somam ${amount}`,
    label: (word) => `Valor: ${word}`,
    sum: 'Somar',
    type: 'Digitar',
  },
  errors: {
    quantity: (least, most) => `Escreva um número de ${least} a ${most}, com até 3 casas decimais.`,
    percent: 'Escreva uma porcentagem de 0 a 100, com até 2 casas decimais.',
    discount: 'Mais do que quantidade × preço.',
    cycle: 'Não é um ciclo de cobrança.',
    row: (row, column, reason) => `Linha ${row}, ${column}: ${reason}`,
    tooMany: (free) => pluralPt(free, 'Só cabe mais # item.', 'Só cabem mais # itens.'),
    notAdded: (name, reason) => `“${name}” não foi adicionado: ${reason}`,
  },
}

export function itemTexts(language: string): ItemTexts {
  return language === 'pt-BR' ? ptBr : en
}

export function useItemTexts(): ItemTexts {
  return itemTexts(useConsole().texts.language)
}
