import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { masked } from '../../../../core/contract/masking.ts'
import {
  type AcquireResult,
  acquireChecks,
  acquireRules,
  type Step,
} from '../../../../core/contract/merchant/order-acquire.ts'
import { Application } from '../../../../core/contract/order/intake.ts'
import { text } from '../../../../core/i18n/server.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Item } from '../../../configs/config-hooks.ts'
import { changesOf, noteChange } from '../../../configs/history.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Module, Scheduled } from '../../../module.ts'
import type { Session } from '../../../session/session.ts'
import { acquireSeenBy, logSource, ruleSource } from './source.ts'

const { orderAcquire } = contract
type Values = Readonly<Record<string, unknown>>

/** The merchant is one of the caller's, and the products are its own. */
const checkPlace = async (tx: Tx, session: Session, { merchantNo, productNos }: Values): Promise<void> => {
  const seen = await tx.maybe(sql`
    select 1 from merchant x where x.merchant_no = ${merchantNo} and x.deleted_time is null and ${acquireSeenBy(session)} for no key update`)
  if (!seen) throw invalid('merchantNo', 'validation.wrongValue')
  const nos = [...new Set(productNos as string[])]
  const { own } = await tx.one(sql<{ own: number }>`
    select count(*)::int as own from product where product_no = any(${nos}) and merchant_no = ${merchantNo} and deleted_time is null`)
  if (own < nos.length) throw invalid('productNos', 'validation.wrongValue')
}

/** An application falls under one rule: two for one channel, kind of loan and product would contradict each other. */
const checkAlone = async (tx: Tx, values: Values): Promise<void> => {
  const { acquireNo = null, merchantNo, incomingChannel, loanKind = null, productNos } = values
  const other = await tx.maybe(sql<{ acquireName: string }>`
    select acquire_name from acquire_rule where merchant_no = ${merchantNo} and lower(incoming_channel) = lower(${incomingChannel}) and deleted_time is null
      and acquire_no is distinct from ${acquireNo} and product_nos && ${productNos as string[]} and (loan_kind is null or ${loanKind}::text is null or loan_kind = ${loanKind}) limit 1`)
  if (other) throw invalid('productNos', 'errors.acquireOverlaps', { name: other.acquireName })
}

const config = serveConfig(acquireRules, {
  prefix: 'AC',
  unique: 'acquireName',
  // A merchant that takes orders goes on: that its limits are written down does not close it.
  startsEnabled: () => true,
  async check({ tx, session }, form, before) {
    const values = { ...before, ...form, loanKind: form.loanKind ?? null }
    await checkPlace(tx, session, values)
    await checkAlone(tx, values)
  },
  source: ruleSource,
})

const today = serve(orderAcquire.today, async call => {
  const { tx, input, actor, audit } = call
  const { acquireNo, todayCap = null } = input
  const row = (await config.lock(call, acquireNo)) as Item
  checkVersion(row, input.version)
  const set = { todayCap, todayCapDate: todayCap === null ? null : tx.today }
  const { version } = await config.touch(call, row, 'item.update', set)
  const { machine, table } = acquireRules
  noteChange(
    tx,
    machine,
    { objectNo: acquireNo, version, event: 'item.update', changes: changesOf(['todayCap'], row, set) },
    actor,
  )
  audit({ objectType: table, objectNo: acquireNo, before: { todayCap: row.todayCap ?? null }, after: { todayCap } })
  return { version }
})

const log = listed({ list: orderAcquire.log, source: logSource })

const firstCode = 101
/** The checks up to the one that answered, in their order. */
const stepsOf = (intakeCode: string, answer: string): Step[] => {
  const failed = intakeCode === '0' ? acquireChecks.values.length : Number(intakeCode) - firstCode
  // What broke says nothing of the checks.
  if (failed > acquireChecks.values.length)
    return acquireChecks.values.map(check => ({ check, checkState: 'not_asked', answer: null }))
  return acquireChecks.values.map((check, at) => ({
    check,
    checkState: at < failed ? 'passed' : at === failed ? 'failed' : 'not_reached',
    answer: at === failed ? answer : null,
  }))
}

