import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../core/contract/contract.ts'
import { routes } from '../../core/contract/routes.ts'
import { messages } from '../../core/i18n/server.ts'
import { covers, isEmbeddable, isGrantable, moneyCommands } from '../../server/embed/coverage.ts'
import { crm, openPartner } from '../../server/testing/embedding.ts'
import type { Person } from '../../server/testing/kit.ts'
import { writesOf } from '../../server/testing/writes.ts'
import { everyPerm, everySight, type Fixture, openFixture } from '../contract/fixture.ts'
import { type Input, inputOf } from '../contract/inputs.ts'

const staff = endpoints.filter(({ endpoint }) => endpoint.auth === 'staff')
const widgets = routes.map(({ tag }) => tag).filter(isEmbeddable)
/** A call that is refused on the way in writes down that somebody tried, and when the token was seen. */
const noted = ['security_log', 'embed_token']

let fixture: Fixture
let grace: Person
let partner: Awaited<ReturnType<typeof openPartner>>
beforeAll(async () => {
  fixture = await openFixture()
  await fixture.repaid('M1')
  await fixture.repaid('M2')
  await fixture.queueUp('M1')
  await fixture.allotted('M2')
  for (const { tag, perm } of routes)
    if (perm)
      await fixture.exec(
        sql`insert into menu (menu_no, menu_name, menu_type, perms) values (${`T-${tag}`}, ${tag}, 'page', ${`${perm}-${tag}`})`,
      )
  const sensitive = ['pii:unmask', ...everySight]
  grace = await fixture.reviewer({ sensitive })
  partner = await openPartner(fixture, {
    widgets,
    perms: [...everyPerm, ...sensitive].filter(isGrantable),
    merchantNos: ['M2'],
    moneyCommands: [...moneyCommands],
  })
})
afterAll(() => fixture.close())

const page = (tags: readonly string[]) => partner.page(grace, { widgets: [...tags] })

describe.each(staff)('$name with the token of a page', ({ name, endpoint }) => {
  const own = widgets.filter(tag => covers([tag], endpoint))
  const others = widgets.filter(tag => !own.includes(tag))

  it('user 12, C4: is refused at another origin and without one, and changes nothing', async () => {
    const { as } = await page(widgets)
    const written = await writesOf(fixture.db, noted)
    for (const origin of ['https://evil.example', `${crm}.evil.example`, 'null', ''])
      expect(
        (await fixture.ask(endpoint, inputOf(endpoint), { as, headers: origin ? { origin } : {} })).code,
        origin,
      ).toBe(40301)
    expect(await written()).toEqual([])
  })

  if (others.length)
    it(`is refused to the ${others.length} elements that do not call it, and changes nothing`, async () => {
      const { as, headers } = await page(others)
      const written = await writesOf(fixture.db, noted)
      expect((await fixture.ask(endpoint, inputOf(endpoint), { as, headers })).code, name).toBe(40301)
      expect(await written()).toEqual([])
    })

  const asked = [...(endpoint.perm ? [endpoint.perm] : []), ...(endpoint.anyPerm ?? [])]
  if (own.length && asked.some(isGrantable))
    it('is let in for an element that calls it, and shows the merchants of the token alone', async () => {
      const { as, headers } = await page(own)
      const required: Input =
        'row' in endpoint ? { ...inputOf(endpoint), pageSize: 100, pageNum: 1 } : inputOf(endpoint)
      const input = Object.fromEntries(
        Object.entries(required).filter(
          ([field]) =>
            !endpoint.input.safeParse({ ...required, [field]: undefined }).success || field.startsWith('page'),
        ),
      )
      const heard = await fixture.ask(endpoint, input, { as, headers })
      // What concerns all merchants stays with headquarters, whatever codes a token has.
      if (heard.msg !== messages.en['errors.headquartersOnly']) expect(heard.code, heard.text).not.toBe(40301)
      const rows = (heard.data as { list?: { merchantNo?: string; orderNo?: string }[] } | null)?.list ?? []
      const orders = await fixture.rows(
        sql<{ no: string }>`select order_no as no from loan_order where merchant_no <> 'M2'`,
      )
      const foreign = new Set(orders.map(({ no }) => no))
      expect(rows.filter(row => row.merchantNo === 'M1' || foreign.has(row.orderNo ?? ''))).toEqual([])
    })
})

