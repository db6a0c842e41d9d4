import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../dialect.ts'
import { columnType } from './record-table.ts'

/**
 * Adds when a deal came into the stage that it left: the time of its move before, or of its creation. The column is null
 * for a move that an older process records meanwhile. A deleted deal still has its row.
 */
export async function addStageEntries(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await sql`alter table stage_moves add column entered_at ${columnType('instant', dialect)}`.execute(db)
  // One sort of all moves, whatever the number of moves of a deal.
  await sql`update stage_moves set entered_at = entries.entered_at
    from (
      select moves.workspace_id, moves.id, lag(moves.created_at, 1, deals.created_at)
        over (partition by moves.workspace_id, moves.deal_id order by moves.created_at, moves.id) as entered_at
      from stage_moves as moves
      join deals on deals.workspace_id = moves.workspace_id and deals.id = moves.deal_id
    ) as entries
    where stage_moves.workspace_id = entries.workspace_id and stage_moves.id = entries.id`.execute(db)
}
