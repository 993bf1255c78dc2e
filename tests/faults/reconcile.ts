import { sql } from 'kysely'
import { codes } from '../../core/contract/codes.ts'
import { contract } from '../../core/contract/contract.ts'
import type { Envelope } from '../../core/contract/endpoint.ts'
import type { Money } from '../../core/rules/money.ts'
import type { Tx } from '../../server/db/database.ts'
import type { Fixture } from './fixture.ts'
import type { Call, Journal } from './journal.ts'

const { repay, common } = contract

type Done = { call: Call; data: Record<string, string> }

const readAll = async (tx: Tx) => ({
  kept: await tx.rows(sql<{ key: string; answer: string | null }>`
    select idempotency_key as key, answer from idempotency where idempotency_key like 'faults-%' and idempotency_key not like '%#%'`),
  audited: await tx.rows(sql<{ key: string; action: string; lines: number }>`
    select request_id as key, action, count(distinct object_no)::int as lines from audit_log where request_id like 'faults-%' group by 1, 2`),
  receipts: await tx.rows(sql<{ name: string; n: number }>`
    select serial_no as name, count(*)::int as n from repay_flow where serial_no like 'SN%' group by 1`),
  records: await tx.rows(sql<{ name: string; n: number }>`
    select r.repayment_no as name, count(distinct j.journal_no)::int as n from repay_record r
    left join journal j on j.cause = 'repay_record:' || r.repayment_no and j.posting_code = 'P4' group by 1`),
  requests: await tx.rows(sql<{ name: string; n: number }>`select approval_no as name, 1 as n from approval`),
  executed: await tx.rows(sql<{ name: string; n: number }>`
    select approval_no as name, 1 as n from approval where approval_status = 'executed'`),
  attempts: await tx.rows(sql<{ externalId: string; attemptStatus: string; serialNo: string | null; amount: Money }>`
    select external_id, attempt_status, serial_no, amount from gateway_attempt`),
})

/** What stands in the books must be what was acknowledged: all of it, nothing else, and once. */
const compare = (
  what: string,
  expected: readonly string[],
  found: readonly { name: string; n: number }[],
): string[] => {
  const rows = new Map(found.map(row => [row.name, row.n]))
  return [
    ...expected
      .filter(name => rows.get(name) !== 1)
      .map(name => `${what} ${name} is there ${rows.get(name) ?? 0} times`),
    ...[...rows.keys()]
      .filter(name => !expected.includes(name))
      .map(name => `${what} ${name} was acknowledged to nobody`),
  ]
}

const counted = (names: readonly string[]): { name: string; n: number }[] => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, n]) => ({ name, n }))
}

const payment = ({ externalId, serialNo, amount }: { externalId: string; serialNo: string | null; amount: Money }) =>
  `${externalId} ${serialNo} ${amount}`
const codeOf = ({ externalId }: { externalId: string }) => externalId.replace(/-\d+$/, '')

/** Lays what was answered, what is in the books and what the network itself recorded beside one another; answers what does not agree. */
export const reconcile = async (fixture: Fixture, journal: Journal) => {
  const { movements } = await fixture.momo.truth()
  const found = await fixture.look(db => db.read(readAll))
  const wrong = journal.unknown().map(({ path, key }) => `${path} ${key} has no end`)
  const done: Done[] = []
  const kept = new Map(found.kept.map(row => [row.key, row.answer]))
  const audited = new Set(found.audited.map(row => row.key))
  for (const call of journal.acknowledged()) {
    const { code, data } = JSON.parse(call.answer ?? '') as Envelope<Record<string, string>>
    if (code !== codes.validation && kept.get(call.key) !== call.answer)
      wrong.push(`${call.path} ${call.key} was answered ${call.answer} and is kept as ${kept.get(call.key)}`)
    if (code !== 0 && audited.has(call.key)) wrong.push(`${call.path} ${call.key} was refused and is in the audit log`)
    if (code === 0) done.push({ call, data })
  }
  for (const key of kept.keys()) if (!journal.calls.has(key)) wrong.push(`${key} is kept and was never sent`)
  const of = ({ path }: { path: string }) => done.filter(({ call }) => call.path === path)
  const sent = ({ call }: Done) => JSON.parse(call.body) as { serialNo: string; approvalNo: string }
  const commits = of(repay.commit)
  const receipts = of(repay.flowSave).map(one => sent(one).serialNo)
  wrong.push(
    ...compare('receipt', receipts, found.receipts),
    ...compare(
      'record',
      commits.map(({ data }) => String(data.repaymentNo)),
      found.records,
    ),
    ...compare(
      'request',
      of(repay.rollback).map(({ data }) => String(data.approvalNo)),
      found.requests,
    ),
    ...compare(
      'rollback',
      // One whose record had moved on fails, says so, and does nothing.
      of(common.approve)
        .filter(({ data }) => data.approvalStatus === 'executed')
        .map(one => sent(one).approvalNo),
      found.executed,
    ),
  )
  for (const one of commits)
    if (!audited.has(one.call.key)) wrong.push(`${one.call.key} is done and not in the audit log`)

  const codesSent = new Set(fixture.desks.flatMap(desk => desk.payouts.map(({ loanCode }) => loanCode)))
  const attempts = found.attempts.filter(one => codesSent.has(codeOf(one)))
  const moved = movements.filter(({ kind }) => kind === 'payout')
  const paid = attempts.filter(one => one.attemptStatus === 'succeeded')
  const twice = counted(moved.map(codeOf)).filter(({ n }) => n > 1)
  wrong.push(
    ...compare('payment', paid.map(payment), counted(moved.map(payment))),
    ...twice.map(({ name }) => `${name} was paid twice`),
  )
  return {
    wrong,
    acknowledged: journal.acknowledged().length,
    done: done.length,
    moved: moved.length,
    attempts: attempts.length,
  }
}
