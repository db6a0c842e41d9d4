/** Keeps the direction of a name from changing the sentence around it. */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`
}
