import { recordApi } from '../../engine/crud.ts'
import { deleteRecord } from '../../engine/delete-record.ts'
import { type Engine, WITHOUT_KEY } from '../../engine/extension.ts'
import { requireScope } from '../../kernel/actor.ts'
import { defineProducts } from './product.ts'
import { ProductWriter } from './product-writer.ts'

/** Creates, changes and deletes products together with their images: the files of the same id. */
export function productApi(engine: Engine) {
  const products = defineProducts(engine.issuer)
  const records = recordApi(products, engine)
  const writer = new ProductWriter(products, engine)
  const api: typeof records = {
    list: records.list,
    get: records.get,
    create: (actor, input) => writer.create(actor, input, WITHOUT_KEY),
    async createIdempotent(actor, key, input) {
      requireScope(actor, products.scopes.write)
      const request = { actor, path: products.label, key, body: input }
      return engine.createIdempotently(request, (saveResponse, keyErrors) =>
        writer.create(actor, input, { saveResponse, keyErrors }),
      )
    },
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
