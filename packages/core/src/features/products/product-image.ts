import type { Extension, WriteContext } from '../../engine/extension.ts'
import { validationError } from '../../kernel/errors.ts'
import type { FileContent } from '../../ports/index.ts'
import { isImageUrl, type Product } from '../../schema/product.ts'
import { buildFile } from '../files/stored-file.ts'

/** The image of a product: the file of the same id. */
export const productImage: Extension<Product> = {
  inputFields: ['image'],
  lock: 'pessimistic',

  async decode(input, { files }) {
    const { image } = Object(input) as { readonly image?: unknown }
    if (typeof image !== 'string' || isImageUrl(image)) return { errors: {}, apply: (valid) => valid }
    const result = await files.decodeImage(image)
    return 'error' in result
      ? { errors: { image: result.error }, apply: (valid) => valid }
      : { errors: {}, apply: (valid) => ({ ...valid, image: result }) }
  },

  /** A caller without permission must not make the service fetch a URL. */
  async prepare(input, { engine, requirePermission }) {
    const { image } = input
    if (!isImageUrl(image)) return input
    await requirePermission()
    const result = await engine.files.fetchImage(image)
    if ('error' in result) throw validationError({ image: result.error })
    return { ...input, image: result }
  },

  async resolve(input, before, _unit, _errors, { at, random }) {
    const { image } = input as { readonly image?: FileContent | null }
    const hadImage = before !== undefined && before.image_key !== null
    if (image === undefined || (image === null && !hadImage)) return {}
    const file = image && buildImageFile(image, { at, random })
    return {
      ownFields: { image_key: file?.key ?? null },
      async saveParts({ id }, { stores }) {
        if (hadImage) await stores.files.hardDelete(id)
        if (file) await stores.files.insert({ ...file, id })
      },
    }
  },

  beforeDelete: ({ id }, { stores }) => stores.files.hardDelete(id),
}

/** The file without the id of its product. */
function buildImageFile(image: FileContent, { at, random }: Pick<WriteContext, 'at' | 'random'>) {
  const options = { filename: image.content_type.replace('/', '.'), download: false }
  return buildFile(image, options, { newId: () => '', random, at })
}
