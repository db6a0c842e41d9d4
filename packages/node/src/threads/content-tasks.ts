import { extname } from 'node:path'
import type { FileContent, FileError, SanitizeHtml } from '@sales-crm/core/ports'
import { decodeAttachment, decodeImage } from '../files/decode-files.ts'
import { sanitizeHtml } from '../sanitize-html.ts'
import { TaskThread } from './task-thread.ts'

/** Work on content that callers send, whose time grows with its size. */
export const CONTENT_TASKS = { sanitizeHtml, decodeAttachment, decodeImage }

/** Shorter contents take less time than the way to the thread and back, or a few milliseconds. */
const [MIN_HTML, MIN_FILE] = [2_000, 64_000]

/** Uses the extension of this file: `.ts` in the source tree, `.js` in the build. */
const THREAD = new TaskThread<typeof CONTENT_TASKS>(
  new URL(`./content-thread${extname(import.meta.url)}`, import.meta.url),
)

/** Cleans long HTML in a thread. */
export const sanitizeHtmlInThread: SanitizeHtml = async (html) =>
  html.length < MIN_HTML ? sanitizeHtml(html) : THREAD.run('sanitizeHtml', html)

/** Decodes a large file in a thread. */
export async function decodeInThread(
  name: 'decodeAttachment' | 'decodeImage',
  encoded: string,
): Promise<FileContent | FileError> {
  return encoded.length < MIN_FILE ? CONTENT_TASKS[name](encoded) : THREAD.run(name, encoded)
}
