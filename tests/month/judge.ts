import { sql } from 'kysely'
import { ledger } from '../../core/contract/after-loan/ledger.ts'
import { add, eq, isZero, type Money, money, neg, sub, sum } from '../../core/rules/money.ts'
import { addDays, eatDate } from '../../core/rules/time.ts'
import { sweep } from '../../server/invariants/sweep.ts'
import type { Desk } from './people.ts'
import { accounts, opening, type World, wallets } from './world.ts'

/** What moved at the other side, as it keeps it for itself. */
type Moved = {
  kind: string
  ref: string
  externalId: string
  serialNo: string
  amount: string
  fee: string
  code: string | null
  at: string
  direction: 'in' | 'out'
  onStatement: boolean
}

const fromBank = (one: { kind: string; externalId: string; serialNo: string; amount: string; at?: string }): Moved => ({
  ...one,
  ref: one.externalId,
  fee: '0.00',
  code: null,
  at: one.at ?? '',
  direction: one.kind === 'return' ? 'in' : 'out',
  onStatement: true,
})

const movedBy = async (world: World, channel: keyof typeof accounts): Promise<Moved[]> => {
  if (channel === 'bank_file') return (await world.bank.truth()).movements.map(fromBank)
  const { movements } = await world.networks[channel].truth()
  return movements as unknown as Moved[]
}

const signed = ({ direction, amount, fee }: Moved): Money =>
  sub(direction === 'in' ? money(amount) : neg(money(amount)), money(fee))

type Line = { serialNo: string; direction: string; lineKind: string; amount: Money }
type Run = {
  reconDate: string
  closingStatement: Money | null
  closingLedger: Money
  inFlight: Money
  openSum: Money
  unexplained: Money | null
  reconResult: string
}
type Counted = { kind: string; status: string; count: number }

/** Lines of the other side's own statement that we have not, and lines of ours that it has not; a number that stands twice counts once. */
const linesApart = (moved: readonly Moved[], lines: readonly Line[], known: ReadonlySet<string>): string[] => {
  const key = (serialNo: string, direction: string, amount: Money) => `${serialNo} ${direction} ${amount}`
  const theirs = new Set(
    moved.filter(({ onStatement }) => onStatement).map(one => key(one.serialNo, one.direction, money(one.amount))),
  )
  const ours = new Set(
    lines.filter(({ lineKind }) => lineKind !== 'fee').map(one => key(one.serialNo, one.direction, one.amount)),
  )
  return [
    ...[...theirs]
      .filter(one => !ours.has(one) && !known.has(one.split(' ')[0] ?? ''))
      .map(one => `${one} is on their statement alone`),
    ...[...ours].filter(one => !theirs.has(one)).map(one => `${one} is on ours alone`),
  ]
}

/** An account of ours beside what the other side says of it. */
const judgeAccount = async (world: World, desk: Desk, channel: keyof typeof accounts, closed: string) => {
  const fundAccountNo = accounts[channel]
  const moved = (await movedBy(world, channel)).filter(({ at }) => eatDate(at) <= closed)
  const lines = await desk.rows(
    sql<Line>`select serial_no, direction, line_kind, amount from statement_line where fund_account_no = ${fundAccountNo}`,
  )
  const items = await desk.rows(
    sql<{
      reference: string
    }>`select reference from recon_item where fund_account_no = ${fundAccountNo} and reference is not null`,
  )
  const [run] = await desk.rows(
    sql<Run>`select * from recon_run where fund_account_no = ${fundAccountNo} and recon_date = ${closed}`,
  )
  const closing = add(
    money(String(opening)),
    sum(moved.filter(({ kind, onStatement }) => onStatement && kind !== 'funding').map(signed)),
  )
  const [books = { count: 0, amount: '0.00' }] = await desk.rows(sql<{ count: number; amount: Money }>`
    select count(*)::int as count, coalesce(sum(l.amount), 0)::numeric(18,2) as amount from journal_line l join journal j using (journal_no)
    where l.account_code = ${`bank:${fundAccountNo}`} and j.business_date <= ${closed}`)
  const wrong = linesApart(moved, lines, new Set(items.map(({ reference }) => reference)))
  if (!run || run.closingStatement === null || run.unexplained === null)
    wrong.push(`${fundAccountNo} has no comparison of ${closed}`)
  else {
    if (!eq(run.closingStatement, closing))
      wrong.push(`${fundAccountNo}: their closing is ${closing}, ours says ${run.closingStatement}`)
    if (!eq(run.closingLedger, books.amount))
      wrong.push(`${fundAccountNo}: the books hold ${books.amount}, the comparison says ${run.closingLedger}`)
    if (!isZero(sum([closing, neg(books.amount), neg(run.inFlight), neg(run.openSum)])))
      wrong.push(
        `${fundAccountNo}: ${closing} and ${books.amount} differ by more than ${run.inFlight} in flight and ${run.openSum} of differences`,
      )
  }
  const of = (kind: string) => moved.filter(one => one.kind === kind).length
  const row = {
    account: channel,
    payouts: of('payout'),
    returns: of('return'),
    receipts: of('payIn'),
    takenBack: of('reversal'),
    lines: lines.length,
    bookings: books.count,
    statement: closing,
    ledger: books.amount,
    inFlight: run?.inFlight ?? '',
    differences: run?.openSum ?? '',
    unexplained: run?.unexplained ?? '',
  }
  return { row, wrong, moved: await movedBy(world, channel) }
}

