import { hash } from 'node:crypto'

/** In hex. */
export function sha256(content: string): string {
  return hash('sha256', content)
}
