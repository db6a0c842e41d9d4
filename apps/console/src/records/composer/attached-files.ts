import type { AttachmentInput } from '@sales-crm/client'

/** Limits of the API for an activity. */
export const MAX_FILES = 10
export const MAX_FILE_BYTES = 2_097_152

/** Reads a file as Base64. */
export async function readAttachment(file: File): Promise<AttachmentInput> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
  return { filename: file.name.replace(/[/\\]/g, '_'), content: url.slice(url.indexOf(',') + 1) }
}
