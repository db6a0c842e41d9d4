import { recordApi } from '../../engine/crud.ts'
import { deleteRecord } from '../../engine/delete-record.ts'
import type { Engine } from '../../engine/extension.ts'
import { buildDetailView, loadForUpdate, loadRecord } from '../../engine/load-record.ts'
import { hasChanges } from '../../engine/patch.ts'
import { validate, validatePatch } from '../../engine/validate.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import type { Instant } from '../../kernel/instant.ts'
import { requirePermission } from '../../kernel/permissions.ts'
import type { FileContent } from '../../ports/index.ts'
import type { Product } from '../../schema/product.ts'
import { buildFile } from '../files/stored-file.ts'
import { buildProductSearchTerms, defineProducts } from './product.ts'
import { decodeInlineImage, fetchImageByUrl, isUrl } from './product-image.ts'

/** Writes products together with their images: the files of the same id. */
export function productApi(engine: Engine) {
  const { storage, now, newId, random, files, prepareEvents } = engine
  const products = defineProducts(engine.issuer)
  const records = recordApi(products, engine)

  const api: Omit<typeof records, 'createIdempotent'> = {
    list: records.list,
    get: records.get,

    async create(actor, input) {
      requireScope(actor, products.scopes.write)
      const inline = await decodeInlineImage(input, files)
      const { image, ...fields } = validate(products.create, input, 'field', inline.faults)
      requirePermission(actor, 'create', products, undefined)
      const imageFile = inline.file ?? (await fetchImageByUrl(image, files))
      return storage.transact(async (tx) => {
        const unit = inWorkspace(tx, actor.workspaceId)
        const at = now()
        const id = newId()
        const image_key = await replaceImage({ id, image_key: null }, imageFile, at, unit)
        const search_terms = buildProductSearchTerms(fields)
        const product: Product = { id, ...fields, image_key, search_terms, created_at: at, updated_at: at }
        await unit.stores.products.insert(product)
        const [view, emit] = await Promise.all([
          buildDetailView(products, product, unit),
          prepareEvents(products, unit),
        ])
        await emit({ after: async () => view }, { at, newId })
        return view
      })
    },

    async update(actor, id, input) {
      requireScope(actor, products.scopes.write)
      const inline = await decodeInlineImage(input, files)
      const { image, ...fields } = validatePatch(products.update, input, inline.faults)
      if (isUrl(image))
        await storage.read((tx) => loadPermitted(actor, id, inWorkspace(tx, actor.workspaceId)))
      const imageFile = inline.file ?? (await fetchImageByUrl(image, files))
      return storage.transact(async (tx) => {
        const unit = inWorkspace(tx, actor.workspaceId)
        const [before, emit] = await Promise.all([
          loadPermitted(actor, id, unit, loadForUpdate),
          prepareEvents(products, unit),
        ])
        const at = now()
        const image_key =
          image === undefined ? before.image_key : await replaceImage(before, imageFile, at, unit)
        const fieldChanges = { ...fields, image_key }
        if (!hasChanges(before, fieldChanges)) return buildDetailView(products, before, unit)
        const updated = { ...before, ...fieldChanges, updated_at: at }
        const after = { ...updated, search_terms: buildProductSearchTerms(updated) }
        await unit.stores.products.update(after)
        const view = await buildDetailView(products, after, unit)
        const views = { before: () => buildDetailView(products, before, unit), after: async () => view }
        await emit(views, { at, newId })
        return view
      })
    },

    async remove(actor, id) {
      requireScope(actor, products.scopes.write)
      await deleteRecord(products, engine, actor, id, (product, { stores }) =>
        stores.files.hardDelete(product.id),
      )
    },
  }
  return api

  async function loadPermitted(
    actor: Actor,
    id: string,
    unit: WorkspaceTransaction,
    load: (
      resource: typeof products,
      id: string,
      unit: WorkspaceTransaction,
    ) => Promise<Product> = loadRecord,
  ): Promise<Product> {
    const product = await load(products, id, unit)
    requirePermission(actor, 'update', products, product)
    return product
  }

  /** Replaces the image and returns the new key. */
  async function replaceImage(
    { id, image_key }: Pick<Product, 'id' | 'image_key'>,
    imageFile: FileContent | undefined,
    at: Instant,
    { stores }: WorkspaceTransaction,
  ): Promise<string | null> {
    if (image_key !== null) await stores.files.hardDelete(id)
    if (!imageFile) return null
    const filename = imageFile.content_type.replace('/', '.')
    const file = buildFile(imageFile, { filename, download: false }, { newId: () => id, random, at })
    await stores.files.insert(file)
    return file.key
  }
}
