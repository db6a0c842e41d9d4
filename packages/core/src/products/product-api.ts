import { type Actor, authorize } from '../actor.ts'
import { newFile } from '../files/stored-file.ts'
import { permit } from '../permissions.ts'
import type { FileContent, Instant, Ports } from '../ports.ts'
import { detailOf, existing, removeRecord } from '../records/existing.ts'
import { validate, validatePatch } from '../records/input.ts'
import { recordApi } from '../records/records.ts'
import { changes } from '../records/sent.ts'
import { type Unit, unitOf } from '../records/unit.ts'
import { emitChange, subscribersTo } from '../webhooks/emit.ts'
import { fetchedPicture, inlinePicture, isUrl } from './picture.ts'
import { type Product, productFoundBy, productsAt } from './product.ts'

/** A product is written together with its picture: the file of the same id. */
export function productApi(ports: Ports) {
  const { storage, now, newId, random, files } = ports
  const products = productsAt(ports.issuer)
  const records = recordApi(products, ports)

  const api: Omit<typeof records, 'createOnce'> = {
    list: records.list,
    get: records.get,

    async create(actor, input) {
      authorize(actor, products.scopes.write)
      const inline = await inlinePicture(input, files)
      const { image, ...fields } = validate(products.create, input, 'field', inline.faults)
      permit(actor, 'create', products.label, undefined)
      const picture = inline.picture ?? (await fetchedPicture(image, files))
      return storage.transact(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const at = now()
        const id = newId()
        const image_key = await replacePicture({ id, image_key: null }, picture, at, unit)
        const found_by = productFoundBy(fields)
        const product: Product = { id, ...fields, image_key, found_by, created_at: at, updated_at: at }
        await unit.stores.products.insert(product)
        const [view, webhooks] = await Promise.all([detailOf(products, product, unit), subscribersTo(products, unit)])
        await emitChange(products, { after: async () => view }, webhooks, unit, { at, newId })
        return view
      })
    },

    async update(actor, id, input) {
      authorize(actor, products.scopes.write)
      const inline = await inlinePicture(input, files)
      const { image, ...fields } = validatePatch(products.update, input, inline.faults)
      if (isUrl(image)) await storage.read((tx) => permitted(actor, id, unitOf(tx, actor.workspaceId), 'get'))
      const picture = inline.picture ?? (await fetchedPicture(image, files))
      return storage.transact(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const [before, webhooks] = await Promise.all([permitted(actor, id, unit, 'getForUpdate'), subscribersTo(products, unit)])
        const at = now()
        const image_key = image === undefined ? before.image_key : await replacePicture(before, picture, at, unit)
        const change = { ...fields, image_key }
        if (!changes(before, change)) return detailOf(products, before, unit)
        const changed = { ...before, ...change, updated_at: at }
        const after = { ...changed, found_by: productFoundBy(changed) }
        await unit.stores.products.update(after, before)
        const view = await detailOf(products, after, unit)
        const seen = { before: () => detailOf(products, before, unit), after: async () => view }
        await emitChange(products, seen, webhooks, unit, { at, newId })
        return view
      })
    },

    async remove(actor, id) {
      authorize(actor, products.scopes.write)
      await removeRecord(products, ports, actor, id, (product, { stores }) => stores.files.erase(product.id))
    },
  }
  return api

  async function permitted(actor: Actor, id: string, unit: Unit, how: 'get' | 'getForUpdate'): Promise<Product> {
    const product = await existing(products, id, unit, how)
    permit(actor, 'update', products.label, product)
    return product
  }

  /** Gives the key of the picture that the product has from now on. */
  async function replacePicture(
    { id, image_key }: Pick<Product, 'id' | 'image_key'>,
    picture: FileContent | undefined,
    at: Instant,
    { stores }: Unit,
  ): Promise<string | null> {
    if (image_key !== null) await stores.files.erase(id)
    if (!picture) return null
    const filename = picture.content_type.replace('/', '.')
    const file = newFile(picture, { filename, download: false }, { newId: () => id, random, at })
    await stores.files.insert(file)
    return file.key
  }
}
