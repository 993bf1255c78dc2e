import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../../core/contract/contract.ts'
import { base } from '../../../../../core/contract/endpoint.ts'
import { endTokens } from '../../../../embed/token.ts'
import { system } from '../../../../rights/actor.ts'
import { menuRows } from '../../../../rights/menus.ts'
import { crm, openPartner } from '../../../../testing/embedding.ts'
import { type Kit, openKit, type Person } from '../../../../testing/kit.ts'
import { frozen, thawed } from '../../../../testing/people.ts'
import { myAuditModule } from '../../../audit/task/my-audit.ts'
import { reveal } from '../../../common/reveal.ts'
import { viewModule } from '../../../portal/view/view.ts'
import { signInModule } from '../../sign-in/sign-in.ts'
import { authModule } from '../auth.ts'
import { selfModule } from '../self.ts'
import { embedModule } from './embed.ts'

const { audit, common, embed, signIn, user, view } = contract
const perms = ['audit:self:page', 'audit:order:handle', 'audit:allot:page', 'log:audit:page', 'embed:revoke']

let kit: Kit
let partner: Awaited<ReturnType<typeof openPartner>>
let grace: Person
let boss: Person
const rows = <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.rows(query))
const exec = (query: ReturnType<typeof sql>) => kit.db.withTx(tx => tx.exec(query))
const deps = { demo: false } as never

beforeAll(async () => {
  const served = { served: [reveal] }
  kit = await openKit({
    handmade: true,
    modules: [
      authModule(),
      signInModule({ secretKey: Buffer.alloc(32) }),
      selfModule(deps),
      embedModule(),
      myAuditModule(deps),
      viewModule(),
      served,
    ],
  })
  for (const { menuNo, parentMenuNo, menuName, menuType, perms: code, sort } of menuRows())
    await exec(
      sql`insert into menu (menu_no, parent_menu_no, menu_name, menu_type, perms, sort) values (${menuNo}, ${parentMenuNo}, ${menuName}, ${menuType}, ${code}, ${sort})`,
    )
  partner = await openPartner(kit)
})
afterAll(() => kit.close())

beforeEach(async () => {
  grace = await kit.person({ perms, sensitive: ['pii:unmask', 'pii:reveal:phone'] })
  boss = await kit.person({ perms })
  for (const page of ['mkopo-audit-my-audit', 'mkopo-audit-order-allocation'])
    await exec(sql`insert into role_menu (role_no, menu_no) values (${`R${grace.userNo}`}, ${page})`)
})

const list = (o: Parameters<Kit['call']>[2]) => kit.call(audit.selfList, {}, o)
const security = (kind: string) =>
  rows(sql<{ partnerNo: string; origin: string | null; path: string }>`
    select partner_no, origin, path from security_log where security_kind = ${kind} order by security_no desc`)

