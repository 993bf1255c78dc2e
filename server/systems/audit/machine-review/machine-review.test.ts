import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { machineRefuseCodes } from '../../../../core/rules/score.ts'
import { GatewayUnavailable } from '../../../gateways/gateway.ts'
import { nameOf } from '../../../simulators/people.ts'
import { law } from '../../../testing/law.ts'
import { application, send } from '../../../testing/partner.ts'
import { listValues } from '../../risk/name-list/index.ts'
import { cellsAt } from '../../risk/pricing/price-fixture.ts'
import { writeBaseModel } from '../../risk/risk-model/seed.ts'
import { replay } from '../../risk/rule-set/index.ts'
import { reviewsForTests } from './review-fixture.ts'

const { kit, worker, network, another, next, write, rows, found, applied, reviewed } = await reviewsForTests()
let lists = 0
let prices = 0
const manual = (on: boolean) =>
  write(
    sql`update product set terms = jsonb_set(terms, '{manualReview}', ${JSON.stringify(on)}::jsonb) where product_no = 'P1'`,
  )

it('every code that the machine refuses with has its words in the database, and no person chooses it', async () => {
  const named = await rows(sql<{ code: string }>`
    select refuse_code as code from refuse_code where level = 2 and not enabled and least(length(name_zh), length(name_en), length(name_sw)) > 0 order by 1`)
  expect(named.map(({ code }) => code)).toEqual([...machineRefuseCodes].sort())
})

describe('machine review', () => {
  it('passes an ordinary application to the review floor, with score, level, amount and the account checked', async () => {
    const order = await reviewed()
    expect(order).toMatchObject({
      orderStatus: 'to_be_allocated',
      refuseCode: null,
      suggestedAmount: '200000.00',
      payoutVerify: 'passed',
      machineTime: '2026-03-02T07:00:00.000Z',
      approvalAmount: null,
    })
    expect(order.modelLevel).toMatch(/^[AB]$/)
    expect(order.payoutHolderName).toBe(
      nameOf(
        (
          await rows(
            sql<{ walletAccount: string }>`select wallet_account from loan_order where order_no = ${order.orderNo}`,
          )
        )[0]?.walletAccount ?? '',
      ),
    )
    expect(order.ruleHits.map(hit => hit.ruleNo)).toContain('order.incomeShare')
  })

  it('compares the holder of the account with the customer, not with the name that came with the account', async () => {
    network.holder = async () => ({ name: 'Peter Okello' })
    const made = another()
    const payout = { ...made.payout, cardholderName: 'Peter Okello' }
    expect(await reviewed({ payout })).toMatchObject({ payoutVerify: 'failed' })
  })

  it('leaves a transition and a line in the audit log that tell why', async () => {
    const { orderNo, modelScore, modelLevel } = await reviewed()
    const facts = { modelScore, modelLevel, suggestedAmount: '200000.00' }
    expect(
      await rows(
        sql<object>`select event, from_state, to_state, actor, payload from state_transition where object_no = ${orderNo} order by transition_no`,
      ),
    ).toMatchObject([
      { event: 'order.create' },
      {
        event: 'machine.pass',
        fromState: 'machine_reviewing',
        toState: 'to_be_allocated',
        actor: 'system',
        payload: facts,
      },
    ])
    expect(
      await rows(
        sql<object>`select action, actor, before, after from audit_log where order_no = ${orderNo} order by audit_no`,
      ),
    ).toMatchObject([
      { action: 'order.create' },
      {
        action: 'machine.pass',
        actor: 'system',
        before: { orderStatus: 'machine_reviewing' },
        after: { orderStatus: 'to_be_allocated', ...facts },
      },
    ])
  })

  it('refuses with a code', async () => {
    const order = await reviewed({ device: { ...application(1).device, emulator: true } })
    expect(order).toMatchObject({
      orderStatus: 'machine_refused',
      refuseCode: 'MR_DEVICE',
      refusedBy: 'system',
      suggestedAmount: null,
    })
    expect(order.ruleHits[0]).toMatchObject({ ruleNo: 'MR_DEVICE', outcome: 'refuse' })
  })

  it('knows the age on the day', async () => {
    expect(
      (
        await reviewed({
          customer: {
            ...application(1).customer,
            birthDate: '2008-03-03',
            idNumber: 'CM08000000AAAA',
            monthlyIncome: '900000.00',
          },
        })
      ).refuseCode,
    ).toBe('MR_AGE')
    expect(
      (
        await reviewed({
          customer: {
            ...application(1).customer,
            birthDate: '2008-03-02',
            idNumber: 'CM08000000BBBB',
            monthlyIncome: '900000.00',
          },
        })
      ).refuseCode,
    ).toBeNull()
  })

  it('sees earlier loans of the same person in other apps', async () => {
    const body = next()
    const first = await send(kit, body)
    await worker.drain()
    const history = async (overdueDays: number, number: string) => {
      await write(sql`update loan_order set overdue_days = ${overdueDays} where order_no = ${first.data.orderNo}`)
      const { data } = await send(
        kit,
        { ...body, productNo: 'P2', thirdOrderNo: number },
        { merchantNo: 'M2', secret: 'secret-two' },
      )
      await worker.drain()
      return found(data.orderNo)
    }
    expect((await history(31, 'other-31')).refuseCode).toBe('MR_HISTORY')
    expect((await history(5, 'other-5')).ruleHits.map(hit => hit.ruleNo)).toContain('history.maxOverdueDays')
  })

  it('refuses the fourth person on one device', async () => {
    const device = { ...application(1).device, rooted: false, emulator: false, deviceId: 'shared-by-four' }
    const codes = []
    for (let n = 0; n < 4; n++) codes.push((await reviewed({ device })).refuseCode)
    expect(codes).toEqual([null, null, null, 'MR_SHARED_DEVICE'])
  })

  it('suggests less where the income does not bear what was asked', async () => {
    const { customer } = another()
    const order = await reviewed({
      loanAmount: '900000.00',
      customer: { ...customer, birthDate: '1992-05-14', monthlyIncome: '600000.00' },
    })
    expect(order).toMatchObject({ orderStatus: 'to_be_allocated', loanAmount: '900000.00' })
    expect(Number(order.suggestedAmount)).toBeLessThan(600_000)
  })

  it('does its work once, however often it is asked', async () => {
    const { orderNo } = await reviewed()
    await write(sql`update job set state = 'ready', run_at = now() - interval '1 year' where job_key = ${orderNo}`)
    await worker.drain()
    expect(await rows(sql<object>`select event from state_transition where object_no = ${orderNo}`)).toHaveLength(2)
  })

  it('leaves an order alone that was cancelled meanwhile', async () => {
    const orderNo = await applied()
    await write(
      sql`update loan_order set order_status = case when set_config('app.transition', 'on', true) = 'on' then 'cancelled' end where order_no = ${orderNo}`,
    )
    await worker.drain()
    expect((await found(orderNo)).orderStatus).toBe('cancelled')
  })
})

