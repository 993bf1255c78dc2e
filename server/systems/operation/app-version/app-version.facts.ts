import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { packageOf } from '../../../files/uploads/content/made-package.ts'
import { done } from '../../../testing/acts.ts'
import { copied, maybe, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type Made, type MerchantNo } from '../../../testing/facts.ts'

const { appVersion } = contract
const apps = { M1: 'BodaCash', M2: 'MarketLoan', M3: 'Shamba' } as const
let made = 1_000

const form = (merchantNo: MerchantNo = 'M1') => {
  const versionCode = ++made
  return {
    appCode: apps[merchantNo],
    os: 'android' as const,
    versionName: `1.${versionCode}.0`,
    versionCode,
    releaseNotes: { zh: '更稳定', en: 'Steadier', sw: 'Imara zaidi' },
  }
}
const store = 'https://play.google.com/store/apps/details?id=ug.kasa'

const drafted = async (fixture: Fixture, merchantNo?: MerchantNo): Promise<string> =>
  String((await done(fixture, appVersion.save, { ...form(merchantNo), storeUrl: store })).versionNo)

const released = async (fixture: Fixture): Promise<string> => {
  const versionNo = await drafted(fixture)
  await done(fixture, appVersion.release, { versionNo, version: 0, grayPercent: 10, forceUpdate: false })
  return versionNo
}

const packaged = async (fixture: Fixture) => {
  const input = form()
  const file = { purpose: 'package' as const, fileName: 'kasa.apk', bytes: packageOf(input.versionName) }
  return { ...input, packageFileNo: await fixture.uploaded(fixture.boss, file) }
}

const made0 = async (fixture: Fixture, more: object): Promise<Made> => {
  const no = await drafted(fixture)
  return { no, input: { versionNo: no, version: 0, ...more } }
}

/** A released one above another that is. */
const upper = async (fixture: Fixture, more: object): Promise<Made> => {
  await released(fixture)
  const no = await released(fixture)
  return { no, input: { versionNo: no, version: 1, ...more } }
}

const askForced = async (fixture: Fixture): Promise<string> => {
  const versionNo = await drafted(fixture)
  const input = { versionNo, version: 0, grayPercent: 5, forceUpdate: true }
  return String((await done(fixture, appVersion.release, input)).approvalNo)
}

export default facts({
  machines: {
    appVersion: {
      row: {
        versionNo: 'AV1',
        appCode: 'BodaCash',
        os: 'android',
        versionName: '0.0.1',
        versionCode: 1,
        releaseNotes: '{"zh":"一","en":"One","sw":"Moja"}',
        createdBy: 'U1',
        createdName: 'Grace',
        createdTime: '2026-03-02T07:00:00Z',
      },
    },
  },
  commands: [
    { call: appVersion.release, make: fixture => made0(fixture, { grayPercent: 10, forceUpdate: false }) },
    { call: appVersion.widen, make: fixture => upper(fixture, { grayPercent: 50 }) },
    { call: appVersion.withdraw, make: fixture => upper(fixture, { reason: 'crashes at start' }) },
  ],
  beginnings: [{ call: appVersion.save, input: packaged }],
  approvals: [{ action: 'appVersion.release', ask: askForced }],
  lists: [
    {
      list: appVersion.page,
      key: 'versionNo',
      ownedBy: 'versionNo',
      fill: async fixture => {
        const no = await released(fixture)
        made += 100
        const changes = `jsonb_build_object(${prefixed('version_no')}, 'version_name', '2.' || x.version_code || '.' || n, 'version_code', x.version_code + n, ${maybe('release_time', `x.release_time - n % 5 * interval '1 hour'`)}, 'force_update', n % 2 = 0)`
        await copied(fixture, 'app_version', `version_no = '${no}'`, changes)
      },
    },
  ],
  records: [
    {
      fields: ['versionNo'],
      under: '/appUpdate',
      table: 'app_version',
      key: 'version_no',
      make: drafted,
      owners: sql`select x.version_no as no, min(m.merchant_no) as merchant_no, '{}'::text[] as holders
        from app_version x join merchant m on m.app_name = x.app_code group by x.version_no`,
      unheld: true,
    },
  ],
  calls: [
    { call: appVersion.save, about: 'which apps it may be for is asked for in the test of the noun' },
    { call: appVersion.share, about: 'counts devices by version, and names none' },
  ],
})