describe('minting', () => {
  it('gives a token for a quarter of an hour, bound and written down by its hash', async () => {
    const { code, data } = await partner.mint(grace)
    expect(code).toBe(0)
    expect(data.token).toMatch(/^mkopo_embed_tok_[\w-]{43}$/)
    const now = kit.clock.now().getTime()
    expect([Date.parse(data.expireTime) - now, Date.parse(data.refreshUntil) - now]).toEqual([900_000, 8 * 3_600_000])
    const [row] = await rows(sql<Record<string, unknown>>`select * from embed_token where user_no = ${grace.userNo}`)
    expect(row).toMatchObject({ embedTokenStatus: 'active', origin: crm, partnerNo: 'PG1' })
    expect(JSON.stringify(row)).not.toContain(data.token)
    const [line] = await rows(sql<Record<string, unknown>>`
      select actor, actor_name, partner_no, action, after from audit_log where object_type = 'embedToken' order by audit_no desc limit 1`)
    expect(line).toMatchObject({
      actor: 'partner:PG1',
      actorName: 'Kampala CRM',
      partnerNo: 'PG1',
      action: 'embed.mint',
      after: { userNo: grace.userNo, origin: crm, widgets: ['mkopo-audit-my-audit'] },
    })
    expect(JSON.stringify(line)).not.toContain(data.token)
  })

  it.each([
    ['another secret', () => partner.basic('kampala-crm', 'guessed')],
    ['an unknown client', () => partner.basic('nobody')],
    ['no header', () => ({}) as ReturnType<typeof partner.basic>],
    ['a header of another form', () => ({ authorization: 'Bearer x' })],
  ])('is refused with %s, in the same words', async (_, headers) => {
    expect(await partner.mint(grace, {}, headers())).toMatchObject({
      code: 40301,
      msg: 'The partner could not be verified',
      data: null,
    })
  })

  it.each([
    ['an origin that is not the partner’s', { origin: 'https://crm.example.evil.com' }],
    ['no scheme of the partner’s', { origin: 'http://crm.example' }],
    ['elements that the partner has not', { widgets: ['mkopo-audit-order-allocation'] }],
    ['codes that the partner has not', { perms: ['audit:allot:page'] }],
    ['merchants that nobody has', { merchantNos: ['M9'] }],
    ['a person whom nobody knows', { loginId: 'nobody' }],
  ])('grants nothing for %s', async (_, asked) => {
    expect(await partner.mint(grace, asked)).toMatchObject({ code: 40301, data: null })
  })

  it('grants nothing to people who are frozen or must change the password', async () => {
    await kit.db.withTx(tx => frozen(tx, grace.userNo))
    expect((await partner.mint(grace)).code).toBe(40301)
    await kit.db.withTx(tx => thawed(tx, grace.userNo))
    await exec(sql`update app_user set password_update_status = 1 where user_no = ${grace.userNo}`)
    expect((await partner.mint(grace)).code).toBe(40301)
  })

  it('never comes from a browser', async () => {
    const heard = await partner.mint(grace, {}, { ...partner.basic(), origin: crm } as never)
    expect(heard).toMatchObject({ code: 40301 })
  })

  it('makes an address wait that guesses', async () => {
    const other = await openKit({ handmade: true, modules: [embedModule(2)] })
    const theirs = await openPartner(other)
    const who = await other.person({ perms })
    const guess = () => theirs.mint(who, {}, theirs.basic('kampala-crm', 'guessed'))
    expect([(await guess()).code, (await guess()).code, (await guess()).code]).toEqual([40301, 40301, 42901])
    expect((await theirs.mint(who)).code).toBe(42901)
    const stranger = theirs.basic('another-partner', 'guessed')
    expect((await theirs.mint(who, {}, stranger)).code).toBe(40301)
    await other.close()
  })
})

describe('a token', () => {
  it('reads the list of its element from its own origin', async () => {
    expect(await list(await partner.page(grace))).toMatchObject({ code: 0, data: { list: [], total: 0 } })
  })

  it.each([
    ['no origin', undefined],
    ['null', 'null'],
    ['a longer name', 'https://crm.example.evil.com'],
    ['a name that ends the same', 'https://evilcrm.example'],
    ['http', 'http://crm.example'],
    ['another port', 'https://crm.example:8443'],
    ['a capital letter', 'https://CRM.example'],
  ])('is refused, not ended, from %s', async (_, origin) => {
    const page = await partner.page(grace)
    const heard = await list({ as: page.as, headers: origin === undefined ? {} : { origin } })
    expect(heard).toMatchObject({ code: 40301, data: null })
    expect((await security('embed.origin'))[0]).toEqual({
      partnerNo: 'PG1',
      origin: origin ?? null,
      path: audit.selfList.path,
    })
    expect((await list(page)).code).toBe(0)
  })

  it('C4: is refused for calls of other elements, although the person may make them', async () => {
    const page = await partner.page(grace)
    expect(
      await kit.call(
        user.changePwd,
        { oldPassword: 'x', newPassword: 'Kitenge-88-Moon', confirmPassword: 'Kitenge-88-Moon' },
        page,
      ),
    ).toMatchObject({ code: 40301 })
    expect(await kit.call(embed.revoke, { partnerNo: 'PG1' }, page)).toMatchObject({ code: 40301 })
    expect((await security('embed.endpoint')).map(one => one.path)).toEqual(['/embed/revoke', '/user/changePwd'])
    expect((await kit.call(view.page, { widget: 'mkopo-audit-my-audit' }, page)).code).toBe(0)
  })

  it('has no more codes than were asked for', async () => {
    const page = await partner.page(grace, { perms: ['audit:order:handle'] })
    expect(await list(page)).toMatchObject({ code: 40301 })
  })

  it('loses a code as soon as the person does', async () => {
    const page = await partner.page(grace)
    await exec(sql`delete from role_menu where role_no = ${`R${grace.userNo}`}`)
    expect(await list(page)).toMatchObject({ code: 40301 })
  })

  it('is answered sixty times a minute, with its successors', async () => {
    const page = await partner.page(grace)
    for (let n = 0; n < 60; n++) expect((await list(page)).code).toBe(0)
    expect(await list(page)).toMatchObject({ code: 42901, msg: expect.stringMatching(/\d+/) })
    expect((await list(await partner.page(grace))).code).toBe(0)
  })

  it('reveals only what it was granted, and the access log names the partner', async () => {
    const page = await partner.page(grace)
    const asked = { kind: 'phone', objectType: 'order', objectNo: 'LO0', field: 'phone' } as const
    expect((await kit.call(common.reveal, asked, page)).code).toBe(40401)
    expect((await kit.call(common.reveal, { ...asked, kind: 'idNumber' }, page)).code).toBe(40301)
  })
})

