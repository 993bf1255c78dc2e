import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { base } from '../../../../core/contract/endpoint.ts'
import { appContents } from '../../../../core/contract/operation/app-content.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { done } from '../../../testing/acts.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { signedBy } from '../../../testing/partner.ts'
import { contentForm, drafted, newest, submitted, textsOf } from './app-content.facts.ts'
import { appContentModule } from './app-content.ts'

const { appContent, appContentApp, appContract, orderContract, businessConfig } = contract

configSuite(appContents, {
  modules: [appContentModule()],
  fresh: n => contentForm({ titleSw: `Habari ${n}` }),
  changed: { sort: 9 },
  differs: 'sort',
})

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

const save = (change: object, as = fixture.boss) => fixture.ask(appContent.save, contentForm(change) as never, { as })
const wrongAt = (answer: { data: unknown }) =>
  (answer.data as { fields?: { path: string }[] } | null)?.fields?.map(({ path }) => path)
const enabled = async (change: object): Promise<string> => {
  const { key } = await done(fixture, appContent.save, contentForm(change))
  await done(fixture, appContent.state, { contentNo: key, enabled: true, version: 0 })
  return String(key)
}
const shown = async (query: object) => {
  const answer = await fixture.app.request(`${base}${appContent.shown.path}?${new URLSearchParams(query as never)}`)
  const { data } = (await answer.json()) as { data: { list: { contentNo: string; placement: string }[] } }
  return data.list.map(one => one.contentNo)
}

describe('a content', () => {
  it.each([
    ['without a title', { titleSw: undefined, bodySw: undefined }, 'titleSw'],
    ['with a body in a language that has no title', { bodyEn: 'Hello' }, 'titleEn'],
    ['with neither words nor picture', { bodySw: undefined }, 'bodySw'],
    ['that ends before it starts', { endTime: '2026-02-01T06:00:00.000Z' }, 'endTime'],
    ['that leads to no screen', { linkType: 'screen' }, 'appScreen'],
    ['with a link that is not safe', { linkType: 'url', linkUrl: 'http://help.example/x' }, 'linkUrl'],
    ['with a link to a host that is not allowed', { linkType: 'url', linkUrl: 'https://evil.example/x' }, 'linkUrl'],
    ['of an app that there is not', { appCode: 'NoApp' }, 'appCode'],
  ])('is refused %s', async (_, change, path) => {
    const answer = await save(change)
    expect(answer.code).toBe(40001)
    expect(wrongAt(answer)).toContain(path)
  })

  it('may lead to a host that two people have allowed', async () => {
    const configKey = 'MARKETING_TEXT' as const
    const { version, value } = (await done(fixture, businessConfig.get, { configKey })) as {
      version: number
      value: object
    }
    const asked = await done(fixture, businessConfig.update, {
      ...{ configKey, version, value: { ...value, linkHosts: 'help.example' } },
    })
    await fixture.agree(String(asked.approvalNo))
    expect((await save({ linkType: 'url', linkUrl: 'https://help.example/faq' })).code).toBe(0)
  })

  it('is seen while it runs, by those whom it is for, in its order', async () => {
    const [later, first] = [await enabled({ sort: 5 }), await enabled({ sort: 2 })]
    const forNew = await enabled({ sort: 3, customerStatuses: ['2'] })
    await enabled({ startTime: '2026-11-01T06:00:00.000Z' })
    await enabled({ endTime: '2026-03-01T07:00:00.000Z' })
    await done(fixture, appContent.save, contentForm({ sort: 1 }))
    const own = (list: string[]) => list.filter(no => [later, first, forNew].includes(no))
    expect(own(await shown({ appCode: 'BodaCash' }))).toEqual([first, later])
    expect(own(await shown({ appCode: 'BodaCash', customerStatus: '2' }))).toEqual([first, forNew, later])
    expect(await shown({ appCode: 'MarketLoan' })).toEqual([])
  })

  it('of two pop-ups for the same customers at one time the second is not enabled', async () => {
    const popup = { placement: 'popup', customerStatuses: ['0'] }
    const first = await enabled(popup)
    const { key } = await done(fixture, appContent.save, contentForm({ placement: 'popup' }))
    const turn = () =>
      fixture.ask(appContent.state, { contentNo: String(key), enabled: true, version: 0 } as never, {
        as: fixture.boss,
      })
    expect((await turn()).code).toBe(40901)
    const { version } = await fixture.one(
      sql<{ version: number }>`select version from app_content where content_no = ${first}`,
    )
    await done(fixture, appContent.state, { contentNo: first, enabled: false, version })
    expect((await turn()).code).toBe(0)
  })

  it('is copied to another app as disabled', async () => {
    const no = await enabled({ appCode: 'BodaCash' })
    expect((await done(fixture, appContent.copyTo, { contentNos: [no], appCode: 'MarketLoan' })).ok).toBe(1)
    const copies = await fixture.db.read(tx =>
      tx.rows(
        sql`select enabled from app_content where app_code = 'MarketLoan' and title_sw = (select title_sw from app_content where content_no = ${no})`,
      ),
    )
    expect(copies).toEqual([{ enabled: 'disabled' }])
  })

  it('is counted as its app reports it, each report once, and only of its own app', async () => {
    const no = await enabled({})
    const report = async (reportNo: string) => {
      const body = JSON.stringify({
        reportNo,
        events: [
          { contentNo: no, contentEvent: 'shown', count: 40 },
          { contentNo: no, contentEvent: 'clicked', count: 3 },
          { contentNo: 'AC404', contentEvent: 'shown', count: 9 },
        ],
      })
      const { secret } = await fixture.one(
        sql<{ secret: string }>`select secret from merchant_credential where merchant_no = 'M1'`,
      )
      const headers = { 'content-type': 'application/json', ...signedBy(body, { merchantNo: 'M1', secret }) }
      const answer = await fixture.app.request(`${base}${appContentApp.event.path}`, { method: 'POST', headers, body })
      return ((await answer.json()) as { data: { counted: number } }).data.counted
    }
    expect([await report('R1'), await report('R1'), await report('R2')]).toEqual([1, 0, 1])
    const { list } = (await done(fixture, appContent.page, { pageSize: 100 })) as { list: Record<string, unknown>[] }
    expect(list.find(row => row.contentNo === no)).toMatchObject({ shownWeek: 80, clickedWeek: 6 })
  })
})

