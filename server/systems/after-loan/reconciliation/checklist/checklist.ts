import { sql } from 'kysely'
import { job } from '../../../../../core/contract/after-loan/job.ts'
import { dayEndJobs, lateDays, recon } from '../../../../../core/contract/after-loan/reconciliation.ts'
import { addDays, type EatDate } from '../../../../../core/rules/time.ts'
import type { Tx } from '../../../../db/database.ts'
import { serve } from '../../../../http/serve.ts'
import { limitFor } from '../../../../rights/scope.ts'
import type { Session } from '../../../../session/session.ts'
import { accountScope, ageDays } from '../recon-source.ts'

type Count = { n: number; of: number }
type Accounts = { of: number; statements: number; balanced: number }

/** Accounts in use that were ever compared: whether yesterday's statement is in, and whether the books agree with it. */
const accountsOf = (tx: Tx, session: Session, day: EatDate) =>
  tx.one(sql<Accounts>`
    select count(*)::int as of,
      count(*) filter (where exists (select 1 from statement s where s.fund_account_no = x.fund_account_no and s.statement_date = ${day}))::int as statements,
      count(*) filter (where exists (
        select 1 from recon_run r where r.fund_account_no = x.fund_account_no and r.recon_date = ${day} and r.recon_result = 'balanced'))::int as balanced
    from fund_account x
    where x.enabled = 'enabled' and ${accountScope(session, sql`x.fund_account_no`)} and (
      exists (select 1 from recon_run r where r.fund_account_no = x.fund_account_no)
      or exists (select 1 from statement s where s.fund_account_no = x.fund_account_no))`)

/** Differences that stand open, and those among them that are not late. */
const openItems = (tx: Tx, session: Session) =>
  tx.one(sql<Count>`
    select count(*)::int as of, count(*) filter (where ${ageDays(tx)} < ${lateDays})::int as n
    from recon_item x where x.recon_status = 'open' and ${accountScope(session, sql`x.fund_account_no`)}`)

/** Jobs are the company's: they are counted for people who see them in their own list. */
const seesJobs = (session: Session) => {
  const perm = job.page.perm as string
  return session.perms.has(perm) && limitFor(session, perm) === 'all' && !session.onlyMerchants
}

const dayEnd = async (tx: Tx): Promise<Count> => {
  const { n } = await tx.one(sql<{ n: number }>`
    select count(distinct job)::int as n from job_run where job = any(${[...dayEndJobs]}) and slot = ${tx.today} and job_status = 'done'`)
  return { n, of: dayEndJobs.length }
}

/** The checks of this morning about the day before; each is done when nothing of it is left. */
export const checklistServed = serve(recon.checklist, async ({ tx, session }) => {
  const reconDate = addDays(tx.today, -1)
  const { of, statements, balanced } = await accountsOf(tx, session, reconDate)
  const check = <C extends string>(morningCheck: C, { n, of }: Count) => ({ morningCheck, n, of, done: n === of })
  return {
    reconDate,
    list: [
      check('statements', { n: statements, of }),
      check('balanced', { n: balanced, of }),
      check('young', await openItems(tx, session)),
      ...(seesJobs(session) ? [check('day_end', await dayEnd(tx))] : []),
    ],
  }
})
