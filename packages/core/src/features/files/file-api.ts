import { isUuid } from '../../engine/field-schemas.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/index.ts'
import type { StoredFile } from '../../schema/stored-file.ts'
import { isFileKey } from './stored-file.ts'

/** What it takes to serve a file; `content` is Base64. */
export interface FileView extends Pick<StoredFile, 'content' | 'content_type' | 'filename' | 'download'> {}

export function fileApi({ storage }: Pick<Ports, 'storage'>) {
  return {
    /** Asks for no actor: whoever knows the key may read. @throws CrmError `not_found` */
    async read(workspaceId: string, key: string): Promise<FileView> {
      // What cannot be a key costs no question to the database.
      if (!isUuid(workspaceId) || !isFileKey(key)) throw notFound('File')
      const [file] = await storage.read((tx) =>
        tx.workspace(workspaceId.toLowerCase()).files.find([{ field: 'key', is: key }]),
      )
      if (!file) throw notFound('File')
      const { content, content_type, filename, download } = file
      return { content, content_type, filename, download }
    },
  }
}
