import { type FileContent, type FileError, MAX_LOGO_BYTES, MAX_LOGO_PIXELS } from '@sales-crm/core/ports'
import { chooseContentType, detectMediaType } from './content-type.ts'
import { decodeUpload, type UploadedFile } from './decode-upload.ts'
import { readImageDimensions } from './image-dimensions.ts'
import { isWholePng } from './whole-png.ts'

const MAX_DIMENSION = 10_000
const NOT_AN_IMAGE: FileError = { error: 'Must be a PNG, JPEG, GIF, WebP or AVIF image.' }
/** Synonyms: an image declared as one of these is displayed wherever the canonical type is. */
const MEDIA_TYPE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/apng', 'image/png'],
])

export async function decodeImage(input: string): Promise<FileContent | FileError> {
  const file = decodeUpload(input)
  if ('base64Error' in file)
    return { error: `Must be an https URL, a data URI or valid Base64: ${file.base64Error}.` }
  return 'error' in file ? file : validateImage(file)
}

const NOT_A_LOGO: FileError = {
  error:
    `Must be a PNG or JPEG image in Base64, of at most ${MAX_LOGO_BYTES} bytes and at most ${MAX_LOGO_PIXELS} by ` +
    `${MAX_LOGO_PIXELS} pixels.`,
}

export async function decodeLogo(input: string): Promise<FileContent | FileError> {
  const file = decodeUpload(input)
  if ('base64Error' in file || 'error' in file || file.bytes.length > MAX_LOGO_BYTES) return NOT_A_LOGO
  const image = await validateImage(file)
  if ('error' in image || !/^image\/(?:png|jpeg)$/.test(image.content_type)) return NOT_A_LOGO
  const { width, height } = readImageDimensions(image.content_type, file.bytes)!
  if (Math.max(width, height) > MAX_LOGO_PIXELS) return NOT_A_LOGO
  return image.content_type === 'image/png' && !isWholePng(file.bytes) ? NOT_A_LOGO : image
}

export async function decodeAttachment(input: string): Promise<FileContent | FileError> {
  const file = decodeUpload(input)
  if ('base64Error' in file) return { error: `Must be valid Base64: ${file.base64Error}.` }
  if ('error' in file) return file
  const { bytes, content } = file
  if (bytes.length === 0) return { error: 'Must not be empty.' }
  return { content, content_type: await chooseContentType(bytes), size: bytes.length }
}

export async function validateImage({
  bytes,
  content,
  declaredType,
}: UploadedFile): Promise<FileContent | FileError> {
  const content_type = canonicalMediaType((await detectMediaType(bytes)) ?? '')
  const dimensions = readImageDimensions(content_type, bytes)
  if (!dimensions || dimensions.width < 1 || dimensions.height < 1) return NOT_AN_IMAGE
  if (declaredType !== undefined && canonicalMediaType(declaredType) !== content_type)
    return { error: `The data URI must say ${content_type}, as the image does.` }
  if (Math.max(dimensions.width, dimensions.height) > MAX_DIMENSION)
    return { error: `Must be at most ${MAX_DIMENSION} by ${MAX_DIMENSION} pixels.` }
  return { content, content_type, size: bytes.length }
}

function canonicalMediaType(content_type: string): string {
  return MEDIA_TYPE_ALIASES.get(content_type) ?? content_type
}
