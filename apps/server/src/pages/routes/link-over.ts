import type { Reply } from '../../answer.ts'
import { noticePage } from '../notice.ts'
import type { Visit } from './visit.ts'

interface Link {
  readonly href: string
  readonly text: string
}

/** The same for a link that was used, one that has expired, and one that never was. `link` leads on from there. */
export function linkOver(visit: Visit, link?: Link): Reply {
  return visit.show(404, noticePage(visit.context(), { ...visit.texts.notices.linkOver, link }))
}
