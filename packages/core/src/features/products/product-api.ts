import { recordApi } from '../../engine/crud.ts'
import { deleteRecord } from '../../engine/delete-record.ts'
import type { Engine } from '../../engine/extension.ts'
import { requireScope } from '../../kernel/actor.ts'
import { defineProducts } from './product.ts'
import { ProductWriter } from './product-writer.ts'

/** Creates, changes and deletes products together with their images: the files of the same id. */
export function productApi(engine: Engine) {
  const products = defineProducts(engine.issuer)
  const records = recordApi(products, engine)
  const writer = new ProductWriter(products, engine)
  const api: Omit<typeof records, 'createIdempotent'> = {
    list: records.list,
    get: records.get,
    create: (actor, input) => writer.create(actor, input),
    update: (actor, id, input) => writer.update(actor, id, input),

    async remove(actor, id) {
      requireScope(actor, products.scopes.write)
      await deleteRecord(products, engine, actor, id, (product, { stores }) =>
        stores.files.hardDelete(product.id),
      )
    },
  }
  return api
}
