import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'

const { activity, appContent, appContract, appInvite, orderContract, common } = contract
let made = 0

/** A content of the app of M1. */
export const contentForm = (change: object = {}) => ({
  appCode: 'BodaCash',
  placement: 'faq',
  titleSw: `Swali ${++made}`,
  bodySw: 'Jibu',
  linkType: 'none',
  startTime: '2026-03-01T06:00:00.000Z',
  endTime: '2026-12-01T06:00:00.000Z',
  sort: 1,
  ...change,
})
export const textsOf = (words = 'You borrow {principal}') => ({ bodyZh: words, bodyEn: words, bodySw: words })

/** The invite page of an app. */
export const inviteForm = (inviteActivity: string, change: object = {}) => ({
  inviteActivity,
  inviteTitle: { zh: '邀请好友', en: 'Invite a friend', sw: 'Alika rafiki' },
  inviteText: {
    zh: '好友还清首笔借款，你得奖励',
    en: 'A reward once your friend has repaid',
    sw: 'Zawadi rafiki akilipa',
  },
  ...change,
})
/** An activity that rewards inviting in the apps of M1. */
export const inviteActivity = async (fixture: Fixture): Promise<string> => {
  const task = { taskKey: 'invite_register', taskThreshold: 1, awardKind: 'wallet', awardAmount: '2000.00' }
  const day = (n: number) => new Date(fixture.clock.now().getTime() + n * 86_400_000).toISOString()
  const about = {
    activityName: `Invite ${++made}`,
    activityType: 'invite',
    merchantNos: ['M1'],
    appCodes: ['BodaCash'],
  }
  const limits = {
    startTime: day(-1),
    endTime: day(30),
    budgetAmount: '100000.00',
    awardsPerCustomer: 1,
    tasks: [task],
  }
  const words = { ruleText: { zh: '规则', en: 'Rules', sw: 'Kanuni' } }
  const no = String((await done(fixture, activity.save, { ...about, ...limits, ...words })).key)
  const { approvalNo } = await done(fixture, activity.state, { activityNo: no, enabled: true, version: 0 })
  await fixture.agree(String(approvalNo))
  return no
}
/** The invite page of the app of M1, as it was made last; an app has one. */
const invitePage = async (fixture: Fixture): Promise<string> => {
  await fixture.exec(
    sql`update app_invite set deleted_time = now() where app_code = 'BodaCash' and deleted_time is null`,
  )
  const input = { ...inviteForm(await inviteActivity(fixture)), appCode: 'BodaCash' }
  return String((await done(fixture, appInvite.save, input)).key)
}

type Version = { versionNo: string; version: number }
export const newest = (fixture: Fixture, contractNo: string) =>
  fixture.one(sql<Version>`
    select version_no, version from app_contract_version where contract_no = ${contractNo} order by created_time desc, version_no desc limit 1`)

/** A contract whose first text is a draft; a merchant has one of each type, so the one before is taken away. */
export const drafted = async (
  fixture: Fixture,
  merchantNo = 'M1',
  contractType = 'loan_agreement',
): Promise<string> => {
  await fixture.exec(sql`
    update app_contract set deleted_time = now() where merchant_no = ${merchantNo} and contract_type = ${contractType} and deleted_time is null`)
  return String((await done(fixture, appContract.save, { merchantNo, contractType, ...textsOf() })).key)
}
/** The contract of a type that a merchant has, or a new draft. */
const held = async (fixture: Fixture, merchantNo: string, contractType: string): Promise<string> => {
  const { no } = await fixture.one(sql<{ no: string | null }>`
    select max(contract_no) as no from app_contract where merchant_no = ${merchantNo} and contract_type = ${contractType} and deleted_time is null`)
  return no ?? drafted(fixture, merchantNo, contractType)
}
export const submitted = async (fixture: Fixture, contractNo: string, days = 0): Promise<string> => {
  const { versionNo, version } = await newest(fixture, contractNo)
  const effectiveTime = new Date(fixture.clock.now().getTime() + days * 86_400_000).toISOString()
  const input = { versionNo, version, reason: 'new law', ...(days ? { effectiveTime } : {}) }
  return String((await done(fixture, appContract.versionSubmit, input)).approvalNo)
}
const saved = async (fixture: Fixture, contractNo: string) => {
  const { versionNo, version } = await newest(fixture, contractNo)
  await done(fixture, appContract.versionSave, { contractNo, versionNo, version, ...textsOf('You owe {totalToRepay}') })
}

