import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import { sql } from 'kysely'
import { codes } from '../../core/contract/codes.ts'
import { base, type Endpoint, type Envelope, type InputOf, type OutputOf } from '../../core/contract/endpoint.ts'
import type { Language } from '../../core/i18n/language.ts'
import type { Terms } from '../../core/rules/loan/terms.ts'
import { stoppedClock } from '../db/clock.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../db/database.ts'
import { createApp } from '../http/app.ts'
import { clientAddress } from '../http/defence/client-address.ts'
import { silentLog } from '../log.ts'
import type { Module } from '../module.ts'
import { system } from '../rights/actor.ts'
import type { Limit } from '../rights/held-rights.ts'
import { writePerson } from '../session/person.ts'
import { hashToken } from '../session/session.ts'
import { openProof } from '../session/step-up.ts'
import { begunItems, closeProven } from './proven.ts'

/** Terms of the fixture product: 14 days in 2 bills, flat 1 % a day, 5 % service fee up front: easy to compute with and far above the legal caps, which tests put themselves. */
export const fixtureTerms: Terms = {
  termDays: 14,
  installmentCount: 2,
  interest: { method: 'flat', ratePerDay: '1' },
  serviceFee: { basis: 'rate', value: '5', taken: 'upfront' },
  managementFee: { basis: 'amount', value: '2000.00', taken: 'spread' },
  lateFee: { ratePerDay: '1.5', capRate: '50' },
  liquidatedDamages: { afterDays: 7, basis: 'rate', value: '5' },
  extension: { feeRate: '10', days: 7, max: 2 },
  graceDays: 0,
  allocation: ['lateFee', 'liquidatedDamages', 'serviceFee', 'managementFee', 'interest', 'principal'],
  earlySettlement: 'full',
  rounding: { unit: '0.01', mode: 'half_up' },
  minAmount: '50000.00',
  maxAmount: '1000000.00',
  amountStep: '10000.00',
  auditStepCount: 1,
  track: 'stage',
  manualReview: true,
}

export type Person = { userNo: string; token: string }
export type Kit = Awaited<ReturnType<typeof openKit>>

const fixtures = async (db: Database) =>
  db.withTx(async tx => {
    await tx.exec(sql`insert into company values ('C1', 'Nile Credit')`)
    await tx.exec(
      sql`insert into org values ('O0', 'Nile Credit', null, 'C1'), ('O1', 'Kampala', 'O0', 'C1'), ('O2', 'Gulu', 'O0', 'C1')`,
    )
    await tx.exec(
      sql`insert into dept values ('D0', 'Head office', null, 'O0'), ('D1', 'Review floor', 'D0', 'O1'), ('D2', 'Gulu floor', 'D0', 'O2')`,
    )
    await tx.exec(
      sql`insert into merchant (merchant_no, merchant_name, app_name, org_no) values ('M1', 'Boda Cash', 'BodaCash', 'O1'), ('M2', 'Market Loan', 'MarketLoan', 'O2')`,
    )
    await tx.exec(
      sql`insert into merchant_credential (api_key_id, merchant_no, secret, created_time) values ('K1', 'M1', 'secret-one', ${tx.now}), ('K2', 'M2', 'secret-two', ${tx.now})`,
    )
    for (const [product, merchant] of [
      ['P1', 'M1'],
      ['P2', 'M2'],
    ] as const)
      await tx.exec(
        sql`insert into product (product_no, product_name, merchant_no, terms) values (${product}, ${`Quick loan ${product}`}, ${merchant}, ${JSON.stringify(fixtureTerms)}::jsonb)`,
      )
    await tx.exec(
      sql`insert into channel (channel, channel_name, pause_after_unknown) values ('mtn_momo', 'MTN MoMo', 50), ('airtel_money', 'Airtel Money', 50)`,
    )
    await tx.exec(
      sql`insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number) values ('FA1', 'MTN payout', 'both', 'Nile Credit', 'mtn_momo', '256770000001')`,
    )
    await tx.exec(sql`insert into fund_account_merchant values ('FA1', 'M1'), ('FA1', 'M2')`)
    await tx.exec(sql`insert into auto_write_off_config (config_no) values ('W1')`)
    await begunItems(tx)
  })

/**
 * A server in memory (or on the given PostgreSQL or directory) with a company, two merchants and a product, and people with exactly the given rights.
 * It is closed only with every invariant true, unless the file writes rows that no command would: those are `handmade`.
 */
