import type * as v from 'valibot'
import type { Engine, IdempotentCreation } from '../../engine/extension.ts'
import type { UpdateOptions } from '../../engine/keyed-writes.ts'
import { buildDetailView, findView, loadForUpdate, loadRecord } from '../../engine/load-record.ts'
import { withCurrentRole } from '../../engine/load-role.ts'
import { hasChanges } from '../../engine/patch.ts'
import { requireVersion } from '../../engine/record-version.ts'
import { validate } from '../../engine/validate.ts'
import { validateChanges } from '../../engine/validate-changes.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import type { Instant } from '../../kernel/instant.ts'
import { requirePermission } from '../../kernel/permissions.ts'
import type { FileContent } from '../../ports/index.ts'
import type { Product } from '../../schema/product.ts'
import { buildFile } from '../files/stored-file.ts'
import { buildProductSearchTerms, type defineProducts, type ProductView } from './product.ts'
import { decodeInlineImage, fetchImageByUrl, isUrl } from './product-image.ts'

type Products = ReturnType<typeof defineProducts>
type ProductFields = Omit<v.InferOutput<Products['create']>, 'image'>

/** Creates and changes products together with their images. */
export class ProductWriter {
  readonly #products: Products
  readonly #engine: Engine

  constructor(products: Products, engine: Engine) {
    this.#products = products
    this.#engine = engine
  }

  async create(
    actor: Actor,
    input: unknown,
    { keyErrors, saveResponse }: IdempotentCreation,
  ): Promise<ProductView> {
    const [products, { storage, files }] = [this.#products, this.#engine]
    requireScope(actor, products.scopes.write)
    const inline = await decodeInlineImage(input, files)
    const { image, ...fields } = validate(products.create, input, 'field', { ...keyErrors, ...inline.faults })
    // A caller without permission must not make the service fetch a URL.
    requirePermission(actor, 'create', products, undefined)
    const imageFile = inline.file ?? (await fetchImageByUrl(image, files))
    return storage.transact(async (tx) => {
      const unit = inWorkspace(tx, actor.workspaceId)
      requirePermission(await withCurrentRole(actor, unit), 'create', products, undefined)
      const view = await this.#insert(fields, imageFile, unit)
      await saveResponse(tx, view)
      return view
    })
  }

  async update(actor: Actor, id: string, input: unknown, options: UpdateOptions): Promise<ProductView> {
    const [products, { storage, files }] = [this.#products, this.#engine]
    requireScope(actor, products.scopes.write)
    const inline = await decodeInlineImage(input, files)
    const { image, ...fields } = await validateChanges(products.update, input, {
      extraErrors: inline.faults,
      loadView: () => findView(products, this.#engine, actor, id),
    })
    if (isUrl(image))
      await storage.read((tx) =>
        this.#loadPermitted(actor, id, inWorkspace(tx, actor.workspaceId), loadRecord),
      )
    const imageFile = inline.file ?? (await fetchImageByUrl(image, files))
    return storage.transact(async (tx) => {
      const unit = inWorkspace(tx, actor.workspaceId)
      const [before, emit] = await Promise.all([
        this.#loadPermitted(actor, id, unit, loadForUpdate),
        this.#engine.prepareEvents(products, unit),
      ])
      requireVersion(before, options, this.#engine)
      const at = this.#engine.now()
      const image_key =
        image === undefined ? before.image_key : await this.#replaceImage(before, imageFile, at, unit)
      const after = applyChanges(before, { ...fields, image_key }, at)
      if (after !== before) await unit.stores.products.update(after)
      const view = await buildDetailView(products, after, unit)
      await options.saveResponse?.(tx, view)
      if (after === before) return view
      const views = { before: () => buildDetailView(products, before, unit), after: async () => view }
      await emit(views, { at, newId: this.#engine.newId })
      return view
    })
  }

  async #insert(
    fields: ProductFields,
    imageFile: FileContent | undefined,
    unit: WorkspaceTransaction,
  ): Promise<ProductView> {
    const { now, newId, prepareEvents } = this.#engine
    const [id, at] = [newId(), now()]
    const image_key = await this.#replaceImage({ id, image_key: null }, imageFile, at, unit)
    const search_terms = buildProductSearchTerms(fields)
    const product: Product = { id, ...fields, image_key, search_terms, created_at: at, updated_at: at }
    await unit.stores.products.insert(product)
    const [view, emit] = await Promise.all([
      buildDetailView(this.#products, product, unit),
      prepareEvents(this.#products, unit),
    ])
    await emit({ after: async () => view }, { at, newId })
    return view
  }

  async #loadPermitted(
    actor: Actor,
    id: string,
    unit: WorkspaceTransaction,
    load: typeof loadRecord<Product>,
  ): Promise<Product> {
    const product = await load(this.#products, id, unit)
    requirePermission(await withCurrentRole(actor, unit), 'update', this.#products, product)
    return product
  }

  /** Replaces the image and returns the new key. */
  async #replaceImage(
    { id, image_key }: Pick<Product, 'id' | 'image_key'>,
    imageFile: FileContent | undefined,
    at: Instant,
    { stores }: WorkspaceTransaction,
  ): Promise<string | null> {
    if (image_key !== null) await stores.files.hardDelete(id)
    if (!imageFile) return null
    const filename = imageFile.content_type.replace('/', '.')
    const file = buildFile(
      imageFile,
      { filename, download: false },
      { newId: () => id, random: this.#engine.random, at },
    )
    await stores.files.insert(file)
    return file.key
  }
}

/** Returns the product itself if the fields change nothing. */
function applyChanges(before: Product, fields: Partial<Product>, at: Instant): Product {
  if (!hasChanges(before, fields)) return before
  const changed = { ...before, ...fields, updated_at: at }
  return { ...changed, search_terms: buildProductSearchTerms(changed) }
}
