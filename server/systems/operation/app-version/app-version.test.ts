import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chunkHeaders } from '../../../../core/contract/common/upload.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { packageOf } from '../../../files/uploads/content/made-package.ts'
import { uploadModule } from '../../../files/uploads/module.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { appVersionModule } from './app-version.ts'
import { bucketOf } from './bucket.ts'
import { noteDeployment } from './deployment.ts'
import { forgetDevices } from './forget.ts'

const { appVersion, appUpdate, common, upload } = contract
const perms = ['app:version:page', 'app:version:update', 'app:version:update:check', 'common:upload']
const dir = mkdtempSync(path.join(tmpdir(), 'mkopo-apps-'))
let kit: Kit
let boss: Person
let second: Person
let brand: Person

beforeAll(async () => {
  const uploads = { dir, secret: Buffer.alloc(32, 7) }
  const module = appVersionModule({ uploads })
  kit = await openKit({ modules: [module, uploadModule(uploads, {}), approvalModule(module.approvals ?? [])] })
  boss = await kit.person({ perms, name: 'Boss' })
  second = await kit.person({ perms, name: 'Second' })
  brand = await kit.person({ perms, nature: 'merchant', merchants: ['M2'], limit: 'own_merchants' })
})
afterAll(async () => {
  await kit.close()
  rmSync(dir, { recursive: true, force: true })
})

type Save = InputOf<typeof appVersion.save>
const form: Save = {
  appCode: 'BodaCash',
  os: 'android',
  versionName: '1.0.0',
  versionCode: 1,
  storeUrl: 'https://play.google.com/store/apps/details?id=ug.boda',
  releaseNotes: { zh: '新', en: 'New', sw: 'Mpya' },
}
const save = (more: Partial<Save>, as = boss) => kit.call(appVersion.save, { ...form, ...more }, { as })
const fieldsOf = (answer: { data: unknown }) =>
  (answer.data as { fields?: { path: string }[] }).fields?.map(one => one.path)

let code = 0
/** A version of the app that is offered to some. */
const release = async (grayPercent: number, forceUpdate = false, more: Partial<Save> = {}) => {
  const versionCode = ++code
  const { data } = await save({ versionCode, versionName: `1.0.${versionCode}`, ...more })
  const input = { versionNo: data.versionNo, version: 0, grayPercent, forceUpdate }
  const answer = await kit.call(appVersion.release, input, { as: boss })
  return { versionNo: data.versionNo, versionCode, answer }
}
const latest = async (versionCode: number, deviceId = 'D1', appCode = 'BodaCash') =>
  (await kit.call(appUpdate.latest, { appCode, os: 'android', versionCode, deviceId })).data
const rows = async (as = boss) => (await kit.call(appVersion.page, { pageSize: 100 }, { as })).data.list

describe('a version', () => {
  it.each<[string, Partial<Save>, string]>([
    ['a name of another form', { versionName: '1.0' }, 'versionName'],
    ['neither package nor store', { storeUrl: undefined }, 'storeUrl'],
    ['a plain http link', { storeUrl: 'http://a.b/c' }, 'storeUrl'],
    ['a package of another system', { os: 'ios', packageFileNo: 'UP1', storeUrl: undefined }, 'packageFileNo'],
    ['a minimum above itself', { minVersionCode: 2 }, 'minVersionCode'],
    ['an app that there is not', { appCode: 'Nothing' }, 'appCode'],
  ])('is refused with %s', async (_, more, at) => {
    const answer = await save(more)
    expect(answer.code).toBe(40001)
    expect(fieldsOf(answer)).toContain(at)
  })

  it('has a code above all of its app and system, a name of its own, and an app of its writer', async () => {
    const { versionCode } = await release(100)
    expect(fieldsOf(await save({ versionCode, versionName: '9.0.0' }))).toEqual(['versionCode'])
    expect(fieldsOf(await save({ versionCode: ++code, versionName: `1.0.${versionCode}` }))).toEqual(['versionName'])
    expect(fieldsOf(await save({ versionCode: ++code, versionName: '9.0.0' }, brand))).toEqual(['appCode'])
    expect((await save({ os: 'ios', versionCode: 1, versionName: '1.0.0' })).code).toBe(0)
    expect(await rows(brand)).toEqual([])
  })
})