export const openKit = async (o: {
  url?: string
  dataDir?: string
  modules: readonly Module[]
  now?: string
  database?: Partial<DatabaseOptions>
  trustedProxies?: readonly string[]
  handmade?: true
}) => {
  const clock = stoppedClock(o.now ?? '2026-03-02T07:00:00Z')
  const { url, dataDir } = o
  const db = await openDatabase({ url, dataDir, memory: !url && !dataDir, clock, ...o.database })
  await fixtures(db)
  const served = o.modules.flatMap(module => module.served)
  const app: Hono = createApp({
    db,
    log: silentLog,
    served,
    expected: [],
    clientAddress: clientAddress(o.trustedProxies ?? []),
  })
  let people = 0

  const person = async (p: {
    perms: readonly string[]
    limit?: Limit
    nature?: 'headquarters' | 'merchant' | 'outsourced'
    merchants?: readonly string[]
    sensitive?: readonly string[]
    dept?: string
    name?: string
  }): Promise<Person> => {
    const id = `U${++people}`
    const token = `token-of-${id}-${randomUUID()}`
    await db.withTx(async tx => {
      const merchants = p.merchants ?? ['M1', 'M2']
      const names = { loginId: `login.${id}`, userName: p.name ?? id, realName: p.name ?? `Person ${id}` }
      const place = { deptNo: p.dept ?? 'D1', principalMerchantNo: merchants[0], merchantNos: merchants }
      await writePerson(tx, { userNo: id, ...names, ...place }, system('kit'))
      await tx.exec(
        sql`insert into role (role_no, role_name, role_nature, sensitive_perms) values (${`R${id}`}, ${id}, ${p.nature ?? 'headquarters'}, ${(p.sensitive ?? ['pii:unmask']) as string[]})`,
      )
      await tx.exec(sql`insert into user_role values (${id}, ${`R${id}`})`)
      await tx.exec(
        sql`insert into menu (menu_no, menu_name, menu_type, perms) values (${`N${id}`}, ${id}, 'page', ${`/AdminContent/Test/${id}`})`,
      )
      await tx.exec(sql`insert into role_menu values (${`R${id}`}, ${`N${id}`}, ${p.limit ?? 'all'})`)
      await tx.exec(sql`
        insert into menu (menu_no, parent_menu_no, menu_name, menu_type, perms)
        select ${`N${id}-`} || (n - 1), ${`N${id}`}, perm, 'button', perm from unnest(${[...p.perms]}::text[]) with ordinality as given (perm, n)`)
      await tx.exec(
        sql`insert into role_menu (role_no, menu_no) select ${`R${id}`}, menu_no from menu where parent_menu_no = ${`N${id}`}`,
      )
      await tx.exec(
        sql`insert into session (session_no, token_hash, user_no, created_time, last_seen_time) values (${`S${id}`}, ${hashToken(token)}, ${id}, ${tx.now}, ${tx.now})`,
      )
    })
    return { userNo: id, token }
  }

  /** A proof as the person would have got it for the code of their authenticator. */
  const stepUp = async ({ userNo }: Person): Promise<string> =>
    db.withTx(async tx => (await openProof(tx, { sessionNo: `S${userNo}` })).stepUp)

  /**
   * Calls an endpoint over HTTP semantics, without a socket. Every command gets a fresh key unless one is given; a call that answers
   * 40302 is sent again with a proof, unless `unproven`.
   */
  const call = async <E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    p: {
      as?: Person
      key?: string
      language?: Language
      headers?: Record<string, string>
      bytes?: Uint8Array
      unproven?: true
      /** The address that the call comes from. */
      from?: string
    } = {},
  ): Promise<Envelope<OutputOf<E>>> => {
    const values = { ...(input as Record<string, unknown>) }
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(values[name])
      delete values[name]
      return encodeURIComponent(value)
    })
    const query =
      endpoint.method !== 'POST' && Object.keys(values).length
        ? `?${new URLSearchParams(values as Record<string, string>)}`
        : ''
    const key = p.key ?? randomUUID()
    const sent = async (proof: Record<string, string>) => {
      const init = {
        method: endpoint.method,
        headers: {
          'content-type': 'application/json',
          language: p.language ?? 'en',
          'idempotency-key': key,
          ...(p.as ? { token: p.as.token } : {}),
          ...proof,
          ...p.headers,
        },
        ...(endpoint.method === 'GET' ? {} : { body: (p.bytes ?? JSON.stringify(values)) as BodyInit }),
      }
      const socket = p.from ? { incoming: { socket: { remoteAddress: p.from } } } : undefined
      const answer = await app.request(`${base}${path}${query}`, init, socket)
      return (await answer.json()) as Envelope<OutputOf<E>>
    }
    const first = await sent({})
    const body =
      first.code === codes.stepUp && p.as && !p.unproven ? await sent({ 'x-step-up': await stepUp(p.as) }) : first
    if (body.code === 0) endpoint.output.parse(body.data)
    return body
  }

  return { db, clock, app, person, stepUp, call, close: () => closeProven(db, o) }
}