describe.each(staff.filter(({ endpoint }) => endpoint.money))('$name, a command on money,', ({ endpoint }) => {
  const named = (commands: readonly string[]) =>
    fixture.exec(sql`update partner_grant set money_commands = ${[...commands]} where partner_no = 'PG1'`)
  const all = [...moneyCommands]
  afterAll(() => named(all))

  it('is refused to a page whose grant does not name it, with every code held, and written down', async () => {
    const { as, headers } = await page(widgets)
    await named(all.filter(audit => audit !== endpoint.audit))
    const written = await writesOf(fixture.db, noted)
    const proof = { 'x-step-up': await fixture.stepUp(grace) }
    expect((await fixture.ask(endpoint, inputOf(endpoint), { as, headers: { ...headers, ...proof } })).code).toBe(40301)
    expect(await written()).toEqual([])
    const [line] = await fixture.rows(sql<{ kind: string; path: string }>`
      select security_kind as kind, path from security_log order by security_no desc limit 1`)
    expect(line).toEqual({ kind: covers(widgets, endpoint) ? 'embed.money' : 'embed.endpoint', path: endpoint.path })
  })

  if (covers(widgets, endpoint) && [endpoint.perm ?? 'everybody'].some(isGrantable))
    it('that is named asks for the code of the person, and takes no proof of the console', async () => {
      const { as, headers } = await page(widgets)
      await named(all)
      const proof = { 'x-step-up': await fixture.stepUp(grace) }
      for (const given of [{}, proof])
        expect((await fixture.ask(endpoint, inputOf(endpoint), { as, headers: { ...headers, ...given } })).code).toBe(
          40302,
        )
    })
})

/** Commands of payouts and repayments after which no money has moved and no right to it has changed. */
const harmless = ['cancel', 'verifyAccount', 'ask'].map(name => `payout.${name}`)
harmless.push('balance.enter', 'balance.correct', 'balance.fetch')
harmless.push(
  'job.retry',
  'supplement.reject',
  'recon.run',
  'recon.explain',
  'flow.delete',
  'extension.quote',
  'extension.cancel',
  'delayed.withdraw',
  'channel.pause',
  'fundAccount.check',
  'payLink.create',
  'payLink.send',
  'payLink.revoke',
)
harmless.push(...['save', 'state', 'delete'].map(name => `autoCancel.${name}`))

it('every other command of payouts and repayments says that it concerns money', () => {
  const silent = staff.filter(
    ({ endpoint: { path, audit = 'export.', money } }) =>
      !money && /^\/(payManage|rePayManage)\//.test(path) && !/^(export|import)\./.test(audit),
  )
  expect(silent.map(({ endpoint }) => endpoint.audit).filter(audit => !harmless.includes(audit ?? ''))).toEqual([])
})

describe.each(endpoints.filter(({ endpoint }) => endpoint.auth !== 'staff'))('$name', ({ endpoint }) => {
  const guarded = endpoint.auth !== 'anon'
  it(
    guarded ? 'is refused to staff, and to a wrong signature' : 'is open to anybody, and takes no notice of a session',
    async () => {
      const written = await writesOf(fixture.db, noted)
      const basic = { authorization: `Basic ${Buffer.from('kampala-crm:guessed').toString('base64')}` }
      const signed = { 'x-merchant': 'M1', 'x-timestamp': String(Date.now()), 'x-signature': '0'.repeat(64) }
      for (const given of [
        { as: fixture.boss, unproven: true as const },
        { headers: basic },
        { headers: signed },
        {},
      ]) {
        const { code } = await fixture.ask(endpoint, inputOf(endpoint), given)
        if (guarded) expect(code).toBe(40301)
        else expect([40301, 50001]).not.toContain(code)
      }
      if (guarded) expect(await written()).toEqual([])
    },
  )
})