describe('GET /user/self', () => {
  it('is cut down to what the token may do', async () => {
    const { data: whole } = await kit.call(user.self, {}, { as: grace })
    expect(whole.embedded).toBeUndefined()
    expect(whole.allowedPaths).toContain('/admincontent/auditsystem/orderallocation')
    const { data } = await kit.call(user.self, {}, await partner.page(grace))
    expect(data.allowedPaths).toEqual(['/admincontent/auditsystem/myaudit'])
    expect(data.sensitivePerms).toEqual(['pii:reveal:phone'])
    expect(data.userInfo).toMatchObject({ userNo: grace.userNo, isDesensitization: true, lastLoginIp: null })
    expect(data.embedded).toEqual({ expiresIn: 900, renewable: true, moneyCommands: [] })
    const codes = (nodes: typeof data.userMenu): (string | null)[] =>
      nodes.flatMap(node => [node.perms, ...codes(node.childList)])
    expect(
      codes(data.userMenu)
        .filter(code => code && !code.startsWith('/'))
        .sort(),
    ).toEqual(['audit:order:handle', 'audit:self:page'])
  })
})

describe('renewal', () => {
  const refresh = (page: Awaited<ReturnType<typeof partner.page>>) => kit.call(embed.refresh, {}, page)
  const minutes = (count: number) => kit.clock.advance(count * 60_000)

  it('waits for the last two minutes, then gives another one; the old one answers half a minute more', async () => {
    const page = await partner.page(grace)
    expect(await refresh(page)).toMatchObject({ code: 40901 })
    minutes(13.5)
    const { code, data } = await refresh(page)
    expect(code).toBe(0)
    const next = { ...page, as: { ...page.as, token: data.token } }
    expect([(await list(page)).code, (await list(next)).code]).toEqual([0, 0])
    expect(await refresh(page)).toMatchObject({ code: 40901 })
    minutes(0.6)
    expect([(await list(page)).code, (await list(next)).code]).toEqual([-10, 0])
  })

  it('ends eight hours after the minting', async () => {
    let page = await partner.page(grace)
    let count = 0
    for (let last = false; !last; count++) {
      minutes(13.5)
      const { data } = await refresh(page)
      last = data.expireTime === data.refreshUntil
      page = { ...page, as: { ...page.as, token: data.token } }
    }
    expect(count).toBe(35)
    expect((await kit.call(user.self, {}, page)).data.embedded?.renewable).toBe(false)
    minutes(6)
    expect(await refresh(page)).toMatchObject({ code: 40901 })
    minutes(15)
    expect((await list(page)).code).toBe(-10)
  })

  it('is not for sessions of the console', async () => {
    expect(await kit.call(embed.refresh, {}, { as: grace })).toMatchObject({ code: 40301 })
  })

  it('happens once when it is asked for twice at the same time', async () => {
    const page = await partner.page(grace)
    minutes(14)
    const heard = await Promise.all([refresh(page), refresh(page)])
    expect(heard.map(one => one.code).sort((a, b) => a - b)).toEqual([0, 40901])
  })
})

