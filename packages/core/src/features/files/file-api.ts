import { notFound } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/field-schemas.ts'
import type { Ports } from '../../ports/index.ts'
import type { StoredFile } from '../../schema/stored-file.ts'
import { isFileKey } from './stored-file.ts'

/** The data of a file response; `content` is Base64. */
export interface FileView extends Pick<StoredFile, 'content' | 'content_type' | 'filename' | 'download'> {}

/** The contents of attachments and images. */
export interface FileApi {
  /**
   * Returns the content of an image or attachment, by the two parts of its URL. Requires no actor: the key is
   * the credential.
   * @throws CrmError `not_found`
   */
  read(workspaceId: string, key: string): Promise<FileView>
}

export function fileApi({ storage }: Pick<Ports, 'storage'>): FileApi {
  return {
    async read(workspaceId, key) {
      // Invalid ids and keys cost no query.
      if (!isUuid(workspaceId) || !isFileKey(key)) throw notFound('File')
      const [file] = await storage.read(
        (tx) => tx.workspace(workspaceId.toLowerCase()).files.find([{ field: 'key', is: key }]),
        { isolation: 'statement' },
      )
      if (!file) throw notFound('File')
      const { content, content_type, filename, download } = file
      return { content, content_type, filename, download }
    },
  }
}
