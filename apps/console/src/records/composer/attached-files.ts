import type { AttachmentInput } from '@sales-crm/client'
import { MAX_ATTACHMENTS, MAX_FILE_BYTES } from '@sales-crm/core/browser'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { showError } from '../../ui/toasts.tsx'

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

/** The files of a note that is not saved yet. What is too large or too much is refused at once. */
export function useAttachedFiles() {
  const { texts } = useConsole()
  const [files, setFiles] = useState<readonly File[]>([])
  return {
    files,
    add(added: Iterable<File>): void {
      const all = [...files, ...added]
      const large = all.find(({ size }) => size > MAX_FILE_BYTES)
      if (large) showError(texts.record.tooLarge(large.name))
      else if (all.length > MAX_ATTACHMENTS) showError(texts.record.tooMany)
      else setFiles(all)
    },
    remove: (file: File) => setFiles(files.filter((each) => each !== file)),
    clear: () => setFiles([]),
    read: (): Promise<AttachmentInput[]> => Promise.all(files.map(readAttachment)),
  }
}
