import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codes } from '../../../../core/contract/codes.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { base, type Endpoint } from '../../../../core/contract/endpoint.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { done } from '../../../testing/acts.ts'
import { inviteActivity, inviteForm } from './app-content.facts.ts'

const { appInvite } = contract
let kit: Fixture
beforeAll(async () => {
  kit = await openFixture()
})
afterAll(() => kit.close())

const asked = (endpoint: unknown, input: object) => kit.ask(endpoint as Endpoint, input as never, { as: kit.boss })
const page = async (inviteNo: string) =>
  kit.one(sql<{ version: number; enabled: string; activityNo: string }>`
    select version, enabled, invite_activity as activity_no from app_invite where invite_no = ${inviteNo}`)
const shown = async () => {
  const answer = await kit.app.request(`${base}${appInvite.shown.path}?appCode=BodaCash`)
  return ((await answer.json()) as { data: { invite: { activityNo: string; titles: { sw: string } } | null } }).data
    .invite
}

it('is shown once a second person agrees, with the activity that was agreed to', async () => {
  const activityNo = await inviteActivity(kit)
  const inviteNo = String((await done(kit, appInvite.save, { ...inviteForm(activityNo), appCode: 'BodaCash' })).key)
  expect(await shown()).toBeNull()
  const { approvalNo } = await done(kit, appInvite.state, { inviteNo, enabled: true, version: 0 })
  expect(await shown()).toBeNull()
  await kit.agree(String(approvalNo))
  expect(await shown()).toMatchObject({ activityNo, titles: { sw: 'Alika rafiki' } })

  const again = inviteForm(activityNo, { inviteTitle: { zh: '邀请', en: 'Invite', sw: 'Alika' } })
  const words = await done(kit, appInvite.save, { ...again, inviteNo, version: (await page(inviteNo)).version })
  expect(words.approvalNo).toBeNull()
  expect(await shown()).toMatchObject({ titles: { sw: 'Alika' } })

  const other = await inviteActivity(kit)
  const change = { ...inviteForm(other), inviteNo, version: (await page(inviteNo)).version }
  const asks = await done(kit, appInvite.save, change)
  expect((await page(inviteNo)).activityNo).toBe(activityNo)
  await kit.agree(String(asks.approvalNo))
  expect((await page(inviteNo)).activityNo).toBe(other)
})

it('is one of an app, with an activity that rewards inviting in it', async () => {
  const activityNo = await inviteActivity(kit)
  const twice = await asked(appInvite.save, { ...inviteForm(activityNo), appCode: 'BodaCash' })
  expect(twice.code).not.toBe(codes.ok)
  await kit.exec(sql`update app_invite set deleted_time = now() where app_code = 'BodaCash'`)
  expect((await asked(appInvite.save, { ...inviteForm('AY0'), appCode: 'BodaCash' })).code).toBe(codes.validation)
  expect((await asked(appInvite.save, { ...inviteForm(activityNo), appCode: 'NoApp' })).code).toBe(codes.validation)
})
