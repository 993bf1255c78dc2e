import { sql } from 'kysely'
import { invariant } from './check.ts'

const counted = sql`
  select import_no, count(*) filter (where row_status = 'valid') as valid, count(*) filter (where row_status = 'wrong') as wrong,
    count(*) filter (where row_status = 'duplicate') as duplicate, count(*) filter (where row_status = 'done') as done, count(*) filter (where row_status = 'failed') as failed
  from import_row group by import_no`

/** The record that a row of each kind of file makes. */
const effects = sql`select 'releasedOrders' as import_list, confirm_no as effect_no, import_no from loan_code_confirm
  union all select 'userGroups', member_no, import_no from user_group_member where member_no is not null`

/** Rules of imported files and their rows. */
export const importInvariants = [
  invariant(
    'V8',
    'the rows of an import add up: taken in, refused, wrong and duplicate',
    sql`
    select i.import_no, i.import_status, i.row_count, i.rows_read, i.ok_count, i.fail_count, i.wrong_count, i.duplicate_count, r.valid, r.done, r.failed
    from import_job i left join (${counted}) r using (import_no)
    where i.rows_read <> coalesce(r.valid + r.wrong + r.duplicate + r.done + r.failed, 0) or i.wrong_count <> coalesce(r.wrong, 0) or i.duplicate_count <> coalesce(r.duplicate, 0)
      or i.ok_count <> coalesce(r.done, 0) or i.fail_count <> coalesce(r.failed, 0) or i.valid_count <> coalesce(r.valid + r.done + r.failed, 0)
      or (i.import_status in ('success', 'partial') and i.row_count <> i.ok_count + i.fail_count + i.wrong_count + i.duplicate_count)
      or (i.import_status = 'success' and i.ok_count <> i.row_count) or (i.import_status = 'partial' and i.ok_count = 0)
      or (i.import_status in ('failure', 'cancelled', 'preview') and i.ok_count > 0)`,
  ),
  invariant(
    'V8a',
    'a row that was taken in made its record, and no two rows the same',
    sql`
    select r.import_no, r.row_no, r.effect_no from import_row r join import_job i using (import_no)
    where r.row_status = 'done' and not exists (select 1 from (${effects}) e where e.import_list = i.import_list and e.effect_no = r.effect_no)
    union all
    select min(r.import_no), min(r.row_no), r.effect_no from import_row r where r.effect_no is not null group by r.effect_no having count(*) > 1
    union all
    select e.import_no, null, e.effect_no from (${effects}) e where e.import_no is not null
      and not exists (select 1 from import_row r where r.import_no = e.import_no and r.effect_no = e.effect_no and r.row_status = 'done')`,
  ),
]