const who = { inList: true, desensitized: true }
/** What was sent, without what the phone holds, and with what is the person's own hidden. */
const shown = (payload: string | null): string | null => {
  if (payload === null) return null
  const { collected: _, ...sent } = JSON.parse(payload) as Application
  const { customer, contacts, payout, ...rest } = masked(Application, who, sent) as Application
  const hidden = {
    ...rest,
    customer: {
      ...customer,
      email: customer.email && mask(customer.email),
      addressText: mask(customer.addressText),
      birthDate: mask(customer.birthDate),
    },
    contacts: contacts.map(contact => ({ ...contact, contactName: mask(contact.contactName) })),
    payout: { ...payout, walletAccount: mask(payout.walletAccount), cardholderName: mask(payout.cardholderName) },
  }
  return JSON.stringify(hidden, null, 2)
}

const logDetail = serve(orderAcquire.logDetail, async ({ tx, session, input: { intakeNo }, request: { language } }) => {
  const row = await tx.maybe(sql<{ intakeCode: AcquireResult; payload: string | null; payloadHash: string }>`
    select x.intake_code, x.payload, x.payload_hash from acquire_log x where x.intake_no = ${intakeNo} and ${acquireSeenBy(session)}`)
  if (!row) throw notFound()
  const answer = text(language, `dict.ACQUIRE_RESULT.${row.intakeCode}`)
  return { checkSteps: stepsOf(row.intakeCode, answer), payload: shown(row.payload), payloadHash: row.payloadHash }
})

const minutes = 5

const stat = serve(orderAcquire.stat, async ({ tx, session, input }) => {
  const { from, to, merchantNo = [], acquireNo } = input
  const scoped = sql`${acquireSeenBy(session)} and (${merchantNo.length === 0} or x.merchant_no = any(${merchantNo})) and (${acquireNo ?? null}::text is null or x.acquire_no = ${acquireNo ?? null})`
  const of = sql`from acquire_log x where x.intake_time >= ${startOfEatDay(from)} and x.intake_time < ${startOfEatDay(addDays(to, 1))} and ${scoped}`
  const hours = await tx.rows(sql<OutputOf<typeof orderAcquire.stat>['hourCounts'][number]>`
    select extract(hour from x.intake_time at time zone 'Africa/Kampala')::int as hour, count(*) filter (where x.order_no is not null)::int as taken_count,
      count(*) filter (where x.order_no is null)::int as not_taken_count ${of} group by 1 order by 1`)
  const codes = await tx.rows(sql<OutputOf<typeof orderAcquire.stat>['codeCounts'][number]>`
    select x.intake_code, count(*)::int as count ${of} and x.order_no is null group by 1 order by 2 desc, 1`)
  const { lately } = await tx.one(sql<{ lately: number }>`
    select count(*)::int as lately from acquire_log x where x.intake_time > ${new Date(tx.now.getTime() - minutes * 60_000)} and ${scoped}`)
  const sum = (name: 'takenCount' | 'notTakenCount') => hours.reduce((total, hour) => total + hour[name], 0)
  return {
    takenCount: sum('takenCount'),
    notTakenCount: sum('notTakenCount'),
    perMinute: String(lately / minutes),
    hourCounts: hours,
    codeCounts: codes,
  }
})

/** Days after which the content of a refused application is forgotten, and counters. */
const keptDays = { payload: 2, counter: 40 }

/** Each day counts by itself, so nothing is set back: what is of no use any more is forgotten. */
const reset: Scheduled = {
  job: 'acquireReset',
  every: { dailyAt: '00:00' },
  run: async tx => ({
    payloads: await tx.exec(sql`
      update acquire_log set payload = null where payload is not null and intake_time < ${startOfEatDay(addDays(tx.today, -keptDays.payload))}`),
    counters: await tx.exec(sql`
      delete from acquire_counter where business_date < ${addDays(tx.today, -keptDays.counter)}`),
  }),
}

/** How many and which orders merchants take from each channel, and why an application was refused. */
export const orderAcquireModule = (): Module => ({
  ...config,
  served: [...config.served, today, serveListed(log), logDetail, stat],
  lists: [...config.lists, log],
  scheduled: [...config.scheduled, reset],
})
