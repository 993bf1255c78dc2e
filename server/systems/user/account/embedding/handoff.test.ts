import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../../core/contract/contract.ts'
import { openPartner } from '../../../../testing/embedding.ts'
import { type Kit, openKit, type Person } from '../../../../testing/kit.ts'
import { selfModule } from '../self.ts'
import { embedModule } from './embed.ts'

const { embed, user } = contract

let kit: Kit
let grace: Person
let theirs: Awaited<ReturnType<typeof openPartner>>
let others: typeof theirs
beforeAll(async () => {
  kit = await openKit({ modules: [embedModule(), selfModule({ demo: false })] })
  grace = await kit.person({ perms: [], name: 'Grace' })
  theirs = await openPartner(kit)
  others = await openPartner(kit, { partnerNo: 'PG2', clientId: 'others', origins: ['https://other.example'] })
  await kit.db.withTx(async tx => {
    for (const [menuNo, url] of [
      ['CRM', 'https://crm.example/today?list=calls'],
      ['Wiki', 'https://wiki.example/'],
      ['Plain', 'http://crm.example/'],
    ])
      await tx.exec(sql`
        insert into menu (menu_no, menu_name, menu_type, external_url) values (${menuNo}, ${menuNo}, 'external', ${url})`)
    for (const menuNo of ['CRM', 'Plain'])
      await tx.exec(sql`insert into role_menu (role_no, menu_no) values (${`R${grace.userNo}`}, ${menuNo})`)
  })
})
afterAll(() => kit.close())

const ask = (menuNo = 'CRM', as = grace) => kit.call(user.handoff, { menuNo }, { as })
it('J4, K2: leads nowhere without https: such a link is no entry of the menu, and gets no code', async () => {
  expect((await ask('Plain')).code).toBe(40401)
  const menu = (await kit.call(user.self, {}, { as: grace })).data.userMenu
  expect(menu.map(node => node.menuNo)).toContain('CRM')
  expect(menu.map(node => node.menuNo)).not.toContain('Plain')
})

const codeFor = async () => (await ask()).data.code
const exchange = (code: string, by = theirs) => kit.call(embed.handoff, { code }, { headers: by.basic() })

it('says who came, once, to the partner that the link leads to', async () => {
  const { data, code } = await ask()
  expect(code).toBe(0)
  expect(data.code).not.toContain(grace.token)
  expect(Date.parse(data.expireTime) - kit.clock.now().getTime()).toBe(60_000)
  const who = { userNo: grace.userNo, loginId: `login.${grace.userNo}`, realName: 'Grace', menuNo: 'CRM' }
  expect(await exchange(data.code)).toMatchObject({ code: 0, data: who })
  expect(await exchange(data.code)).toMatchObject({ code: 40401, data: null })
})

it('tells one of two who ask at the same time', async () => {
  const code = await codeFor()
  const heard = await Promise.all([exchange(code), exchange(code)])
  expect(heard.map(one => one.code).sort((a, b) => a - b)).toEqual([0, 40401])
})

it('is over after a minute', async () => {
  const code = await codeFor()
  kit.clock.advance(60_000)
  expect(await exchange(code)).toMatchObject({ code: 40401 })
})

it('K2: is used up by a person it was not for, who learns nothing', async () => {
  const code = await codeFor()
  expect(await exchange(code, others)).toMatchObject({ code: 40401, data: null })
  expect(await exchange(code)).toMatchObject({ code: 40401 })
})

it('is no token, and nobody without the partner’s key exchanges it', async () => {
  const code = await codeFor()
  expect(await kit.call(user.handoff, { menuNo: 'CRM' }, { as: { ...grace, token: code } })).toMatchObject({
    code: -10,
  })
  expect(await kit.call(embed.handoff, { code }, { headers: theirs.basic('kampala-crm', 'guessed') })).toMatchObject({
    code: 40301,
  })
})

it('is given for external links of the own menu only', async () => {
  const stranger = await kit.person({ perms: [] })
  for (const [menuNo, as] of [
    ['Wiki', grace],
    ['CRM', stranger],
    ['Nowhere', grace],
  ] as const)
    expect((await ask(menuNo, as)).code, menuNo).toBe(40401)
})

it('leaves who came, and where to, in the audit log, never the code', async () => {
  const code = await codeFor()
  await exchange(code)
  const [line] = await kit.db.read(tx =>
    tx.rows(
      sql<object>`select actor, object_no, partner_no, after from audit_log where action = 'embed.handoff' order by audit_no desc limit 1`,
    ),
  )
  expect(line).toMatchObject({
    actor: 'partner:PG1',
    objectNo: grace.userNo,
    partnerNo: 'PG1',
    after: { menuNo: 'CRM' },
  })
  expect(JSON.stringify(line)).not.toContain(code)
})
