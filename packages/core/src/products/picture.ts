import { type FieldErrors, invalid } from '../errors.ts'
import type { FileContent, Files } from '../ports.ts'

export function isUrl(image: unknown): image is string {
  return typeof image === 'string' && /^https?:\/\//i.test(image)
}

interface Inline {
  readonly picture: FileContent | undefined
  readonly faults: FieldErrors
}

/** The picture that the input holds itself, and what is wrong with it, before the input is validated. */
export async function inlinePicture(input: unknown, files: Files): Promise<Inline> {
  const { image } = Object(input) as { readonly image?: unknown }
  if (typeof image !== 'string' || isUrl(image)) return { picture: undefined, faults: {} }
  const found = await files.image(image)
  return 'fault' in found ? { picture: undefined, faults: { image: found.fault } } : { picture: found, faults: {} }
}

/** The picture at a URL; `undefined` where `image` is none. @throws CrmError `validation_error` */
export async function fetchedPicture(image: string | null | undefined, files: Files): Promise<FileContent | undefined> {
  if (!isUrl(image)) return undefined
  const found = await files.fetchImage(image)
  if ('fault' in found) throw invalid({ image: found.fault })
  return found
}