type Send = {
  gatewayRef: string
  externalId: string
  attemptStatus: string
  parentKind: string
  parentNo: string
  explained: boolean
}

/** Every send that moved counts as sent, or is a difference; none that did not move counts. */
const judgeSends = async (desk: Desk, moved: readonly Moved[]): Promise<string[]> => {
  const sends = await desk.rows(sql<Send>`
    select ga.gateway_ref, ga.external_id, ga.attempt_status, ga.parent_kind, ga.parent_no,
      exists (select 1 from recon_item i where i.reference in (ga.external_id, ga.serial_no) or i.object_no = ga.parent_no) as explained
    from gateway_attempt ga`)
  const byRef = new Map(
    sends.flatMap(
      one =>
        [
          [one.gatewayRef, one],
          [one.externalId, one],
        ] as const,
    ),
  )
  const out = moved.filter(({ kind }) => kind === 'payout')
  const paid = new Set<string>()
  const wrong: string[] = []
  for (const one of out) {
    const send = byRef.get(one.ref) ?? byRef.get(one.externalId)
    if (!send) wrong.push(`${one.externalId} was paid and is not in the books`)
    else if (send.attemptStatus === 'failed' && !send.explained)
      wrong.push(`${send.externalId} was paid and counts as failed (${one.code})`)
    if (send) paid.add(send.externalId)
  }
  for (const { externalId, attemptStatus } of sends)
    if (attemptStatus === 'succeeded' && !paid.has(externalId))
      wrong.push(`${externalId} counts as paid and never moved`)
  const orders = await desk.rows(sql<{ orderNo: string }>`
    select c.order_no from journal j join journal_line l using (journal_no) join loan_code c using (loan_code)
    where j.posting_code = 'P1b' and l.account_code like 'principal:%'
      and not exists (select 1 from journal d join journal_line b using (journal_no) where d.posting_code = 'P1d' and b.loan_code = c.loan_code)
    group by 1 having count(*) > 1`)
  return [...wrong, ...orders.map(({ orderNo }) => `${orderNo} was paid twice`)]
}

/** The month as the books, the other sides and the rules have it. */
export const judge = async (world: World, desk: Desk) => {
  const closed = addDays(eatDate(world.kit.clock.now()), -1)
  const wrong: string[] = []
  const table: Record<string, string | number>[] = []
  const moved: Moved[] = []
  for (const channel of [...wallets, 'bank_file' as const]) {
    const one = await judgeAccount(world, desk, channel, closed)
    table.push(one.row)
    wrong.push(...one.wrong)
    moved.push(...one.moved)
  }
  wrong.push(...(await judgeSends(desk, moved)))
  const trial = await desk.act(ledger.trialBalance, {
    fromDate: addDays(closed, -80),
    toDate: eatDate(world.kit.clock.now()),
    basis: 'recalculated',
  })
  if (!trial || !isZero(trial.difference)) wrong.push(`the trial balance is off by ${trial?.difference ?? 'all'}`)
  const dead = await desk.rows(
    sql<{ queue: string; lastError: string }>`select queue, last_error from job where state = 'dead' limit 20`,
  )
  wrong.push(...dead.map(({ queue, lastError }) => `a job of ${queue} was set aside: ${lastError}`))
  const failed = await desk.rows(
    sql<{
      job: string
      slot: string
      error: string
    }>`select job, slot, error from job_run where job_status = 'failed' limit 20`,
  )
  wrong.push(...failed.map(({ job, slot, error }) => `${job} of ${slot} failed: ${error}`))
  const broken = await sweep(world.kit.db)
  wrong.push(...broken.map(({ name, rule, rows }) => `${name} ${rule}: ${JSON.stringify(rows.slice(0, 3))}`))
  const items = await desk.rows(sql<Counted>`
    select recon_kind as kind, recon_status as status, count(*)::int as count from recon_item group by 1, 2 order by 1, 2`)
  return { wrong, table, items, trial }
}
export type Verdict = Awaited<ReturnType<typeof judge>>
