/** What a workspace has few of: enough for menus. */
const MAX_RECORDS = 1000

/** Reads the records of a list, up to a thousand. */
export async function readAll<Item>(list: AsyncIterable<Item>): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const item of list) {
    items.push(item)
    if (items.length === MAX_RECORDS) break
  }
  return items
}