describe('a release', () => {
  it('is offered to the devices of its part alone; widening adds devices and takes none away', async () => {
    const before = await release(100)
    const { versionNo, versionCode } = await release(20)
    const devices = Array.from({ length: 60 }, (_, n) => `P${n}`)
    const offered = async () => {
      const found = []
      for (const id of devices)
        if ((await latest(before.versionCode, id)).offer?.versionNo === versionNo) found.push(id)
      return found
    }
    const few = await offered()
    expect(few).toEqual(devices.filter(id => bucketOf(id, versionNo) < 20))
    const narrower = await kit.call(appVersion.widen, { versionNo, version: 1, grayPercent: 20 }, { as: boss })
    expect(fieldsOf(narrower)).toEqual(['grayPercent'])
    expect((await kit.call(appVersion.widen, { versionNo, version: 1, grayPercent: 60 }, { as: boss })).code).toBe(0)
    const more = await offered()
    expect(more.length).toBeGreaterThan(few.length)
    expect(more).toEqual(expect.arrayContaining(few))
    expect((await latest(versionCode, few[0])).offer).toBeNull()
  })

  it('waits for a second person where it is forced; then its devices must update', async () => {
    const before = await release(100)
    const { versionNo, answer } = await release(100, true)
    expect(answer.data).toMatchObject({ versionStatus: 'draft', approvalNo: expect.any(String) })
    expect((await latest(before.versionCode)).offer).toBeNull()
    const approvalNo = String(answer.data.approvalNo)
    expect((await kit.call(common.approve, { approvalNo, version: 0 }, { as: boss })).code).not.toBe(0)
    expect((await kit.call(common.approve, { approvalNo, version: 0 }, { as: second })).code).toBe(0)
    expect(await latest(before.versionCode)).toMatchObject({ mustUpdate: true, offer: { versionNo } })
    // A later one that is not forced does not let those go on who left the forced one out.
    await release(100)
    expect((await latest(before.versionCode)).mustUpdate).toBe(true)
    expect((await latest(before.versionCode + 1)).mustUpdate).toBe(false)
  })

  it('must be taken by those below its minimum, which a second person agrees to', async () => {
    const { versionCode, answer } = await release(100, false, { minVersionCode: code + 1 })
    expect((await latest(versionCode - 1)).mustUpdate).toBe(false)
    const approvalNo = String(answer.data.approvalNo)
    expect((await kit.call(common.approve, { approvalNo, version: 0 }, { as: second })).code).toBe(0)
    expect((await latest(versionCode - 1)).mustUpdate).toBe(true)
  })

  it('is withdrawn with a lower one to go back to; devices keep it until there is a higher one', async () => {
    const lower = await release(100)
    const { versionNo, versionCode } = await release(100)
    const input = { versionNo, version: 1, reason: 'crashes at start' }
    expect((await kit.call(appVersion.withdraw, input, { as: boss })).code).toBe(0)
    expect((await latest(lower.versionCode)).offer).toBeNull()
    expect((await latest(versionCode)).offer).toBeNull()
    const { data } = await save({ appCode: 'MarketLoan', versionCode: 1 })
    const alone = { versionNo: data.versionNo, version: 0, grayPercent: 100, forceUpdate: false }
    await kit.call(appVersion.release, alone, { as: boss })
    const first = { versionNo: data.versionNo, version: 1, reason: 'wrong file' }
    expect((await kit.call(appVersion.withdraw, first, { as: boss })).code).toBe(40901)
  })
})

