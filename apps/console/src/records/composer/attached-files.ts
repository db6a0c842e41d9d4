import type { AttachmentInput } from '@sales-crm/client'

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