describe('a contract', () => {
  const whole =
    '{principal} {amountReceived} {interest} {serviceFee} {managementFee} {totalToRepay} {dueDates} <b>{customerName}</b>'

  it('names values that there are', async () => {
    const no = await drafted(fixture)
    const { versionNo, version } = await newest(fixture, no)
    const answer = await fixture.ask(
      appContract.versionSave,
      { contractNo: no, versionNo, version, ...textsOf('Dear {nobody}') } as never,
      { as: fixture.boss },
    )
    expect(wrongAt(answer)).toEqual(['bodyZh'])
  })

  it('is given out within reach alone', async () => {
    const contractNo = await drafted(fixture)
    const { versionNo } = await newest(fixture, contractNo)
    const perms = [String(appContract.download.perm)]
    const near = await fixture.person({ perms, merchants: ['M1'], limit: 'own_merchants' })
    const far = await fixture.person({ perms, merchants: ['M2'], limit: 'own_merchants' })
    const fetched = (as: typeof near) => fixture.ask(appContract.download, { contractNo, versionNo }, { as })
    expect((await fetched(near)).text).toContain('UGX 200,000')
    expect((await fetched(far)).code).toBe(40401)
  })

  it('that sums up costs is not sent for approval while it leaves one out', async () => {
    const no = await drafted(fixture, 'M1', 'cost_summary')
    const { versionNo, version } = await newest(fixture, no)
    const answer = await fixture.ask(
      appContract.versionSubmit,
      { versionNo, version, reason: 'new' },
      { as: fixture.boss, language: 'en' },
    )
    expect(answer).toMatchObject({ code: 40001, msg: expect.stringContaining('{amountReceived}') })
  })

  it('is kept with an order as it was filled in, and a later text changes nothing of that', async () => {
    const no = await drafted(fixture, 'M1', 'cost_summary')
    const { versionNo, version } = await newest(fixture, no)
    const saved = await done(fixture, appContract.versionSave, {
      contractNo: no,
      versionNo,
      version,
      ...textsOf(whole),
    })
    expect(saved.versionNo).toBe(versionNo)
    await fixture.agree(await submitted(fixture, no))
    const item = await fixture.one(sql<{ version: number }>`select version from app_contract where contract_no = ${no}`)
    await done(fixture, appContract.state, { contractNo: no, enabled: true, version: item.version })
    const { orderNo } = await fixture.approved('M1')
    const signed = await done(fixture, orderContract.list, { orderNo })
    expect(signed.list).toMatchObject([{ contractNo: no, versionNo, contractType: 'cost_summary' }])

    await fixture.pass(1)
    await done(fixture, appContract.versionSave, { contractNo: no, ...textsOf(`${whole}!`) })
    await fixture.agree(await submitted(fixture, no))
    const file = (await fixture.ask(orderContract.download, { orderNo }, { as: fixture.boss, language: 'en' })).text
    expect(file).toContain('UGX 200,000')
    expect(file).toContain('&lt;b&gt;')
    expect(file).not.toContain('!</p>')
    await expect(
      fixture.exec(sql`update order_contract set text_en = 'x' where order_no = ${orderNo}`),
    ).rejects.toThrow()
  })
})
