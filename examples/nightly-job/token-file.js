import { readFile, rename, writeFile } from 'node:fs/promises'

/** Returns `{ refresh_token, access_token }`. */
export async function readTokens(file) {
  return JSON.parse(await readFile(file, 'utf8'))
}

/** Replaces the file as a whole: the old refresh token is not valid any more, so the new one must not be lost. */
export async function saveTokens(file, { refresh_token, access_token }) {
  const text = JSON.stringify({ refresh_token, access_token })
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}