describe('a package', () => {
  const sent = async (bytes: Buffer) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const file = { purpose: 'package' as const, fileName: 'boda.apk', size: bytes.length, sha256 }
    const { uploadNo, token } = (await kit.call(upload.token, file, { as: boss })).data
    const headers = { [chunkHeaders.token]: token, [chunkHeaders.sha256]: sha256 }
    await kit.call(upload.chunk, { uploadNo, chunkNo: 0 }, { as: boss, bytes, headers })
    expect((await kit.call(upload.complete, { uploadNo }, { as: boss })).code).toBe(0)
    return { uploadNo, sha256 }
  }
  const fetched = (versionNo: string) => kit.app.request(`/api/hc/web/noAuth/appUpdate/package?versionNo=${versionNo}`)

  it('is fetched without signing in once it is released, as it was sent', async () => {
    const bytes = packageOf('one')
    const { uploadNo, sha256 } = await sent(bytes)
    const draft = { storeUrl: undefined, packageFileNo: uploadNo, versionCode: ++code, versionName: `1.0.${code}` }
    const { versionNo } = (await save(draft)).data
    expect((await (await fetched(versionNo)).json()).code).toBe(40401)
    const input = { versionNo, version: 0, grayPercent: 100, forceUpdate: false }
    expect((await kit.call(appVersion.release, input, { as: boss })).code).toBe(0)
    const { offer } = await latest(code - 1)
    expect(offer).toMatchObject({ sha256, packageSize: bytes.length, storeUrl: null })
    expect(offer?.packagePath).toContain(versionNo)
    expect(Buffer.from(await (await fetched(versionNo)).arrayBuffer())).toEqual(bytes)
  })

  it('is not released when its bytes are no longer those whose hash was shown', async () => {
    const { uploadNo } = await sent(packageOf('two'))
    const draft = { storeUrl: undefined, packageFileNo: uploadNo, versionCode: ++code, versionName: `1.0.${code}` }
    const { versionNo } = (await save(draft)).data
    const { fileId } = await kit.db.read(tx =>
      tx.one(sql<{ fileId: string }>`select file_id from upload where upload_no = ${uploadNo}`),
    )
    appendFileSync(path.join(dir, fileId), 'x')
    const input = { versionNo, version: 0, grayPercent: 100, forceUpdate: false }
    const answer = await kit.call(appVersion.release, input, { as: boss })
    expect(answer).toMatchObject({ code: 40901, msg: expect.stringContaining('differs from the hash') })
  })
})

describe('devices', () => {
  it('count once a day with the version they have, and not at all with one that nobody wrote', async () => {
    const { versionCode, versionNo } = await release(100)
    const counted = async () => (await rows()).find(row => row.versionNo === versionNo)?.deviceCount
    await latest(versionCode, 'X1')
    await latest(versionCode, 'X1')
    await latest(versionCode, 'X2')
    await latest(2_000_000, 'X3')
    expect(await counted()).toBe(2)
    const { data } = await kit.call(appVersion.detail, { versionNo }, { as: boss })
    expect(data.dailyDevices.at(-1)?.deviceCount).toBe(2)
    expect(data.dailyDevices).toHaveLength(14)
    const { data: share } = await kit.call(appVersion.share, { appCode: 'BodaCash' }, { as: boss })
    expect(share.list.find(row => row.versionNo === versionNo)).toMatchObject({ deviceCount: 2 })
    const kept = await kit.db.read(tx => tx.rows(sql<{ is: boolean }>`select device_hash = 'X1' as is from app_device`))
    expect(kept.some(row => row.is)).toBe(false)
  })
})

describe('how a version runs', () => {
  it('is what devices report of their sessions, within a week', async () => {
    const { versionCode, versionNo } = await release(100)
    const report = (deviceId: string, ran: { sessions: number; crashes?: number }) =>
      kit.call(appUpdate.latest, { appCode: 'BodaCash', os: 'android', versionCode, deviceId, ...ran })
    const crashFree = async () => (await rows()).find(row => row.versionNo === versionNo)?.crashFree
    await latest(versionCode, 'S1')
    expect(await crashFree()).toBeNull()
    await report('S1', { sessions: 150, crashes: 1 })
    await report('S2', { sessions: 50, crashes: 90 })
    expect(await crashFree()).toBe('74.50')
    expect((await report('S3', { sessions: 201 })).code).toBe(40001)
  })

  it('is kept without the devices that no longer ask', async () => {
    const { versionCode } = await release(100)
    await latest(versionCode, 'OLD')
    await kit.db.withTx(tx => tx.exec(sql`update app_device set seen_date = ${tx.today}::date - 91`))
    await latest(versionCode, 'NEW')
    const left = await kit.db.withTx(async tx => {
      await forgetDevices.run(tx, { date: tx.today } as never)
      return tx.rows(sql`select 1 from app_device`)
    })
    expect(left).toHaveLength(1)
  })
})

describe('the console', () => {
  it('is noted by its deployment, once a version, and changed by nobody', async () => {
    for (const version of ['2.0.0', '2.0.0', '2.1.0']) await kit.db.withTx(tx => noteDeployment(tx, version))
    const [newest, ...older] = (await rows()).filter(row => row.os === 'console')
    expect(older).toHaveLength(1)
    expect(newest).toMatchObject({ versionName: '2.1.0', versionStatus: 'released', grayPercent: 100 })
    const input = { versionNo: String(newest?.versionNo), version: 1, reason: 'no' }
    expect((await kit.call(appVersion.withdraw, input, { as: boss })).code).toBe(40901)
  })
})