export default facts({
  approvals: [
    { action: 'appContract.version', ask: async fixture => submitted(fixture, await drafted(fixture)) },
    {
      action: 'appInvite.state',
      ask: async fixture => {
        const inviteNo = await invitePage(fixture)
        return String((await done(fixture, appInvite.state, { inviteNo, enabled: true, version: 0 })).approvalNo)
      },
    },
    {
      action: 'appInvite.save',
      ask: async fixture => {
        const inviteNo = await invitePage(fixture)
        const changed = inviteForm(await inviteActivity(fixture), { inviteNo, version: 0 })
        return String((await done(fixture, appInvite.save, changed)).approvalNo)
      },
    },
  ],
  lists: [
    {
      list: appContent.page,
      key: 'contentNo',
      of: 'company',
      fill: async fixture => {
        const { key } = await done(fixture, appContent.save, contentForm())
        const changes = `jsonb_build_object(${prefixed('content_no')}, ${at('updated_time')}, ${at('start_time')}, ${at('end_time')}, 'sort', 1 + n % 20, 'placement', (array['faq', 'about'])[1 + n % 2], 'enabled', (array['enabled', 'disabled'])[1 + n % 2])`
        await copied(fixture, 'app_content', `content_no = '${key}'`, changes)
      },
      means: { languageGap: (row, is: boolean) => (row.contentLanguages as string[]).length < 3 === is },
    },
    {
      list: appInvite.page,
      key: 'inviteNo',
      of: 'company',
      fill: async fixture => {
        const no = await invitePage(fixture)
        await fixture.exec(sql`drop index if exists app_invite_app`)
        const changes = `jsonb_build_object(${prefixed('invite_no')}, ${at('updated_time')}, 'enabled', (array['enabled', 'disabled'])[1 + n % 2])`
        await copied(fixture, 'app_invite', `invite_no = '${no}'`, changes)
      },
      means: { waiting: (_, mine: boolean) => !mine },
    },
    {
      list: appContract.page,
      key: 'contractNo',
      of: 'company',
      fill: async fixture => {
        const no = await drafted(fixture)
        await fixture.exec(sql`drop index if exists app_contract_once`)
        const changes = `jsonb_build_object(${prefixed('contract_no')}, ${at('updated_time')}, 'contract_type', (array['privacy', 'data_consent'])[1 + n % 2], 'enabled', (array['enabled', 'disabled'])[1 + n % 2])`
        await copied(fixture, 'app_contract', `contract_no = '${no}'`, changes)
      },
      means: { waiting: (_, mine: boolean) => !mine },
    },
  ],
  records: [
    { fields: ['contentNo', 'contentNos'], table: 'app_content', key: 'content_no' },
    { fields: ['inviteNo'], table: 'app_invite', key: 'invite_no' },
    {
      fields: ['versionNo'],
      under: '/appConfig/contract/',
      table: 'app_contract_version',
      key: 'version_no',
      make: async (fixture, merchantNo) =>
        (await newest(fixture, await held(fixture, merchantNo, 'extension_agreement'))).versionNo,
      owners: sql`
        select v.version_no as no, x.merchant_no, null::text[] as holders from app_contract_version v join app_contract x using (contract_no)`,
      unheld: true,
    },
    {
      fields: ['contractNo'],
      under: '/appConfig/contract',
      table: 'app_contract',
      key: 'contract_no',
      make: (fixture, merchantNo) => held(fixture, merchantNo, 'extension_agreement'),
      owners: sql`select contract_no as no, merchant_no, null::text[] as holders from app_contract`,
      unheld: true,
    },
  ],
  ways: [
    way('a contract is sent back, taken back and changed until it is in force', async fixture => {
      const no = await drafted(fixture)
      const refused = await submitted(fixture, no)
      await done(fixture, common.reject, { approvalNo: refused, version: 0, reason: 'unclear' }, fixture.second)
      await saved(fixture, no)
      await saved(fixture, no)
      await done(fixture, common.withdraw, { approvalNo: await submitted(fixture, no), version: 0 })
      await submitted(fixture, no)
      await fixture.pass(73 * 60)
      await fixture.tick('approval.expire')
      await fixture.agree(await submitted(fixture, no))
      await done(fixture, appContract.versionSave, { contractNo: no, ...textsOf('Once more {principal}') })
      await fixture.agree(await submitted(fixture, no))
    }),
    way('a contract is scheduled and cancelled', async fixture => {
      const no = await drafted(fixture)
      await fixture.agree(await submitted(fixture, no, 1))
      const { versionNo, version } = await newest(fixture, no)
      await done(fixture, appContract.versionCancel, { versionNo, version, reason: 'not needed' }, fixture.second)
    }),
    way('a contract starts by the clock once nothing is missing in it', async fixture => {
      const no = await drafted(fixture, 'M1', 'privacy')
      await fixture.agree(await submitted(fixture, no, 1))
      const become = (type: string) =>
        fixture.exec(sql`update app_contract set contract_type = ${type} where contract_no = ${no}`)
      await become('cost_summary')
      await fixture.pass(25 * 60)
      await fixture.tick('appContract.start')
      await become('privacy')
      await fixture.tick('appContract.start')
    }),
  ],
  calls: [
    ...Object.values(appContent)
      .filter(call => !('row' in call))
      .map(call => ({ call: call as Endpoint, about: 'contents are shown to every customer' })),
    ...Object.values(appInvite).map(call => ({
      call: call as Endpoint,
      about: 'an invite page is one of an app, not of a merchant',
    })),
    { call: appContract.save, about: 'a new contract; its merchant is asked for within reach in the test of the noun' },
    {
      call: appContract.download,
      needs: ({ made: of }) => ({
        contractNo: of['contractNo/appConfig/contract'] ?? 'AT0',
        versionNo: of['versionNo/appConfig/contract/'] ?? 'ATV0',
      }),
    },
    { call: orderContract.download, needs: () => ({}) },
  ],
})
