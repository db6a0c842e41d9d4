import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Asks on the terminal without echo. Returns `undefined` if standard input is not a terminal. */
export async function promptPassword(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined
  process.stderr.write(question.charAt(0).toUpperCase() + question.slice(1))
  const silentOutput = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silentOutput, terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('close', () => reject(new Error('No password was given.')))
    })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
