import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { openServerKit } from '../../../../tests/contract/server-kit.ts'
import { hashPassword } from '../../../session/password.ts'
import type { Person } from '../../../testing/kit.ts'
import { asks } from '../../../testing/sign-in.ts'

const { businessConfig, common, merchant, signIn } = contract
const configKey = 'SIGN_IN_POLICY' as const
const password = 'Nile-Boat-47'

let kit: Awaited<ReturnType<typeof openServerKit>>
let username: string
beforeAll(async () => {
  kit = await openServerKit()
  const { userNo } = await kit.person({ perms: [] })
  username = `login.${userNo}`
  const hash = await hashPassword(password)
  await kit.exec(sql`
    update app_user set password_hash = ${hash}, phone = '256772000411', phone_verified = true where user_no = ${userNo}`)
})
afterAll(() => kit.close())

const held = async () => kit.must(await kit.call(businessConfig.get, { configKey }, { as: kit.boss }))
const change = async (value: object, as: Person = kit.boss) =>
  kit.call(businessConfig.update, { configKey, version: (await held()).version, value } as never, {
    as,
    language: 'en',
  })
const agreed = async (value: object) => {
  const { approvalNo } = kit.must(await change(value))
  kit.must(await kit.call(common.approve, { approvalNo, version: 0 }, { as: kit.second }))
}
const isAsked = async (name = username) =>
  kit.must(await kit.call(signIn.challenge, { username: name }, {})).slideRequired
const next = async () => {
  const { nextStep } = kit.must(await asks(kit, { username, password }))
  return nextStep
}

it('the policy is read by the next sign-in once a second person agreed: slide, code, and neither again', async () => {
  expect((await held()).value).toEqual({ slide: 'after_failures', codeFor: [] })
  expect([await isAsked(), await next()]).toEqual([false, 'bind'])
  const { approvalNo } = kit.must(await change({ slide: 'always', codeFor: ['O0'] }))
  expect([await isAsked(), await next()]).toEqual([false, 'bind'])
  expect((await kit.call(common.approve, { approvalNo, version: 0 }, { as: kit.boss })).code).toBe(40301)
  const waits = kit.must(
    await kit.call(common.approvals, { objectType: 'businessConfig', objectNo: configKey }, { as: kit.second }),
  ).list
  expect(waits[0]?.summary.map(({ before, after }) => [before, after])).toEqual([
    ['After two failures', 'At every sign-in'],
    ['–', expect.stringMatching(/^[^O]/)],
  ])
  kit.must(await kit.call(common.approve, { approvalNo, version: 0 }, { as: kit.second }))
  // The person's organization is below the one that is named.
  expect([await isAsked(), await isAsked('nobody.at.all'), await next()]).toEqual([true, true, 'code'])
  await agreed({ slide: 'after_failures', codeFor: ['O2'] })
  expect([await isAsked(), await next()]).toEqual([false, 'bind'])
})

it.each([
  ['an organization that does not exist', { slide: 'always', codeFor: ['O404'] }, 40001],
  ['another moment for the slide', { slide: 'never', codeFor: [] }, 40001],
  ['more than is asked for', { slide: 'always', codeFor: [], mfa: 'off' }, 40001],
])('%s is refused and changes nothing', async (_, value, code) => {
  const before = await held()
  expect((await change(value)).code).toBe(code)
  expect(await held()).toEqual(before)
})

it('what changes nothing is refused, and so are people without the right, or not of headquarters', async () => {
  const { value } = await held()
  expect((await change(value as object)).code).toBe(40001)
  const reader = await kit.person({ perms: ['org:merchant:page'] })
  expect((await kit.call(businessConfig.get, { configKey }, { as: reader })).code).toBe(0)
  expect((await change({ slide: 'always', codeFor: [] }, reader)).code).toBe(40301)
  const other = await kit.person({ perms: ['operation:verifyCode:page'] })
  expect((await kit.call(businessConfig.get, { configKey }, { as: other })).code).toBe(40301)
})

it('a company and an organization say who changed them, with the values before and after', async () => {
  const as = kit.boss
  const company = { companyCode: 'CX9', companyName: 'Lake Finance' }
  kit.must(await kit.call(merchant.companyAdd, company, { as }))
  kit.must(await kit.call(merchant.companyUpdate, { ...company, companyName: 'Lake Credit', version: 0 }, { as }))
  const { orgNo } = kit.must(
    await kit.call(merchant.organizationAdd, { companyCode: 'CX9', orgName: 'Lake North', orgType: 'lender' }, { as }),
  )
  kit.must(
    await kit.call(
      merchant.organizationUpdate,
      { orgNo, version: 0, orgName: 'Lake East', orgType: 'partner' },
      { as },
    ),
  )
  const lines = async (objectType: string, objectNo: string) =>
    kit
      .must(await kit.call(common.auditLog, { objectType, objectNo }, { as }))
      .list.map(({ action, before, after }) => ({ action, before, after }))
  expect(await lines('company', 'CX9')).toEqual([
    { action: 'company.update', before: { companyName: 'Lake Finance' }, after: { companyName: 'Lake Credit' } },
    { action: 'company.add', before: null, after: { companyName: 'Lake Finance' } },
  ])
  expect((await lines('org', orgNo))[0]).toEqual({
    action: 'organization.update',
    before: { orgName: 'Lake North', orgType: 'lender' },
    after: { orgName: 'Lake East', orgType: 'partner' },
  })
})
