import type { Texts } from '../../texts/en.ts'

/** What a bulk change does, in the words of its buttons. */
export function describeChange(change: object, { labels, actions, tasks, bulk }: Texts): string {
  const words: Readonly<Record<string, string>> = {
    owner_user_id: labels.owner,
    add_tags: labels.tags,
    remove_tags: bulk.list.without(labels.tags),
    add_lists: labels.lists,
    remove_lists: bulk.list.without(labels.lists),
    completed: tasks.complete,
    delete: actions.deleteNow,
  }
  return Object.keys(change)
    .map((name) => words[name] ?? name)
    .join(', ')
}