describe('risk lists', () => {
  const values = listValues(Buffer.alloc(32))
  const listed = async (orderPhone: string, listKind: string, listEffect: string) => {
    const no = `NL${++lists}`
    await write(sql`
      with x as (
        insert into name_list (name_list_no, enabled, name_list_name, list_kind, dimension, list_effect, default_months, created_time, updated_by, updated_time)
        values (${no}, 'enabled', ${no}, ${listKind}, 'phone', ${listEffect}, 12, now(), 'U1', now()) returning name_list_no)
      insert into name_list_item (item_no, item_status, name_list_no, value_hash, value_sealed, display_value, reason_code, list_source, created_by, created_by_name, created_time, expire_time)
      select ${`NI${lists}`}, 'active', name_list_no, ${values.hash('phone', orderPhone)}, 'x', '25*', 'fraud', 'manual', 'U1', 'x', now(), '2027-01-01' from x`)
    return no
  }
  const met = async (listKind: string, listEffect: string) => {
    const made = next()
    const no = await listed(made.customer.phone, listKind, listEffect)
    const { data } = await send(kit, made)
    await worker.drain()
    const hits = await rows(
      sql<{ listEffect: string }>`select list_effect from name_list_hit where order_no = ${data.orderNo}`,
    )
    return { no, hits, order: await found(data.orderNo) }
  }

  it('that refuse give the code, whatever the score', async () => {
    const { no, hits, order } = await met('black', 'refuse')
    expect(order).toMatchObject({ orderStatus: 'machine_refused', refuseCode: 'MR_LIST', suggestedAmount: null })
    expect(order.ruleHits[0]).toMatchObject({ ruleNo: no, outcome: 'refuse' })
    expect(hits).toEqual([{ listEffect: 'refuse' }])
  })

  it('that flag refuse nobody, and a white list skips no black one', async () => {
    expect((await met('grey', 'flag')).order).toMatchObject({ orderStatus: 'to_be_allocated', refuseCode: null })
    const made = next()
    await listed(made.customer.phone, 'white', 'skip')
    await listed(made.customer.phone, 'black', 'refuse')
    const { data } = await send(kit, made)
    await worker.drain()
    expect((await found(data.orderNo)).refuseCode).toBe('MR_LIST')
  })
})

