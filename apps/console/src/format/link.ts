const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?`
/** A host with a dot, as the beginning of an address. */
const HOST = new RegExp(
  String.raw`^(?:${LABEL}\.)+(?:\p{L}{2,63}|xn--[a-z\d-]+)(?::\d{1,5})?(?:[/?#]\S*)?$`,
  'iu',
)

/** Puts `https://` before an address that was typed without it. Leaves a text that does not look like one. */
export function completeLink(typed: string): string {
  const text = typed.trim()
  const address = text.replace(/^\/\//, '')
  return HOST.test(address) ? `https://${address}` : text
}
