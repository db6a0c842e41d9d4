import { recordApi } from '../../engine/crud.ts'
import { deleteRecord } from '../../engine/delete-record.ts'
import type { Engine } from '../../engine/extension.ts'
import { keyedCreation, keyedUpdate } from '../../engine/keyed-writes.ts'
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
    getVersioned: records.getVersioned,
    ...keyedCreation(products, engine, (actor, input, creation) => writer.create(actor, input, creation)),
    ...keyedUpdate(products, engine, (actor, id, input, options) => writer.update(actor, id, input, options)),

    async remove(actor, id, conditions) {
      requireScope(actor, products.scopes.write)
      await deleteRecord(products, engine, actor, id, {
        conditions,
        beforeDelete: (product, { stores }) => stores.files.hardDelete(product.id),
      })
    },
  }
  return api
}