describe('the price of the level', () => {
  const priced = async (change: Parameters<typeof cellsAt>[1]) =>
    write(sql`
      with x as (
        insert into risk_pricing (pricing_no, enabled, product_no, loan_kind, created_time, updated_by, updated_time)
        values (${`PG${++prices}`}, 'enabled', 'P1', 'first', now(), 'U1', now()) returning pricing_no)
      insert into risk_pricing_version (version_no, version_status, pricing_no, content, effective_time, maker_no, maker_name, created_time)
      select ${`PV${prices}`}, 'effective', pricing_no, ${JSON.stringify({ cells: cellsAt('0.5', change) })}::jsonb, '2026-01-01', 'U1', 'x', now() from x`)
  afterEach(async () => write(sql`update risk_pricing set deleted_time = now()`))

  it('is that of the order from its review on, and its limit the most that is offered', async () => {
    await priced({ initialLimit: '150000.00', amountMax: '400000.00' })
    const order = await reviewed()
    expect(order).toMatchObject({ modelLevel: 'B', suggestedAmount: '150000.00', orderStatus: 'to_be_allocated' })
    const [{ rate, most, version }] = (await rows(sql<{ rate: string; most: string; version: string }>`
      select terms -> 'interest' ->> 'ratePerDay' as rate, terms ->> 'maxAmount' as most, price_version_no as version
      from loan_order where order_no = ${order.orderNo}`)) as [{ rate: string; most: string; version: string }]
    expect([rate, most, version]).toEqual(['0.5', '400000.00', expect.stringMatching(/^PV/)])
  })

  it('below which nothing is lent refuses as too small', async () => {
    await priced({ amountMin: '300000.00', amountMax: '400000.00' })
    expect(await reviewed()).toMatchObject({ refuseCode: 'MR_AMOUNT', suggestedAmount: null })
  })
})

describe('the band of the level', () => {
  it('bounds the amount by its share of the greatest', async () => {
    await kit.db.withTx(writeBaseModel)
    const shared = (rate: string) =>
      write(sql`
        update risk_cutoff_version set content = (select jsonb_object_agg(k, (
          select jsonb_agg(band || jsonb_build_object('maxAmountRate', ${rate}::text)) from jsonb_array_elements(bands) band)) from jsonb_each(content) c(k, bands))`)
    await write(sql`alter table risk_cutoff_version disable trigger user`)
    // 12 % of 1,000,000 is 120,000.
    await shared('12')
    const order = await reviewed()
    await shared('100')
    await write(sql`alter table risk_cutoff_version enable trigger user`)
    expect(order).toMatchObject({ modelLevel: 'B', suggestedAmount: '120000.00', orderStatus: 'to_be_allocated' })
    const [decision] = await rows(sql<{ decisionNo: string; share: string }>`
      select decision_no, jsonb_path_query_first(inputs, '$.bands[*] ? (@.modelLevel == "B").maxAmountRate') #>> '{}' as share from risk_decision where order_no = ${order.orderNo}`)
    expect(decision?.share).toBe('12')
    expect((await kit.db.read(tx => replay(tx, decision?.decisionNo ?? ''))).same).toBe(true)
    expect((await reviewed()).suggestedAmount).toBe('200000.00')
  })
})

describe('approval by the machine', () => {
  const best = async (meanwhile?: () => Promise<unknown>) => {
    const body = next()
    const first = await send(kit, body)
    await worker.drain()
    await write(
      sql`update loan_order set order_status = case when set_config('app.transition', 'on', true) = 'on' then 'settled' end, payout_time = now() where order_no = ${first.data.orderNo}`,
    )
    const { data } = await send(kit, { ...body, thirdOrderNo: `${body.thirdOrderNo}-2` })
    await meanwhile?.()
    await worker.drain()
    return { orderNo: data.orderNo, ...(await found(data.orderNo)) }
  }
  beforeEach(async () => {
    await manual(false)
    return () => manual(true)
  })

  it('goes to a person at a price that the law forbids', async () => {
    // The cap comes into force between application and machine review.
    const order = await best(() => write(law({ capKey: 'interest_year', capValue: '33.6' })))
    await write(law())
    expect(order).toMatchObject({ orderStatus: 'to_be_allocated', modelLevel: 'A' })
  })

  it('goes straight to payout for the best, where the product needs no person', async () => {
    const order = await best()
    expect(order).toMatchObject({
      orderStatus: 'pending_disbursement',
      modelLevel: 'A',
      approvalAmount: '200000.00',
      loanAmount: '200000.00',
      actualLoanAmount: '190000.00',
    })
    expect(
      await rows(
        sql<object>`select loan_code_status, actual_loan_amount, verify_result from loan_code where order_no = ${order.orderNo}`,
      ),
    ).toEqual([{ loanCodeStatus: 'created', actualLoanAmount: '190000.00', verifyResult: 'passed' }])
    expect(
      await rows(sql<object>`
        select c.credit_limit - c.remaining_limit as taken from customer c join loan_order o using (customer_no) where o.order_no = ${order.orderNo}`),
    ).toEqual([{ taken: '200000.00' }])
  })

  it('is never given where the network does not confirm the account', async () => {
    network.holder = () => Promise.reject(new GatewayUnavailable('down'))
    expect(await best()).toMatchObject({ orderStatus: 'to_be_allocated', modelLevel: 'A', payoutVerify: 'unavailable' })
    network.holder = async () => ({ name: 'Somebody Else' })
    expect(await best()).toMatchObject({
      orderStatus: 'to_be_allocated',
      payoutVerify: 'failed',
      payoutHolderName: 'Somebody Else',
    })
  })

  it('is given to no other level', async () => {
    expect(await reviewed()).toMatchObject({ orderStatus: 'to_be_allocated', modelLevel: 'B' })
  })
})
