import { type FieldErrors, validationError } from '../../kernel/errors.ts'
import type { FileContent, Files } from '../../ports/index.ts'

export function isUrl(image: unknown): image is string {
  return typeof image === 'string' && /^https?:\/\//i.test(image)
}

interface InlineImage {
  readonly file: FileContent | undefined
  readonly faults: FieldErrors
}

/** Decodes an image that the input contains inline and collects its errors, before the input is validated. */
export async function decodeInlineImage(input: unknown, files: Files): Promise<InlineImage> {
  const { image } = Object(input) as { readonly image?: unknown }
  if (typeof image !== 'string' || isUrl(image)) return { file: undefined, faults: {} }
  const result = await files.decodeImage(image)
  return 'error' in result
    ? { file: undefined, faults: { image: result.error } }
    : { file: result, faults: {} }
}

/**
 * Fetches the image at a URL; `undefined` if `image` is not a URL.
 * @throws CrmError `validation_error`
 */
export async function fetchImageByUrl(
  image: string | null | undefined,
  files: Files,
): Promise<FileContent | undefined> {
  if (!isUrl(image)) return undefined
  const result = await files.fetchImage(image)
  if ('error' in result) throw validationError({ image: result.error })
  return result
}