describe('the end', () => {
  it('comes with the next call of a frozen person', async () => {
    const page = await partner.page(grace)
    await kit.db.withTx(tx => frozen(tx, grace.userNo))
    expect(await list(page)).toMatchObject({ code: -10 })
  })

  it('is written down for every living token of a person', async () => {
    const page = await partner.page(grace)
    await partner.page(grace)
    const ended = await kit.db.withTx(tx => endTokens(tx, { userNo: grace.userNo }, 'user.freeze', system('test')))
    expect(ended).toBe(2)
    expect(await list(page)).toMatchObject({ code: -10 })
    const states = await rows(sql<{ s: string; r: string }>`
      select embed_token_status as s, ended_reason as r from embed_token where user_no = ${grace.userNo}`)
    expect(states).toEqual([0, 1].map(() => ({ s: 'revoked', r: 'user.freeze' })))
  })

  it('is the administrator’s to say, for one person or for the partner', async () => {
    const [mine, theirs] = [await partner.page(grace), await partner.page(boss)]
    const one = await kit.call(embed.revoke, { partnerNo: 'PG1', userNo: grace.userNo }, { as: boss })
    expect(one).toMatchObject({ code: 0, data: { ended: 1 } })
    expect([(await list(mine)).code, (await list(theirs)).code]).toEqual([-10, 0])
    const other = await openPartner(kit, { partnerNo: 'PG2', clientId: 'second', origins: ['https://second.example'] })
    const page = await other.page(grace)
    const all = await kit.call(embed.revoke, { partnerNo: 'PG2', disable: true }, { as: boss })
    expect(all).toMatchObject({ code: 0, data: { ended: 1 } })
    expect((await list(page)).code).toBe(-10)
    expect(await other.mint(grace)).toMatchObject({ code: 40301, msg: 'The partner could not be verified' })
    expect(await kit.call(embed.revoke, { partnerNo: 'PG9' }, { as: boss })).toMatchObject({ code: 40401 })
  })

  it('is seen beforehand: partners with their origins, and who has a token there now', async () => {
    await partner.page(grace)
    const { list: found } = (await kit.call(embed.partners, {}, { as: boss })).data
    const one = found.find(({ partnerNo }) => partnerNo === 'PG1')
    expect(one).toMatchObject({ enabled: true, origins: [crm] })
    expect(one?.tokens.map(({ userNo }) => userNo)).toContain(grace.userNo)
    expect(JSON.stringify(found)).not.toMatch(/secret|hash|mkopo_embed_tok/i)
    const other = await kit.person({ perms: ['audit:self:page'] })
    expect(await kit.call(embed.partners, {}, { as: other })).toMatchObject({ code: 40301 })
  })

  it('comes by the clock, and the job writes it down', async () => {
    const page = await partner.page(grace)
    kit.clock.advance(15 * 60_000)
    expect(await list(page)).toMatchObject({ code: -10 })
    const job = embedModule().scheduled?.[0]
    await kit.db.withTx(tx => job!.run(tx, { date: tx.today }))
    expect(
      await rows(sql<{ s: string }>`select embed_token_status as s from embed_token where user_no = ${grace.userNo}`),
    ).toEqual([{ s: 'expired' }])
  })
})

describe('pages of other origins', () => {
  const preflight = (origin: string) =>
    kit.app.request(`${base}${audit.selfList.path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })

  it('C5: are answered where a living grant names them, letter by letter, without cookies', async () => {
    const answer = await preflight(crm)
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(crm)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('vary')).toBe('Origin')
    const allowed = answer.headers.get('access-control-allow-headers')?.split(', ')
    expect(allowed).toEqual(expect.arrayContaining(['token', 'x-mkopo-version', 'idempotency-key']))
    for (const origin of ['null', 'https://crm.example.evil.com', 'http://crm.example', 'https://crm.example:444']) {
      const refused = await preflight(origin)
      expect(refused.status, origin).toBe(403)
      expect(refused.headers.get('access-control-allow-origin'), origin).toBeNull()
      expect(refused.headers.get('vary'), origin).toBe('Origin')
    }
  })

  it('use no session of the console, and cannot sign in', async () => {
    expect(await list({ as: grace, headers: { origin: crm } })).toMatchObject({ code: 40301 })
    expect(await list({ headers: { origin: crm } })).toMatchObject({ code: -10 })
    expect(await kit.call(signIn.challenge, {}, { headers: { origin: crm } })).toMatchObject({ code: 40301 })
    expect((await list({ as: grace })).code).toBe(0)
  })

  it('are forgotten within seconds when the partner is disabled', async () => {
    await openPartner(kit, { partnerNo: 'PG3', clientId: 'third', origins: ['https://third.example'] })
    await expect.poll(async () => (await preflight('https://third.example')).status, { timeout: 60_000 }).toBe(204)
    await exec(sql`update partner_grant set enabled = false where partner_no = 'PG3'`)
    await expect.poll(async () => (await preflight('https://third.example')).status, { timeout: 60_000 }).toBe(403)
  })
})
